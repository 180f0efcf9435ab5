"""The clinic's expected values, if the shared folder is beside the checkout."""

import csv
from pathlib import Path

import pytest

CLINIC = Path(__file__).parents[2].parent / "shared" / "data" / "clinic"


@pytest.fixture(scope="session")
def clinic() -> Path:
    if not CLINIC.is_dir():
        pytest.skip("no shared clinic extract beside the checkout")
    return CLINIC


@pytest.fixture(scope="session")
def expected(clinic):
    with (clinic / "expected.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
