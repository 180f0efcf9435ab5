# ruff: noqa: E501 -- a pattern reads best on one line
"""(K) Certificate and licence numbers: driver, medical, nursing, DEA, NPI, passport, CLIA, CCN."""

from __future__ import annotations

import re

from recognizers.evidence.context import Context
from recognizers.evidence.rules import Label, Pattern, Rules, luhn
from recognizers.text.shapes import three_digits

LICENSE = "LICENSE_NUMBER"
STATES = r"(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AIT]|W[AIVY])"
CREDENTIALS = (
    r"RN|LPN|LVN|CNA|CMA|RMA|PTA?|DPT|OTR?(?:/L)?|COTA(?:/L)?|CCC-SLP|SLP|LAc|DC|DDS|DMD|DVM|OD|DPM|DO|MD|PA(?:-C)?|NP|APRN|FNP(?:-BC|-C)?|CNM|CPM|CRNA|LCSW|LICSW|"
    r"LMSW|MSW|LMFT|LPCC?|LMHC|PhD|PsyD|RPh|PharmD|CPhT|RDH|RDN?|LDN|RRT|CRT|EMT-?[PB]?|NRP|AEMT|RBT|BCBA|LMT|ATC|CPNP|CGC|RDMS|CST|CNIM|CRNI|AuD"
)
WORDS = (
    r"lic(?:en[cs]e)?s?\.?(?: (?:no|number|num|#)\.?)?|licensure|driver'?s? lic(?:en[cs]e)?|"
    rf"(?:{STATES} )?(?:dl|cdl|d/l)|dea(?: (?:no|number|#|reg))?|npi|upin|cert(?:ificate|ification)?\.?(?: (?:no|number|#))?|"
    r"passport(?: (?:card|no|number|book))?(?: seen)?|clia|ccn|provider (?:id|no|number|#)|state id|id card|green card|alien (?:no|number|reg)|a-number|"
    r"uscis|reg(?:istration)? (?:no|number|#)|taxonomy|bar (?:no|number|#)|oec no|badge lic|permit(?: (?:no|number|#))?|visa no|"
    rf"nremt|emt-?p?(?: cert| lic)?|medic (?:no|#)|(?:{STATES} )?(?:rn|md|lpn|np|pa|do|lcsw|pt) lic(?:ense)?|matricula|cedula"
)


def npi(value: str) -> float:
    """45 CFR 162.406: the Luhn digit over 80840 and the ten digits."""
    digits = "".join(c for c in value if c.isdigit())
    return 0.3 if len(digits) == 10 and luhn("80840" + digits) else 0.0


def dea(value: str) -> float:
    """21 CFR 1301: the seventh digit closes (1+3+5) + 2(2+4+6)."""
    d = [int(c) for c in value if c.isdigit()]
    return (
        0.3 if len(d) == 7 and (d[0] + d[2] + d[4] + 2 * (d[1] + d[3] + d[5])) % 10 == d[6] else 0.0
    )


def numbered(value: str) -> bool:
    """Three digits at least, and no range as in `mg/dL 125-200` nor part as in `DL 20/35`."""
    return three_digits(value) and not re.fullmatch(r"\d{1,3}[-/]\d{1,3}", value)


class Licenses(Rules):
    word = "licenses"
    around = Context(
        left=r"npi|dea\b|licen[cs]e|\blic\b",
        not_left=r"(?:mrn|acct|serial|lot|phone|fax|tel)[ #:.]*",
    )
    patterns = (
        Pattern(
            "npi",
            r"\b([12]\d{9})\b",
            LICENSE,
            0.3,
            before="0-9A-Za-z.-",
            after="0-9A-Za-z-",
            check=npi,
        ),
        Pattern("dea", r"\b([ABCDEFGHJKLMPRSTUX][A-Z9]\d{7})\b", LICENSE, 0.5, check=dea),
        Pattern(
            "after a credential",
            rf"\((?:{STATES}) ([A-Z]{{0,4}}[ -]?\d[\d-]{{3,}})\)",
            LICENSE,
            0.7,
        ),
        Pattern(
            "state and number",
            rf"(?i)\blic(?:ense)?\.? (?:#|no\.?)? ?(?-i:{STATES})[ -]?([A-Z]{{0,4}}\d[A-Z0-9.-]{{3,}})",
            LICENSE,
            0.9,
        ),
        Pattern(
            "credential and number",
            r"\b(?:RN|LPN|EMT-?P?|CPTC|PTA|LCSW|CRNA|OEC|SANE-A|RPh|CNA|NRP|CCRN) (?:#|no\.? )?([A-Z]{0,3}-?\d{5,}(?:-\d+)?)\b",
            LICENSE,
            0.65,
        ),
        Pattern(
            "after a signature",
            r"(?:\b[A-Z][a-z]+|\b[A-Z]\.),? (?:M\.?D\.?|D\.?O\.?|R\.?N\.?|N\.?P\.?|P\.?A\.?(?:-C)?|D\.?D\.?S\.?|D\.?P\.?M\.?|RDH|RPh|PharmD),? #?((?:MD|DO|RN|NP|PA|MRO|ME|AP|APRN|DDS|RDH|RPH|G|A|C)[ -]?\d{4,7})\b",
            LICENSE,
            0.92,
        ),
        Pattern(
            "after any credential",
            rf"\b(?:{CREDENTIALS}),? {{1,3}}\(?#?([A-Z]{{1,2}}[- .]?\d{{4,10}}(?:-\d+)?)\b",
            LICENSE,
            0.92,
            after="0-9/",
            check=lambda v: -0.92 if re.match(r"(?:AT|ON|IN|TO|BY|NO|X)\b", v) else 0.0,
        ),
        Pattern(
            "credential, name and number",
            rf"\b(?:{CREDENTIALS}) (?:[A-Z][A-Za-z'-]+ ){{1,3}}(?:\([a-zA-Z]{{2,4}}\) )?((?:[A-Z]{{2}} )?\d{{6,10}})\b",
            LICENSE,
            0.92,
            after="0-9/-",
        ),
        Pattern(
            "commission of a notary",
            rf"(?i)\bcommission(?: (?:no\.?|number|#))?[ :#]{{1,2}}((?-i:(?:{STATES} )?[A-Z]?-?\d{{4,9}}))\b",
            LICENSE,
            0.92,
            after="0-9/",
        ),
        Pattern(
            "state, profession and number",
            rf"\b(?:{STATES})[ -](?:#|no\.? )?((?:RN|LPN|APRN|NP|MD|DO|PA|PT|OT|SLP|LCSW|RPH|DDS|PSY)-?\d{{4,8}}(?:-[A-Z]{{1,3}})?)\b",
            LICENSE,
            0.92,
        ),
        Pattern("two parts, US passport card", r"\b(C ?\d{4} ?\d{4})\b", LICENSE, 0.3),
    )
    labels = (
        Label(
            "licence",
            WORDS,
            LICENSE,
            0.9,
            glued=True,
            keep=numbered,
            not_left=r"[a-z]{0,5}/dl[^a-z0-9]{0,40}",
        ),
        Label(
            "spoken licence",
            r"licen[cs]e number",
            LICENSE,
            0.9,
            column=False,
            value=r"(?i:(?:(?:[a-z]|zero|oh|one|two|three|four|five|six|seven|eight|nine)[ ,]+){4,}(?:[a-z]|zero|oh|one|two|three|four|five|six|seven|eight|nine)\b)",
        ),
    )
