"""Plain measurements in result columns that also contain remarks are not searched as text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest
from scrubbed_rows import scrub_rows
from small_extract import KnownOnly

from deid.formats import ReadOptions, open_source
from deid.people.gathering import gather_people
from deid.people.key_numbers import number_keys
from deid.policy.model import read_policy
from deid.tables.column_decisions import decide_columns
from deid.text.scrubber import Scrubber
from recognizers import Finding, KnownValues, is_plain_result
from safe_harbor import Identifier

SDTM = "STUDYID,DOMAIN,USUBJID,LBSEQ,LBTESTCD,LBORRES"


class _NumbersArePhones(KnownOnly):
    """A finder that takes every number for a telephone number, as a network does when it sees a
    cell alone.
    """

    def find_all(
        self,
        texts: Sequence[str],
        knowns: Sequence[KnownValues | None] | None = None,
        groups: Sequence[str | None] | None = None,
    ) -> list[tuple[Finding, ...]]:
        return [
            tuple(
                Finding(m.start(), m.end(), Identifier.PHONES, "PHONE_NUMBER", 0.9, "model")
                for m in re.finditer(r"[\d.]+", text)
            )
            for text in texts
        ]


def _last_cells(folder: Path, header: str, rows: Sequence[str]) -> list[str | None]:
    (folder / "lb.csv").write_text("\n".join([header, *rows, ""]), "utf-8")
    source = open_source(folder / "lb.csv")
    policy = read_policy("safe_harbor")
    people = gather_people([("lb.csv", source)], [], None, by_policy=policy.stated)
    scrubber = Scrubber(policy, _NumbersArePhones(), date(2026, 11, 21))
    decisions = decide_columns(policy, "lb.csv", source, False, ReadOptions())
    number_keys(source.records(), decisions, people.keys)
    rows_out = list(scrub_rows(source.records(), "lb.csv", decisions, scrubber, people))
    return [row.cells[-1] for row in rows_out if row.cells is not None]


def test_a_plain_measurement_is_kept_and_a_remark_is_searched(tmp_path: Path) -> None:
    cells = ["61.3", "<0.5", "158 mg/dL", "hemolyzed", "call 802-555-0143", "5550143"]
    rows = [f"A,LB,A-10{n},{n},ALB,{cell}" for n, cell in enumerate(cells)]
    found = _last_cells(tmp_path, SDTM, rows)
    assert found[:4] == cells[:4]
    assert "555" not in f"{found[4]}{found[5]}"


def test_a_comment_has_no_plain_measurements(tmp_path: Path) -> None:
    found = _last_cells(tmp_path, "mrn,comment", [f"10023{n},61{n}" for n in range(6)])
    assert not any("61" in (cell or "") for cell in found)


def test_a_known_value_of_the_patient_is_not_taken_for_a_measurement(tmp_path: Path) -> None:
    rows = [f"41{n}7,Quillfeather,41{n}7" for n in range(6)]
    found = _last_cells(tmp_path, "mrn,last_name,vitals", rows)
    assert not any("41" in (cell or "") for cell in found)


@pytest.mark.parametrize(
    "cell",
    ["0", "7", "61.3", "<0.5", "158", "12.4 g/dL", "98 %", "-3.2", "0.30749", "0.0107062734363561"],
)
def test_plain_results_are_recognized(cell: str) -> None:
    assert is_plain_result(cell)


@pytest.mark.parametrize(
    "cell",
    ["", "05301", "0412", "55501", "5550143", "802-555-0143", "1931", "3/14", "12:30", "4 JS",
     "61 Smith", "93 yo", "61.3.2.1", "NEGATIVE", "38.10500234", "617.5550143"],
)  # fmt: skip
def test_other_cells_are_not_plain_results(cell: str) -> None:
    assert not is_plain_result(cell)
