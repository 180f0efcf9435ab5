"""A row of features for each atom of a text, computed the same way in training and in use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce

import numpy as np

from recognizers.decide.atoms import LINE, Atoms
from recognizers.decide.evidence import (
    NETWORK_LABELS,
    UNSEEN,
    Column,
    Columns,
    Evidence,
    Floats,
    moved,
    share_log_odds,
)
from recognizers.decide.mentions import CAPITALIZED_CASES, elsewhere
from recognizers.decide.odds import Odds
from recognizers.decide.row_features import rows
from recognizers.decide.word_features import LISTED_FEATURES, WORD_FEATURES

FAMILIES: Mapping[str, tuple[str, ...]] = {
    "name": ("NAME",),
    "house": ("EMPLOYER", "FACILITY"),
    "place": ("STREET", "CITY", "COUNTY", "ZIP"),
    "date": ("DATE", "WEEKDAY"),
    "age": ("AGE90", "BIRTHYEAR90"),
    "phone": ("PHONE", "FAX"),
    "number": (
        *("MRN", "HEALTHPLAN", "ACCOUNT", "LICENSE", "DEVICE", "OTHERID", "VEHICLE", "SSN"),
        *("PHOTO", "BIOMETRIC", "URL", "EMAIL", "IP"),
    ),
}
BESIDE = (
    *("first", "surname", "common", "clinical", "short form", "shape", "length", "digits"),
    *("stop", "eponym"),
)
BESIDE_PLACES = [WORD_FEATURES.index(name) for name in BESIDE]
UPPER, LETTERED = 3, (1, 2, 3, 5)
LIKELY_RUN, WITHIN_RUN = 0.25, 3
MOST_ATOMS = 400
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
    for family, labels in FAMILIES.items():
        # Added label by label, so that the last bits do not depend on the number of atoms.
        own = [shares[:, 1 + NETWORK_LABELS.index(label)] for label in labels]
        found[f"network {family}"] = reduce(np.add, own)
    for by in (1, 2, 3, -1, -2, -3):
        found[f"network at {-by:+d}"] = moved(net, by, UNSEEN, evidence.atoms)
    for by in (1, -1):
        found[f"same label at {-by:+d}"] = moved(top, by, -1, evidence.atoms) == top
    best, length = runs(evidence.atoms, evidence.peaks, net)
    return found | {"network run": best, "length of run": length}


def runs(atoms: Atoms, peaks: Floats, net: Floats) -> tuple[Floats, Floats]:
    """Return, for each atom, the best score and the length of its run of likely atoms; 0 outside
    runs.
    """
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
        "upper case in line": share_of_line(atoms, number),
    }


def share_of_line(atoms: Atoms, number: Column) -> Column:
    shape = atoms.shapes
    upper = np.bincount(number, shape == UPPER, minlength=1)
    lettered = np.bincount(number, np.isin(shape, LETTERED), minlength=1)
    return (upper / np.maximum(lettered, 1))[number]


def words(atoms: Atoms) -> Columns:
    """Return the word-list features of each atom's word and of the words beside it."""
    found: Columns = dict(zip(WORD_FEATURES, atoms.listed.T, strict=True))
    shape = atoms.shapes
    own = atoms.own_text
    capitals = np.bincount(own, np.isin(shape, CAPITALIZED_CASES), minlength=1)
    lettered = np.bincount(own, np.isin(shape, LETTERED), minlength=1)
    found["capitals of text"] = (capitals / np.maximum(lettered, 1))[own]
    found["atoms of text"] = np.minimum(np.bincount(own, minlength=1), MOST_ATOMS)[own]
    beside = atoms.listed[:, BESIDE_PLACES]
    for by in (1, -1, 2, -2):
        names = (f"{name} at {-by:+d}" for name in BESIDE)
        found |= zip(names, moved(beside, by, -1, atoms).T, strict=True)
    return found
