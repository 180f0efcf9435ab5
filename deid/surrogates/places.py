"""Surrogates of streets, towns, facilities and employers: generic words stay, names change."""

from __future__ import annotations

import re
from collections.abc import Callable

from deid.surrogates import lists
from deid.surrogates.draws import Draws
from deid.surrogates.numbers import same_shape

_PLACE_TOKEN = re.compile(
    r"\d+(?:st|nd|rd|th)\b|\d+|[^\W\d_]+(?:['’][^\W\d_]+)*\.?|[^\w]+|_+", re.IGNORECASE
)
_ORDINAL_NUMBER = re.compile(r"(\d+)(st|nd|rd|th)", re.IGNORECASE)
_ACRONYM = 5
_OWNED = ("facility", "employer")
_PLACE_PARTICLES = frozenset(("of", "the", "and", "for", "in", "at"))
_SAINT = frozenset(("st", "saint", "ste", "santa", "san", "sta"))


def replace_street(value: str, draws: Draws) -> str:
    """A surrogate address: names and numbers are replaced, and words such as `Street` stay."""
    kinds = lists.kind_words("street", "direction", "unit")
    return _replace_place(value, kinds, draws, "street", lambda: _street(draws))


def replace_town(value: str, draws: Draws) -> str:
    """A surrogate town; `County` and the like stay."""
    return _replace_place(value, lists.kind_words("town"), draws, "town", lambda: _town(draws))


def replace_facility(value: str, draws: Draws) -> str:
    """A surrogate hospital, school or home of the same kind."""
    return _replace_place(
        value, lists.kind_words("facility", "unit"), draws, "facility", lambda: _owner(draws)
    )


def replace_employer(value: str, draws: Draws) -> str:
    """A surrogate employer of the same kind."""
    return _replace_place(
        value, lists.kind_words("employer"), draws, "employer", lambda: _owner(draws)
    )


def _replace_place(
    value: str, kinds: frozenset[str], draws: Draws, kind: str, draw: Callable[[], str]
) -> str:
    """Replace each run of words that are not generic by one name, and numbers by numbers."""
    tokens: list[str] = _PLACE_TOKEN.findall(value)
    kinds = _told_apart(tokens, kinds, kind)
    out: list[str] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token[0].isdigit():
            out.append(_replace_number(token, draws))
        elif len(token.rstrip(".")) == 1 and token[0].isalpha() and token.lower() not in kinds:
            out.append(_unit_letter(token, draws))
        elif _is_name(tokens, at, kinds):
            end = _name_end(tokens, at, kinds)
            out.append(_named_place(tokens[at:end:2], draws, kind, draw))
            at = end - 1
        else:
            out.append(token)
        at += 1
    return "".join(out)


def _told_apart(tokens: list[str], kinds: frozenset[str], kind: str) -> frozenset[str]:
    """The generic words, without those that are the only name: North Street, Memorial Hospital."""
    words = [token.rstrip(".").lower() for token in tokens if token[0].isalpha()]
    if not all(word in kinds or len(word) == 1 for word in words):
        return kinds
    told = [
        w
        for w in words
        if w in kinds and w not in lists.kind_words("unit") and w not in _PLACE_PARTICLES
    ]
    return kinds - set(told if kind == "town" else told[:-1])


def _is_name(tokens: list[str], at: int, kinds: frozenset[str]) -> bool:
    word = tokens[at].rstrip(".").lower()
    return word[:1].isalpha() and len(word) > 1 and (word not in kinds or _is_saint(tokens, at))


def _is_saint(tokens: list[str], at: int) -> bool:
    """Whether `St.` means Saint: `St. Mary's`, not `Mary St.`."""
    follows = at + 2 < len(tokens) and tokens[at + 2][0].isalpha()
    return at == 0 and follows and tokens[at].rstrip(".").lower() in _SAINT


def _name_end(tokens: list[str], at: int, kinds: frozenset[str]) -> int:
    """Return the index after the last word of the name; single spaces separate its words."""
    while at + 2 < len(tokens) and tokens[at + 1] == " " and _is_name(tokens, at + 2, kinds):
        at += 2
    return at + 1


def _named_place(words: list[str], draws: Draws, kind: str, draw: Callable[[], str]) -> str:
    key = " ".join(word.rstrip(".").lower() for word in words)
    if words[0].isupper() and len(words[0]) <= _ACRONYM and len(words) == 1 and kind in _OWNED:
        return draws.kept(
            "acronym", key, lambda: draws.fresh("acronym", key, lambda: same_shape(words[0], draws))
        )
    name = draws.kept(
        kind, key, lambda: draws.fresh(kind, key, lambda: _name_of_words(len(words), draw))
    )
    if all(word.isupper() for word in words):
        return name.upper()
    return name.lower() if all(word.islower() for word in words) else name


def _name_of_words(count: int, draw: Callable[[], str]) -> str:
    """A name of `count` words."""
    words: list[str] = []
    while len(words) < count:
        words += draw().split()
    return " ".join(words[:count])


def _unit_letter(token: str, draws: Draws) -> str:
    drawn = draws.kept("unit", token[0].lower(), lambda: same_shape(token[0].lower(), draws))
    return (drawn.upper() if token[0].isupper() else drawn) + token[1:]


def _replace_number(token: str, draws: Draws) -> str:
    ordinal = _ORDINAL_NUMBER.fullmatch(token)
    digits = ordinal[1] if ordinal else token
    drawn = draws.kept("house", digits, lambda: _other_number(digits, draws))
    if ordinal is None:
        return drawn
    teen = drawn[-2:] in ("11", "12", "13")
    return drawn + ("th" if teen else {"1": "st", "2": "nd", "3": "rd"}.get(drawn[-1], "th"))


def _other_number(digits: str, draws: Draws) -> str:
    for _ in range(40):
        drawn = str(1 + draws.below(9)) + same_shape(digits[1:], draws)
        if drawn != digits and drawn not in draws.avoid:
            break
    return drawn


def _town(draws: Draws) -> str:
    return lists.towns().draw(draws.below)


def _street(draws: Draws) -> str:
    """Draw a common word for a street or, in half of the draws, the name of an owner."""
    return draws.one_of(lists.streets()) if draws.below(2) else _owner(draws)


def _owner(draws: Draws) -> str:
    """Draw a town, a common word for a street, or a family name."""
    choice = draws.below(4)
    if choice == 0:
        return _town(draws)
    if choice == 1:
        return draws.one_of(lists.streets())
    urn = lists.family_urn(lists.GENERAL_GROUP, lists.first_letters().draw(draws.below))
    return _town(draws) if urn is None else urn.draw(draws.below).capitalize()
