"""The forms in which known numbers, codes, e-mail and web addresses and file names are written.

A form is squeezed: it has only folded letters and digits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from recognizers.known.text import folded_words, squeeze
from recognizers.words.word_lists import is_word
from safe_harbor import Identifier

# The longest prefix of a number, in characters, that a text may leave out.
LONGEST_PREFIX = 4


@dataclass(frozen=True, slots=True)
class Code:
    """A squeezed form of a value: only letters and digits, in lower case.

    The parts of a `word_like` form may be separated only by `._-+` or blanks. A `spoken` form
    matches only dictated numbers, or a number with a digit wrong.
    """

    form: str = field(repr=False)
    identifier: Identifier
    entity: str
    score: float
    word_like: bool = False
    spoken: bool = False


@dataclass(frozen=True, slots=True)
class Tail:
    """The last digits of a number, found where a text announces the end of a number.

    If `alone`, they are also found without an announcement.
    """

    digits: str = field(repr=False)
    identifier: Identifier
    entity: str
    alone: bool


def without_zeros(digits: str) -> str:
    """A number without its leading zeros."""
    return digits.lstrip("0")


def code_forms(value: str, identifier: Identifier, entity: str) -> list[Code]:
    """The squeezed forms of an ID: whole, without its prefix, without leading zeros."""
    whole = squeeze(value)
    forms = {whole: 0.99}
    pieces = folded_words(value)
    for cut in range(1, len(pieces)):
        lead = "".join(pieces[:cut])
        rest = whole[len(lead) :]
        if len(lead) > LONGEST_PREFIX or len(rest) < 5:
            break
        digits = sum(map(str.isdigit, rest))
        if digits >= 3 and (not lead.isdigit() or len(rest) >= 6):
            forms.setdefault(rest, 0.9)
    for form, score in list(forms.items()):
        if form.isdigit() and len(without_zeros(form)) >= 5:
            forms.setdefault(without_zeros(form), score)
    return [Code(form, identifier, entity, score) for form, score in forms.items() if _usable(form)]


def _usable(form: str) -> bool:
    digits = sum(c.isdigit() for c in form)
    return (
        len(form) >= 4 and digits > 0 and len(set(form)) > 1 and (digits < len(form) or digits > 4)
    )


def phone_forms(value: str, identifier: Identifier, entity: str) -> list[Code]:
    """A number with and without country code and area code, and without its extension."""
    main = re.split(r"(?i)\s*(?:ext?\.?|extension|x)\s*\d+\s*$", value)[0]
    digits = "".join(folded_words(main)).lstrip("0")
    if not digits.isdigit() or len(digits) < 7:
        return []
    foreign = value.strip().startswith(("+", "00", "011")) and not digits.startswith("1")
    forms = {digits: 0.99}
    if foreign:
        forms |= {digits[cut:]: 0.95 for cut in (1, 2, 3) if len(digits) - cut >= 7}
    else:
        national = digits[1:] if len(digits) == 11 and digits[0] == "1" else digits
        forms |= {national: 0.99, "1" + national: 0.99, national[-7:]: 0.9}
    return [
        Code(form, identifier, entity, score) for form, score in forms.items() if len(form) >= 7
    ]


def email_forms(value: str) -> list[Code]:
    """The address as written and as spoken (`dot`, `at`), and its local part."""
    address = value.strip().removeprefix("mailto:")
    local, _, domain = address.partition("@")
    local_spoken, domain_spoken = (
        re.sub(r"[._+-]", lambda m: _SPOKEN[m.group()], side) for side in (local, domain)
    )
    bare = squeeze(local)
    forms = {squeeze(address): 0.99}
    if domain:
        forms |= {
            squeeze(left + at + right): 0.99
            for left in (local, local_spoken)
            for at in ("", "at")
            for right in (domain, domain_spoken)
        }
    if len(bare) > 3 and not (bare.isalpha() and is_word(bare)):
        forms |= {bare: 0.95, squeeze(local_spoken): 0.95}
    return [
        Code(form, Identifier.EMAILS, "EMAIL_ADDRESS", score, form in {bare})
        for form, score in forms.items()
        if len(form) > 3
    ]


_SPOKEN = {".": "dot", "_": "underscore", "-": "dash", "+": "plus"}


def url_forms(value: str) -> list[Code]:
    """The address with and without scheme, and the user name at its end."""
    bare = re.sub(r"(?i)^[a-z][a-z0-9+.-]{1,9}://(?:www\.)?|^www\.", "", value.strip()).rstrip("/")
    forms = {squeeze(value): 0.99, squeeze(bare): 0.99}
    tail = squeeze(re.split(r"[/=@:]", bare)[-1])
    if len(tail) > 3 and not is_word(tail) and ("/" not in bare or len(tail) > 4):
        forms.setdefault(tail, 0.9)
    return [
        Code(form, Identifier.URLS, "URL", score, "." not in value or form == tail)
        for form, score in forms.items()
        if len(form) > 2
    ]


def file_forms(value: str, identifier: Identifier, entity: str) -> list[Code]:
    """A file name with and without its folder and extension."""
    name = re.split(r"[/\\]", value.strip())[-1]
    stem = re.sub(r"\.[A-Za-z0-9]{2,5}$", "", name)
    forms = {squeeze(value), squeeze(name)} | ({squeeze(stem)} if len(squeeze(stem)) > 6 else set())
    return [Code(form, identifier, entity, 0.99) for form in sorted(forms) if len(form) > 4]
