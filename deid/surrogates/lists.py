"""The tables, read once."""

from __future__ import annotations

import csv
from collections import defaultdict
from functools import cache
from importlib.resources import files

from deid.surrogates.draws import Urn

GENERAL = "w"


@cache
def given() -> dict[str, tuple[str, str, int]]:
    """name -> gender, group, bearers in thousands."""
    return {
        row["name"]: (row["gender"], row["group"], int(row["thousands"])) for row in _rows("given")
    }


@cache
def family() -> dict[str, tuple[str, int]]:
    """name -> group, bearers in thousands."""
    return {row["name"]: (row["group"], int(row["thousands"])) for row in _rows("family")}


@cache
def given_urn(gender: str | None, group: str, letter: str) -> Urn | None:
    """The given names of a gender (None: any) and group that begin so; None if there are few."""
    return _urn(
        [
            (name, bearers)
            for name, (sex, whose, bearers) in given().items()
            if whose == group and gender in (None, sex) and name[0] == letter
        ]
    )


@cache
def family_urn(group: str, letter: str) -> Urn | None:
    """The family names of a group that begin so; None if there are few."""
    return _urn(
        [
            (n, bearers)
            for n, (whose, bearers) in family().items()
            if whose == group and n[0] == letter
        ]
    )


@cache
def letters() -> Urn:
    """First letters of names, as common as they are."""
    sums: dict[str, int] = defaultdict(int)
    for name, (_, _, bearers) in given().items():
        sums[name[0]] += bearers
    return Urn.of(sorted((letter, count) for letter, count in sums.items() if letter not in "uxqy"))


@cache
def nicknames() -> dict[str, tuple[str, ...]]:
    """name -> its nicknames."""
    found: dict[str, list[str]] = defaultdict(list)
    for row in _rows("nicknames"):
        found[row["name"]].append(row["nickname"])
    return {name: tuple(nicks) for name, nicks in found.items()}


@cache
def formal_names() -> dict[str, frozenset[str]]:
    """nickname -> the names it may be of."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, nicks in nicknames().items():
        for nick in nicks:
            found[nick].add(name)
    return {nick: frozenset(names) for nick, names in found.items()}


@cache
def towns() -> Urn:
    """Names of towns that many states have."""
    return Urn.of([(row["name"], int(row["states"])) for row in _rows("towns")])


@cache
def streets() -> tuple[str, ...]:
    """Common words in names of streets."""
    return tuple(row["name"] for row in _rows("streets"))


@cache
def kinds(*names: str) -> frozenset[str]:
    """Words that say what kind of thing it is, in lower case."""
    return frozenset(
        word for row in _rows("kinds") if row["kind"] in names for word in row["words"].split()
    )


def _urn(weighed: list[tuple[str, int]]) -> Urn | None:
    return Urn.of(weighed) if len(weighed) >= 3 else None


def _rows(name: str) -> list[dict[str, str]]:
    text = (files("deid") / "surrogates" / "tables" / f"{name}.csv").read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))
