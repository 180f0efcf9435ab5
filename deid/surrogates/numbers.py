"""Surrogates of numbers in the same shape: digits for digits, letters for letters."""

from __future__ import annotations

import re
from collections.abc import Callable

from deid.crosswalk.normalization import normalize_value
from deid.surrogates.draws import Draws
from safe_harbor import Identifier

_LETTER_SYMBOLS = "abcdefghijklmnopqrstuvwxyz"
_HEX_SYMBOLS = "0123456789abcdef"
_NEVER_ISSUED = ("000", "666")
_IP_OR_MAC = re.compile(r"[0-9a-fA-F]{1,4}(?:[:.-][0-9a-fA-F]{0,4})+(?:[/%:].*)?|[0-9a-fA-F]{12}")
# Words allowed beside a telephone number; other letters are dialed or spell digits.
_DIALLED = re.compile(
    r"(?i)(?!(?:x|ext|extn|extension|tel|phone|ph|cell|mobile|home|work|fax|pager|office)(?![^\W\d_]))"
    r"(?<![^\W\d_])[^\W\d_]+"
)
_LEAST_DIGITS = 7


def replace_number(identifier: Identifier, value: str, draws: Draws) -> str:
    """A surrogate number in the same layout. A number has the same surrogate in every layout."""
    owner, _ = normalize_value(identifier, draws.person, value)
    signs = "".join(sign for sign in value if sign.isalnum()).lower()
    keep = draws.shared if owner is None else draws.kept
    kind = f"number.{identifier.value}"
    drawn = keep(kind, signs, lambda: _other(signs, identifier, draws))
    return lay_out(value, drawn)


def replace_phone(value: str, draws: Draws) -> str:
    """A surrogate telephone number: ten valid digits, then the extension."""
    digits = "".join(sign for sign in value if sign.isdigit())
    if len(digits) < _LEAST_DIGITS and _DIALLED.search(value):
        return draws.kept("dialled", value.lower(), lambda: different_same_shape(value, draws))
    country = "1" if len(digits) >= 11 and digits[0] == "1" else ""
    body, extension = digits[len(country) :][:10], digits[len(country) + 10 :]
    drawn = draws.kept(
        "phone", body, lambda: _until_new(body, draws, lambda: _phone_surrogate(body, draws))
    )
    if extension:
        drawn += draws.kept("extension", extension, lambda: same_shape(extension, draws))
    laid = lay_out(value, country + drawn, letters=False)
    return _DIALLED.sub(lambda word: _other_word(word[0], draws), laid)


def _other_word(word: str, draws: Draws) -> str:
    return draws.kept("dialled", word.lower(), lambda: different_same_shape(word, draws))


def replace_network(value: str, draws: Draws) -> str:
    """A surrogate IPv4, IPv6 or MAC address, or host name."""
    if re.fullmatch(r"(?:\d{1,3}\.){3}\d{1,3}.*", value):
        return draws.kept(
            "network", value, lambda: re.sub(r"\d{1,3}", lambda _: str(1 + draws.below(254)), value)
        )
    if not _IP_OR_MAC.fullmatch(value.strip()):
        return draws.kept("host", value.lower(), lambda: different_same_shape(value, draws))
    return draws.kept(
        "network",
        value.lower(),
        lambda: re.sub(r"[0-9a-fA-F]", lambda _: _HEX_SYMBOLS[draws.below(16)], value),
    )


def replace_point(value: str, draws: Draws) -> str:
    """Surrogate coordinates within the contiguous states, with the same number of decimals."""
    spans = ((25, 24), (67, 57))

    def draw() -> str:
        whole = iter(spans * 8)

        def other(found: re.Match[str]) -> str:
            low, width = next(whole)
            return f"{low + draws.below(width)}{same_shape(found[2] or '', draws)}"

        return re.sub(r"(\d{1,3})(\.\d+)?", other, value)

    return draws.kept("point", value, draw)


def same_shape(text: str, draws: Draws) -> str:
    """Random digits for digits, and random letters of the same case for letters."""
    return "".join(_sign(sign, draws) for sign in text)


def lay_out(value: str, drawn: str, letters: bool = True) -> str:
    """`drawn` with the punctuation of `value` and the case of its letters."""
    rest = iter(drawn)
    out = []
    for sign in value:
        if sign.isdigit() or (letters and sign.isalnum()):
            new = next(rest, "")
            out.append(new.upper() if sign.isupper() else new)
        else:
            out.append(sign)
    return "".join(out)


def _other(signs: str, identifier: Identifier, draws: Draws) -> str:
    def draw() -> str:
        # Leading zeros pad the field, so they are part of the form.
        zeros = len(signs) - len(signs.lstrip("0")) if identifier is not Identifier.SSNS else 0
        drawn = signs[:zeros] + _leading(same_shape(signs[zeros:], draws), draws)
        ssn = identifier is Identifier.SSNS and len(drawn) == 9
        return draw() if ssn and (drawn[:3] in _NEVER_ISSUED or drawn[0] == "9") else drawn

    return _until_new(signs, draws, draw)


def _leading(drawn: str, draws: Draws) -> str:
    """Avoid a new leading zero."""
    return str(1 + draws.below(9)) + drawn[1:] if drawn[:1] == "0" else drawn


def different_same_shape(text: str, draws: Draws) -> str:
    """Return a text of the same shape with other characters, if random draws find one."""
    return _until_new(text, draws, lambda: same_shape(text, draws))


def _until_new(signs: str, draws: Draws, draw: Callable[[], str]) -> str:
    drawn = draw()
    for _ in range(40):
        if drawn != signs and drawn not in draws.avoid:
            break
        drawn = draw()
    return drawn


def _phone_surrogate(body: str, draws: Draws) -> str:
    drawn = list(same_shape(body, draws))
    for place in (0, 3) if len(body) == 10 else (0,) if len(body) == 7 else ():
        drawn[place] = str(2 + draws.below(8))
    return "".join(drawn)


def _sign(sign: str, draws: Draws) -> str:
    if sign.isdigit():
        return str(draws.below(10))
    if sign.isalpha():
        drawn = _LETTER_SYMBOLS[draws.below(26)]
        return drawn.upper() if sign.isupper() else drawn
    return sign
