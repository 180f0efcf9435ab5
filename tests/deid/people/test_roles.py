"""A small YAML file assigns roles to the columns of the known tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from deid.errors import DeidError
from deid.people.gathering import gather_people
from deid.people.roles import known_tables

ROLES = """
tables:
  - path: people.csv
    patient: PT
    columns:
      A: {identifier: names, role: relative, part: full}
      B: {identifier: names, role: employer, part: organization}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text(
        "PT,A,B,last name\nK-00417,Oda Brandvold,Tolliver and Sons,Quintanilla\n"
    )
    (tmp_path / "roles.yaml").write_text(ROLES)
    return tmp_path


def test_columns_have_the_roles_of_the_file(folder: Path) -> None:
    people = gather_people([], [folder / "roles.yaml"], None)
    known = people.of("K-00417")
    assert known is not None
    told = {value.value: (value.role, value.part) for value in known}
    assert told["Oda Brandvold"] == ("relative", "full")
    assert told["Tolliver and Sons"] == ("employer", "organization")
    assert told["Quintanilla"] == ("patient", "last")


def test_a_table_without_roles_is_read_as_before(folder: Path) -> None:
    (table,) = known_tables(folder / "people.csv", "PT")
    assert (table.patient, dict(table.columns)) == ("PT", {})


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("tables: []", "roles-invalid"),
        ("[", "roles-invalid"),
        ("tables: [{path: x.csv}]", "roles-table-missing"),
        ("tables: [{path: people.csv, columns: {canary-7Q: {identifier: nix}}}]", "roles-invalid"),
        (
            "tables: [{path: people.csv, columns: {canary-7Q: {identifier: names}}}]",
            "roles-column-missing",
        ),
        ("tables: [{path: people.csv, patient: canary-7Q}]", "roles-column-missing"),
        (
            "tables: [{path: people.csv, columns: {A: {identifier: names, part: canary-7Q}}}]",
            "roles-invalid",
        ),
    ],
)
def test_faults_of_the_roles_file_are_reported_without_a_value(
    folder: Path, text: str, code: str
) -> None:
    (folder / "roles.yaml").write_text(text)
    with pytest.raises(DeidError) as caught:
        gather_people([], [folder / "roles.yaml"], None)
    assert caught.value.code == code
    assert "canary" not in str(caught.value)
