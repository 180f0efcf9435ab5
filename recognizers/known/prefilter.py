"""Rule out known values that cannot occur in a set of cells, for millions of values.

`KnownValues.find` searches one text for one person. A table of millions of persons has few distinct
cells that are kept: a unit, a code, the name of a test. So the prefilter reads these cells once,
and then needs only a few look-ups to rule out a value that no cell contains in any form. The other
values must be searched for with `find`. The tests check that `find` does not find a value that was
ruled out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import lru_cache

from recognizers.known.dates.calendar import read_day
from recognizers.known.features_of_values import (
    HEAD,
    LONGEST_WORD,
    MOST_READ,
    Half,
    begins_as_code,
    feature_hash,
    halves,
    number_forms,
    read_value,
    run_features,
    value_features,
    word_feature,
    written_features,
)
from recognizers.known.forms import (
    PARTS_OF_PLACES,
    birth_number,
    comment_pieces,
    place_readings,
)
from recognizers.known.names.people import deletions, sound
from recognizers.known.places.organizations import FILLERS, ORGANIZATION_WORDS, canon, same_word
from recognizers.known.places.places import _TYPES
from recognizers.known.places.zips import Zip, ZipFinder
from recognizers.known.prefilter_cells import read_cell
from recognizers.known.text import folded_words, squeeze
from recognizers.words.word_lists import KIN, TITLES, is_word, other_forms
from safe_harbor import Identifier as I

_MISREAD = str.maketrans("015834", "olsbea")
_ROUTES = frozenset(("box", "rr", "hc", "rfd", "po", "p", "r", "o"))
_ROUTED = re.compile(r"(?i)\b(?:box|r\.?\s?r|hc|rfd|rural)")
_JOINTS = re.compile(r"[@/\\=:?&]")
# A value is checked against many groups of cells.
_kept_features = lru_cache(maxsize=MOST_READ)(value_features)
# For each first letter: words as written, each with a flag for a period after it.
_Written = dict[str, set[tuple[str, bool]]]
Words = Sequence[str]
# The least letters of a sound at the beginning or the end of a word.
SHORTEST_EDGE = 4
_ZIPS = ZipFinder(())
# After these words, even an ordinary word may be a misspelled name: `Mrs. Colon`.
_BEFORE_NAMES = TITLES | KIN


class Pile:
    """Texts to search for strings. A new text is merged with shorter ones, so there are few."""

    def __init__(self) -> None:
        self._texts: list[str] = []

    def add(self, text: str) -> None:
        """Add a text."""
        while self._texts and text and len(self._texts[-1]) < 2 * len(text):
            text = f"{self._texts.pop()}\n{text}"
        if text:
            self._texts.append(text)

    def __contains__(self, value: str) -> bool:
        return any(value in text for text in self._texts)


class KnownValuePrefilter:
    """An index of cells, to check known values against.

    `live` cells may contain a value in a form that the checks below do not cover, so they must be
    searched. `dated` cells are the live cells in which such a value can only be a date or an age.
    Initials are checked for all names of a person together (`signs`), everything else value by
    value (`meets`).
    """

    def __init__(self) -> None:
        self.live: set[str] = set()
        self.dated: set[str] = set()
        self._cells: set[str] = set()
        self._words: set[str] = set()
        self._by_letter: _Written = defaultdict(set)
        self._before_types: _Written = defaultdict(set)
        self._routes: set[str] = set()
        # Words that may be a misspelled or shortened name, and what is looked up about them.
        self._unusual: set[str] = set()
        self._near: set[str] = set()
        self._sounds: set[str] = set()
        self._edges: set[str] = set()
        self._runs: set[str] = set()
        self._halves: set[Half] = set()
        self._has_long_number = False
        self._numbers: set[str] = set()
        self._zips: set[str] = set()
        self._rows: set[str] = set()
        self._raw, self._streams = Pile(), Pile()
        self._heads: set[str] = set()
        self._features: set[str] = set()
        self._whole: set[str] = set()
        self._last: set[str] = set()
        self._grams: set[str] = set()
        self._memo: dict[str, bool] = {}
        self._short: dict[str, bool] = {}

    def __repr__(self) -> str:
        return f"KnownValuePrefilter({len(self._cells)} cells)"

    def add(self, cells: Iterable[str]) -> None:
        """Add cells to the index."""
        new = [cell for cell in dict.fromkeys(cells) if cell not in self._cells]
        if not new:
            return
        self._cells.update(new)
        self._memo.clear()
        self._short.clear()
        streams: list[str] = []
        for cell in new:
            self._read(cell, streams)
        raw = "\n".join(cell.casefold() for cell in new)
        self._raw.add(raw)
        self._streams.add(" ".join(streams))
        self._heads.update(raw[i : i + HEAD] for i in range(len(raw) - HEAD + 1))
        self._features.update(written_features(raw))

    # -- the cells ---------------------------------------------------------------------------

    def _read(self, cell: str, streams: list[str]) -> None:
        read = read_cell(cell)
        text = read.text
        self.live |= {cell} if read.is_live else set()
        self.dated |= {cell} if read.is_dated else set()
        words = {word for word in text.words if not word[0].isdigit()}
        for i, word in enumerate(text.words):
            dotted = cell[text.ends[i] : text.ends[i] + 1] == "."
            for letter in (word[0], canon(word)[0]):
                self._by_letter[letter].add((word, dotted))
                if i + 1 < len(text) and canon(text.words[i + 1]) in _TYPES:
                    self._before_types[letter].add((word, dotted))
            if i and text.words[i - 1] in _ROUTES:
                self._routes.add(word)
        for word in words - self._words:
            self._words.add(word)
            self._whole.add(word)
            self._features.add(word_feature(word))
        for i, word in enumerate(text.words):
            if word in words and not (is_word(word) and not _may_be_named(text.words, i)):
                self._add_unusual(word)
        stream = read.stream
        misread = stream.translate(_MISREAD)
        for form in {stream, misread, misread.replace("l", "i")}:
            streams.append(form)
            self._grams |= {form[i : i + 3] for i in range(len(form) - 2)}
        for i, word in enumerate(text.words):
            if word.isdigit():
                self._numbers.add(word)
                if len(word) in (5, 9) or i == 0 or _ZIPS._labelled(text, i):
                    self._zips.add(word[:5].zfill(5))
        for run in read.runs:
            self._add_run(run)
        self._rows |= read.rows

    def _add_unusual(self, word: str) -> None:
        if word in self._unusual:
            return
        self._unusual.add(word)
        for part in {word, word[1:], word[:-1]}:
            if 2 < len(part) <= LONGEST_WORD + 1:
                self._near |= {part, *deletions(part)}
            if len(part) > 2:
                self._sounds.add(sound(part))
        self._edges.update(_sound_edges(sound(word)))

    def _add_run(self, run: str) -> None:
        self._runs.add(run)
        self._whole.add(run)
        self._features.update(run_features(run))
        if len(run) > 4 and run[-5:].isdigit():
            self._last.add(run[-5:])
        if len(run) > 7 and run.isdigit():
            self._halves.update(halves(run))
            self._has_long_number |= len(run) == LONGEST_WORD

    # -- summaries of the cells, to check whole columns of values ---------------------------

    @property
    def version(self) -> int:
        """A number that changes when cells are added."""
        return len(self._cells)

    @property
    def last_digits(self) -> Set[str] | None:
        """The last five digits of every number in the cells; None if these digits rule out no
        value.
        """
        if self._halves or any(len(number) == 4 for number in self._numbers):
            return None
        return self._last

    @property
    def short_numbers(self) -> Set[str]:
        """Runs of letters and digits in the cells that may be a whole value."""
        return self._whole

    @property
    def heads(self) -> Set[str]:
        """The first four characters of every value that the cells may contain as written."""
        return self._heads

    def word_meets(self, word: str) -> bool:
        """Whether a name that contains this word might be found."""
        return word in ORGANIZATION_WORDS or self._word_meets(word)

    @property
    def rows(self) -> frozenset[str]:
        """Sequences of letters in the cells that may be a person's initials."""
        return frozenset(self._rows)

    def signs(self, names: Iterable[str]) -> bool:
        """Whether one of these `rows` may be the initials of a person with these names."""
        first = {word[0] for name in names for word in folded_words(name)}
        return any(first.issuperset(row) for row in self._rows)

    def feature_hashes(self) -> Iterator[int]:
        """Hashes of the cells' features; a value whose features are not among them is absent."""
        return map(feature_hash, self._features)

    # -- the values --------------------------------------------------------------------------

    def meets(self, identifier: I, part: str, value: str, role: str = "patient") -> bool:
        """Whether the value, as a known value of a person, might be found in one of the cells."""
        features = _kept_features(identifier, part, value) if self._cells else ()
        if features is not None and self._features.isdisjoint(features):
            return False
        read = read_value(value)
        words, letters, squeezed = read.words, read.letters, read.squeezed
        if not words:
            return False
        if part == "comment":
            return self._comment_meets(value)
        if len(squeezed) > LONGEST_WORD and (
            self._has_long_number or not begins_as_code(identifier, read)
        ):
            return True
        if self._stands(read.written) or squeezed in self._words:
            return True
        if len(letters) < len(words) and read.number in self._runs:
            return True
        if identifier is I.DATES:
            return any(word in self._words for word in letters) or (
                part == "birth" and self._birth_meets(value)
            )
        if identifier is I.PLACES:
            return self._place_meets(part, value, words)
        if identifier is I.NAMES:
            return self._name_meets(part, letters, words, role)
        if len(letters) < len(words) and self._number_meets(identifier, value, words):
            return True
        if identifier not in (I.EMAILS, I.URLS, I.PHOTOS):
            return False
        if any(self._holds(word) for word in letters) or self._holds(squeezed):
            return True
        pieces = [squeeze(piece) for piece in _JOINTS.split(value)]
        return any(self._holds(piece) or piece in self._runs for piece in pieces if piece)

    def _comment_meets(self, value: str) -> bool:
        """Whether any piece of the comment, or the initials of a name in it, might be found."""
        pieces = list(comment_pieces(value))
        if any(self.meets(identifier, part, piece) for identifier, part, piece in pieces):
            return True
        named = [piece for identifier, _, piece in pieces if identifier is I.NAMES]
        return bool(self._rows) and bool(named) and any(self.signs([name]) for name in named)

    def _name_meets(self, part: str, letters: Words, words: Words, role: str) -> bool:
        if any(self._word_meets(word) for word in letters):
            return True
        firm = part == "organization" or role in ("employer", "facility")
        if firm or (part in ("", "full") and not ORGANIZATION_WORDS.isdisjoint(words)):
            return self._firm_meets(words)
        return False

    def _place_meets(self, part: str, value: str, words: Words) -> bool:
        """Whether all or the distinctive words of the place, maybe abbreviated, might be found."""
        if part not in PARTS_OF_PLACES:
            read = place_readings(value.strip())
            return any(self._place_meets(told, one, read_value(one).words) for told, one in read)
        if part == "zip" or (code := Zip.of(value)) is not None:
            code = Zip.of(value)
            if code is not None:
                return code.five in self._zips
            return any(word in self._numbers for word in words)
        bare = [word for word in words if word not in FILLERS]
        alike = [word for word in bare if self._shortened(word)]
        if part in ("city", "county"):
            kind = {"county", "parish", "co"}
            return bool(alike) and set(bare) <= {*alike, *kind}
        if len(alike) > 1 or any(len(word) > 3 and word in self._words for word in alike):
            return True
        numbers = any(word in self._numbers for word in words)
        if alike and (numbers or part not in ("street", "unit", "facility")):
            return True
        # `Cnl St`, `Cnl N`: a type or direction in the text counts even if the value lacks it.
        if any(_stands_for(word, self._before_types) for word in alike):
            return True
        routed = bool(self._routes) and _ROUTED.search(value) is not None
        return self._is_acronym(bare) or (routed and not self._routes.isdisjoint(words))

    def _firm_meets(self, words: Words) -> bool:
        bare = [word for word in words if word not in FILLERS]
        return self._is_acronym(bare) or any(self._shortened(word) for word in bare)

    def _is_acronym(self, words: Words) -> bool:
        first = "".join(word[0] for word in words)
        return any(first[:stop] in self._words for stop in range(2, len(first) + 1))

    def _stands(self, value: str) -> bool:
        """Whether a cell contains the value as written."""
        return len(value) > 3 and value in self._raw

    def _holds(self, squeezed: str) -> bool:
        return len(squeezed) > 2 and squeezed[:3] in self._grams and squeezed in self._streams

    def _word_meets(self, word: str) -> bool:
        known = self._memo.get(word)
        if known is None:
            known = self._memo[word] = self._word_meets_anew(word)
        return known

    def _word_meets_anew(self, word: str) -> bool:
        if len(word) == 1:
            return False
        if len(word) > LONGEST_WORD:
            return True
        if word in self._words or self._holds(word):
            return True
        if len(word) == 2 and any(
            len(w) > 4 and (w.startswith(word) or w.endswith(word)) for w in self._unusual
        ):
            return True
        if any(word[:stop] in self._unusual for stop in range(3, len(word))):
            return True
        if not self._words.isdisjoint(other_forms(word)):
            return True
        if len(word) > 3 and not self._near.isdisjoint({word, *deletions(word)}):
            return True
        heard = sound(word)
        if heard in self._sounds:
            return True
        return len(heard) > SHORTEST_EDGE and not self._edges.isdisjoint(_cut_edges(heard))

    def _shortened(self, word: str) -> bool:
        """Whether a cell may hold the word of a place or firm, also shortened: `Hosp`, `Brat.`"""
        known = self._short.get(word)
        if known is None:
            known = self._short[word] = _stands_for(word, self._by_letter)
        return known

    def _number_meets(self, identifier: I, value: str, words: Words) -> bool:
        forms = number_forms(identifier, value)
        if not self._runs.isdisjoint(forms):
            return True
        digits = "".join(filter(str.isdecimal, "".join(words)))
        if (identifier is I.SSNS or len(digits) == 4) and digits[-4:] in self._numbers:
            return True
        return bool(self._halves) and any(map(self._half_meets, forms))

    def _birth_meets(self, value: str) -> bool:
        """Whether a birth date, as a number, might be found with one digit wrong."""
        day = read_day(value.strip()) if self._halves else None
        return day is not None and self._half_meets(birth_number(day))

    def _half_meets(self, number: str) -> bool:
        """Whether the number might be found with one digit wrong or two digits exchanged."""
        return not self._halves.isdisjoint(halves(number))


def _may_be_named(words: Words, i: int) -> bool:
    """Whether the word before word `i` announces a name."""
    return i > 0 and words[i - 1] in _BEFORE_NAMES


def _sound_edges(heard: str) -> Iterator[str]:
    """Beginnings and ends of a word's sound, where a name run together with another is heard."""
    for size in range(SHORTEST_EDGE, len(heard)):
        yield f"^{heard[:size]}"
        yield f"{heard[-size:]}$"


def _cut_edges(heard: str) -> tuple[str, str]:
    """The sound of a name as the beginning and as the end of a word.

    The letter beside the other name may sound otherwise there.
    """
    return f"^{heard[:-1]}", f"{heard[1:]}$"


def _stands_for(word: str, written: _Written) -> bool:
    near = written.get(word[0], set()) | written.get(canon(word)[0], set())
    return any(same_word(word, other, dotted=dotted) for other, dotted in near)
