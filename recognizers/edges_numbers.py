# ruff: noqa: E501 -- a pattern reads best on one line
"""What belongs to a number beside its digits: letters before and after, an extension, a rest below."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from recognizers.edges_names import Step, left_of
from recognizers.finding import Finding
from recognizers.gazetteers import common_word
from recognizers.shapes import STATES

GLUED_BEFORE = re.compile(
    r"(?:^|[\s(#|,;])([A-Z]{1,5}[.-]|[A-Z]*\d[A-Z0-9]*:|[A-Z]+\d[A-Z0-9]*[.-])$"
)
LETTERS_BEFORE = re.compile(
    r"(?:[:#] ?|(?:no|lic|id|plate|tag|lot|sn|mrn|chart|member|claim|case)\.? )([A-Z]{1,4}[ ])$",
    re.IGNORECASE,
)
APART_BEFORE = re.compile(r"(?:^|[\s(|;,/\"])([A-Z]{2,5} {1,2})$")
FIELDS_LISTED = (
    "mrn mr ssn ss sn lot ref exp id no fin csn acct dob npi dea lic icd cpt ph tel fax dx rx hx rm bed age rn md np pa do lpn at to in of on the is ser card cert auth "
    "vin dl mbi clia har hrn gps job imei grp call edipi icn ups acc pmi mcr pcr pin ani ncpdp case cell rvct irb po run mpi sid cib tin or doc dsn dn ais itin trip dcn cap "
    "osis ssid vp pgr pdm cdl awb din ccn kit ccf hic hmis edrs cb rga usps him ems misle ihs er reg dodid mtcn evv oid uid dob yob tob bka ind hcp vs bp hr wt ht gtin udi mac "
    "ndc loinc rxcui snomed hcpcs drg cvx dot rrn ein fein iban swift ach aba pid emr ehr empi mmsi hin hull tag pl plt lp ext vm dea pt ot st cm dr mrs ms sgt cpl ptl ofc dep lt capt lcdr rv lv ra la epa sds nysid fbi cpap bipap picc rma narm ehs uic dbn ccdoc cnim"
)
FIELDS = frozenset(FIELDS_LISTED.split())
DIALLED = re.compile(r"\d{3}[-. ]\d{3}[-. ]\d{4}")
STATE = re.compile(STATES)
# A state before a plate is read with it; before a licence or a ZIP code it stays.
STATED = frozenset({"VEHICLE_ID"})


def letters_apart(text: str, finding: Finding) -> Finding:
    """`VN` of `VN 22-077`, `ME` of `plate ME 4471`: letters that stand before the digits."""
    value = text[finding.start : finding.end]
    if not value[0].isdigit() or sum(map(str.isdigit, value)) < 3 or DIALLED.fullmatch(value):
        return finding
    left = left_of(text, finding)
    match = APART_BEFORE.search(left)
    if not match:
        return finding
    letters = match.group(1).rstrip()
    if STATE.fullmatch(letters):
        own = finding.entity in STATED and letters != "ID"
    else:
        own = letters.lower() not in FIELDS and not common_word(letters.lower())
    return replace(finding, start=finding.start - (len(left) - match.start(1))) if own else finding


def letters_before(text: str, finding: Finding) -> Finding:
    """`GIMC` of `GIMC 00771`, `MD.` of `MD.204417`."""
    left = left_of(text, finding)
    if not left or not (left[-1] in ".:-" or left[-2:-1].isalpha()):
        return finding
    match = GLUED_BEFORE.search(left) or LETTERS_BEFORE.search(left)
    if not match or match.group(1)[0].islower():
        return finding
    letters = match.group(1).rstrip(" .:-")
    if letters.lower() in FIELDS or STATE.fullmatch(letters) or len(letters) < 2:
        return finding
    if letters.isalpha() and not letters.isupper():
        return finding
    return replace(finding, start=finding.start - (len(left) - match.start(1)))


EXTENSION = re.compile(r",? ?(?:(?:ext|extension)\.? ?|x)\d{1,6}\b", re.IGNORECASE)
TIMES = re.compile(r",? ?x\d", re.IGNORECASE)
REST_BELOW = re.compile(r"-?[ ]*\n[ \t]*(\d{1,4})\b(?![/.-]?\d)")


def phone_rest(text: str, finding: Finding) -> Finding:
    """An extension, or the last digits on the next line where they make ten."""
    match = EXTENSION.match(text, finding.end)
    digits = sum(map(str.isdigit, text[finding.start : finding.end]))
    # `paged 3312 x2`: a number of the house has no extension, it was called twice.
    if match and (digits > 5 or not TIMES.fullmatch(match.group())):
        return replace(finding, end=match.end())
    match = REST_BELOW.match(text, finding.end)
    begun = re.search(r"\d[)\s./-]{0,3}$", text[max(0, finding.start - 4) : finding.start])
    if match and not begun and digits + len(match.group(1)) in {10, 11} and digits < 10:
        return replace(finding, end=match.end())
    return finding


TAIL = re.compile(r" [A-Z](?=[,.;)\s]|$)(?! [a-z])")


def letter_after(text: str, finding: Finding) -> Finding:
    """`M` of `W0407 26 303427 00 M`."""
    match = TAIL.match(text, finding.end)
    if match and re.search(r"\d \d", text[finding.start : finding.end]):
        return replace(finding, end=match.end())
    return finding


NUMBERS: Sequence[Step] = (letters_before, letters_apart, letter_after)
PHONES: Sequence[Step] = (phone_rest,)
