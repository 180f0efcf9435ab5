"""ZIP codes are reduced to three digits, `000` or nothing: 45 CFR 164.514(b)(2)(i)(B)."""

import csv
import io
import re
from hashlib import sha256
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safe_harbor import CENSUSES, Residue, Zip3, ZipReason, zip3, zip3_table

FEW_2000 = "036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893"
FEW_2020 = "036 059 102 202 203 204 205 369 556 692 753 772 821 823 878 879 884 893"


@pytest.mark.parametrize(
    "value",
    [
        "05301",
        "05301-2218",
        "05301–2218",
        "05301 - 2218",
        "05301 2218",
        "053012218",
        "53012218",
        "5301",
        "5301-2218",
        "05301.0",
        "5301.0",
        5301,
        5301.0,
        53012218,
        "053",
        "053**",
        "053XX",
        "053**-****",
        " 05301 ",
        "'05301",
        "VT 05301",
        "VT 5301",
        "VT, 05301-2218",
        "Brattleboro, VT 05301",
        "118 Canal Street\nBrattleboro, Vermont 05301",
        "Brattleboro VT 053**",
        "05301, USA",
        "US-05301",
        "ZIP 05301",
        "Zip code: 05301",
        "05301 VT",
        "０５３０１",
        "O53Ol",
        "05301-",
        "05301-____",
        "05301-XXXX",
        "05301+2218",
        "(05301)",
        "05301221807",
        "0 5 3 0 1",
        "05301&nbsp;",
    ],
)
def test_every_form_of_a_zip_code_is_read(value):
    assert zip3(value).text == "053"


@pytest.mark.parametrize(
    "value",
    ["J1H 4C4", "SW1A 1AA", "1015 CT", "80-827", "75001 Paris", "D-10115", "123-4567", "123 45"],
)
def test_foreign_codes_leave_nothing(value):
    assert zip3(value) == Zip3("", ZipReason.FOREIGN)


@pytest.mark.parametrize("value", ["01310-100", "123456", "1234567", "0123", "Madrid 28001"])
def test_codes_of_other_lengths_or_countries_leave_nothing(value):
    assert zip3(value).text == ""


@pytest.mark.parametrize(
    "value", ["00000", "00000-0000", "00012", "0", 0, 12, 0.0, "99999", "99999-9999"]
)
def test_placeholder_zip_codes_leave_nothing(value):
    assert (zip3(value).text, zip3(value).reason) == ("", ZipReason.PLACEHOLDER)


@pytest.mark.parametrize(
    "value", [None, "", "  ", "NULL", "N/A", "none", "nan", float("nan"), "Unknown", "-"]
)
def test_an_empty_zip_code_leaves_nothing(value):
    assert (zip3(value).text, zip3(value).reason) == ("", ZipReason.EMPTY)


@pytest.mark.parametrize("value", ["abc", True, "5301.5", "Main Street", float("inf"), -5301])
def test_text_that_is_not_a_zip_code_leaves_nothing(value):
    assert zip3(value).text == ""


@pytest.mark.parametrize("value", ["Worcester, Massachusetts 01608", "MA 1608", "Boston MA 02139"])
def test_a_state_before_a_zip_code_is_recognized_by_name_and_code(value):
    assert zip3(value).text in {"016", "021"}


def test_three_digits_may_be_a_zip_code_of_puerto_rico():
    assert zip3("601") == zip3("901") == Zip3("000", ZipReason.AMBIGUOUS)
    assert zip3("501").text == zip3("544").text == zip3("801").text == "000"
    assert zip3(601).text == "006", "a number has lost its zeros for certain"
    assert zip3("601", generalised=True).text == "601"
    assert zip3("551").text == "551", "00551 is no ZIP code"


@pytest.mark.parametrize("prefix", ["090", "098", "340", "962", "005", "192", "888", "008", "001"])
def test_a_prefix_in_no_census_table_becomes_000(prefix):
    found = zip3(prefix + "12")
    assert (found.text, found.reason) == ("000", ZipReason.UNKNOWN)


def test_restricted_prefixes_by_census():
    few = {census: " ".join(sorted(zip3_table(census).restricted)) for census in CENSUSES}
    assert few["2000"] == FEW_2000
    assert few["2010"] == few["2020"] == FEW_2020
    union = set(FEW_2000.split()) | set(FEW_2020.split())
    assert set(few["conservative"].split()) == union
    assert len(union) == 23


def test_the_chosen_census_decides_about_a_prefix():
    assert (zip3("06301", "2020").text, zip3("06301", "2000").text) == ("063", "000")
    assert zip3("36925", "2000").text == "369"
    assert zip3("36925", "2020").text == zip3("36925", "conservative").text == "000"
    with pytest.raises(ValueError, match="census must be one of"):
        zip3("05301", "1990")


@pytest.mark.parametrize("census", ["2010", "2020"])
def test_a_prefix_is_kept_if_more_than_20000_people_live_there(census):
    table = zip3_table(census)
    assert {z for z, n in table.populations.items() if n > 20_000} == table.stays
    assert {z for z, n in table.populations.items() if n <= 20_000} == table.restricted
    assert len(table.populations) == 894


def test_national_totals_and_populations_near_20000():
    assert sum(zip3_table("2020").populations.values()) == 334_726_586
    assert sum(zip3_table("2010").populations.values()) == 312_462_979
    assert zip3_table("2020").populations["576"] == 20_310


@pytest.mark.parametrize("census", ["2000", "2010", "2020"])
def test_the_hash_is_that_of_the_file(census):
    data = files("safe_harbor.tables").joinpath(f"zip3_{census}.csv").read_bytes()
    assert zip3_table(census).sha256 == sha256(data).hexdigest()
    rows = list(csv.DictReader(io.StringIO(data.decode())))
    assert all(re.fullmatch(r"\d{3}", row["zip3"]) for row in rows)
    assert {row["outcome"] for row in rows} == {"stays", "000"}
    assert len({row["zip3"] for row in rows}) == len(rows)


def test_the_conservative_table_has_a_separate_hash():
    assert len({zip3_table(census).sha256 for census in CENSUSES}) == 4


def test_the_residue_is_zip3_or_nothing():
    assert zip3("05301").residue is zip3("03608").residue is Residue.ZIP3
    assert zip3("J1H 4C4").residue is Residue.NOTHING


@given(st.one_of(st.text(), st.integers(), st.floats(), st.none(), st.binary()))
def test_any_value_leaves_three_permitted_digits_or_nothing(value):
    assert zip3(value).text in zip3_table().stays | {"000", ""}


@given(st.integers(0, 99_999), st.integers(0, 9_999), st.sampled_from(CENSUSES))
def test_every_spelling_of_one_zip_code_agrees(five, four, census):
    whole = zip3(f"{five:05}", census)
    assert zip3(five, census) == zip3(float(five), census) == whole
    assert zip3(f"{five:05}-{four:04}", census).text == whole.text
    assert zip3(f"{five:05}{four:04}", census).text == whole.text
    assert zip3(f"Anytown, VT {five:05}", census).text == whole.text


@given(st.integers(0, 99_999))
def test_the_conservative_table_keeps_no_more_than_any_census(five):
    kept = zip3(f"{five:05}", "conservative").text
    if kept not in {"", "000"}:
        assert all(zip3(f"{five:05}", census).text == kept for census in CENSUSES)


@given(st.integers(0, 99_999))
def test_reducing_a_zip_code_again_changes_nothing(five):
    once = zip3(f"{five:05}").text
    assert zip3(once, generalised=True).text == once


@pytest.mark.parametrize("generalised", [False, True])
@pytest.mark.parametrize(
    "digits", ["05301", "5301", "601", "00000", "99999", "11111", "053011234", "53016712", "7", ""]
)
def test_zip_digits_are_read_alike_with_a_leading_blank(digits: str, generalised: bool) -> None:
    assert zip3(digits, generalised=generalised) == zip3(f" {digits}", generalised=generalised)
