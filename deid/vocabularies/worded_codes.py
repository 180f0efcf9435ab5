"""Whether a code consists only of published words, such as `VitalSigns` or `reason_for_visit`.

Some systems number nothing: they name a section, an order or an observation by its title, and write
this title where other systems write a number. Such a code identifies nobody. The rule is strict,
because a code that it accepts is neither removed from texts nor looked for in the output.
"""

from __future__ import annotations

import re
from functools import lru_cache

from recognizers import (
    is_header_word,
    is_listed,
    is_told_of_somebody,
    is_town_name,
    word_evidence,
)

LONGEST_WORDED_CODE = 80
# Binary logarithms of the bearers of a name in the 2020 Census, and of the ZIP codes of a town.
_MOST_GIVEN, _MOST_FAMILY, _MOST_PLACES = 9, 12, 1
# The rank of the rarest everyday word that may be somebody's name too, and of the rarest short one.
_EVERYDAY_RANK, _SHORT_RANK = 8_000, 3_000
# The most letters of a short word; others of this length are abbreviations or initials.
_SHORT_LETTERS = 3
# The most adjacent words that may spell one name together (`TwoBulls`, `Hot Springs`).
_LONGEST_SPELLED = 3
_WRITTEN_CODE = re.compile(r"[A-Za-z]+(?:[ _-]+[A-Za-z]+)*")
_CODE_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LISTS_OF_CHARTS = ("body_site", "specimen", "clinical_nouns")
# Words of titles (`AdvanceDirectives`, `ReviewOfSystems`) that none of these lists has.
_MORE_CHART_WORDS = frozenset(("directives", "function", "reactions", "review"))
_FACILITY_KINDS = frozenset(
    ("hospital", "clinic", "center", "university", "college", "school", "laboratory")
)


@lru_cache(maxsize=1 << 14)
def is_worded_code(value: str) -> bool:
    """Whether the code has no digit, and consists of everyday or clinical words without a name.

    At least one of the words must be a word of charts. The words begin at capitals, spaces,
    underscores or hyphens. The words of a code without these (`mercyhospital`) are not told apart,
    so it does not count, unless it is a single word.

    >>> [is_worded_code(code) for code in ("VitalSigns", "blood-pressure", "Medications")]
    [True, True, True]
    >>> [is_worded_code(code) for code in ("RoseLong", "mercyhospital", "AB", "Visit2")]
    [False, False, False, False]
    """
    if len(value) > LONGEST_WORDED_CODE or _WRITTEN_CODE.fullmatch(value.strip()) is None:
        return False
    words = [word.lower() for word in _CODE_WORD.findall(value)]
    if len(words) == 1:
        [word] = words
        return _is_chart_word(word) and _is_vocabulary(word) and not word_evidence(word).is_name
    if words[-1] in _FACILITY_KINDS or is_told_of_somebody(" ".join(words)):
        return False
    if not all(map(_is_no_name_beside_others, words)) or not any(map(_is_chart_word, words)):
        return False
    return not any(map(_spells_a_name, _adjacent(words)))


def _is_vocabulary(word: str) -> bool:
    """Whether the word, or its singular, is an everyday or a clinical word, and no eponym."""
    forms = map(word_evidence, (word, word.removesuffix("s"), word.removesuffix("es")))
    return any(form.is_ordinary for form in forms) and not word_evidence(word).eponym


def _is_chart_word(word: str) -> bool:
    """Whether the word is one of a chart: in headers of tables, a body site, a specimen, a test.

    `PinkDragon` and `SouthernTower` have none of these.
    """
    if len(word) <= _SHORT_LETTERS:
        return False
    listed = any(is_listed(name, word) for name in _LISTS_OF_CHARTS)
    return listed or is_header_word(word) or word in _MORE_CHART_WORDS


def _is_no_name_beside_others(word: str) -> bool:
    """Whether a word beside others is surely no name.

    A rare name (`Vital`, `Blood`) counts as a word if the word is in everyday use.
    """
    evidence = word_evidence(word)
    rank = evidence.rank if evidence.rank is not None else _EVERYDAY_RANK
    if len(word) <= _SHORT_LETTERS:
        telling = evidence.given > _MOST_GIVEN or evidence.family > _MOST_GIVEN or evidence.place
        return rank < _SHORT_RANK and not telling
    if evidence.place > _MOST_PLACES or not _is_vocabulary(word):
        return False
    rare = evidence.given <= _MOST_GIVEN and evidence.family <= _MOST_FAMILY
    return not evidence.is_name or (rare and rank < _EVERYDAY_RANK)


def _adjacent(words: list[str]) -> list[list[str]]:
    """The runs of two to `_LONGEST_SPELLED` adjacent words."""
    sizes = range(2, _LONGEST_SPELLED + 1)
    return [words[at : at + size] for size in sizes for at in range(len(words) - size + 1)]


def _spells_a_name(words: list[str]) -> bool:
    """Whether adjacent words spell the name of a person or town together."""
    return word_evidence("".join(words)).is_name or is_town_name(" ".join(words))
