"""The tables agree with one another, with the script that makes them, and with an independent count
of the census.
"""

import csv
from pathlib import Path

import pytest

from safe_harbor import NAMES_BY_STATE, Identifier, Residue, is_state, zip3_table
from safe_harbor.tables import read_rows, sha256_of
from table_makers import zip3 as zip3_maker

POPULATION = Path(__file__).parents[2].parent / "shared" / "data" / "population"


def test_the_line_is_drawn_at_more_than_20000():
    assert (zip3_maker.outcome(20_000), zip3_maker.outcome(20_001)) == ("000", "stays")


def test_the_table_of_2000_follows_from_the_printed_list_and_2010():
    counted = zip3_table("2010").populations
    populated = {zip3 for zip3, people in counted.items() if people > zip3_maker.POPULATED}
    assert zip3_table("2000").restricted == set(zip3_maker.HHS_2000)
    assert zip3_table("2000").stays == populated - set(zip3_maker.HHS_2000)


def test_sums_by_prefix():
    assert zip3_maker.sum_by_zip3({"05301": 3, "05302": 4, "03608": 5}) == {"053": 7, "036": 5}


def test_a_package_of_another_hash_is_refused(tmp_path):
    (tmp_path / zip3_maker.PHILEAS).write_bytes(b"another file")
    with pytest.raises(SystemExit, match="not the file these tables were made from"):
        zip3_maker.zcta_2020(tmp_path)


@pytest.mark.parametrize("census", ["2010", "2020"])
def test_an_independent_population_count_agrees(census):
    path = POPULATION / "zip3_population.csv"
    if not path.is_file():
        pytest.skip("no shared population tables beside the checkout")
    with path.open(encoding="utf-8", newline="") as file:
        outside = {row["zip3"]: int(row[f"pop{census}"]) for row in csv.DictReader(file)}
    assert dict(zip3_table(census).populations) == outside


def test_prefixes_in_postal_use_without_people_are_in_no_table():
    path = POPULATION / "zip3_without_zcta.csv"
    if not path.is_file():
        pytest.skip("no shared population tables beside the checkout")
    with path.open(encoding="utf-8", newline="") as file:
        unpeopled = {row["zip"] for row in csv.DictReader(file)}
    for census in ("2000", "2010", "2020", "conservative"):
        assert not unpeopled & zip3_table(census).stays


def test_every_word_of_the_rule_is_in_its_tables():
    assert {row["identifier"] for row in read_rows("permitted.csv")} == {*Identifier}
    assert {row["residue"] for row in read_rows("permitted.csv")} == {*Residue}
    assert {row["residue"] for row in read_rows("refused.csv")} <= {*Residue}


def test_different_tables_have_different_hashes():
    assert sha256_of("permitted.csv") != sha256_of("refused.csv")


def test_the_states():
    assert len(NAMES_BY_STATE) == 56
    assert is_state("vt") and is_state("New  Hampshire") and is_state("D.C.") and is_state("PR")
    assert not is_state("Windham") and not is_state("") and not is_state("QC")
