"""The tables of HL7 v2: they name every field, and no field keeps a clear identifier."""

from __future__ import annotations

import csv
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from deid.formats.hl7v2 import loci as hl7v2_loci
from deid.formats.hl7v2.escapes import Delimiters
from deid.formats.hl7v2.fields import take_field
from deid.formats.hl7v2.loci import field_place, is_segment, type_of
from recognizers import LABELS, conforms
from safe_harbor import Identifier

FOLDER = Path(hl7v2_loci.__file__).parent
SIGNS = Delimiters()
ENTITIES = {*LABELS.values(), "BIRTH_DATE", "US_STATE", "AGE", "LOCATION", "COORDINATES"}


@cache
def _fields() -> dict[str, int]:
    """The segments and how many fields each has."""
    most: dict[str, int] = defaultdict(int)
    with (FOLDER / "types.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if len(row["name"]) == 3 and row["name"] not in _components():
                most[row["name"]] = max(most[row["name"]], int(row["part"]))
    return most


@cache
def _components() -> frozenset[str]:
    with (FOLDER / "types.csv").open(encoding="utf-8", newline="") as file:
        return frozenset(row["type"] for row in csv.DictReader(file))


def _rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    "value", ["Delphine Okonkwo", "918-22-7741", "d.okonkwo@post.example", "(802) 555-0143"]
)
def test_no_field_keeps_a_clear_identifier(value: str) -> None:
    kept = []
    for segment, fields in _fields().items():
        for number in range(3 if segment in ("MSH", "FHS", "BHS") else 1, fields + 1):
            kind = type_of(segment, number)
            for part in range(5):
                parted = take_field(
                    segment, number, kind, "^" * part + value, None, SIGNS, "document"
                )
                kept += [
                    atom.place.path
                    for atom in parted.atoms
                    if atom.place.locus is not None
                    and atom.place.kind == "keep"
                    and conforms(atom.place.locus.profile.shape, atom.text)
                ]
    assert len(_fields()) > 180
    assert kept == []


def test_each_line_of_the_table_uses_terms_that_the_engine_knows() -> None:
    rows = _rows("loci.csv")
    assert len({row["path"] for row in rows}) == len(rows)
    for row in rows:
        assert row["kind"] in ("identifier", "quasi", "keep", "text", "unsure"), row["path"]
        if row["kind"] in ("identifier", "quasi"):
            assert Identifier(row["identifier"]) and row["entity"] in ENTITIES, row["path"]
            assert row["shape"], row["path"]


def test_each_line_names_a_field_of_the_standard() -> None:
    roles = [row["path"] for row in _rows("roles.csv")]
    for path in [*(row["path"] for row in _rows("loci.csv")), *roles]:
        bare = path.partition("[")[0]
        name, _, number = bare.partition("-")
        if number:
            assert type_of(name, int(number.partition(".")[0])), path
        else:
            kind, _, part = bare.partition(".")
            known = type_of(kind, int(part)) if part else kind in _components() or is_segment(kind)
            assert known, path


@pytest.mark.parametrize(
    ("place", "entity", "role"),
    [
        (("PID", 21, "CX", 1), "MEDICAL_RECORD_NUMBER", "relative"),
        (("GT1", 16, "XPN", 1), "EMPLOYER", "employer"),
        (("IN1", 36, "ST", 1), "HEALTH_PLAN_NUMBER", "guarantor"),
        (("PV1", 3, "PL", 3), "FACILITY", ""),
        (("NTE", 5, "XCN", 2), "PERSON", "provider"),
        (("OBX", 18, "EI", 1), "DEVICE_ID", ""),
        (("OBX", 24, "XAD", 3), "CITY", "provider"),
        (("RXA", 15, "ST", 1), "DEVICE_ID", ""),
        (("ACC", 11, "XAD", 1), "STREET_ADDRESS", "provider"),
        (("QRD", 8, "XCN", 2), "PERSON", ""),
    ],
)
def test_fields_known_to_identify_have_their_entity_and_role(
    place: tuple[str, int, str, int], entity: str, role: str
) -> None:
    segment, number, kind, part = place
    locus = field_place(segment, number, kind, part, 0, "", None).locus
    assert locus is not None
    assert (locus.profile.entity, locus.profile.role) == (entity, role)


@pytest.mark.parametrize("segment", ["STF", "PRA"])
def test_the_key_of_a_staff_member_is_no_code(segment: str) -> None:
    parted = take_field(segment, 1, type_of(segment, 1), "KEY001", None, SIGNS, "document")
    assert [atom.place.locus.profile.entity for atom in parted.atoms] == ["OTHER_ID"]
