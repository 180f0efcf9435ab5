"""Surrogates of personal names, word by word, so that all forms of a name stay consistent.

Each person has a random letter map: surrogates of all words that begin with T begin with the letter
drawn for T. The surrogates of `Theodora Lowe`, `T. Lowe`, `LOWE, THEODORA R` and `TL` therefore
agree with one another.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from deid.surrogates import lists
from deid.surrogates.draws import Draws
from deid.surrogates.numbers import same_shape

_NAME_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]{2,})*")
_POSSESSIVE_ENDING = re.compile(r"['’]s?$")
_INITIALS = re.compile(r"(?:[A-Z]\.? ?){2,4}")
_GENERATION = re.compile(r",?\s*\b(?:jr|sr|ii|iii|iv)\b\.?$", re.IGNORECASE)
# Titles and credentials do not identify anyone.
_KEPT_TITLES = frozenset(("dr", "mr", "mrs", "ms", "miss", "prof", "sir"))
_KEPT_CREDENTIALS = frozenset(
    """md rn np pac phd lpn cna crna dds dmd psyd lcsw aprn arnp
    fnp msw bsn msn rph pharmd""".split()  # noqa: SIM905
)
# Credentials that are also names: Thi Do, Pa Vang.
_EITHER = frozenset(("do", "pa", "od", "ot", "pt"))
_SURNAME_PARTICLES = frozenset(
    "de del la las los van von der den da di dos du le bin al el ter".split()  # noqa: SIM905
)
_HYPHENATED_CREDENTIAL = re.compile(r"([^\W\d_]+)-$")
GIVEN, FAMILY = "given", "family"


@dataclass(frozen=True, slots=True)
class _Look:
    """What the original name shows about the person: gender and group."""

    gender: str | None
    group: str


def replace_name(value: str, draws: Draws) -> str:
    """A surrogate name in the same form: order, commas, initials, possessive and case stay."""
    ending = _POSSESSIVE_ENDING.search(value)
    body = value[: ending.start()] if ending else value
    tail = "'s" if ending and ending[0][1:] else ending[0] if ending else ""
    body = _GENERATION.sub("", body)
    if _INITIALS.fullmatch(body) and folded_word(body) not in lists.given_names():
        letters = (_drawn_letter(sign, draws) if sign.isalpha() else sign for sign in body)
        return "".join(letters) + tail
    return _replace_words(body, draws) + tail


def _replace_words(body: str, draws: Draws) -> str:
    words = list(_NAME_WORD.finditer(body))
    look = _look([folded_word(word[0]) for word in words])
    names = [word for word in words if not _says_what(word, body)]
    roles = _name_roles(body, names)
    parts: list[str] = []
    at = 0
    for word in words:
        if word.start() < at:
            continue
        parts.append(_digits(body[at : word.start()], draws))
        at = word.end()
        if word not in names:
            parts.append(word[0])
        elif folded_word(word[0]) in _SURNAME_PARTICLES and word is not names[-1]:
            # `de la Cruz` is one family name, particles included.
            at += len(body[at:]) - len(body[at:].lstrip(" "))
        elif len(folded_word(word[0])) == 1:
            parts.append(_name_cased(_drawn_letter(word[0], draws), word[0]))
        else:
            role = roles[names.index(word)]
            parts.append(
                _name_cased(replace_word(folded_word(word[0]), role, look, draws), word[0])
            )
    return "".join(parts) + _digits(body[at:], draws)


def _says_what(word: re.Match[str], body: str) -> bool:
    """Whether the word is a title before a name or a credential after one.

    The C of `PA-C` counts as a credential, too.
    """
    said, before = folded_word(word[0]), body[: word.start()].strip().rstrip(" .")
    if said in _KEPT_TITLES:
        return before[-1:] in ("", ",") or folded_word(before.split()[-1]) in _KEPT_TITLES
    if said in _EITHER:
        parted = before[-1:] in ("", ",", "/", "-") or not before.isupper()
        return bool(before) and word[0].isupper() and parted
    if said in _KEPT_CREDENTIALS:
        return True
    behind = _HYPHENATED_CREDENTIAL.search(body[: word.start()])
    return (
        len(word[0]) <= 2
        and behind is not None
        and folded_word(behind[1]) in _KEPT_CREDENTIALS | _EITHER
    )


def replace_word(word: str, role: str, look: _Look, draws: Draws) -> str:
    """The surrogate of one word of a name, in lower case."""
    formal = _formal(word, role, draws)
    if formal is None:
        return draws.kept("name", word, lambda: _draw_word(word, role, look, draws))
    name = replace_word(formal, role, look, draws)
    nicks = [
        n for n in lists.nicknames_by_name().get(name, ()) if n not in draws.avoid and n != word
    ]
    return draws.kept("name", word, lambda: draws.one_of(nicks) if nicks else name)


def look_of(word: str) -> _Look:
    """The gender and group that one word shows."""
    return _look([word])


def folded_word(word: str) -> str:
    """A word in lower case, without accents and apostrophes."""
    bare = unicodedata.normalize("NFKD", word.lower())
    return "".join(sign for sign in bare if sign.isalpha()) or word.lower()


def _formal(word: str, role: str, draws: Draws) -> str | None:
    """Return the formal name of a nickname if it is a known name of this person, else None."""
    if role != GIVEN or (word in draws.avoid and word in lists.given_names()):
        return None
    names = lists.formal_names().get(word, frozenset()) & draws.avoid - {word}
    return min(names) if names else None


def _draw_word(word: str, role: str, look: _Look, draws: Draws) -> str:
    letter = _drawn_letter(word[0], draws).lower()
    own = _look([word])
    gender = own.gender or look.gender
    group = own.group or look.group or lists.GENERAL_GROUP
    groups = dict.fromkeys((group, lists.GENERAL_GROUP))
    found = (
        urn
        for kind in groups
        if (
            urn := lists.given_urn(gender, kind, letter)
            if role == GIVEN
            else lists.family_urn(kind, letter)
        )
    )
    urn = next(found, None) or lists.family_urn(lists.GENERAL_GROUP, letter)
    assert urn is not None
    return draws.fresh("name", word, lambda: urn.draw(draws.below), urn.items, _anything())


@cache
def _anything() -> tuple[str, ...]:
    """Return the fallback names, for a person who must avoid every name with that letter."""
    return (*lists.family_names(), *lists.given_names())


def _drawn_letter(letter: str, draws: Draws) -> str:
    base = folded_word(letter)[:1]
    found = draws.kept(
        "letter",
        base,
        lambda: draws.fresh("letter", base, lambda: lists.first_letters().draw(draws.below)),
    )
    return found.upper() if letter.isupper() else found


def _name_roles(body: str, names: list[re.Match[str]]) -> list[str]:
    """Return the role of each word (given or family name), by comma, position or tables."""
    comma = body.find(",")
    full = [name for name in names if len(name[0]) > 1]
    if comma > 0 and any(name.start() > comma for name in full):
        return [FAMILY if name.start() < comma else GIVEN for name in names]
    if len(full) == 1 and len(names) == 1:
        return [_likely(folded_word(full[0][0]))]
    roles = [GIVEN] * len(names)
    for place in range(len(names) - 1, -1, -1):
        hyphened = place + 1 < len(names) and body[names[place].end()] == "-"
        if place == len(names) - 1 or (hyphened and roles[place + 1] == FAMILY):
            roles[place] = FAMILY
    return roles


def _likely(word: str) -> str:
    given = lists.given_names().get(word)
    family = lists.family_names().get(word)
    if given is None:
        return GIVEN if family is None and word in lists.formal_names() else FAMILY
    return GIVEN if family is None or given[2] >= family[1] else FAMILY


def _look(words: list[str]) -> _Look:
    given = [found for word in words if (found := lists.given_names().get(word))]
    groups = [whose[0] for word in words if (whose := lists.family_names().get(word))]
    groups += [found[1] for found in given]
    named = [group for group in groups if group != lists.GENERAL_GROUP]
    return _Look(given[0][0] if given else None, (named or groups or [""])[0])


def _name_cased(name: str, original: str) -> str:
    if original.isupper() and len(original) > 1:
        return name.upper()
    if original.islower():
        return name
    title = name.capitalize()
    if name.startswith("mc") and len(name) > 4:
        return "Mc" + name[2:].capitalize()
    return title.upper() if len(original) == 1 else title


def _digits(between: str, draws: Draws) -> str:
    return re.sub(r"\d+", lambda run: _other_digits(run[0], draws), between)


def _other_digits(run: str, draws: Draws) -> str:
    return draws.kept("digits", run, lambda: same_shape(run, draws))
