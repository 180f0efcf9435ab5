"""Rules for the words in a column's header, read from `words/columns/headers.csv`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from recognizers.columns.cells.memory import remembered
from recognizers.words.folder import WORDS
from recognizers.words.gazetteers import clinical_word, common_word
from safe_harbor import Identifier, csv_rows

_FOLDER = WORDS / "columns"
_BREAK = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)")
_HEADER_RUN, _HEADER_PIECE = re.compile(r"[A-Za-z\d]+"), re.compile(r"[a-z]+|\d+")
_SIGNS = ((r"(?i)\bs/n\b", " serial "), ("#", " number "), ("%", " percent "))
# `1st assist`: here `st` is not an abbreviation.
_ORDINAL_ENDING = re.compile(r"(?i)(?<=\d)(?:st|nd|rd|th)(?![a-z])")
# Epic columns whose numbers a category list explains.
_CATEGORY = re.compile(r"[A-Z]_C$")
_HEADER_FILLERS = frozenset(["of", "the", "to", "a", "an", "in", "and", "or", "per", "this"])
_SHORTEST = 3
# A clinical word, or an English one this frequent (binary logarithm of its count), is split only
# into words of at least this length: `cellphone`, but neither `lineage` nor `stress`.
_WRITTEN_WHOLE, _SHORTEST_IN_WORD = 14, 4
_TIMES = ("time", "date", "dttm")
# Events, which give the time of the value and not its meaning: `county at diagnosis`.
_OCCASIONS = (
    "diagnosis admit discharge visit encounter death onset enrollment service event time "
    "registration referral surgery procedure treatment delivery arrival departure"
)
# Words for the person who has the value, not for its meaning: `abo_mom`, `rh_father`.
_WHOSE_WORDS = frozenset(["mother", "father", "infant", "child", "donor", "recipient", "fetus"])
# The role of the person, by words in the header, if the rule has no role.
_OTHERS = (
    ("relative", "mother father parent spouse child sibling relative kin household caregiver"),
    ("contact", "emergency contact guardian attorney"),
    ("guarantor", "guarantor subscriber insured policyholder payee"),
    ("employer", "employer workplace company"),
    ("provider", "provider physician doctor attending referring ordering prescriber surgeon"),
)
# Short words that may be part of a header without separators: `PATIENTID`, `SERVICEDT`.
_SHORT_HEADER_WORDS = frozenset(["id", "no", "dt", "cd", "nm", "ip", "pt", "tm", "dx", "rx", "of"])
_DOTTED_BIRTH = re.compile(r"\b([dy]) (?:o|of) b\b")
# `last 12 m` is a period and no name; `last1` may be the name of the first person of several.
_LAST_PERIOD = re.compile(
    r"\blast (?=\d{1,3} (?:[hdwmy]|hrs?|hours?|days?|wks?|weeks?|mos?|mths?|months?|yrs?|years?)\b)"
)
# `g/dL` is no driver's license.
_PER_DECILITER = re.compile(r"\b(?:k|m|u|n|p|mc|me|mm)?(?:g|q|eq|ol|mol|iu) dl\b")
# `CD4T` and `CD8NR` count cells with a marker, `PROC_CD2` is a code.
_MARKER = re.compile(r"CD\d{1,3}(?=[A-Za-z])")
# Postal codes of other countries are no ZIP codes, so their first three digits may not stay.
_POSTAL_ABROAD = re.compile(r"\b(?:codigo|cod|code|codice) postale?\b")
_LONE_B = re.compile(r"(?:([a-z]+) )?b (?:d|dt|dte|dat|date|day|dttm|dtm|ts|yr|year)(?: \d+)?")
_PERSONS = frozenset(
    ["patient", "member", "beneficiary", "subscriber", "insured", "guarantor", "mother", "father",
     "spouse", "child", "infant", "relative", "contact"]
)  # fmt: skip
# First words of headers that count the noun after them.
_COUNTING_WORDS = frozenset(
    ["n", "num", "number", "no", "nbr", "count", "cnt", "total", "tot", "max", "maximum", "min",
     "minimum", "mean", "avg", "average"]
)  # fmt: skip
# The nouns that all of them count.
_COUNTED_NOUNS = frozenset(
    ["admissions", "appointments", "claims", "encounters", "participants", "prescriptions",
     "procedures", "readmissions", "sessions", "visits"]
)  # fmt: skip
# `no_charts` and `number_plates` may be the name of a number, `num_charts` is a count.
_NAMING_WORDS = frozenset(["no", "nbr", "number"])
_SHORTEST_PLURAL = 5
# `patient_index` is the number of a patient, `patient_frailty_index` is a score.
_OF_WHOM = _PERSONS | frozenset(
    ["case", "donor", "record", "hospital", "facility", "clinic", "site", "ward", "bed", "center",
     "school", "branch", "city", "town", "village", "borough", "hometown", "district", "region",
     "zone", "area", "sector", "subdistrict", "locality", "neighborhood", "block", "county",
     "prefecture", "territory", "street"]
)  # fmt: skip
_PLACES_IN_ORDER = frozenset(["index", "sequence", "rank"])
# Words that say that a column holds values, but not of what.
_WORDS_FOR_VALUES = frozenset(
    ["number", "index", "data", "other", "item", "field", "column",
     "variable", "attribute", "unit", "list", "group", "category", "type", "class", "kind", "rank"]
)  # fmt: skip
# Words that say that a column holds readings or answers: results of tests, vital signs, scores.
_WORDS_FOR_READINGS = frozenset(
    ["value", "result", "measurement", "reading", "measure", "observation", "obs", "level",
     "parameter", "param", "metric", "response", "answer"]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of `headers.csv`. Each of its `slots` must match a different word of the header."""

    slots: tuple[frozenset[str], ...]
    kind: str
    identifier: Identifier | None
    entity: str
    shape: str
    role: str
    weight: float


@lru_cache(maxsize=1)
def _rules() -> tuple[Rule, ...]:
    return tuple(_rule(row) for row in csv_rows(_FOLDER / "headers.csv"))


def _rule(row: dict[str, str]) -> Rule:
    return Rule(
        slots=tuple(frozenset(slot.split("|")) for slot in row["words"].split()),
        kind=row["kind"],
        identifier=Identifier(row["identifier"]) if row["identifier"] else None,
        entity=row["entity"],
        shape=row["shape"],
        role=row["role"],
        weight=float(row["weight"]),
    )


@lru_cache(maxsize=1)
def _spelt_out() -> dict[str, tuple[str, ...]]:
    return {
        row["token"]: tuple(row["words"].split()) for row in csv_rows(_FOLDER / "abbreviations.csv")
    }


@lru_cache(maxsize=1)
def _meant_otherwise() -> dict[str, str]:
    """Map abbreviations to their second meanings: `mr`, medical record, is also mitral
    regurgitation.
    """
    return {row["token"]: row["meaning"] for row in csv_rows(_FOLDER / "other_meanings.csv")}


@lru_cache(maxsize=1)
def _words_of_rules() -> frozenset[str]:
    return frozenset(word for rule in _rules() for slot in rule.slots for word in slot)


@lru_cache(maxsize=1)
def _vocabulary() -> frozenset[str]:
    return _words_of_rules() | frozenset(_spelt_out())


@lru_cache(maxsize=1)
def _known_words() -> tuple[frozenset[str], int]:
    """Return the known header words and filler words, and the length of the longest of
    these words.
    """
    words = _vocabulary() | _HEADER_FILLERS
    return words, max(map(len, words))


def is_header_word(word: str) -> bool:
    """Whether the text is a single word that occurs in names of columns and tables."""
    return word.casefold() in _known_words()[0]


@remembered
def header_words(header: str) -> tuple[str, ...]:
    """The words of a header, spelled out: `ptDOB1` -> `patient birth date`.

    Splits camelCase, PascalCase, snake_case, spaces and words run together; drops digits and
    filler words.
    """
    words: list[str] = []
    for piece in _joined(header_pieces(header)):
        words += _spell(piece)
    return tuple(word for word in words if word not in _HEADER_FILLERS)


def header_pieces(header: str) -> list[str]:
    """Runs of letters and runs of digits, in lower case; `D.O.B.` is one run."""
    header = header.replace("ß", "ss")  # NFKD does not reduce it to ASCII letters
    flat = unicodedata.normalize("NFKD", header).encode("ascii", "ignore").decode()
    for sign, word in _SIGNS:
        flat = re.sub(sign, word, flat)
    runs = _HEADER_RUN.findall(_ORDINAL_ENDING.sub(" ", flat))
    pieces = " ".join(piece for run in runs for piece in _pieces_of_run(run))
    pieces = _POSTAL_ABROAD.sub("postleitzahl", _PER_DECILITER.sub(" ", pieces))
    return _LAST_PERIOD.sub("", _DOTTED_BIRTH.sub(r"\1ob", pieces)).split()


def _pieces_of_run(run: str) -> list[str]:
    """Split a run into pieces; `CD4`, `rsID` or `HbA1c` stays one word if the header
    table has it.
    """
    whole = run.lower()
    if len(whole) >= _SHORTEST and whole in _words_of_rules():
        return [whole]
    if (marker := _MARKER.match(run)) is not None:
        return [marker.group().lower(), *_pieces_of_run(run[marker.end() :])]
    return _HEADER_PIECE.findall(_BREAK.sub(" ", run).lower())


def other_meaning(header: str) -> str | None:
    """The header with its abbreviations' second meanings; None if none has a second meaning."""
    pieces, otherwise = _joined(header_pieces(header)), _meant_otherwise()
    if otherwise.keys().isdisjoint(pieces):
        return None
    return " ".join(otherwise.get(piece, piece) for piece in pieces)


@remembered
def may_say_birth(header: str) -> bool:
    """Whether the header may mean a birth date: `B_DT` and `PT_B_DATE`, but not `HEP_B_DATE`."""
    match = _LONE_B.fullmatch(" ".join(header_pieces(header)))
    return match is not None and (not match[1] or not _PERSONS.isdisjoint(_spell(match[1])))


def _joined(pieces: Sequence[str]) -> list[str]:
    """Join `icd` `10`, `zip` `4`, `ssn` `4` and `ipv` `4` to one word each; drop other digits."""
    joined: list[str] = []
    for left, right in pairwise([*pieces, ""]):
        if right.isdigit() and left + right in _spelt_out():
            joined.append(left + right)
        elif left and not left.isdigit():
            joined.append(left)
    return joined


def _spell(piece: str) -> tuple[str, ...]:
    if piece in _spelt_out():
        return _spelt_out()[piece]
    if piece in _vocabulary() or len(piece) < 5:
        return (piece,)
    whole = common_word(piece) >= _WRITTEN_WHOLE or clinical_word(piece)
    apart = _take_apart(piece)
    if whole and apart is not None and min(map(len, apart)) < _SHORTEST_IN_WORD:
        apart = None
    if apart is None and piece.endswith(_TIMES) and not whole:
        return (piece[:-4], "time" if piece.endswith("time") else "date")
    if apart is None:
        singular = piece.removesuffix("s")
        return _spelt_out().get(singular, (singular,) if singular in _vocabulary() else (piece,))
    return tuple(word for part in apart for word in _spelt_out().get(part, (part,)))


@remembered
def _take_apart(piece: str) -> tuple[str, ...] | None:
    """Split the piece into the fewest known words; None if it is not made of known words."""
    known_words, longest = _known_words()
    best: list[tuple[str, ...] | None] = [()] + [None] * len(piece)
    for end in range(1, len(piece) + 1):
        for start in range(max(end - longest, 0), end):
            word, before = piece[start:end], best[start]
            known = word in known_words
            if (
                before is None
                or not known
                or (len(word) < _SHORTEST and word not in _SHORT_HEADER_WORDS)
            ):
                continue
            now = best[end]
            if now is None or len(before) + 1 < len(now):
                best[end] = (*before, word)
    return best[-1]


def counts_events(header: str) -> bool:
    """Whether the header counts events, persons or things: `num_encounters`, `total_accounts`.

    `encounter_num` does not: the number follows the event that it identifies.
    """
    pieces = header_pieces(header)
    if counts_known_events(header):
        return True
    counted = len(pieces) > 1 and pieces[0] in _COUNTING_WORDS
    return counted and pieces[0] not in _NAMING_WORDS and _is_plural(pieces[-1])


def counts_known_events(header: str) -> bool:
    """Whether the header counts events or persons, whatever stands between: `num_lab_visits`."""
    pieces = header_pieces(header)
    return len(pieces) > 1 and pieces[0] in _COUNTING_WORDS and pieces[-1] in _COUNTED_NOUNS


def _is_plural(piece: str) -> bool:
    """Whether the piece is the plural of a word in the table of headers: `accounts`, `vehicles`."""
    several = len(piece) >= _SHORTEST_PLURAL and piece[-1] == "s" and piece[-2] != "s"
    return several and is_header_word(piece[:-1])


@remembered
def rule_of(header: str) -> Rule | None:
    """The rule that fits the header best; None if none fits."""
    words = _without_occasion(header_words(header))
    if len(words) == 2 and words[-1] in _PLACES_IN_ORDER and words[0] in _OF_WHOM:
        words = (words[0], "id")
    if len(words) > 1 and words[-1] in _WHOSE_WORDS:
        told = _best_rule(words[:-1])
        if told is not None and told.kind == "keep":
            return told
    best = _best_rule(words)
    if best is None and _CATEGORY.search(header):
        return rule_of("code")
    return best


def _best_rule(words: tuple[str, ...]) -> Rule | None:
    best: tuple[float, Rule] | None = None
    for rule in _rules():
        if (taken := _meet(rule.slots, words)) is None:
            continue
        score = len(rule.slots) + rule.weight + 0.5 * (len(words) - 1 in taken)
        if best is None or score > best[0]:
            best = score, rule
    return None if best is None else best[1]


def names_only_values(header: str) -> bool:
    """Whether the header says only that the column holds values: `value`, `result_2`."""
    words = header_words(header)
    rule = rule_of(header)
    plain = rule is None or rule.kind == "keep"
    return bool(words) and plain and set(words) <= _WORDS_FOR_VALUES | _WORDS_FOR_READINGS


def names_readings(header: str) -> bool:
    """Whether a word of the header says that the column holds readings: `value`, `result_2`."""
    return not _WORDS_FOR_READINGS.isdisjoint(header_words(header))


def is_timed(header: str) -> bool:
    """Whether the header names times but not dates: `OPTIME`, not `date_time`."""
    words = header_words(header)
    return "time" in words and "date" not in words


def _without_occasion(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words without an event.

    `county at diagnosis` becomes `county`, and `address at diagnosis city` becomes `address city`.
    """
    if "at" not in words[1:]:
        return words
    occasions, place = _OCCASIONS.split(), words.index("at", 1)
    end = place + 1
    while end < len(words) and words[end] in occasions:
        end += 1
    return words if end == place + 1 else words[:place] + words[end:]


def _meet(slots: Sequence[frozenset[str]], words: Sequence[str]) -> set[int] | None:
    """Return the positions of words that match the slots, one per slot; None if a slot has no
    match.
    """
    if not slots:
        return set()
    for place in range(len(words) - 1, -1, -1):
        if words[place] not in slots[0]:
            continue
        rest = [word if at != place else "" for at, word in enumerate(words)]
        if (more := _meet(slots[1:], rest)) is not None:
            return {place} | more
    return None


def role_of(header: str, rule: Rule) -> str:
    """The role of the person who has the values: from the rule, or else from the header."""
    words = set(header_words(header))
    named = (role for role, names in _OTHERS if words & set(names.split()))
    return rule.role or ("" if rule.kind == "keep" else next(named, ""))
