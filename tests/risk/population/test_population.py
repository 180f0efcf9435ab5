"""Records are matched with population cells: ages and years, pooled ages, races, ZIP codes;
unmatched records are counted.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

from risk.errors import RiskError
from risk.measures.assessment import RiskRequest, assess
from risk.measures.decisions import DecisionLimits
from risk.measures.record_linkage import Linkage
from risk.measures.scores import score
from risk.measures.thresholds import Threshold
from risk.population.catalog import EMBEDDED, open_population
from risk.population.matching import match_population
from risk.population.modelled import population_by_state, population_by_zip3, zip3_totals
from risk.population.national_ages import embedded
from risk.population.state_estimates import population_2024_hispanic_apart
from risk.population.table import Population, population_mapping, read_population
from risk.population.values import AgeRange, parse_ages
from risk.spellings.words import parse_race
from risk.tables.classes import Classes, pack_rows
from risk.tables.coding import encode
from table_makers.state_estimates import state_table


def population(cells: dict[str, list[object]], counts: list[float], vintage: str = "2000"):
    return Population(
        "test", "test", vintage, False, encode(cells), np.array(counts, np.float64), None
    )


def people(table: dict[str, list[object]], known: Population, **options: object) -> list[float]:
    """The number of people who match each row of the table."""
    classes = Classes.of(table)
    return match_population(classes, known, **options).people[classes.ids].tolist()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (41, AgeRange(41, 41)),
        ("41", AgeRange(41, 41)),
        (41.0, AgeRange(41, 41)),
        ("40-44", AgeRange(40, 44)),
        ("90+", AgeRange(90, 115)),
        ("85 and over", AgeRange(85, 115)),
        ("85 years and over", AgeRange(85, 115)),
        (">89", AgeRange(90, 115)),
        ("> 89", AgeRange(90, 115)),
        ("over 89", AgeRange(90, 115)),
        ("90 or above", AgeRange(90, 115)),
        ("90 plus", AgeRange(90, 115)),
        ("<5", AgeRange(0, 4)),
        ("Under 5 years", AgeRange(0, 4)),
        ("65 and 66 years", AgeRange(65, 66)),
        ("<0", None),
        ("<=17", AgeRange(0, 17)),
        ("up to 4 years", AgeRange(0, 4)),
        ("17 and under", AgeRange(0, 17)),
        ("17 years or younger", AgeRange(0, 17)),
        (1959, AgeRange(41, 41)),
        ("1950-1959", AgeRange(41, 50)),
        ("1959-03-02", AgeRange(41, 41, 1 / 365)),
        ("3/2/1959", AgeRange(41, 41, 1 / 365)),
        ("1959-03", AgeRange(41, 41, 1 / 12)),
        ("1959-Q1", AgeRange(41, 41, 1 / 4)),
        (19590302, AgeRange(41, 41, 1 / 365)),
        (19590302.0, AgeRange(41, 41, 1 / 365)),
        ("2-Mar-1959", AgeRange(41, 41, 1 / 365)),
        ("20250505", None),
        ("1950-59", AgeRange(41, 50)),
        ("1910 or earlier", AgeRange(90, 115)),
        ("Jones", None),
        (None, None),
        (2024, None),
    ],
)
def test_ages_and_years_by_the_reference_year(value: object, expected: AgeRange | None) -> None:
    assert parse_ages(value, 2000) == expected


def test_years_need_a_reference_year() -> None:
    assert parse_ages(1959) is None


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("White", "white"),
        ("white_only", "white"),
        ("Black or African American", "black"),
        ("AA", "black"),
        ("American Indian or Alaska Native", "aian"),
        ("Native Hawaiian or Other Pacific Islander", "nhpi"),
        ("Two or More Races", "multi"),
        ("Some other race", "other"),
        ("Martian", None),
    ],
)
def test_race_words_of_several_schemes(word: str, expected: str | None) -> None:
    assert parse_race(word) == expected


KNOWN = population(
    {
        "state": ["DE", "DE", "DE", "DE", "RI"],
        "age": [40, 41, 42, "100-104", 41],
        "sex": ["M", "M", "F", "F", "M"],
        "race": ["white", "black", "asian", "white", "other"],
    },
    [100, 50, 10, 20, 7],
)


def test_values_match_across_notations() -> None:
    table = {"state": ["Delaware", "10", "de", "RI"], "sex": ["Male", "m", "1", "F"]}
    assert people(table, KNOWN) == [150, 150, 150, 0]
    assert people({"born": [1960, 1959]}, KNOWN, mapping={"born": "age"}) == [100, 57]
    assert people({"age": ["40-41", "40-44", "*", None]}, KNOWN) == [157, 167, 187, 187]
    assert people({"race": ["WH", "OT", "AA", "Some other race"]}, KNOWN) == [120, 17, 50, 7]


def test_pooled_ages_take_the_cohort_first_and_the_rest_evenly() -> None:
    """Malin et al. 2011, "Study cohort and data sources": the cohort has two patients aged 101 and
    one aged 103, and 20 people are 100-104. The other 17 are spread over five years, 3.4 each.
    """
    table = {"age": [101, 101, 103], "state": ["DE"] * 3}
    assert people(table, KNOWN) == pytest.approx([5.4, 5.4, 4.4])


def test_more_patients_than_pooled_people_do_not_divide_by_zero() -> None:
    table = {"age": [101] * 30}
    assert all(found > 0 for found in people(table, KNOWN))


def test_an_open_age_group_is_spread_like_the_national_population() -> None:
    """Fewer than half of the people of 85 and over are 90 and over; 110+ is spread evenly."""
    known = population({"age": ["85+"]}, [1000])
    (ninety,) = people({"age": ["90+"]}, known)
    assert 250 < ninety < 450
    (single,) = people({"age": [112]}, population({"age": ["110+"]}, [60]))
    assert single == pytest.approx(1 + 59 / 6)


def test_the_people_of_an_age_are_spread_over_the_birthdays_of_a_year() -> None:
    known = population({"age": [41]}, [731])
    table = {"born": ["1959-03-02", "1959-03-02", "1959-07-09"]}
    found = people(table, known, mapping={"born": "age"})
    assert found == pytest.approx([2 + 728 / 365, 2 + 728 / 365, 1 + 728 / 365])


def test_zip_codes_without_their_zeros_match_their_own_area() -> None:
    """As numbers, 00601 is 601, 021 is 21 and 000 is 0. Read as prefixes of other areas, they would
    seem to match millions of people.
    """
    known = population({"zip3": ["006", "021", "036", "210", "601"]}, [5e4, 9e5, 1e4, 4e6, 2e6])
    assert people({"zip3": [21, 36, 0, 6]}, known) == [9e5, 1e4, 1e4, 5e4]
    assert people({"zip": ["601", "02139", "60101", "601**"]}, known) == [5e4, 9e5, 2e6, 2e6]
    assert people({"zip3": ["601", "021"]}, known) == [2e6, 9e5]
    assert people({"zip3": ["2**", "02*", "00"]}, known) == [4e6, 9e5, 1e4]


def test_two_digits_with_a_leading_zero_are_the_start_of_a_zip_code() -> None:
    known = population({"zip3": ["021", "026", "210", "215"]}, [9e5, 1e4, 4e6, 2e6])
    assert people({"zip": ["02", "21", "02"]}, known, mapping={"zip": "zip3"}) == [91e4, 6e6, 91e4]
    assert people({"zip": ["26", "21"]}, known, mapping={"zip": "zip3"}) == [1e4, 9e5]


NOBODY = ("09012", "96201", "34002", "96910", "00501", "K1A 0B1", "1")


@pytest.mark.parametrize("code", NOBODY)
def test_military_and_unknown_zip_codes_count_as_unmatched_risk(code: str) -> None:
    """By the census nobody lives there, so such records match no cell, and each may be unique."""
    found = assess({"zip": [code, "02139"]}, ["zip"], population=open_population("zip3-acs2022"))
    assert found.as_json()["unmatched_records"] == 1
    assert found.population is not None and found.scores["journalist"] is not None
    assert found.population.linkage.total_at_most > 1
    assert found.scores["journalist"].maximum == 1


def test_small_zip3_areas_are_released_as_000() -> None:
    known = population({"zip3": ["021", "036", "059", "036"]}, [9e5, 1e4, 3e3, 5e3])
    assert people({"zip3": ["000", "021"]}, known) == [18_000, 9e5]


def test_usual_column_names_and_coarser_zip_codes_are_matched() -> None:
    known = population({"age": [41], "sex": ["F"], "zip3": ["021"]}, [50])
    table = {"birth_year": [1959], "gender": ["F"], "zip": ["02139"]}
    report = assess(table, list(table), population=known)
    found = report.as_json()
    assert found["population"]["columns"] == {"birth_year": "age", "gender": "sex", "zip": "zip3"}
    assert found["population"]["total_risk"] == pytest.approx(1 / 50)
    assert any("fewer digits" in note for note in found["notes"])


def test_zip_codes_are_matched_by_prefix() -> None:
    known = population({"zip3": ["021", "022", "100"]}, [5, 7, 11])
    table = {"zip": ["02139", "2139", "021**", "10001-1234", "999", "1"]}
    assert people(table, known, mapping={"zip": "zip3"}) == [5, 5, 5, 11, 0, 0]


def test_unmatched_records_are_counted_not_dropped() -> None:
    table = {"age": [40, 40, 77], "sex": ["M", "M", "M"]}
    report = assess(table, ["age", "sex"], population=KNOWN)
    found = report.as_json()
    assert found["unmatched_records"] == 1
    assert found["population"]["total_risk"] == pytest.approx(2 / 100)
    assert found["population"]["rate_percent"] == pytest.approx(100 * 2 / 100 / 3)
    assert found["population"]["total_risk_if_unmatched_were_unique"] == pytest.approx(1.02)
    assert found["journalist"]["maximum"] == 1.0, "an unmatched record stands for itself"
    assert any("matches no cell" in note for note in found["notes"])


def test_columns_the_population_lacks_are_named() -> None:
    report = assess({"age": [40], "diagnosis": ["x"]}, ["age", "diagnosis"], population=KNOWN)
    assert report.as_json()["population"]["not_in_population"] == ["diagnosis"]
    with pytest.raises(RiskError) as caught:
        assess({"diagnosis": ["x"]}, ["diagnosis"], population=KNOWN)
    assert caught.value.code == "no-shared-column"
    with pytest.raises(RiskError):
        population_mapping(["a"], ["b"], {"a": "c"})


def test_linkage_by_malins_equations() -> None:
    """Equations 1-4 with <=: groups of 1, 2, 10, 11 and 40,000 people."""
    records = np.array([1, 2, 3, 4, 5])
    groups = np.array([1.0, 2.0, 10.0, 11.0, 40_000.0])
    found = Linkage.of(records, groups)
    assert found.total == pytest.approx(1 + 2 / 2 + 3 / 10 + 4 / 11 + 5 / 40_000)
    assert found.rate_percent == pytest.approx(100 * found.total / 15)
    assert found.uniques == 1
    assert found.graduated == {
        1: 1.0,
        10: pytest.approx(2.3),
        20000: pytest.approx(2.3 + 4 / 11),
    }
    assert found.non_graduated == {1: 1, 10: 6, 20000: 10}
    squared = Linkage.of(records, groups, scaling=2.0)
    assert squared.total == pytest.approx(1 + 2 / 4 + 3 / 100 + 4 / 121 + 5 / 1.6e9)
    flat = Linkage.of(records, groups, scaling=0.0)
    assert flat.total == 15


def test_files_of_counts_and_of_people_are_read(tmp_path) -> None:
    counted = tmp_path / "counts.csv"
    counted.write_text("sex,age,population\nM,40,3\nF,40,2\n")
    listed = tmp_path / "people.csv"
    listed.write_text("name,sex,age\na,M,40\nb,M,40\nc,M,40\nd,F,40\ne,F,40\n")
    for path in (counted, listed):
        known = open_population(str(path), ["age", "sex"])
        assert sorted(known.columns) == ["age", "sex"] and known.total == 5
        assert people({"sex": ["M", "F"], "age": [40, 40]}, known) == [3, 2]
        assert known.sha256 is not None and len(known.sha256) == 64


def test_a_count_that_is_not_a_number_is_refused(tmp_path) -> None:
    path = tmp_path / "counts.csv"
    for bad in ("many", "-1", "nan"):
        path.write_text(f"sex,count\nM,{bad}\n")
        with pytest.raises(RiskError) as caught:
            read_population(path)
        assert caught.value.exit_code == 6 and bad not in str(caught.value)


def test_an_unknown_population_is_refused_with_the_available_names() -> None:
    with pytest.raises(RiskError, match="unknown population") as caught:
        open_population("nowhere")
    assert "state-acs2022" in caught.value.hint


@pytest.mark.parametrize("make", [zip3_totals, population_by_state, population_by_zip3])
def test_embedded_tables_carry_their_total(make) -> None:
    """ACS 2018-2022 by ZCTA with Puerto Rico: 334,365,877 people over all cells."""
    found = make()
    assert found.total == pytest.approx(334_365_877, abs=1)
    assert found.modelled == ("age" in found.columns) and found.sha256


def test_embedded_states_are_near_the_bureaus_own(populations) -> None:
    """July 2020, Vintage 2024: Delaware 991,928, New York 20,105,171; the survey is within 1 %."""
    for state, people_2020 in {"DE": 991_928, "NY": 20_105_171, "WY": 577_681}.items():
        assert population_by_state().where("state", [state]).total == pytest.approx(
            people_2020, rel=0.01
        )


@pytest.mark.parametrize(
    ("name", "total"),
    [
        ("state-pep2020", 331_577_720),
        ("state-pep2024", 340_110_988),
        ("state-pep2024-race-ethnicity", 340_110_988),
    ],
)
def test_counted_states_have_the_bureaus_total(name: str, total: int) -> None:
    """Vintage 2024: 331,577,720 people in July 2020 and 340,110,988 in July 2024."""
    found = open_population(name)
    assert (found.total, found.modelled) == (total, False)
    assert found.cells.rows == len(np.unique(pack_rows(found.cells)[0])), "a cell stands twice"


def test_the_table_script_sums_single_years_and_ignores_totals() -> None:
    def row(sex: int, origin: int, age: int, people: int) -> dict[str, str]:
        labels = {"STATE": "1", "SEX": str(sex), "ORIGIN": str(origin), "RACE": "6"}
        return {**labels, "AGE": str(age), "POPESTIMATE2020": "9", "POPESTIMATE2024": str(people)}

    rows = [row(0, 1, 3, 100), row(2, 0, 3, 100), row(2, 1, 84, 7), row(2, 2, 3, 5)]
    rows += [row(2, 1, 3, 2), row(2, 1, 4, 3), row(2, 1, 85, 11)]
    empty = ("0",) * 15
    assert list(state_table(rows, "2024")) == [
        ("AL", "F", "multi", "hispanic", "5", *("0",) * 17),
        ("AL", "F", "multi", "not hispanic", "5", *empty, "7", "11"),
    ]
    assert list(state_table(rows, "2020")) == [("AL", "F", "multi", "9", *("0",) * 17)]


@pytest.mark.parametrize("make", [population_by_state, population_by_zip3])
def test_modelled_old_people_have_the_races_of_those_counted(make) -> None:
    """With age and race independent, the model had 3.4 times the multiracial people of 85 and over
    and 0.72 times the white people.
    """
    counted, modelled = (_old_by_race(p) for p in (population_2024_hispanic_apart(), make()))
    modelled["multi"] = modelled.pop("other_or_multi")
    ratio = sum(counted.values()) / sum(modelled.values())
    for race in ("white", "black", "asian", "hispanic"):
        assert ratio * modelled[race] == pytest.approx(counted[race], rel=0.2), race
    assert ratio * modelled["multi"] < 1.7 * counted["multi"]


def _old_by_race(found: Population) -> dict[str, float]:
    ages, races = found.cells.column("age"), found.cells.column("race")
    old = np.array([int(re.match(r"\d+", str(age))[0]) >= 85 for age in ages.values])[ages.codes]
    return dict(zip(races.values, np.bincount(races.codes, found.counts * old), strict=True))


def test_modelled_areas_keep_their_age_bands_and_races() -> None:
    rows = {(row["state"], row["zip3"]): row for row in embedded("zip3_areas.csv")[0]}
    found = population_by_zip3()
    codes = [found.cells.column(name).codes for name in ("state", "zip3", "age", "race")]
    states, zips, _, races = (
        found.cells.column(n).values for n in ("state", "zip3", "age", "race")
    )
    for area in [("NM", "870"), ("PR", "006"), ("HI", "967"), ("VT", "054")]:
        own = (states[codes[0]] == area[0]) & (zips[codes[1]] == area[1])
        old = float(found.counts[own & (codes[2] >= 65)].sum())
        assert old == pytest.approx(float(rows[area]["age_65_up"]), rel=1e-3, abs=1)
        people = float(rows[area]["population"])
        share = sum(float(rows[area][race]) for race in races) / people
        for code, race in enumerate(races):
            counted = float(found.counts[own & (codes[3] == code)].sum())
            assert counted * share == pytest.approx(float(rows[area][race]), rel=1e-2, abs=2), race


@pytest.mark.parametrize(
    ("written", "meaning"),
    [
        *((word, "hispanic") for word in ("Hispanic or Latino", "2135-2", "hispanic")),
        *((word, "not hispanic") for word in ("Not Hispanic or Latino", "2186-5", "non-hispanic")),
    ],
)
def test_ethnicity_is_read_in_words_and_codes(written: str, meaning: str) -> None:
    population = open_population("state-pep2024")
    own = population.where("ethnicity", [meaning]).where("state", ["NM"]).total
    found = people({"state": ["NM"], "ethnicity": [written]}, population)
    assert found == [pytest.approx(own)]


def test_embedded_hash_is_the_one_in_the_source_note() -> None:
    from importlib.resources import files

    note = files("risk.population").joinpath("embedded", "SOURCE.md").read_text("utf-8")
    for name in EMBEDDED:
        assert f"`{open_population(name).sha256}`" in note


def test_scaling_and_group_sizes_reach_the_report() -> None:
    question = RiskRequest(scaling=2.0, groups=(5, 100))
    found = assess({"age": [40]}, ["age"], question, population=KNOWN).as_json()["population"]
    assert found["total_risk"] == pytest.approx(1e-4)
    assert found["non_graduated"] == {"5": 0, "100": 1}


def test_an_empty_part_of_the_population_is_refused() -> None:
    with pytest.raises(RiskError) as found:
        open_population("zip3-acs2022").where("state", ["Massachusetts"])
    assert found.value.code == "empty-population"


@pytest.mark.parametrize("scaling", [float("nan"), float("inf"), -1.0])
def test_a_scaling_that_is_not_a_number_is_refused(scaling: float) -> None:
    with pytest.raises(RiskError):
        RiskRequest(scaling=scaling)


@pytest.mark.parametrize("size", [3, 5, 7, 11, 14, 20])
def test_people_of_split_cells_are_rounded_before_they_are_compared(size: int) -> None:
    """A fifth of 35 is 7.000000000000001 in floating point, so without rounding no group would have
    at most 7.
    """
    for people in (5 * size * 0.2, size * (1 + 1e-15), size * (1 - 1e-15)):
        held = np.array([people])
        found = Linkage.of(np.array([1]), held, groups=(size - 1, size))
        assert found.non_graduated == {size - 1: 0, size: 1}
        limits = DecisionLimits(Threshold.of_cell_size(size), 0.0, Threshold.of_cell_size(size))
        judged = score(np.array([1]), held, limits.threshold)
        assert judged.at_risk == 0 and limits.decide(judged)["maximum"] == "LOW"
        smaller = score(np.array([1]), held - 0.01, limits.threshold)
        assert smaller.at_risk == 1 and limits.decide(smaller)["maximum"] == "HIGH"
