"""The pages that people read and print (evidence, risk and plan) in a real Chromium."""

from __future__ import annotations

import shutil
from datetime import date
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

axe_playwright = pytest.importorskip("axe_playwright_python.sync_playwright")

from pypdf import PdfReader  # noqa: E402

from deid.cli import main  # noqa: E402
from deid.jobs import Job, run_job  # noqa: E402
from deid.policy.model import read_policy  # noqa: E402

CLINIC = Path(__file__).resolve().parents[2] / "corpora" / "clinic"
INPUTS = (
    *("patients.csv", "contacts.csv", "encounters.csv", "results.csv", "devices.csv"),
    *("notes.csv", "messages.hl7"),
)
PEOPLE = "age,sex,zip,name\n" + "".join(f"{30 + n % 9},{'FM'[n % 2]},0530,Q\n" for n in range(60))


@pytest.fixture
def evidence(tmp_path: Path, rules: Any) -> Path:
    """The evidence of ten files: seven files of the clinic and three notes."""
    inputs = tmp_path / "extract"
    inputs.mkdir()
    for name in INPUTS:
        shutil.copy(CLINIC / name, inputs)
    for number in range(3):
        (inputs / f"note-{number}.txt").write_text("Ada Stone, seen 03/14/2021.")
    job = Job((inputs,), tmp_path / "out", read_policy("safe_harbor"), date(2026, 1, 1))
    assert run_job(job, rules).out is not None
    return tmp_path / "out" / "_release" / "evidence.html"


@pytest.fixture
def measured(tmp_path: Path) -> list[Path]:
    """The pages of `deid risk` and `deid plan`."""
    table, pages = tmp_path / "people.csv", [tmp_path / "risk.html", tmp_path / "plan.html"]
    table.write_text(PEOPLE)
    asked = [str(table), "--quasi", "age,sex,zip"]
    for words in (
        ["risk", *asked, "--html", str(pages[0])],
        ["plan", *asked, "--k", "5", "-o", str(tmp_path / "plan"), "--html", str(pages[1])],
    ):
        with pytest.raises(SystemExit) as end:
            main(words)
        assert not end.value.code
    return pages


def check_page(path: Path, visit: Any) -> Any:
    """Check a page with axe in light, dark and phone size, where nothing may be cut off; returns
    the page.
    """
    for options in ({}, {"color_scheme": "dark"}):
        page = visit(path.as_uri(), **options)
        found = axe_playwright.Axe().run(page).response["violations"]
        assert [violation["id"] for violation in found] == [], path.name
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= 390"), path.name
    return page


def test_the_evidence_of_ten_files_prints_on_four_pages(evidence: Path, visit: Any) -> None:
    page = check_page(evidence, visit)
    assert len(PdfReader(BytesIO(page.pdf(format="Letter"))).pages) <= 4


def test_risk_and_plan_are_legible(measured: list[Path], visit: Any) -> None:
    for path in measured:
        check_page(path, visit)
