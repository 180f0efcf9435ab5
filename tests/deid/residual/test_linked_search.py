"""The search of linked rows by cell finds the same as a search of each record."""

from __future__ import annotations

import base64
import hashlib
import random
from collections import Counter
from datetime import date
from pathlib import Path
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pa_parquet
import pytest

from deid.errors import DeidError
from deid.formats import ColumnSource, Record, open_source
from deid.people.packed_keys import PersonNumbers
from deid.people.row_owners import RowOwners
from deid.residual import linked_search
from deid.residual.folding import letter_and_digit_runs
from deid.residual.packed import cell_matches
from deid.residual.search import Owner, ResidualSearch
from recognizers import KnownValue, KnownValues
from safe_harbor import Identifier as I

FIRST, LAST = ("Theodora", "Al", "Ngozi", "José", "Grace"), ("Okonkwo", "Bo", "Summers", "Núñez")
PLAIN = ("Glucose", "431.40", "2022", "430193006", "[NAME]", "mg/dL", "ID-17", "", "0", "Omaha")
BETWEEN = (" ", ", ", "-", "/", " (", "\n", " saw ", "é")
LEAST_HITS = 30
HIDDEN = 0.3


def person(chance: random.Random) -> KnownValues:
    number, days = chance.randrange, range(1, 29)
    dates = [f"{number(1990, 2024)}-{number(1, 13):02}-{chance.choice(days):02}" for _ in range(9)]
    return KnownValues(
        (
            KnownValue(I.NAMES, chance.choice(FIRST), part="first"),
            KnownValue(I.NAMES, chance.choice(LAST), part="last"),
            KnownValue(I.DATES, f"{number(1920, 2020)}-{number(1, 13):02}-10", part="birth"),
            *(KnownValue(I.DATES, f"{day}T07:13:55Z", part="event") for day in dates),
            KnownValue(I.DATES, f"{number(1, 13)}/{number(1, 29)}/{number(10, 99)}", part="event"),
            KnownValue(I.SSNS, f"{number(100, 900)}-{number(10, 99)}-{number(1000, 9999)}"),
            KnownValue(I.MRNS, f"00{number(10**4, 10**7)}"),
            KnownValue(I.OTHERS, f"{number(16**8):08x}-{number(16**4):04x}-{number(16**12):012x}"),
            KnownValue(I.PLACES, f"{number(1001, 99950):05}", part="zip"),
            KnownValue(I.PLACES, "118 Canal Street", part="street"),
        )
    )


def written(value: KnownValue, chance: random.Random) -> str:
    text = value.value
    if value.identifier is I.DATES and text[4:5] == "-":
        day = date.fromisoformat(text[:10])
        shapes = ("%m/%d/%Y", "%Y%m%d", "%d %B %Y", "%B %d", "%m-%d-%y", "%Y-%m-%d", "%m%d%y")
        return day.strftime(chance.choice(shapes))
    return (
        spelled(text, chance)
        if chance.random() < HIDDEN
        else chance.choice(
            (text, text.upper(), text.replace("-", ""), text.encode().hex(), text[-4:])
        )
    )


def spelled(text: str, chance: random.Random) -> str:
    """The text in a form that the search must still recognize: escaped, encoded, hashed, or in
    other characters.
    """
    data, key = text.encode(), "".join(letter_and_digit_runs(text))
    folded = base64.b64encode(f"x {text} {'z' * chance.randrange(90)}".encode()).decode()
    return chance.choice(
        (
            "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text),
            "\u200b".join(text),
            "\u0301".join(text),
            " ".join(text),
            quote(text),
            "".join(f"&#{ord(c)};" for c in text),
            "".join(f"\\u{ord(c):04x}" for c in text),
            " ".join(f"{byte:02x}" for byte in data),
            base64.b32encode(data).decode(),
            "\n".join(folded[at : at + 64] for at in range(0, len(folded), 64)),
            hashlib.md5(key.encode()).hexdigest(),
            hashlib.sha256(key.upper().encode()).hexdigest().upper(),
            "lorem ipsum 12 " * chance.randrange(90) + text,
        )
    )


def cell(people: list[KnownValues], chance: random.Random) -> str:
    if chance.random() < 0.7:
        return chance.choice(PLAIN)
    some = [written(chance.choice(chance.choice(people).values), chance), chance.choice(PLAIN)]
    return chance.choice(BETWEEN).join(chance.sample(some, 2))


def table(path: Path, rows: list[list[str]]) -> ColumnSource:
    columns = zip(*rows, strict=True)
    pa_parquet.write_table(pa.table(dict(zip(("a", "b", "ssn", "d"), columns, strict=True))), path)
    source = open_source(path)
    assert isinstance(source, ColumnSource) and source.is_regular()
    return source


def owners_of(keys: list[Owner], persons: PersonNumbers) -> RowOwners:
    owners = RowOwners(persons)
    owners.extend(keys)
    return owners


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("leave", [(), (I.DATES,)], ids=["all", "dates stay"])
def test_linked_rows_have_the_hits_of_their_records(
    seed: int, leave: tuple[I, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linked_search, "LINKED_ROWS", 64)
    monkeypatch.setattr(cell_matches, "CHARACTERS", 200)
    chance = random.Random(seed)
    people = [person(chance) for _ in range(12)]
    persons = PersonNumbers()
    for number in range(len(people)):
        persons.number(f"P{number}")
    keys: list[Owner] = [
        chance.choice((f"P{number}", f"P{number}", f"P{number}", people[number], None))
        for number in (chance.randrange(len(people)) for _ in range(500))
    ]
    rows = [[cell(people, chance) for _ in range(4)] for _ in keys]
    for key, row in zip(keys, rows, strict=True):
        if isinstance(key, str) and chance.random() < 0.4:
            row[1] = written(chance.choice(people[int(key[1:])].values), chance)
            row[2] = chance.choice(("SSN", row[2]))
            if chance.random() < HIDDEN:
                cut = chance.randrange(len(row[1]) + 1)
                row[1:3] = row[1][:cut], row[1][cut:]
    source = table(tmp_path / "t.parquet", rows)
    known = [(f"P{n}", values) for n, values in enumerate(people)]
    compiled = ResidualSearch(known, leave, reference=date(2026, 1, 1))
    by_cell, by_record = compiled.again(), compiled.again()
    linked_search.search_linked(by_cell, 1, source, owners_of(keys, persons), {0})
    records = [r for r in source.records() if isinstance(r, Record)]
    by_record.records(
        1,
        [(r.ordinal, (None, *r.cells[1:]), key) for r, key in zip(records, keys, strict=True)],
    )
    assert Counter(by_cell.hits) == Counter(by_record.hits)
    assert len(by_cell.hits) > LEAST_HITS
    assert by_cell.unlinked == by_record.unlinked == keys.count(None)
    assert by_cell.known_values == by_record.known_values
    assert by_cell.sought == by_record.sought


@pytest.mark.parametrize("count", [2, 4])
def test_rows_that_are_not_those_of_the_owners_are_refused(count: int, tmp_path: Path) -> None:
    source = table(tmp_path / "t.parquet", [["x", "y", "", "z"]] * 3)
    persons = PersonNumbers()
    persons.number("P0")
    run = ResidualSearch([("P0", person(random.Random(0)))])
    owners: list[Owner] = ["P0"] * count
    with pytest.raises(DeidError, match="read back"):
        linked_search.search_linked(run, 1, source, owners_of(owners, persons), ())
