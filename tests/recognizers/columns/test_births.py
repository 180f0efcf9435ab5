"""Columns of birth dates, however their header is abbreviated."""

from __future__ import annotations

import pytest

from recognizers import profile

BIRTHS = [f"{1932 + 6 * n}-0{1 + n % 9}-1{n % 9}" for n in range(12)]
VISITS = [f"20{14 + n % 10}-0{1 + n % 9}-1{n % 9}" for n in range(12)]
SHORTENED = (
    "BRTH_DTE BTH_DT BIRTHDT DOBDT PT_BDATE BENEBDT PATBDT BDTE BDT BDAT BIRTHDY BRDTC D_O_B "
    "D.O.B. PT_D_O_B D_OF_B dateofbirth DATEOFBRTH DTOFBIRTH DOBIRTH BIRTH_TS GEBDAT"
)
LETTERED = "B_DT B_DATE PT_B_DT MBR_B_DTE b.date B_DAY SUBSCRIBER_B_DT PtBDate"


@pytest.mark.parametrize("header", SHORTENED.split())
def test_an_abbreviated_birth_header_is_a_birth_date(header: str) -> None:
    for values in ([], BIRTHS, VISITS):
        assert profile(header, values).entity == "BIRTH_DATE"


@pytest.mark.parametrize("header", [*LETTERED.split(), "B DATE"])
def test_the_letter_b_means_birth_where_the_dates_are_decades_apart(header: str) -> None:
    assert profile(header, BIRTHS).shape == "birth_date"
    assert profile(header, [f"{day[5:7]}/{day[8:]}/{day[2:4]}" for day in BIRTHS]).shape == (
        "birth_date"
    )
    assert profile(header, VISITS).shape == "date"


def test_the_letter_b_means_birth_year_where_the_years_are_decades_apart() -> None:
    assert profile("B_YR", [day[:4] for day in BIRTHS]).entity == "BIRTH_YEAR"
    assert profile("B_YR", [day[:4] for day in VISITS]).entity == "DATE_TIME"
    assert profile("Y_O_B", [day[:4] for day in VISITS]).entity == "BIRTH_YEAR"


OTHERS = (
    "HEP_B_DATE B12_DT PART_B_DT GROUP_B_STREP_DT TYPE_B_DT BP_DT OB_DT BMP_DT BCG_DT BEG_DT "
    "LBDT LBDTC JOBDT PROBDT SUBDT OBDT GLOBDT dateofservice DATEOFDEATH ADMIT_DT"
)


@pytest.mark.parametrize("header", OTHERS.split())
def test_other_date_headers_are_not_birth_dates(header: str) -> None:
    assert profile(header, BIRTHS).entity == "DATE_TIME"
