"""Known street addresses, boxes and units, in full or in part."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from recognizers.known.places.organizations import STATE_WORDS, canon, light_gap, same_word
from recognizers.known.text import Text, folded_words, squeeze
from recognizers.words.word_lists import EPONYMS, is_common, is_word, read_words

_TYPES = read_words("street_types")
_DIRECTIONS = frozenset(("n", "s", "e", "w", "ne", "nw", "se", "sw"))
_UNIT_DESIGNATORS = read_words("units")
_SURE_UNITS = frozenset(["apt", "ste", "lot", "trlr", "trailer"])
_UNIT_IN_VALUE = re.compile(
    r"(?i)(?:\b(?:apartment|apt|appt|app|unit|suite|ste|room|rm|floor|fl|lot|trlr|trailer|bldg|no)\b\.?\s*#?|#)\s*([0-9]{1,5}\s?-?[A-Za-z]?|[A-Za-z]-?[0-9]{0,4})\b"
)
_BOX = re.compile(r"(?i)\bbox\s*#?\s*(\d+)")
_RURAL = re.compile(r"(?i)\b(?:rr|r\.\s?r\.|hc|rfd|rural route)\s*#?\s*(\d+)")


@dataclass(frozen=True, slots=True)
class Street:
    """One address, folded: number, name words (with type), unit, box, rural route."""

    number: tuple[str, ...] = field(default=(), repr=False)
    name: tuple[str, ...] = field(default=(), repr=False)
    units: tuple[str, ...] = field(default=(), repr=False)
    box: str = field(default="", repr=False)
    rural: str = field(default="", repr=False)

    @classmethod
    def of(cls, value: str) -> Street:
        """Parse `118 Canal Street, Apt 3B`, `PO Box 318`, `RR 1 Box 212`, `Room 117`."""
        box, rural = _BOX.search(value), _RURAL.search(value)
        units = tuple(squeeze(u) for u in _UNIT_IN_VALUE.findall(value))
        rest = _UNIT_IN_VALUE.sub(" ", value)
        rest = re.sub(r"(?i)\bp\.?\s?o\.?(?=\s*box)", " ", _RURAL.sub(" ", rest))
        rest = _BOX.sub(" ", rest).strip(" ,\n")
        words = folded_words(rest)
        cut = 0
        while cut < len(words) - 1 and words[cut].isdigit() and cut < 2:
            cut += 1
        number, name = tuple(words[:cut]), tuple(words[cut:])
        if not name and len(number) == 1 and not (box or rural or units):
            return cls()
        return cls(number, name, units, box[1] if box else "", rural[1] if rural else "")


class StreetFinder:
    """Find known addresses by number and name, by name and type, by box and by unit."""

    def __init__(self, streets: Iterable[Street]) -> None:
        streets = tuple(dict.fromkeys(streets))
        self._any = bool(streets)
        self._numbers: dict[str, list[Street]] = defaultdict(list)
        self._names: dict[str, list[Street]] = defaultdict(list)
        self._boxes = {street.box for street in streets if street.box}
        self._rurals = {street.rural for street in streets if street.rural}
        self._units = {unit for street in streets for unit in street.units}
        self._alone: set[str] = set()
        for street in streets:
            if street.number and street.name:
                self._numbers[street.number[0]].append(street)
            if street.name:
                for k in range(min(2, len(street.name))):
                    self._names[canon(street.name[k])[:1]].append(street)
                self._alone |= {w for w in street.name if _is_telling_place(w)}

    def find(self, text: Text) -> list[tuple[int, int]]:
        """Token ranges of the addresses found."""
        found: list[tuple[int, int]] = []
        if not self._any:
            return found
        done = 0
        for i in range(len(text)):
            if i < done:
                continue
            stop = self._numbered(text, i) or self._boxed(text, i) or self._named(text, i)
            if stop:
                first = self._unit_before(text, i)
                found.append((first, stop))
                done = stop
        return found + self._sure_units(text)

    def units_beside(self, text: Text, stop: int) -> int:
        """The end of a unit that begins at token `stop`, or `stop` if there is none."""
        return self._unit_after(text, stop)

    def _numbered(self, text: Text, i: int) -> int:
        for street in self._numbers.get(text.words[i], ()):
            n = len(street.number)
            if tuple(text.words[i : i + n]) != street.number or not _starts_clean(text, i):
                continue
            stop = self._name_run(text, i + n, street, skip=2)
            if stop:
                return self._unit_after(text, stop)
        return 0

    def _name_run(self, text: Text, i: int, street: Street, *, skip: int) -> int:
        """The end of the street's name words that begin at token `i`; 0 if they do not."""
        position, stop, telling = 0, 0, False
        j = i
        while j < len(text) and position < len(street.name):
            if j > 0 and (j > i or skip) and not light_gap(text, j - 1):
                break
            reach = street.name[position : position + 1 + skip]
            ahead = next((q for q, w in enumerate(reach) if _same(text, j, w)), -1)
            if ahead < 0:
                break
            word = street.name[position + ahead]
            telling = (
                telling
                or canon(word) not in _TYPES
                or len(street.name) == 1
                or (len(street.name) == 2 and canon(word) in _DIRECTIONS)
            )
            position += ahead + 1
            j += 1
            stop = j
        if not telling:
            return 0
        return stop + self._type_after(text, stop, street)

    @staticmethod
    def _type_after(text: Text, stop: int, street: Street) -> int:
        """Return 1 if a street type or direction that the known address lacks follows, else 0."""
        if stop >= len(text) or not light_gap(text, stop - 1) or text.shape(stop) == "l":
            return 0
        kind = canon(text.words[stop])
        return int(kind in _TYPES and kind not in {canon(w) for w in street.name})

    def _named(self, text: Text, i: int) -> int:
        word = text.words[i]
        shape = text.shape(i)
        if shape in "ld" and not (text.lower_case and shape == "l"):
            return 0
        for street in self._names.get(canon(word)[:1], ()):
            for skip in range(min(2, len(street.name))):
                part = Street((), street.name[skip:])
                if skip and canon(street.name[0]) not in _TYPES:
                    continue
                stop = self._name_run(text, i, part, skip=0)
                if stop - i >= 2 and self._reads_as_street(text, i, stop, part):
                    return self._unit_after(text, stop)
        if word in self._alone and shape != "l":
            return i + 1
        return 0

    @staticmethod
    def _reads_as_street(text: Text, i: int, stop: int, street: Street) -> bool:
        words = text.words[i:stop]
        if all(is_common(w) for w in words):
            return all(text.shape(j) != "l" for j in range(i, stop))
        return True

    def _boxed(self, text: Text, i: int) -> int:
        words = text.words
        if words[i] == "box" and i + 1 < len(text) and words[i + 1] in self._boxes:
            return i + 2
        if words[i] in {"po", "p", "rr", "r", "hc", "rfd"}:
            j = i + (
                2
                if words[i] in {"p", "r"} and i + 1 < len(text) and words[i + 1] in {"o", "r"}
                else 1
            )
            if (
                j < len(text)
                and words[j] == "box"
                and j + 1 < len(text)
                and words[j + 1] in self._boxes
            ):
                return j + 2
            if j < len(text) and words[j] in self._rurals:
                nxt = self._boxed(text, j + 1) if j + 1 < len(text) and words[j + 1] == "box" else 0
                return nxt or j + 1
        return 0

    def _unit_after(self, text: Text, stop: int) -> int:
        """The end of a unit or box that begins at token `stop`, or `stop` if there is none."""
        size = len(text)
        if (
            stop >= size
            or len(text.gap(stop - 1)) > 6
            or any(c in ";:" for c in text.gap(stop - 1))
        ):
            return stop
        if text.words[stop] in {"box", "p", "po"} and (boxed := self._boxed(text, stop)):
            return boxed
        j, marked = stop, "#" in text.gap(stop - 1)
        if canon(text.words[j]) in _UNIT_DESIGNATORS and j + 1 < size:
            j, marked = j + 1, True
        if not marked:
            return stop
        return self._unit_id(text, j) or stop

    def _unit_id(self, text: Text, j: int) -> int:
        for take in (2, 1):
            unit = "".join(text.words[j : j + take])
            near = take == 1 or (j + 1 < len(text) and len(text.gap(j)) <= 1)
            if j + take <= len(text) and unit in self._units and near:
                return j + take
        return 0

    def _unit_before(self, text: Text, i: int) -> int:
        for back in (2, 3):
            j = i - back
            if (
                j >= 0
                and canon(text.words[j]) in _UNIT_DESIGNATORS
                and self._unit_id(text, j + 1) == i
            ):
                return j
        return i

    def _sure_units(self, text: Text) -> list[tuple[int, int]]:
        found = []
        for i, word in enumerate(text.words[:-1]):
            if canon(word) in _SURE_UNITS and (stop := self._unit_id(text, i + 1)):
                found.append((i, stop))
        return found


def _same(text: Text, i: int, known: str) -> bool:
    word = text.words[i]
    if word == known or canon(word) == canon(known):
        return True
    dotted = text.original[text.ends[i] : text.ends[i] + 1] == "."
    return same_word(known, word, dotted=dotted) and len(word) > 2


def _is_telling_place(word: str) -> bool:
    return (
        len(word) > 4
        and word.isalpha()
        and canon(word) not in _TYPES
        and not is_word(word)
        and word not in EPONYMS
        and word not in STATE_WORDS
    )


def _starts_clean(text: Text, i: int) -> bool:
    """Whether a number is separate and not the end of another number."""
    return i == 0 or text.gap(i - 1)[-1:] not in {"", ".", "/", ":", "$"} or text.gap(i - 1) == ". "
