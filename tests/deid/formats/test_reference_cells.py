"""FHIR references in table cells: `Patient/x` is the same key as the id `x`."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from deid.crosswalk import Crosswalk, open_for_job
from deid.crosswalk.keys.master_keys import create_key_file
from deid.formats import ColumnSource, format_of, open_source
from deid.jobs import Job, run_job
from deid.policy.model import parse_policy, policy_text
from recognizers import Finder

sys.path.append(str(Path(__file__).parents[2] / "leaks"))
from document_canaries import DAY, scrub_folder

IDS = [f"pt-{n:04d}-ab" for n in range(6)]
FAMILIES = ("Olejniczak", "Baranov", "Quispe", "Hallgrim", "Ruvalcaba", "Tetreault")
SPELLINGS = {
    "Patient/{}": "Patient/",
    "https://fhir.hospital.example/r4/Patient/{}": "https://fhir.invalid/Patient/",
    "urn:uuid:{}": "urn:uuid:",
    "Patient/{}/_history/3": "Patient/",
}


def _tables(folder: Path, suffix: str, spelled: Callable[[int], str]) -> Path:
    folder.mkdir()
    patients = [
        {"id": key, "gender": "female", "birth_date": f"1961-03-0{n + 1}", "name_family": family,
         "name_given": "Ruth", "address_city": "Fargo", "address_postal_code": "58102"}
        for n, (key, family) in enumerate(zip(IDS, FAMILIES, strict=True))
    ]  # fmt: skip
    observations = [
        {"id": f"ob-{n:03d}", "subject_reference": spelled(n), "code_coding_code": "8480-6",
         "code_coding_display": "Systolic blood pressure",
         "effective_date_time": "2021-03-04T10:00:00Z", "value_quantity_value": str(120 + n),
         "note_text": f"{FAMILIES[n % 6]} rested; cuff fine"}
        for n in range(24)
    ]  # fmt: skip
    for name, rows in (("patient", patients), ("observation", observations)):
        if suffix == ".parquet":
            pq.write_table(pa.Table.from_pylist(rows), folder / f"{name}.parquet")
            continue
        with (folder / f"{name}.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    return folder


def _rows(folder: Path, name: str) -> list[dict[str, str]]:
    if (path := folder / f"{name}.parquet").exists():
        return [dict(row) for row in pq.read_table(path).to_pylist()]
    with (folder / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_reference_joins_the_id_of_its_patient(
    tmp_path: Path, suffix: str, spelling: str
) -> None:
    folder = _tables(tmp_path / "in", suffix, lambda n: spelling.format(IDS[n % 6]))
    assert scrub_folder(folder, tmp_path / "out").exit_code == 0
    ids = [row["id"] for row in _rows(tmp_path / "out", "patient")]
    found = _rows(tmp_path / "out", "observation")
    assert len(set(ids)) == 6
    assert [row["subject_reference"] for row in found] == [
        f"{SPELLINGS[spelling]}{ids[n % 6]}" for n in range(24)
    ]
    assert {row["note_text"] for row in found} == {"[NAME] rested; cuff fine"}
    assert [str(row["value_quantity_value"]) for row in found] == [str(120 + n) for n in range(24)]


def test_references_have_the_code_and_date_shift_of_their_patient(tmp_path: Path) -> None:
    text = policy_text("expert_determination").replace("others: tag", "others: code")
    text = text.replace("otherwise: keep", "otherwise: shift")
    folder = _tables(tmp_path / "in", ".csv", lambda n: f"Patient/{IDS[n % 6]}")
    _tables(tmp_path / "bare", ".csv", lambda n: IDS[n % 6])
    finder = Finder.load(model=False, reference_date=DAY)
    key = create_key_file(tmp_path / "key")
    Crosswalk.create(tmp_path / "book.db", key).close()
    for given, out in ((folder, "out"), (tmp_path / "bare", "out-bare")):
        job = Job((given,), tmp_path / out, parse_policy(text), DAY)
        with open_for_job(tmp_path / "book.db", tmp_path / "key") as (desk, account):
            run_job(job, finder, allocate=desk, crosswalk=account)
    found, bare = (_rows(tmp_path / out, "observation") for out in ("out", "out-bare"))
    whole = [row | {"subject_reference": f"Patient/{row['subject_reference']}"} for row in bare]
    assert found == whole
    ids = [row["id"] for row in _rows(tmp_path / "out", "patient")]
    assert [row["subject_reference"] for row in found] == [
        f"Patient/{ids[n % 6]}" for n in range(24)
    ]
    assert not set(ids) & set(IDS)
    assert {row["effective_date_time"][:10] for row in found} != {"2021-03-04"}


def test_references_to_several_resource_types_keep_their_prefix(tmp_path: Path) -> None:
    """Subjects may be groups. A blank stays blank, and a cell that is not a reference is a key
    itself.
    """

    def spelled(n: int) -> str:
        return ["Patient/{}", "Group/g-{}", "", "{}"][min(n // 6, 3)].format(IDS[n % 6])

    folder = _tables(tmp_path / "in", ".csv", spelled)
    with (folder / "observation.csv").open() as file:
        head, *lines = file.read().splitlines()
    (folder / "observation.csv").write_text("\n".join([head, *lines[:18] * 12, *lines[18:]]) + "\n")
    assert not isinstance(open_source(folder / "observation.csv"), ColumnSource)
    assert scrub_folder(folder, tmp_path / "out").exit_code == 0
    ids = [row["id"] for row in _rows(tmp_path / "out", "patient")]
    found = [row["subject_reference"] for row in _rows(tmp_path / "out", "observation")]
    assert found[:6] == [f"Patient/{one}" for one in ids]
    assert all(cell.startswith("Group/[ID-") for cell in found[6:12])
    assert found[12:18] == [""] * 6 and found[-6:] == ids


def test_other_columns_are_not_read_as_references(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,c\nPatient/1,yes/no,AST/ALT\nAST/ALT,n/a,x\n")
    assert [cells.cells for cells in open_source(path).records()] == [  # type: ignore[union-attr]
        ("Patient/1", "yes/no", "AST/ALT"), ("AST/ALT", "n/a", "x"),
    ]  # fmt: skip


def test_a_regular_table_is_still_read_and_written_by_column(tmp_path: Path) -> None:
    folder = _tables(tmp_path / "in", ".csv", lambda n: f"Patient/{IDS[n % 6]}")
    path = folder / "observation.csv"
    source = open_source(path)
    assert isinstance(source, ColumnSource) and source.is_regular()
    found = format_of(path)
    assert found is not None
    sink = found.create(tmp_path / "columns.csv", source, dict(enumerate(source.columns)))
    for batch in source.batches():
        sink.write_columns(batch.columns)  # type: ignore[attr-defined]
    sink.close()
    assert (tmp_path / "columns.csv").read_bytes() == path.read_bytes()
    (batch,) = source.batches()
    assert batch.column(1).to_pylist() == [IDS[n % 6] for n in range(24)]


def test_the_repr_of_a_source_shows_no_reference(tmp_path: Path) -> None:
    folder = _tables(tmp_path / "in", ".csv", lambda n: f"Patient/{IDS[n % 6]}")
    assert "pt-" not in repr(open_source(folder / "observation.csv"))
