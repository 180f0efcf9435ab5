"""Words that identify no person alone: words of headers, English and clinical words, codes."""

from __future__ import annotations

from collections.abc import Sequence

from deid.vocabularies.wording.known_words import LONGEST_UNKNOWN, is_known_word, is_own_word
from deid.vocabularies.wording.readings import TextWord
from deid.vocabularies.wording.usual_words import is_name_word
from recognizers import (
    is_borne,
    is_given_name,
    is_header_word,
    is_listed,
    is_lone_name,
    may_be_somebody,
    word_evidence,
)
from safe_harbor import is_state

# A word counts as a name if log2 of its bearers is at most `_MARGIN` below log2 of its use in
# texts.
_MARGIN = 9
# A word with this many bearers (log2) is a name; a word with this many ZIP codes is a town.
_OFTEN_GIVEN, _OFTEN_FAMILY, _OFTEN_TOWN = 12, 13, 2
_RARE_WORD = 20_000
# For codes, a given name with more bearers (log2) is a name; and the rank of the rarest everyday
# word that may be somebody's name too, and of the rarest short one.
_MOST_GIVEN, _EVERYDAY_RANK, _SHORT_RANK = 9, 8_000, 3_000
# The most letters of a short word: beside digits it need not be known, in keys it may be initials.
_SHORT = 3
_LISTS_OF_CHARTS = ("body_site", "specimen", "clinical_nouns")
# Words of titles (`AdvanceDirectives`, `ReviewOfSystems`) that none of these lists has.
_MORE_CHART_WORDS = frozenset(("directives", "function", "reactions", "review"))


def is_known_part(part: TextWord) -> bool:
    """Whether the part of a name is a number, a single letter, or an approved word."""
    word = part.text
    if part.is_number or len(word) == 1 or is_name_word(word):
        return True
    known = word_evidence(word)
    if known.eponym and known.written < known.family + _MARGIN:
        return True  # `has_lone_eponym` requires the noun that goes with it
    return len(word) > 2 and is_plain_word(word)


def is_plain_word(word: str) -> bool:
    """Whether the word is English or medical rather than the name of a person or place."""
    known = word_evidence(word)
    if known.given >= _OFTEN_GIVEN or known.family >= _OFTEN_FAMILY or known.place >= _OFTEN_TOWN:
        return False
    if known.bearers > max(known.written - _MARGIN, 0):
        return False
    if known.rank is None:
        return known.clinical
    singular = word.removesuffix("s")
    if singular != word and len(singular) > 2 and not is_plain_word(singular):
        return is_name_word(singular) or word_evidence(singular).rank is None
    rare = known.rank >= _RARE_WORD and not known.clinical
    return not rare or (known.bearers == 0 and known.place == 0)


def is_sure_word(word: str) -> bool:
    """Whether a word of a code is certainly not a name: it is plain, it is not an eponym, and at
    most a few people have it as a name.

    A rare name (`Vital`, `Blood`) counts as a word only if the word is in everyday use. One to
    three letters may be initials, so they count as a word only if the word is very frequent.
    """
    known = word_evidence(word)
    rank = _EVERYDAY_RANK if known.rank is None else known.rank
    if len(word) <= _SHORT:
        return rank < _SHORT_RANK and known.bearers <= _MOST_GIVEN and not known.place
    rare = known.given <= _MOST_GIVEN and rank < _EVERYDAY_RANK
    if known.is_name and not rare:
        return False
    plural = not known.is_name and _is_plain_plural(word)
    return not known.eponym and (plural or is_plain_word(word))


def _is_plain_plural(word: str) -> bool:
    return any(is_plain_word(word.removesuffix(ending)) for ending in ("s", "es"))


def lack_chart_word(words: Sequence[TextWord]) -> bool:
    """Whether none of the words belongs in a chart, as words of table headers, body sites,
    specimens and tests do.

    `PinkDragon` and `SouthernTower` have none of these.
    """
    return not any(_is_chart_word(word.text) for word in words)


def _is_chart_word(word: str) -> bool:
    if len(word) <= _SHORT:
        return False
    listed = any(is_listed(name, word) for name in _LISTS_OF_CHARTS)
    return listed or is_header_word(word) or word in _MORE_CHART_WORDS


def is_known_run(run: TextWord) -> bool:
    """Whether the letters of a description are a known word, or are too few to be a word."""
    return run.is_number or len(run.text) <= LONGEST_UNKNOWN or is_known_word(run.text)


def has_unknown_run(runs: Sequence[TextWord]) -> bool:
    """Whether a code has unknown letters; beside digits, up to three letters are exempt."""
    if not _have_digit(runs):
        return not all(map(is_known_run, runs))
    return not all(
        run.is_number or (run.text.isascii() and len(run.text) <= _SHORT) or is_known_word(run.text)
        for run in runs
    )


def are_names_in_code(runs: Sequence[TextWord]) -> bool:
    """Whether the words of a code are names. Beside digits, three letters are not a word."""
    if _have_digit(runs) and all(run.is_number or len(run.text) <= _SHORT for run in runs):
        return False
    return are_names(runs)


def are_names(runs: Sequence[TextWord]) -> bool:
    """Whether a single word is likely a name, or all words except initials and titles are."""
    words = [run.text for run in runs if not run.is_number]
    if len(words) == 1 and _is_rather_a_name(words[0]):
        return True
    long = [word for word in words if len(word) > LONGEST_UNKNOWN]
    return any(map(_is_rather_a_name, long)) and all(map(is_borne, long))


def _is_rather_a_name(word: str) -> bool:
    if len(word) <= LONGEST_UNKNOWN:
        unknown = word.istitle() and len(word) == LONGEST_UNKNOWN and not is_own_word(word)
        return unknown or not word.isascii()
    if is_own_word(word) or is_state(word):
        return False
    return is_lone_name(word, strict=False) or is_given_name(word)


def has_unknown_term(words: Sequence[TextWord]) -> bool:
    """Whether a word of a term is on no list and is not a dose form."""
    long = (word.text for word in words if len(word.text) > LONGEST_UNKNOWN)
    return not all(is_known_word(word) or is_listed("form", word) for word in long)


def has_somebody(words: Sequence[TextWord]) -> bool:
    """Whether a word of at least three letters, or a capitalized word, may be a name."""
    texts = (word.text for word in words)
    return any(
        may_be_somebody(text) for text in texts if len(text) > LONGEST_UNKNOWN or text.istitle()
    )


def _have_digit(runs: Sequence[TextWord]) -> bool:
    return any(map(str.isdigit, "".join(run.text for run in runs)))
