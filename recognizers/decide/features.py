"""A row of features for each atom of a text, computed the same way in training and in use.

They come from the network, the layout, the word lists, the rows of evidence, and the same word
elsewhere in the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

import numpy as np

from recognizers.constants import constant
from recognizers.decide.evidence import (
    ENTITY_NUMBERS,
    ENTITY_OF_LABEL,
    LINE,
    LISTED_FEATURES,
    NETWORK_LABELS,
    NO_ROW,
    UNSEEN,
    WORD_FEATURES,
    Atoms,
    Column,
    Columns,
    Evidence,
    Floats,
    Numbers,
    RowWeigher,
)
from recognizers.decide.odds import Odds
from safe_harbor import csv_rows

# The network's labels by the family of which a feature has the sum, in the order of the sum.
FAMILIES = csv_rows(Path(__file__).with_name("label_families.csv"))
BESIDE = (
    *("first", "surname", "common", "clinical", "short form", "shape", "length", "digits"),
    *("stop", "eponym"),
)
BESIDE_PLACES = [WORD_FEATURES.index(name) for name in BESIDE]
UPPER, LETTERED = 3, (1, 2, 3, 5)
LIKELY_RUN, WITHIN_RUN = constant("features", "likely run"), constant("features", "within run")
MOST_ATOMS = constant("features", "most atoms")
SURE_ENOUGH = constant("features", "sure enough")
# The kinds of evidence, except the rows, by the names of their features.
FEATURE_GROUPS: Mapping[str, Callable[[str], bool]] = {
    "network": lambda name: name.startswith(("network", "row: network", "same label", "length of")),
    "the same word elsewhere": lambda name: name.startswith(("elsewhere", "initials")),
    "words in annotated notes": lambda name: name.startswith(("odds of ", "cases of ")),
    "word lists": lambda name: name.split(" at ")[0] in LISTED_FEATURES,
}


def feature_table(evidence: Evidence, odds: Odds) -> tuple[tuple[str, ...], Floats]:
    """The names of the features, and their values (atoms, features)."""
    atoms = evidence.atoms
    found: Columns = {}
    net = share_log_odds(evidence.peaks)
    found |= network(evidence, net)
    found |= layout(atoms, net)
    found |= words(atoms)
    found |= odds.words.features(atoms)
    found |= rows(evidence, net, odds.rows)
    found |= elsewhere(evidence, net, found)
    table = np.empty((len(atoms), len(found)), np.float32)
    for place, column in enumerate(found.values()):
        table[:, place] = column
    return tuple(found), table


def share_log_odds(shares: Floats) -> Floats:
    clipped = np.clip(shares, SURE_ENOUGH, 1 - SURE_ENOUGH).astype(np.float64)
    return np.log(clipped / (1 - clipped)).astype(np.float32)


def moved(values: Column, by: int, fill: float, atoms: Atoms) -> Column:
    """Return, for each atom, the value of the atom `by` places before it (after it if negative)."""
    found = np.full_like(values, fill)
    if abs(by) < len(values):
        to, of = (slice(by, None), slice(-by)) if by > 0 else (slice(by), slice(-by, None))
        found[to] = values[of]
        if atoms.texts is not None:
            found[to][atoms.texts[to] != atoms.texts[of]] = fill
    return found


def network(evidence: Evidence, net: Floats) -> Columns:
    """Return the network's features of each atom and of the atoms beside it."""
    shares = evidence.shares
    top = shares[:, 1:].argmax(axis=1)
    ranked = np.sort(shares[:, 1:], axis=1)
    found: Columns = {
        "network": net,
        "network mean": 1 - shares[:, 0],
        "network label": top,
        "network best": ranked[:, -1],
        "network second": ranked[:, -2],
    }
    for row in FAMILIES:
        # Added label by label, so that the last bits do not depend on the number of atoms.
        own = [shares[:, 1 + NETWORK_LABELS.index(label)] for label in row["labels"].split()]
        found[f"network {row['family']}"] = reduce(np.add, own)
    for by in (1, 2, 3, -1, -2, -3):
        found[f"network at {-by:+d}"] = moved(net, by, UNSEEN, evidence.atoms)
    for by in (1, -1):
        found[f"same label at {-by:+d}"] = moved(top, by, -1, evidence.atoms) == top
    best, length = runs(evidence.atoms, evidence.peaks, net)
    return found | {"network run": best, "length of run": length}


def runs(atoms: Atoms, peaks: Floats, net: Floats) -> tuple[Floats, Floats]:
    """For each atom, the best score and the length of its run of likely atoms; 0 outside runs."""
    likely = peaks > LIKELY_RUN
    near = (atoms.starts[1:] - atoms.ends[:-1] <= WITHIN_RUN) & (atoms.gaps[1:-1] < LINE)
    begins = likely & ~np.append(False, likely[:-1] & near)[: len(likely)]
    number = np.cumsum(begins) - 1
    best, length = np.zeros(len(net), np.float32), np.zeros(len(net), np.float32)
    if likely.any():
        own = number[likely]
        tops = np.full(own[-1] + 1, UNSEEN, np.float32)
        np.maximum.at(tops, own, net[likely])
        best[likely], length[likely] = tops[own], np.bincount(own)[own]
    return best, length


def layout(atoms: Atoms, net: Floats) -> Columns:
    """Return features of the characters beside each atom, and of its position in the line."""
    starts = atoms.line_starts
    number = np.append(0, np.cumsum(starts[1:] != starts[:-1]))[: len(atoms)]
    sizes = np.bincount(number, minlength=1)
    first = np.append(0, np.cumsum(sizes))[number]
    place = np.arange(len(atoms)) - first
    best = np.full(len(sizes), UNSEEN, np.float32)
    np.maximum.at(best, number, net)
    return {
        "gap before": atoms.gaps[:-1],
        "gap behind": atoms.gaps[1:],
        "before": atoms.kind(atoms.starts - 1),
        "behind": atoms.kind(atoms.ends),
        "second before": atoms.kind(atoms.starts - 2),
        "second behind": atoms.kind(atoms.ends + 1),
        "column": atoms.starts - starts,
        "best of line": best[number],
        "atoms of line": sizes[number],
        "atoms before in line": place,
        "atoms behind in line": sizes[number] - 1 - place,
        "upper case in line": share_of(atoms, (UPPER,), number),
    }


def share_of(atoms: Atoms, shapes: Sequence[int], number: Column) -> Column:
    """The share of the atoms with letters that have these shapes, among those of one number."""
    own = np.bincount(number, np.isin(atoms.shapes, shapes), minlength=1)
    lettered = np.bincount(number, np.isin(atoms.shapes, LETTERED), minlength=1)
    return (own / np.maximum(lettered, 1))[number]


def words(atoms: Atoms) -> Columns:
    """Return the word-list features of each atom's word and of the words beside it."""
    found: Columns = dict(zip(WORD_FEATURES, atoms.listed.T, strict=True))
    own = atoms.own_text
    found["capitals of text"] = share_of(atoms, CAPITALIZED_CASES, own)
    found["atoms of text"] = np.minimum(np.bincount(own, minlength=1), MOST_ATOMS)[own]
    beside = atoms.listed[:, BESIDE_PLACES]
    for by in (1, -1, 2, -2):
        names = (f"{name} at {-by:+d}" for name in BESIDE)
        found |= zip(names, moved(beside, by, -1, atoms).T, strict=True)
    return found


ROW_FEATURES = (
    *("row", "other row", "row entity", "rows", "row begins", "row ends", "row length"),
    *("row: network best", "row: network least", "row: network mean", "row against", "row agrees"),
    *("row odds", "least row odds", "sum of row odds", "best odds begin", "best odds end"),
)


def rows(evidence: Evidence, net: Floats, odds: RowWeigher) -> Columns:
    """The features of the rows that cover an atom, and of the network over a row's whole span."""
    count = len(evidence.atoms)
    found: Columns = {name: np.zeros(count, np.float32) for name in ROW_FEATURES}
    found["row entity"] -= 1
    for name in ("row: network best", "row: network least"):
        found[name] += UNSEEN
    found["row odds"] += NO_ROW
    found["least row odds"] -= NO_ROW
    pairs = Pairs.of(evidence, odds)
    if pairs is not None:
        pairs.fill(found, evidence, net)
    for by in (1, -1, 2):
        found[f"row at {-by:+d}"] = moved(found["row"], by, 0, evidence.atoms)
    return found


def best_rows(count: int, atom: Numbers, row: Numbers, values: Floats) -> Numbers:
    """For each atom, the row with the greatest value, the first of equal ones; -1 without a row."""
    best = np.full(count, -1)
    order = np.lexsort((-row, values, atom))
    best[atom[order]] = row[order]
    return best


@dataclass(frozen=True, eq=False)
class Pairs:
    """The pairs of an atom and a row that covers it, in the order of the rows."""

    atom: Numbers
    row: Numbers
    first: Numbers
    last: Numbers
    strength: Floats
    entity: Numbers
    odds: Floats

    @classmethod
    def of(cls, evidence: Evidence, odds: RowWeigher) -> Pairs | None:
        """The pairs of a text, or None if no row covers an atom."""
        spans = evidence.spans
        kept = [n for n, (first, end) in enumerate(spans) if first < end]
        if not kept:
            return None
        first = np.array([spans[n][0] for n in kept])
        last = np.array([spans[n][1] for n in kept]) - 1
        lengths = last - first + 1
        row = np.repeat(np.arange(len(kept)), lengths)
        atom = np.arange(len(row)) - np.repeat(np.cumsum(lengths) - lengths, lengths) + first[row]
        seen = [evidence.seen[n] for n in kept]
        strength = np.array([s.strength for s in seen], np.float32)
        entity = np.array([ENTITY_NUMBERS[s.entity] for s in seen])
        weights = np.array([odds(s) for s in seen], np.float32)
        return cls(atom, row, first, last, strength, entity, weights)

    def fill(self, found: Columns, evidence: Evidence, net: Floats) -> None:
        """Write the features of the rows into `found`."""
        self.weigh(found)
        live = self.strength[self.row] > 0
        np.maximum.at(found["row against"], self.atom[~live], 1)
        if not live.any():
            return
        atom, row = self.atom[live], self.row[live]
        np.add.at(found["rows"], atom, 1)
        best = best_rows(len(net), atom, row, self.strength[row])
        on = np.flatnonzero(best >= 0)
        own = best[on]
        found["row"][on], found["row entity"][on] = self.strength[own], self.entity[own]
        found["row begins"][on], found["row ends"][on] = self.first[own] == on, self.last[own] == on
        found["row length"][on] = self.last[own] - self.first[own] + 1
        starts = np.flatnonzero(np.diff(self.row, prepend=-1))
        held, peaks = net[self.atom], evidence.peaks[self.atom]
        found["row: network best"][on] = np.maximum.reduceat(held, starts)[own]
        found["row: network least"][on] = np.minimum.reduceat(held, starts)[own]
        sizes = self.last - self.first + 1
        found["row: network mean"][on] = (np.add.reduceat(peaks, starts) / sizes)[own]
        other = self.entity[row] != self.entity[best[atom]]
        np.maximum.at(found["other row"], atom[other], self.strength[row[other]])
        top = ENTITY_OF_LABEL[evidence.shares[:, 1:].argmax(axis=1)]
        agreeing = self.entity[row] == top[atom]
        np.maximum.at(found["row agrees"], atom[agreeing], self.strength[row[agreeing]])

    def weigh(self, found: Columns) -> None:
        """Write the features of the learned odds of the rows into `found`."""
        odds = self.odds[self.row]
        np.maximum.at(found["row odds"], self.atom, odds)
        np.minimum.at(found["least row odds"], self.atom, odds)
        np.add.at(found["sum of row odds"], self.atom, odds)
        best = best_rows(len(found["row odds"]), self.atom, self.row, odds)
        on = np.flatnonzero(best >= 0)
        found["best odds begin"][on] = self.first[best[on]] == on
        found["best odds end"][on] = self.last[best[on]] == on


CAPITALIZED_CASES = (2, 3, 4)
LIKELY_NAME = constant("features", "likely name")
LONGEST_NAME = constant("features", "longest name")
WITHIN_NAME = (" ", ". ", ", ", ".")


class Groups:
    """Atoms grouped by their key; an atom with a negative key is in no group."""

    def __init__(self, keys: Numbers) -> None:
        self.keys = keys
        several = np.bincount(keys[keys >= 0], minlength=1) > 1
        self.members = np.flatnonzero((keys >= 0) & several[np.maximum(keys, 0)])
        self.own = keys[self.members]

    def counts(self) -> Floats:
        """The number of other atoms in each atom's group."""
        found = np.zeros(len(self.keys), np.float32)
        found[self.members] = (np.bincount(self.own, minlength=1) - 1)[self.own]
        return found

    def greatest(self, values: Floats, none: float) -> Floats:
        """The greatest value of the other atoms in each atom's group; `none` without others."""
        found = np.full(len(values), none, np.float32)
        if not len(self.members):
            return found
        order = self.members[np.lexsort((values[self.members], self.own))]
        last = np.append(self.keys[order][1:] != self.keys[order][:-1], True)
        best, second = np.flatnonzero(last), np.flatnonzero(last) - 1
        number = np.cumsum(np.append(0, last[:-1]))
        found[order] = values[order[best]][number]
        found[order[best]] = values[order[second]]
        return found

    def mean(self, values: Floats, none: float) -> Floats:
        """The mean value of the other atoms in each atom's group; `none` without others."""
        found = np.full(len(values), none, np.float32)
        if len(self.members):
            own = values[self.members].astype(np.float64)
            sums = np.bincount(self.own, own)[self.own] - own
            found[self.members] = sums / (np.bincount(self.own)[self.own] - 1)
        return found


def mention_keys(forms: Sequence[str], own: Numbers, texts: Numbers) -> Numbers:
    """Return a key for each atom, equal for equal words of one text; -1 for one character.

    `own` is the index of each atom's word in `forms`, which may hold equal words.
    """
    known: dict[str, int] = {}
    numbers = [known.setdefault(one, len(known)) if len(one) > 1 else -1 for one in forms]
    keys = np.array(numbers, np.int64)[own]
    if len(texts) and texts[-1]:
        keys_in_text = np.unique(keys + texts * len(known), return_inverse=True)[1]
        keys = np.where(keys < 0, keys, keys_in_text)
    return keys


def elsewhere(evidence: Evidence, net: Floats, found: Columns) -> Columns:
    """Compute features of each atom from the same word in the rest of the note."""
    atoms = evidence.atoms
    (forms, own), texts = atoms.forms, atoms.own_text
    same = Groups(mention_keys([form.lower() for form in forms], own, texts))
    written = Groups(mention_keys(forms, own, texts))
    before, behind = (moved(net, by, UNSEEN, atoms) for by in (1, -1))
    beside = np.maximum(before, behind).astype(np.float32)
    lower = np.array([form.islower() for form in forms], np.float32)[own]
    name = evidence.shares[:, 1 + NETWORK_LABELS.index("NAME")]
    row = np.asarray(found["row"], np.float32)
    return {
        "elsewhere": same.counts(),
        "elsewhere: network best": same.greatest(net, UNSEEN),
        "elsewhere: network mean": same.mean(net, UNSEEN),
        "elsewhere: row": same.greatest(row, 0),
        "elsewhere: in a longer value": same.greatest(np.minimum(net, beside), UNSEEN),
        "elsewhere: lower case": same.mean(lower, 0),
        "elsewhere: name": same.greatest(name, 0),
        "elsewhere: written the same": written.greatest(net, UNSEEN),
        "initials of a name": initials(evidence, net, found),
    }


def initials(evidence: Evidence, net: Floats, found: Columns) -> Floats:
    """Return, for each atom of two to four letters, the log odds of a name with these initials."""
    names: dict[tuple[int, str], float] = {}
    atoms = evidence.atoms
    texts = atoms.own_text.tolist()
    likely = evidence.shares[:, 1 + NETWORK_LABELS.index("NAME")] > LIKELY_NAME
    likely &= np.isin(found["shape"], CAPITALIZED_CASES)
    for first, last in full_names(atoms, likely):
        letters = [word[0].upper() for word in atoms.words[first : last + 1]]
        if "," in atoms.text[atoms.starts[first] : atoms.ends[last]]:
            letters = letters[1:] + letters[:1]
        for row in {"".join(letters), letters[0] + letters[-1]}:
            known = names.get((texts[first], row), UNSEEN)
            names[texts[first], row] = max(known, float(net[first : last + 1].min()))
    longer = likely & (np.asarray(found["length of run"]) > 1)
    sure = np.full(len(atoms), UNSEEN, np.float32)
    if names:
        length = found["length"]
        short = (length > 1) & (length <= LONGEST_NAME) & ~longer
        for place in np.flatnonzero(short).tolist():
            sure[place] = names.get((texts[place], atoms.words[place].upper()), UNSEEN)
    return sure


def full_names(atoms: Atoms, likely: Column) -> Iterator[tuple[int, int]]:
    """Yield the first and the last atom of each name of two to four words."""
    places = np.flatnonzero(likely).tolist()
    run: list[int] = []
    for place in [*places, len(atoms) + 1]:
        joined = run and place == run[-1] + 1 and place < len(atoms)
        if joined and atoms.between(place) in WITHIN_NAME:
            run.append(place)
            continue
        if 2 <= len(run) <= LONGEST_NAME:
            yield run[0], run[-1]
        run = [place]
