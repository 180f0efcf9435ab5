"""Which cells of a kept column are accepted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from deid.tables.cell_survey import ColumnSurvey
from deid.vouching.published import is_published_cell
from deid.vouching.ranges import histogram, range_of
from deid.vouching.voucher import Voucher, code_pattern


def voucher(shape: str, cells: Iterable[str], persons: bool = True) -> Voucher:
    """The voucher of a column in which every cell belongs to a different person."""
    survey, many = ColumnSurvey(shape), 0
    for person, cell in enumerate(cells):
        many += 1
        if survey.see(cell, 1):
            survey.add(cell, (person,))
    return survey.voucher(many if persons else 0, lambda _values: ())


def why(column: Voucher, cell: str) -> str:
    refusal = column.refuses(cell)
    return "" if refusal is None else refusal.why


def test_a_value_of_many_persons_is_accepted() -> None:
    column = voucher("term", ["Mild"] * 90 + ["Zorbic"] * 5 + ["Quvotal"] * 4)
    assert not column.refuses("Zorbic") and not column.refuses("zorbic ")
    assert why(column, "Quvotal") != ""


def test_many_rows_of_one_person_do_not_make_a_value_acceptable() -> None:
    survey = ColumnSurvey("term")
    for _ in range(100):
        if survey.see("Zorbic", 1):
            survey.add("Zorbic", ("the same",))
    assert survey.voucher(30, lambda _values: ()).refuses("Zorbic")


@pytest.mark.parametrize(("persons", "approved"), [(2, False), (3, True), (4, True), (5, True)])
def test_in_a_small_table_a_short_name_of_all_persons_is_accepted(
    persons: int, approved: bool
) -> None:
    column = voucher("term", ["ZORBTCD"] * persons)
    assert (column.refuses("ZORBTCD") is None) == approved


@pytest.mark.parametrize("cell", ["Huntington disease Kowalski kindred", "KOWALSKI", "Green Door"])
def test_in_a_small_table_other_values_need_more_persons(cell: str) -> None:
    assert voucher("term", [cell] * 4).refuses(cell) is not None
    assert voucher("term", ["ZORBTCD"] * 3 + ["QUVTCD"]).refuses("ZORBTCD") is not None


def test_without_patients_a_value_needs_more_rows() -> None:
    cells = ["Mild"] * 50 + ["Zorbic"] * 10
    assert voucher("term", cells, persons=False).refuses("Zorbic")
    assert not voucher("term", [*cells, "Zorbic"], persons=False).refuses("Zorbic")


def test_a_name_shared_by_a_few_persons_is_refused() -> None:
    column = voucher("term", ["Mild"] * 300 + ["Rose Long"] * 12)
    assert why(column, "Rose Long") == "name"
    assert why(voucher("named", ["Mild"] * 30 + ["Rose Long"]), "Rose Long") == "name"


def test_a_column_kept_by_the_policy_accepts_everything_but_single_names() -> None:
    column = voucher("named", ["X-77"] * 30 + ["Q free words of a local kind"])
    assert not column.refuses("Q free words of a local kind")


@pytest.mark.parametrize(
    "cell",
    ["5551234567", "02139", "4829134", "1934", "20210314", "3/14", "Mar 14", "-4000", "aged 97"],
)
def test_a_number_beyond_the_range_is_refused(cell: str) -> None:
    column = voucher("number", [str(60 + n % 40) for n in range(200)])
    assert column.refuses(cell)


@pytest.mark.parametrize("cell", ["38", "72", "150", "72.5", "<100", ">= 95", "80 bpm"])
def test_a_number_within_the_range_is_accepted(cell: str) -> None:
    column = voucher("measure", [str(60 + n % 40) for n in range(200)])
    assert not column.refuses(cell)


@pytest.mark.parametrize("cell", ["128/76", "1:320", "4/5", "10*3/uL", "5.2 mmol/L", "2+", "%"])
def test_measurements_and_units_are_accepted(cell: str) -> None:
    shape = "unit" if cell in ("10*3/uL", "%") else "measure"
    assert not voucher(shape, ["5.1", "80", "120", "200"] * 20).refuses(cell)


def test_an_age_is_refused_in_a_column_of_scale_values() -> None:
    column = voucher("number", [str(n % 11) for n in range(200)])
    assert why(column, "94") == "number" and not column.refuses("10")


def test_codes_are_accepted_if_built_like_the_other_codes_of_the_column() -> None:
    column = voucher("code", ["99213", "99214", "80053"] * 20)
    assert not column.refuses("36415")
    assert column.refuses("02139") and column.refuses("4829134") and column.refuses("AB123456")
    assert not column.refuses("E11.9") and not column.refuses("44054006")


def test_letters_alone_are_not_a_code_pattern() -> None:
    assert code_pattern("JQ") == "" or voucher("code", ["AB", "CD"] * 40).refuses("JQ")
    assert code_pattern("E11.9") == "A99.9" and code_pattern("02139") == "099999"


def test_abbreviations_are_accepted_in_a_column_of_their_list() -> None:
    assert not voucher("term", ["IV", "IM", "SC"] * 3).refuses("PO")
    assert voucher("term", ["Mild", "Severe"] * 10).refuses("PO")


def test_a_small_table_accepts_published_vocabulary_only() -> None:
    column = voucher("term", ["Mild", "Zorbic"])
    assert column.refuses("Zorbic") and not column.refuses("Severe")


def test_null_words_are_accepted_and_dummy_identifiers_refused() -> None:
    column = voucher("term", ["Mild"] * 30)
    assert not column.refuses("N/A") and not column.refuses("Unknown")
    assert column.refuses("123-45-6789") and column.refuses("John Doe")


def test_a_few_outliers_do_not_widen_the_range() -> None:
    numbers = [float(60 + n % 40) for n in range(970)] + [5551234567.0] * 30
    assert not range_of(histogram(numbers[:-20]), 0, 980).has(5551234567.0)


def test_a_column_of_words_accepts_no_number() -> None:
    assert voucher("result", ["Negative", "Positive"] * 50).refuses("1934")


def test_the_repr_of_a_voucher_shows_no_value() -> None:
    assert "zorbic" not in repr(voucher("term", ["Zorbic"] * 50)).casefold()


@pytest.mark.parametrize("unit", ["ED", "OR", "ER", "L&D"])
def test_a_care_unit_of_two_letters_is_accepted_among_care_units(unit: str) -> None:
    assert not voucher("care_unit", ["Cardiology", "ICU", unit]).refuses(unit)


@pytest.mark.parametrize("code", ["386516004.0", "65363002.0", "308182.0", "430193006"])
def test_a_code_that_was_read_as_a_float_is_accepted(code: str) -> None:
    """OMOP in Parquet stores SNOMED CT codes as `386516004.0`; every one of them used to be
    blanked.
    """
    column = voucher("code", ["198405.0", "308182.0"] * 30 + ["386516004.0"])
    assert not column.refuses(code)


@pytest.mark.parametrize("cell", ["123456789.0", "4155551234.0", "100417004.5", "078051120.0"])
def test_a_number_that_is_not_a_code_is_refused_as_a_float_too(cell: str) -> None:
    column = voucher("code", ["386516004.0", "65363002.0"] * 30)
    assert why(column, cell) == "shape"


def test_a_published_term_is_accepted_among_codes() -> None:
    column = voucher("code", ["E11.9", "I10"] * 30)
    assert not column.refuses("GENERAL PRACTICE")
    for cell in ("Rose Long", "Maria Lopez", "2021-03-04", "Call her daughter"):
        assert column.refuses(cell), cell


@pytest.mark.parametrize("cell", ["1970-01-01", "20991231", "2099-12-31 00:00:00", "2017-07-31"])
def test_the_validity_date_of_a_vocabulary_row_is_accepted(cell: str) -> None:
    assert not voucher("validity", ["2017-07-31", "2099-12-31"]).refuses(cell)


@pytest.mark.parametrize(
    "cell",
    ["Rose Long", "2017-07-31 14:22:05", "1889-07-31", "078-05-1120", "100417", "07/31/2017"],
)
def test_a_validity_column_accepts_dates_only(cell: str) -> None:
    assert why(voucher("validity", ["2017-07-31", "2099-12-31"]), cell) == "shape"


@pytest.mark.parametrize("unit", ["[mi_i]", "10*3/uL", "mL/L"])
def test_units_are_accepted_among_the_codes_of_a_vocabulary(unit: str) -> None:
    assert not voucher("coded", ["A99", "B98"] * 40).refuses(unit)


@pytest.mark.parametrize(
    "cell",
    [
        "milligram per deciliter", "inch (US)", "trillion per liter", "square mile",
        "milliliter per second per 1.73 square meter", "ug/g{creat}", "[lk_us]", "[GPI'IgG'U]",
        "Leukocytes [#/volume] in Blood by Automated count", "Chloride [Moles/volume] in Blood",
        "\\i2b2\\Diagnoses\\Endocrine (240-259)\\E11.9\\", "cT1c", "pN0", "8500/3", "Low back pain",
        "pound (troy)", "ton long", "year (julian)", "inch (international)", "pH of Arterial blood",
    ],
)  # fmt: skip
def test_terms_built_by_a_published_grammar_are_accepted(cell: str) -> None:
    assert not voucher("coded", ["4.1"] * 9).refuses(cell)


@pytest.mark.parametrize(
    "cell",
    [
        "Rod Gray", "rod gray", "Smith per liter", "ug/g{Smith}", "Newton",
        "Walker [Mass/volume] in Blood", "Smith 20 MG Oral Tablet", "Mason 5 MG/ML Injection",
        "\\i2b2\\Olejniczak\\E11.9\\", "Dr. Rose [Presence] in Blood", "Hunter in blood",
        "TROY GILL", "long gray", "rose per liter", "grant per liter",
        "JULIAN GRAY", "Short Foot Mark", "troy stone",
        "Glucose in Blood by Wu", "Wu Glucose [Mass/volume] in Serum", "Glucose of Xu in blood",
    ],
)  # fmt: skip
def test_no_grammar_accepts_a_name(cell: str) -> None:
    assert voucher("coded", ["4.1"] * 9).refuses(cell) is not None


def test_numbers_with_units_are_checked_against_the_range() -> None:
    column = voucher("measure", ["5 mg", "10 mg", "20 mg"] * 10, persons=False)
    assert column.refuses("5 mg") is None
    assert column.refuses("12 mg") is None
    assert column.refuses("4471903 mg") is not None


@pytest.mark.parametrize("term", ["Type 2 diabetes mellitus", "Type 1 diabetes"])
def test_a_clinical_term_that_is_no_name_is_published(term: str) -> None:
    assert is_published_cell("term", term)


def test_codes_of_body_sites_are_accepted_in_a_column_of_them() -> None:
    column = voucher("term", ["LA", "RT", "LT", "RA"] * 8, persons=False)
    assert column.refuses("RT") is None
    assert voucher("term", ["Oral", "Rectal"] * 16, persons=False).refuses("RT") is not None


def test_two_digits_with_a_leading_zero_are_accepted_as_a_code() -> None:
    column = voucher("code", ["141", "20", "207"] * 10, persons=False)
    assert column.refuses("08") is None
    assert column.refuses("0812345") is not None


@pytest.mark.parametrize("cell", [">=65", "<65", "18-64", "65-80", "25-<30", "0-4", "<18 years"])
def test_a_class_of_numbers_is_accepted(cell: str) -> None:
    assert is_published_cell("term", cell)


@pytest.mark.parametrize("cell", ["04-85", "3-64", "11 – 45"])
def test_a_month_of_a_year_is_no_class_of_numbers(cell: str) -> None:
    assert not is_published_cell("term", cell)
    assert is_published_cell("term", f"{cell} years")


@pytest.mark.parametrize("cell", ["5-12", "3/14", ">93", "90-95", "617-555", "1960-70", "80-65"])
def test_a_day_and_an_age_over_89_are_no_class_of_numbers(cell: str) -> None:
    assert not is_published_cell("term", cell)


@pytest.mark.parametrize("cell", ["PT0.5H", "-PT15M", "P24W", "P1Y2M10DT2H30M", "-P1W/P0D"])
def test_a_duration_is_accepted_where_durations_belong(cell: str) -> None:
    assert voucher("duration", ["P1D"]).refuses(cell) is None
    assert voucher("number", ["1"]).refuses(cell) is not None


@pytest.mark.parametrize("cell", ["P93Y", "P", "PT", "P40000D", "Rose Long", "4417120", "P1960Y"])
def test_other_cells_are_no_duration(cell: str) -> None:
    assert voucher("duration", ["P1D"]).refuses(cell) is not None


def test_a_published_term_of_the_variable_needs_no_persons() -> None:
    column = replace(voucher("coded", ["DIABP"]), variable="VSTESTCD")
    assert column.refuses("DIABP") is None and column.refuses("Quvotal") is not None
    assert voucher("coded", ["DIABP"]).refuses("DIABP") is not None


@pytest.mark.parametrize("cell", ["PHARYNGOLARYNGEAL PAIN", "GASTROOESOPHAGEAL REFLUX DISEASE"])
def test_british_spellings_of_clinical_words_are_known(cell: str) -> None:
    assert is_published_cell("coded", cell)


def test_a_voucher_holds_the_name_of_a_variable_and_no_other_header() -> None:
    """Another header may be a name, which the `repr` must not show."""
    assert Voucher("term").of_variable("AESEV").variable == "AESEV"
    assert "Okafor" not in repr(Voucher("term").of_variable("Okafor"))
