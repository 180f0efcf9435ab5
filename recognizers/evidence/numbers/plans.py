# ruff: noqa: E501 -- a pattern reads best on one line
"""(I) Health plan beneficiary numbers: member, subscriber, policy, group; the Medicare number."""

from __future__ import annotations

from recognizers.evidence.rules import Label, Pattern, Rules
from recognizers.text.shapes import SPOKEN_ID, read_out

PLAN = "HEALTH_PLAN_NUMBER"
INSURERS = (
    r"medicare|medicaid|mcr|mcd|medi-?cal|masshealth|badgercare|ahcccs|tenncare|tricare|champva|bcbs\w*|blue ?cross(?: blue ?shield)?|"
    r"blue ?shield|aetna|cigna|humana|united ?health(?:care)?|uhc|anthem|kaiser|molina|wellcare|ambetter|oscar|highmark|"
    r"premera|regence|health ?net|centene|amerigroup|geisinger|priority health|medi|caid|soonercare|peachstate|mo healthnet|"
    r"arhome|arkids|blue ?choice|blue ?advantage|blue ?shield|health ?partners|meridian|peia|care ?source|wellpoint|fidelis|emblem(?: ?health)?|upmc|medica|ucare|harvard pilgrim|tufts|aetna better(?: health)?|healthy blue|"
    r"apple health|husky|denali ?care|quest|med-?quest|ihs|part [abd]"
)
WORDS = (
    r"member(?:ship)?(?: (?:id|no|number|#))?|mbr(?: id)?|subscriber(?: (?:id|no|number|#))?|sub id|bene(?:ficiary)?(?: (?:id|no|number))?|"
    r"policy(?: (?:id|no|number|#))?|pol(?: ?#| no)|group(?: (?:id|no|number|#))|grp(?: ?#| no)?|certificate no|insured(?:'s)? id|"
    r"insurance (?:id|no|number|#)|ins(?:\.|urance)? ?id|plan (?:id|no|number)|health ?plan(?: (?:id|no|number|#|ben[a-z]*))?|hicn?|mbi|"
    r"rx ?grp|medicaid (?:id|no|number)|medicare (?:id|no|number)|card (?:no|number|id)|cin|dod id|edipi|payer id|coverage id"
)


class Plans(Rules):
    word = "plans"
    patterns = (
        # CMS: the Medicare Beneficiary Identifier's eleven places, without S L O I B Z.
        Pattern(
            "medicare number",
            r"\b([1-9][AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y]\d[ -]?[AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y]\d[ -]?[AC-HJKMNP-RT-Y]{2}\d\d)\b",
            PLAN,
            0.95,
        ),
        Pattern(
            "old medicare number",
            r"\b(\d{3}-?\d{2}-?\d{4}[- ]?(?:[ABCDEFJKMTW][0-9A-D]?))\b",
            PLAN,
            0.75,
        ),
        Pattern(
            "after an insurer's name",
            rf"(?i)\b(?:{INSURERS})(?:[ ](?:of [a-z]+|hmo|ppo|epo|advantage|gold|silver|bronze|plus|choice|dual|id|no|number|member|policy|care|fep|supp?(?:lement)?|medigap|pdp|grp|group))*"
            r"[ ]{0,3}(?:#|:|\(|-|,)?[ ]{0,8}((?-i:[A-Z]{0,4}[ -]?\d(?:[- ]?[A-Z0-9]){5,18}))\b",
            PLAN,
            0.9,
        ),
        Pattern("group in letters", r"\b[Gg](?:rou)?p\.? ([A-Z]{3,8}-?\d{2,})\b", PLAN, 0.92),
        Pattern(
            "read out",
            rf"(?i)\b(?:{INSURERS}|member|member id|subscriber|policy)(?: (?:id|number|no|is))*[ ,:]+({SPOKEN_ID})\b",
            PLAN,
            0.92,
            check=read_out,
        ),
    )
    labels = (
        Label(
            "member number",
            WORDS,
            PLAN,
            0.9,
            glued=True,
            keep=lambda v: sum(c.isdigit() for c in v) >= 4,
        ),
    )
