"""The surrogate tables, each read once."""

from __future__ import annotations

import lzma
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from deid.surrogates.draws import WeightedNames
from safe_harbor import csv_rows

GENERAL_GROUP = "w"


@cache
def given_names() -> dict[str, tuple[str, str, int]]:
    """Gender, group and number of bearers, by name."""
    return {
        name: (gender, group, int(bearers))
        for name, gender, group, bearers in _packed_rows("given")
    }


@cache
def family_names() -> dict[str, tuple[str, int]]:
    """Group and number of bearers, by name."""
    return {name: (group, int(bearers)) for name, group, bearers in _packed_rows("family")}


@cache
def given_urn(gender: str | None, group: str, letter: str) -> WeightedNames | None:
    """The given names of a group and gender (None: any) with that letter; None if too few."""
    by_letter = _given_by_letter()[letter]
    return _weighted_names(
        [(name, n) for name, sex, whose, n in by_letter if whose == group and gender in (None, sex)]
    )


@cache
def family_urn(group: str, letter: str) -> WeightedNames | None:
    """The family names of a group with that first letter; None if too few."""
    return _weighted_names(
        [(name, n) for name, whose, n in _family_by_letter()[letter] if whose == group]
    )


@cache
def _given_by_letter() -> dict[str, list[tuple[str, str, str, int]]]:
    found: dict[str, list[tuple[str, str, str, int]]] = defaultdict(list)
    for name, (gender, group, bearers) in given_names().items():
        found[name[0]].append((name, gender, group, bearers))
    return found


@cache
def _family_by_letter() -> dict[str, list[tuple[str, str, int]]]:
    found: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
    for name, (group, bearers) in family_names().items():
        found[name[0]].append((name, group, bearers))
    return found


@cache
def first_letters() -> WeightedNames:
    """First letters of names, weighted by frequency."""
    sums: dict[str, int] = defaultdict(int)
    for name, (_, _, bearers) in given_names().items():
        sums[name[0]] += bearers
    return WeightedNames.of(
        sorted((letter, count) for letter, count in sums.items() if letter not in "uxqy")
    )


@cache
def nicknames_by_name() -> dict[str, tuple[str, ...]]:
    """The nicknames, by given name."""
    found: dict[str, list[str]] = defaultdict(list)
    for row in _surrogate_rows("nicknames"):
        found[row["name"]].append(row["nickname"])
    return {name: tuple(nicks) for name, nicks in found.items()}


@cache
def formal_names() -> dict[str, frozenset[str]]:
    """The formal names that a nickname may stand for, by nickname."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, nicks in nicknames_by_name().items():
        for nick in nicks:
            found[nick].add(name)
    return {nick: frozenset(names) for nick, names in found.items()}


@cache
def towns() -> WeightedNames:
    """Town names, weighted by their number of ZIP codes."""
    return WeightedNames.of([(name, int(codes)) for name, codes in _packed_rows("towns")])


@cache
def streets() -> tuple[str, ...]:
    """Common words in street names."""
    return tuple(row["name"] for row in _surrogate_rows("streets"))


@cache
def kind_words(*names: str) -> frozenset[str]:
    """Lower-case words for kinds of places and organizations (`hospital`, `county`)."""
    return frozenset(
        word
        for row in _surrogate_rows("kinds")
        if row["kind"] in names
        for word in row["words"].split()
    )


def _weighted_names(weighed: list[tuple[str, int]]) -> WeightedNames | None:
    return WeightedNames.of(weighed) if len(weighed) >= 3 else None


def _packed_rows(name: str) -> Iterator[list[str]]:
    """The rows of a compressed table without its header. No field holds a comma."""
    packed = (files("deid") / "surrogates" / "tables" / f"{name}.csv.xz").read_bytes()
    lines = lzma.decompress(packed).decode("ascii").splitlines()
    return (line.split(",") for line in lines[1:])


def _surrogate_rows(name: str) -> list[dict[str, str]]:
    return csv_rows(files("deid") / "surrogates" / "tables" / f"{name}.csv")
