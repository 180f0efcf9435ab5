"""Checks of a value that an expression cannot do; each returns a number to add to a row's strength.

Check digits never rule a value out: a mistyped number is still a number.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from types import MappingProxyType

from recognizers.constants import constant_group
from recognizers.evidence.word_evidence import FREQUENCIES, SHORT_FORMS
from recognizers.words import gazetteers
from recognizers.words.expressions import patterns
from recognizers.words.gazetteers import plain_list

VALUES = patterns("checks")
STREET, FIELDS = VALUES.groups["STREET"], plain_list("places/fields")
# What the checks add to a strength.
CHECKED = constant_group("checks")
DENIED, DOUBTED = CHECKED["denied"], CHECKED["doubted"]


def payment_card(value: str) -> float:
    """ISO/IEC 7812-1, Annex B: the check digit of a card number."""
    total = 0
    for place, char in enumerate(reversed([c for c in value if c.isdigit()])):
        figure = int(char) * (2 if place % 2 else 1)
        total += figure - 9 if figure > 9 else figure
    return 0.0 if total % 10 else CHECKED["card number"]


def bank_account(value: str) -> float:
    """ISO 13616: with the first four characters moved to the end, an IBAN modulo 97 is 1."""
    code = value.replace(" ", "")
    rest = int("".join(str(int(c, 36)) for c in code[4:] + code[:4])) % 97
    return CHECKED["right IBAN"] if rest == 1 else CHECKED["wrong IBAN"]


def telephone(value: str) -> float:
    """Lower the score of columns of numbers and of doses: `250   500   1000`, `150/400/2400`."""
    parts = VALUES["PHONE_PARTS"].match(value)
    if parts is None:
        return 0.0
    area, first, exchange, second, line = parts.groups()
    bare = first.strip()
    if "   " in first + second or ("/" in second and "/" not in first):
        return CHECKED["columns and doses"]
    if bare not in {"", "/"}:
        return 0.0
    if area[2] + exchange[2] + line[2:] == "0000":
        return CHECKED["columns and doses"]
    # No area code or exchange begins with 0 or 1.
    return CHECKED["no exchange"] if first and (area[0] in "01" or exchange[0] in "01") else 0.0


def plate(value: str) -> float:
    """Lower the score of a level of the spine (`C4`), a field's label and a clinical word."""
    letters = re.sub(r"[^a-z]", "", value.lower())
    label = len(value) < 3 or letters in plain_list("clinical/not_plates")
    return CHECKED["no plate"] if label or gazetteers.clinical_word(letters) else 0.0


def lot(value: str) -> float:
    """Rule out a value with few digits; slightly lower the score of five or more digits alone."""
    digits = sum(map(str.isdigit, value))
    if 2 <= digits < len(value):
        return 0.0
    return DENIED if digits < 5 else CHECKED["lot of digits"]


# In base64, most neighboring characters differ in class (capital, small letter, digit); in words,
# paths and sequences, few do.
MIXED, LOOKED_AT = CHECKED["mixed"], 400
# Only 2 of the 64 characters of base64 are not alphanumeric; `CBC/BMP/TSH/HbA1c/B12` has more.
PARTED = CHECKED["parted"]


def base64(value: str) -> float:
    """Rule out a value whose capitals, small letters and digits do not alternate."""
    seen = re.sub(r"[\r\n=]", "", value[:LOOKED_AT])
    bare = re.sub(r"[^A-Za-z0-9]", "", seen)
    if len(seen) - len(bare) > PARTED * len(seen):
        return CHECKED["no base64"]
    runs = re.findall(r"[A-Z]+|[a-z]+|[0-9]+", bare)
    sorts = {(run.isupper(), run.islower()) for run in runs}
    alternate = len(sorts) == 3 and len(runs) - 1 >= MIXED * len(bare)
    return 0.0 if alternate else CHECKED["no base64"]


def study(value: str) -> float:
    """Rule out scans, germs, drugs and scores, as in `study CT-12` and `trial IL-17`."""
    letters = value.split("-")[0].lower()
    if letters in plain_list("clinical/not_studies"):
        return DENIED
    long = len(letters) > 2 and sum(map(str.isdigit, value)) > 2
    return 0.0 if long or not of_clinic(letters) else DENIED


def user_name(value: str) -> float:
    """Rule out a user name that is a common English word or a clinical word."""
    bare = value.rstrip("0123456789._-")
    clinical = gazetteers.clinical_word(bare) and bare == value
    common = gazetteers.common_word(bare) > FREQUENCIES["word in a user name"]
    return DENIED if clinical or common else 0.0


def numbered_surname(value: str) -> float:
    """Require a name before the number, maybe with initials, and no other word: `jkowalski2`."""
    low = value.rstrip("0123456789")
    # In `emai1`, a final `l` was misread as 1.
    if low in plain_list("clinical/drugs_cut_short") or any(
        map(is_word_or_instrument, (low, low + "l"))
    ):
        return DENIED
    pieces = [low, *(low[k:] for k in (1, 2, 3)), *(low[:-k] for k in (1, 2))]
    return 0.0 if any(map(is_name, pieces)) else DENIED


def initial_and_surname(value: str) -> float:
    """Require a surname after the first letter, and no word as a whole: `jkowalski`."""
    known = is_word_or_instrument(value) or gazetteers.first_name(value)
    named = gazetteers.surname(value[1:]) > FREQUENCIES["surname after an initial"]
    return DENIED if known or not named or value in SHORT_FORMS | {"todo"} else 0.0


def workstation(value: str) -> float:
    """Rule out `SARS-COV-2`; require other evidence for `CK-MB-2` and `HPV-16-18`."""
    first, second, last = value.lower().split("-")
    if len(last) == 1 and of_clinic(first) and of_clinic(second):
        return DENIED
    return CHECKED["workstation"] if len(last) == 1 or second.isdigit() else 0.0


def is_word_or_instrument(word: str) -> bool:
    """Whether the word is an English word, a clinical word or an eponym."""
    known = gazetteers.common_word(word) or gazetteers.clinical_word(word)
    return bool(known or gazetteers.eponym(word))


def is_name(piece: str) -> bool:
    """Whether the piece is a frequent name; of three letters, a very frequent first name."""
    if len(piece) == 3:
        return gazetteers.first_name(piece) > FREQUENCIES["given name of three letters"]
    return len(piece) > 3 and gazetteers.bearers(piece) > FREQUENCIES["name in a user name"]


def of_clinic(piece: str) -> bool:
    """Whether the piece is a clinical abbreviation or word."""
    return piece in SHORT_FORMS or gazetteers.clinical_word(piece)


def street(value: str) -> float:
    """Lower an address's score if it may be a time, a measure, a sentence end or `PT` (patient)."""
    against = (name for name, form in STREET.items() if re.search(form, value))
    score = sum((CHECKED[name.partition(",")[0]] for name in against), 0.0)
    *_, before, last = value.split()
    # `6 LE tr`: capitals, then a short suffix in small letters.
    if len(last) < 3 and last.islower() and before.isupper():
        score += DOUBTED if before.lower() in SHORT_FORMS else CHECKED["street of capitals"]
    return score


def town(value: str) -> float:
    """Lower the score if the words before a state's code are not a town but a form's field."""
    words, first, last = value.lower().split(), value.split()[0], value.split()[-1]
    # `PI Ludmila Hrabovsky, MD`, `GERD, LA grade B`, `Dispo PACU, CT head`
    headed = first.isupper() and 1 < len(first) < 5 and not value.isupper()
    shortened = (headed and words[0] in SHORT_FORMS) or (
        last.isupper() and words[-1] in SHORT_FORMS
    )
    if shortened or VALUES["NO_TOWN"].search(value) or words[-1].strip(".") in FIELDS:
        return CHECKED["no town"]
    known = gazetteers.city(value) or any(not gazetteers.common_word(w.strip(".")) for w in words)
    return 0.0 if known else CHECKED["unknown town"]


def day_and_month(value: str) -> float:
    """Lower the score of a pair such as 3/5 if the second number is usual in clinical scores."""
    first, second = (int(x) for x in re.findall(r"\d+", value)[:2])
    if first > 12 and second > 12:
        return CHECKED["pair: no month"]
    if first > 12 or second > 31 or not first or not second:
        return CHECKED["pair: no day"]
    if second in {5, 10} and first <= second:
        return CHECKED["pair: of 5 or 10"]
    if second in {2, 3, 4, 6} and first <= second:
        return CHECKED["pair: small"]
    return CHECKED["pair: a day"]


def small_pair(value: str) -> float:
    """Lower the score of two single digits (`on 2-3`), which need other evidence to be a day."""
    return CHECKED["pair: single digits"] if len(value) == len("2-3") else 0.0


CHECKS: MappingProxyType[str, Callable[[str], float]] = MappingProxyType(
    {
        check.__name__: check
        for check in (
            *(bank_account, base64, day_and_month, initial_and_surname, lot, numbered_surname),
            *(payment_card, plate, small_pair, street, study, telephone, town),
            *(user_name, workstation),
        )
    }
)
