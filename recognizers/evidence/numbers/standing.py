# ruff: noqa: E501 -- a pattern reads best on one line
"""(R) A characteristic that points at one person: an office that one holds, a prize, the only one.

Offices of a named place lose the place, which is found by itself; those of an unnamed one go whole.
"""

from __future__ import annotations

from recognizers.evidence.rules import Pattern, Rules

OTHER = "OTHER_ID"
SURE = 0.92
TIME = r"(?:(?:current|present|former|sitting|past|retired|then|acting|interim|incumbent|longtime|founding|newly elected|ex)[ -])?"
RANK = r"(?:(?:executive|senior|first|associate|assistant|deputy|lieutenant|vice)[ -]){0,3}"
WHOSE = r"(?:the|our|this|that|his|her|their|a|an)"
SCHOOL = r"(?:[a-z]+ )?(?:university|college|seminary|academy|school district|school board|bar association|medical society|senate)"
REALM = r"(?:state|city|town|township|village|borough|county|parish|tribe|nation|country|island|reservation|diocese|archdiocese|commonwealth)"
WHO = r"(?:person|man|woman|boy|girl|child|patient|resident|female|male|physician|doctor|dentist|veterinarian|pharmacist|judge|priest|rabbi|imam|lawyer|survivor|case)"


class OthersStanding(Rules):
    word = "others_standing"
    patterns = (
        Pattern(
            "head of a school",
            rf"(?i)\b({TIME}{RANK}(?:president|chancellor|provost|rector|superintendent|headmaster|headmistress)(?: emerit(?:us|a))? (?:of|at) {WHOSE} (?:local |state |city |county |community |public |private )?{SCHOOL})\b",
            OTHER,
            SURE,
        ),
        Pattern(
            "head of a place",
            rf"(?i)\b({TIME}{RANK}(?:mayor|governor|sheriff|coroner|district attorney|attorney general|secretary of state|chief justice|police chief|chief of police|fire chief|bishop|archbishop|chairman|chairwoman|chief|king|queen|president) (?:of|for) {WHOSE} (?:whole )?{REALM})\b",
            OTHER,
            SURE,
        ),
        Pattern(
            "prize",
            r"(?i)\b((?:olympic|paralympic) (?:(?:gold|silver|bronze) )?(?:medal(?:l?ist)?s?|champion)|(?:nobel|pulitzer)(?: (?:peace )?prize)?(?:[ -](?:winner|winning|laureate))?|(?:heisman|grammy|emmy|oscar|academy award|medal of honor)[ -](?:trophy )?(?:winner|winning|recipient))\b",
            OTHER,
            SURE,
        ),
        Pattern(
            "the only one",
            rf"(?i)\b((?:the|our) (?:only|sole|lone|first|oldest|youngest|tallest)(?: (?:living|known|surviving|black|female|male|african[ -]american|hispanic|native|asian|jewish|muslim|openly gay)){{0,2}} {WHO} (?:in|of) {WHOSE} (?:whole |entire )?{REALM})\b",
            OTHER,
            SURE,
        ),
        Pattern(
            "sole survivor",
            r"(?i)\b((?:only|sole|lone) survivor of (?:the|a) [a-z]+(?: [a-z]+)? (?:crash|fire|shooting|accident|wreck|explosion|collapse))\b",
            OTHER,
            SURE,
        ),
        Pattern(
            "winner of a lottery",
            r"(?i)\b((?:won|winner of|winning) (?:the )?(?:state |powerball |mega millions )*(?:lottery|powerball|mega millions)(?: jackpot)?|lottery winner)\b",
            OTHER,
            SURE,
        ),
    )
