"""Decides whether two spellings are the same identifier.

They are if their owner and their normal form agree. The index uses the normal form, so a change in
this module would give known values new codes. Such a change needs a new `STORE_FORMAT` in
`deid.crosswalk.stores.stored_rows`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from safe_harbor import Identifier as I

_SEPARATORS = re.compile(r"[\W_]+")
_PHONE_EXTENSION = re.compile(r"(?:ext(?:ension)?|x)\W*(\d{1,6})\W*$", re.IGNORECASE)
_LETTER = re.compile(r"[a-z]")
_NO_DIGITS = {code: None for code in range(128) if not chr(code).isdigit()}
_WEB_PREFIX = re.compile(r"^[a-z][a-z0-9+.-]*://(?:www\.)?|^www\.")

# These numbers belong to one owner, so they have one code in every row: a physician's number keeps
# its code across patients, and tables join. Other values (a household telephone, a name) may be
# shared by several people and get a code per person.
SINGLE_OWNER_NUMBERS = frozenset(
    {I.SSNS, I.MRNS, I.PLANS, I.ACCOUNTS, I.LICENSES, I.VEHICLES, I.DEVICES, I.OTHERS}
)


def normalize_value(identifier: I, person: str | None, value: str) -> tuple[str | None, str]:
    """Return the owner and the normal form of a value. Two values are one identifier if both agree.

    For one person `Garcia, Ana` and `Ana García` are the same name. Without a person, two names are
    the same only if they differ in nothing but case and spaces.
    """
    owner = None if identifier in SINGLE_OWNER_NUMBERS else person
    if identifier is I.NAMES and owner is not None:
        return owner, _words_of(value)
    return owner, _NORMAL_FORMS.get(identifier, _folded_text)(value)


def _folded_text(value: str) -> str:
    if value.isascii():
        return " ".join(value.lower().split())
    return " ".join(unicodedata.normalize("NFKC", value).casefold().split())


def _normal_number(value: str) -> str:
    """Letters and digits only, or the value as written if it has none."""
    plain = _folded_text(value)
    return plain if plain.isalnum() else _SEPARATORS.sub("", plain) or plain


def _normal_phone(value: str) -> str:
    """Digits only, without the North American 1; an extension stays separate."""
    plain = _folded_text(value)
    if plain.isascii() and not _LETTER.search(plain):
        digits = plain.translate(_NO_DIGITS)
        return (digits[1:] if len(digits) == 11 and digits[0] == "1" else digits) or plain
    extension = _PHONE_EXTENSION.search(plain)
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
    return " ".join(sorted(_SEPARATORS.sub(" ", joined).split())) or _folded_text(value)


def _normal_place(value: str) -> str:
    return " ".join(_SEPARATORS.sub(" ", _folded_text(value)).split()) or _folded_text(value)


def _email(value: str) -> str:
    return _folded_text(value).removeprefix("mailto:")


def _normal_address(value: str) -> str:
    return _WEB_PREFIX.sub("", _folded_text(value)).rstrip("/")


_NORMAL_FORMS: dict[I, Callable[[str], str]] = {
    I.PHONES: _normal_phone,
    I.FAXES: _normal_phone,
    I.EMAILS: _email,
    I.URLS: _normal_address,
    I.PLACES: _normal_place,
    **dict.fromkeys(SINGLE_OWNER_NUMBERS, _normal_number),
}
