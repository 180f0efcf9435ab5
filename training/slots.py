"""Fresh values for the labeled slots of a note: same form and role, other content.

Within a note a word of a name is always replaced by the same other word, so that "Okonkwo,
Angela" above and "Ms. Okonkwo" below remain one person.
"""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from training.dates import ORDERS, refill_date
from training.notes import Note, Piece
from training.pools import Origin, Pools
from training.words import read_words

PARTICLES = frozenset(read_words("particles"))
# Words for the kind of a place or firm: they stay when the name before them is replaced.
STRUCTURE = frozenset(read_words("structure"))
PROPER = read_words("proper")
FACILITY_ENDS = read_words("facility_ends")
EMPLOYER_ENDS = read_words("employer_ends")
PHONES = read_words("phones")
SAINTS = ("St.", "St", "Saint", "Sts.", "Santa", "San", "Our Lady of", "Mt.")
SSNS = ("###-##-####", "### ## ####", "#########", "###.##.####", "XXX-XX-####", "***-**-####")
# The shares, among evenly drawn names, of the kinds of names that the network misses most.
WORDS, HOMOGRAPHS, COMPOUNDS = 0.18, 0.2, 0.07
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
FIRST_LAST = re.compile(r"[^\W\d_]{2,} [^\W\d_]{2,}")
NAMES = (
    "{l}, {f}", "{l}, {f} {m}", "{l},{f}", "{i}. {l}", "{f} {k}.", "{f} {m}. {l}", "{i}{m} {l}",
    "{l} {f}", "{l} {f} {m}", "{f} {l}-{l}", "{i}. {m}. {l}", "{l}, {i}.", "{f} {k}",
)  # fmt: skip


@dataclass
class Filler:
    """Fills the slots of one note; remembers which name became which."""

    pools: Pools
    chance: random.Random
    evenly: float = 0.5  # of the names are drawn evenly over origins
    names: dict[str, str] = field(default_factory=dict)
    origin: Origin | None = None
    order: str = ""

    def note(self, note: Note, share: float) -> Note:
        """The note with about `share` of its slots refilled (either all names or none)."""
        with_names = self.chance.random() < share
        self.order = self.chance.choices(ORDERS, (0.85, 0.09, 0.06))[0]
        return Note(note.id, tuple(self._piece(p, share, with_names) for p in note.pieces))

    def _piece(self, piece: Piece, share: float, with_names: bool) -> Piece:
        fill = FILLS.get(piece.label or "")
        wanted = with_names if piece.label == "NAME" else self.chance.random() < share
        wanted |= piece.label == "DATE" and bool(self.order)
        if fill is None or not wanted:
            return piece
        return Piece(fill(self, piece.text), piece.label)

    def name(self, text: str) -> str:
        self.origin = self._drawn()
        fresh = WORD.sub(lambda m: self._name_word(m.group()), text)
        if self.chance.random() < 0.1 and FIRST_LAST.fullmatch(fresh):
            first, last = fresh.split()
            middle = self.chance.choice(string.ascii_uppercase)
            form = self.chance.choice(NAMES)
            fresh = form.format(f=first, l=last, i=first[0], k=last[0], m=middle)
        return fresh

    def _drawn(self) -> Origin | None:
        """A random origin, evenly drawn; over two fifths are words, homographs or compounds."""
        if self.chance.random() >= self.evenly:
            return None
        draw = self.chance.random()
        if draw < WORDS:
            return self.pools.words
        if draw < WORDS + HOMOGRAPHS:
            return self.pools.homographs
        if draw < WORDS + HOMOGRAPHS + COMPOUNDS:
            return self.pools.compounds
        return self.chance.choice(self.pools.origins)

    def _name_word(self, word: str) -> str:
        key = word.lower()
        if key in PARTICLES:
            return word
        if key not in self.names:
            self.names[key] = self._fresh_name(key, word.istitle())
        return in_case_of(word, self.names[key])

    def _fresh_name(self, key: str, titled: bool) -> str:
        given = key in self.pools.given_set
        if len(key) == 1:
            return self.chance.choice(string.ascii_uppercase)
        if len(key) <= 3 and not given and not titled:  # initials
            return "".join(self.chance.choice(string.ascii_uppercase) for _ in key)
        if self.origin and len(key) <= 11:
            return self.origin.draw(given, self.chance)
        if self.chance.random() < 0.08:
            return self.chance.choice(self.pools.wordlike)
        pool = self.pools.given if given else self.pools.surnames
        fresh = pool.draw(self.chance)
        return key[0].upper() + fresh if len(key) > 11 else fresh  # a user name keeps its initial

    def date(self, text: str) -> str:
        return refill_date(text, self.chance, self.order)

    def city(self, text: str) -> str:
        return in_case_of(text, self.chance.choice(self.pools.cities))

    def county(self, text: str) -> str:
        fresh = self.chance.choice(self.pools.counties)
        bare = re.sub(r" (County|Parish|Borough|Census Area|Municipio)$", "", fresh)
        return in_case_of(text, fresh if re.search(r"county|parish", text, re.I) else bare)

    def zip(self, text: str) -> str:
        fresh = self.chance.choice(self.pools.zips)
        return (
            fresh + shuffle_characters(text[5:], self.chance)
            if text[:5].isdigit()
            else self.code(text)
        )

    def code(self, text: str) -> str:
        return shuffle_characters(text, self.chance, keep_letters=self.chance.random() < 0.5)

    def digits(self, text: str) -> str:
        return shuffle_characters(text, self.chance, keep_letters=True)

    def place(self, text: str) -> str:
        fresh = WORD.sub(lambda m: self._place_word(m.group()), text)
        return shuffle_characters(fresh, self.chance, keep_letters=True)

    def _place_word(self, word: str) -> str:
        if word.lower() in STRUCTURE or len(word) == 1:
            return word
        return in_case_of(word, self._proper())

    def _proper(self) -> str:
        pools = self.pools
        draw = self.chance.random()
        if draw < 0.45:
            return pools.surnames.draw(self.chance)
        return self.chance.choice(PROPER if draw < 0.8 else pools.cities)

    def facility(self, text: str) -> str:
        return self._organisation(text, "FACILITY", FACILITY_ENDS)

    def employer(self, text: str) -> str:
        return self._organisation(text, "EMPLOYER", EMPLOYER_ENDS)

    def _organisation(self, text: str, label: str, ends: Sequence[str]) -> str:
        draw = self.chance.random()
        if draw < 0.4:
            return self.place(text)
        if draw < 0.7:
            return in_case_of(text, self.chance.choice(self.pools.values[label]))
        if " " not in text:
            return in_case_of(text, self._proper())
        front = self._proper()
        if self.chance.random() < 0.35:
            front += " " + self._proper()
        if self.chance.random() < 0.1:
            front = self.chance.choice(SAINTS) + " " + self.pools.given.draw(self.chance)
        tail = f" on {self._proper()}" if self.chance.random() < 0.06 else ""
        return in_case_of(text, f"{front} {self.chance.choice(ends)}{tail}")

    def address(self, text: str) -> str:
        """An e-mail address, URL or file name with other words and digits; the ending stays."""
        head, dot, tail = text.rpartition(".")
        if not dot:
            head, tail = text, ""
        fresh = WORD.sub(lambda m: self._address_word(m.group()), head)
        return shuffle_characters(fresh, self.chance, keep_letters=True) + dot + tail

    def _address_word(self, word: str) -> str:
        if len(word) < 4 or word.lower() in {"http", "https", "mychart", "portal", "dot"}:
            return word
        if self.chance.random() < 0.4:
            return word
        return in_case_of(word, self._proper().replace(" ", ""))

    def age(self, text: str) -> str:
        if text.isdigit() and len(text) <= 3:
            return str(self.chance.choice([*range(90, 106), *range(90, 100)]))
        return in_case_of(text, self.chance.choice(self.pools.values["AGE90"]))

    def birth_year(self, text: str) -> str:
        return str(self.chance.randint(1915, 1934)) if re.fullmatch(r"\d{4}", text) else text

    def weekday(self, text: str) -> str:
        return in_case_of(text, self.chance.choice(self.pools.values["WEEKDAY"]))

    def phone(self, text: str) -> str:
        draw = self.chance.random()
        if draw < 0.75 or sum(map(str.isdigit, text)) < 10:
            return shuffle_characters(text, self.chance, keep_letters=True)
        form = self.chance.choice(PHONES)
        return "".join(self.chance.choice(string.digits) if c == "#" else c for c in form)

    def ssn(self, text: str) -> str:
        if sum(map(str.isdigit, text)) < 9 or self.chance.random() < 0.6:
            return shuffle_characters(text, self.chance, keep_letters=True)
        form = self.chance.choice(SSNS)
        return "".join(self.chance.choice(string.digits) if c == "#" else c for c in form)


FILLS: dict[str, Callable[[Filler, str], str]] = {
    "NAME": Filler.name, "DATE": Filler.date, "CITY": Filler.city, "COUNTY": Filler.county,
    "ZIP": Filler.zip, "STREET": Filler.place,
    "FACILITY": Filler.facility, "EMPLOYER": Filler.employer,
    "PHONE": Filler.phone, "FAX": Filler.phone, "SSN": Filler.ssn, "EMAIL": Filler.address,
    "URL": Filler.address, "PHOTO": Filler.address,
    "AGE90": Filler.age, "BIRTHYEAR90": Filler.birth_year,
    "WEEKDAY": Filler.weekday, "MRN": Filler.code,
    "ACCOUNT": Filler.code, "HEALTHPLAN": Filler.code,
    "LICENSE": Filler.code, "VEHICLE": Filler.code, "DEVICE": Filler.code, "OTHERID": Filler.code,
    "BIOMETRIC": Filler.code, "IP": Filler.code,
}  # fmt: skip


def in_case_of(model: str, text: str) -> str:
    """`text` in the case of `model`: UPPER, lower or unchanged."""
    letters = [c for c in model if c.isalpha()]
    if len(letters) > 1 and model.isupper():
        return text.upper()
    return text.lower() if letters and model.islower() else text


def shuffle_characters(text: str, chance: random.Random, keep_letters: bool = False) -> str:
    """Replace each digit and, unless letters are kept, each letter by another of its case."""

    def other(character: str) -> str:
        if character in string.digits:
            return chance.choice(string.digits)
        if keep_letters or character not in string.ascii_letters:
            return character
        return chance.choice(
            string.ascii_uppercase if character.isupper() else string.ascii_lowercase
        )

    return "".join(map(other, text))
