"""The uses of the judgment of words: what each kind of text may hold, side by side."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from deid.vocabularies.numbers import has_long_number, looks_personal
from deid.vocabularies.wording.judging import Use
from deid.vocabularies.wording.name_reading import parts_of_name, words_of_name, words_of_path
from deid.vocabularies.wording.personal_numbers import tells_age, tells_number
from deid.vocabularies.wording.published_names import bare_name, is_published_name
from deid.vocabularies.wording.readings import (
    TextWord,
    runs_of_text,
    words_of_code,
    words_of_term,
)
from deid.vocabularies.wording.words_alone import (
    are_names,
    are_names_in_code,
    has_somebody,
    has_unknown_run,
    has_unknown_term,
    is_known_part,
    is_known_run,
    is_sure_word,
    lack_chart_word,
)
from deid.vocabularies.wording.words_together import (
    are_borne_names,
    has_lone_eponym,
    name_town,
    name_town_in_code,
    names_measured_owner,
    names_owner_of_file,
    names_person,
    names_place,
    spell_name,
    tell_of_somebody,
)
from recognizers import (
    held_shape,
    is_listed,
    is_organization,
    is_told_of_somebody,
    may_be_somebody,
    word_evidence,
)
from safe_harbor import is_state

_ANY_SPACE, _LETTERS = re.compile(r"\s"), re.compile(r"[^\W\d_]{3,}")
# The least count (log2) in texts of a word that is rather written as a word than as a name.
_EVERYDAY = 24
_PLAIN_LISTS = (
    *("flag", "sex", "race", "marital", "language", "relation", "body_site", "severity"),
    *("smoking", "visit", "form", "specimen", "color", "employment"),
)


def _lacks(is_approved: Callable[[TextWord], bool]) -> Callable[[Sequence[TextWord]], bool]:
    """Return a check that refuses words if one of them is not approved."""
    return lambda words: not all(map(is_approved, words))


def _is_answer_or_state(text: str) -> bool:
    """Whether the text is a state, or a list of answers, races, languages and the like has it.

    A list may have names, but only everyday words: `White` and `French`, but not `Hazel`, `Karen`.
    """
    if is_state(text):
        return True
    words = map(word_evidence, _LETTERS.findall(text.casefold()))
    rarely = any(word.is_name and word.written < _EVERYDAY for word in words)
    return not rarely and any(is_listed(name, text) for name in _PLAIN_LISTS)


def _tells_age(name: str) -> bool:
    """Whether the parts of a name, before any are joined to a word, state an age."""
    return tells_age(parts_of_name(name) or ())


# The name of a column, table, sheet or key. A rare word is not approved for being rare: a word that
# is on no list may be a name.
NAME = Use(
    bare=bare_name,
    is_published=is_published_name,
    longest=200,
    of_text=(
        ("shape", lambda name: held_shape(name) is not None),
        ("number", _tells_age),
    ),
    read=words_of_name,
    needs_words=True,
    of_words=(
        ("number", tells_number),
        ("unlisted", _lacks(is_known_part)),
        ("person", names_person),
        ("place", names_place),
        ("person", has_lone_eponym),
        ("person", names_measured_owner),
    ),
)
# The name of a file, folder or sheet, which may be that of the person whom it is about.
NAME_OF_FILE = replace(NAME, of_words=(*NAME.of_words, ("person", names_owner_of_file)))
# The keys of a path, judged together. Each key is also judged alone.
KEY_PATH = Use(
    read=words_of_path,
    of_words=(("number", tells_number), ("person", names_person)),
)


def _unless_named(use: Use) -> Use:
    """Return the use for codes and descriptions, which no person, town or firm may have for a name.

    A state is released, and so is what a list of answers, races, languages and the like has.
    """
    return replace(
        use,
        is_published=_is_answer_or_state,
        of_text=(*use.of_text, ("place", is_organization)),
        of_words=(*use.of_words, ("place", name_town_in_code), ("person", are_borne_names)),
    )


_PLAIN_DESCRIPTION = Use(
    longest=1000,
    of_text=(("shape", looks_personal), ("shape", has_long_number)),
    read=runs_of_text,
    of_words=(("person", are_names), ("unlisted", _lacks(is_known_run))),
)
_PLAIN_CODE = Use(
    longest=60,
    of_text=(
        ("shape", looks_personal),
        ("shape", has_long_number),
        ("unread", lambda code: _ANY_SPACE.search(code) is not None),
    ),
    read=runs_of_text,
    of_words=(("person", are_names_in_code), ("unlisted", has_unknown_run)),
)
# The code or name of an insurance company, which may be words of a firm and of a state.
PAYER = (_PLAIN_CODE, _PLAIN_DESCRIPTION)
# A description: a display text, an annotation.
DESCRIPTION = _unless_named(_PLAIN_DESCRIPTION)
# A local code: digits with a few letters or known words, or a known word. Seven adjacent digits are
# a number of somebody or something.
LOCAL_CODE = _unless_named(_PLAIN_CODE)
# A coded cell of a column of both codes and descriptions is judged as either.
CODED = (LOCAL_CODE, DESCRIPTION)
# The key of a thing that a system names by a title instead of a number (`VitalSigns`). The words of
# a key begin at capitals, spaces, underscores or hyphens. The rule is strict, because an approved
# key is neither removed from texts nor looked for in the output.
WORDED_KEY = Use(
    longest=80,
    read=words_of_code,
    needs_words=True,
    of_words=(
        ("unlisted", _lacks(lambda word: is_sure_word(word.text))),
        ("unlisted", lack_chart_word),
        ("person", tell_of_somebody),
        ("person", spell_name),
        ("place", name_town),
    ),
)
# A term that follows the grammar of a terminology.
TERM = Use(
    longest=200,
    of_text=(("person", may_be_somebody), ("person", is_told_of_somebody)),
    read=words_of_term,
    of_words=(("unlisted", has_unknown_term), ("person", has_somebody)),
)
