"""When two spellings are one identifier: a normal form per word, and whose it is.

The normal form is part of what is indexed, so a change here would give new codes for old values:
it needs a new `FORMAT` in `deid.crosswalk.stores.contract`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from safe_harbor import Identifier as I

_APART = re.compile(r"[\W_]+")
_EXTENSION = re.compile(r"(?:ext(?:ension)?|x)\W*(\d{1,6})\W*$", re.IGNORECASE)
_LETTER = re.compile(r"[a-z]")
_NO_DIGITS = {code: None for code in range(128) if not chr(code).isdigit()}
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*://(?:www\.)?|^www\.")

# A number is given out to one owner, so it is one identifier in whoever's row it stands: a doctor's
# number keeps one code over all patients and tables join. The rest is shared between people (a
# household's telephone, a name) and gets a code per person.
SINGLE_OWNER_NUMBERS = frozenset(
    {I.SSNS, I.MRNS, I.PLANS, I.ACCOUNTS, I.LICENSES, I.VEHICLES, I.DEVICES, I.OTHERS}
)


def normalize_value(identifier: I, person: str | None, value: str) -> tuple[str | None, str]:
    """Whose the value is, and its normal form: two items are one identifier if both agree.

    Within one person `Garcia, Ana` and `Ana García` are one name; without a person two names are
    one only if they are written alike but for case and spaces.
    """
    owner = None if identifier in SINGLE_OWNER_NUMBERS else person
    if identifier is I.NAMES and owner is not None:
        return owner, _words_of(value)
    return owner, _FORMS.get(identifier, _plain)(value)


def _plain(value: str) -> str:
    if value.isascii():
        return " ".join(value.lower().split())
    return " ".join(unicodedata.normalize("NFKC", value).casefold().split())


def _number(value: str) -> str:
    """Letters and digits alone; where there are none, the value as written."""
    plain = _plain(value)
    return plain if plain.isalnum() else _APART.sub("", plain) or plain


def _phone(value: str) -> str:
    """Digits alone, without the 1 of North America; an extension stays apart."""
    plain = _plain(value)
    if plain.isascii() and not _LETTER.search(plain):
        digits = plain.translate(_NO_DIGITS)
        return (digits[1:] if len(digits) == 11 and digits[0] == "1" else digits) or plain
    extension = _EXTENSION.search(plain)
    body = plain[: extension.start()] if extension else plain
    digits = "".join(filter(str.isdigit, body))
    if len(digits) == 11 and digits[0] == "1":
        digits = digits[1:]
    return f"{digits}x{extension[1]}" if extension and digits else digits or plain


def _words_of(value: str) -> str:
    """The words of a name in alphabetical order, without accents, case, commas or dots."""
    letters = value.lower()
    if not letters.isascii():
        bare = unicodedata.normalize("NFKD", value.casefold())
        letters = "".join(sign for sign in bare if not unicodedata.combining(sign))
    joined = letters.replace("'", "").replace("’", "").replace("-", " ")
    return " ".join(sorted(_APART.sub(" ", joined).split())) or _plain(value)


def _place(value: str) -> str:
    return " ".join(_APART.sub(" ", _plain(value)).split()) or _plain(value)


def _email(value: str) -> str:
    return _plain(value).removeprefix("mailto:")


def _address(value: str) -> str:
    return _SCHEME.sub("", _plain(value)).rstrip("/")


_FORMS: dict[I, Callable[[str], str]] = {
    I.PHONES: _phone,
    I.FAXES: _phone,
    I.EMAILS: _email,
    I.URLS: _address,
    I.PLACES: _place,
    **dict.fromkeys(SINGLE_OWNER_NUMBERS, _number),
}
