"""Features of the same word elsewhere in the note, computed before the decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from recognizers.decide.atoms import Atoms
from recognizers.decide.evidence import (
    NETWORK_LABELS,
    UNSEEN,
    Column,
    Columns,
    Evidence,
    Floats,
    moved,
)

AtomKeys = NDArray[np.int64]
CAPITALIZED_CASES = (2, 3, 4)
LIKELY_NAME = 0.5
LONGEST_NAME = 4
WITHIN_NAME = (" ", ". ", ", ", ".")


class Groups:
    """Atoms grouped by their key; an atom with a negative key is in no group."""

    def __init__(self, keys: AtomKeys) -> None:
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
        """Return the greatest value of the other atoms in each atom's group, or `none` without
        others.
        """
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
        """Return the mean value of the other atoms in each atom's group, or `none` without other
        atoms.
        """
        found = np.full(len(values), none, np.float32)
        if len(self.members):
            own = values[self.members].astype(np.float64)
            sums = np.bincount(self.own, own)[self.own] - own
            found[self.members] = sums / (np.bincount(self.own)[self.own] - 1)
        return found


def mention_keys(forms: Sequence[str], own: AtomKeys, texts: AtomKeys) -> AtomKeys:
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
