"""Flat tables of claims whose columns are named after X12 elements."""

from __future__ import annotations

import pytest

from deid.columns.flat_elements import by_element, element_profiles
from deid.vouching.voucher import Voucher
from recognizers import conforms, profile
from recognizers.columns.cells.composites import is_qualified

COLUMNS = ["CLM01", "CLM05", "CLM07", "2010BA_NM103", "NM109", "N301", "N403", "DMG02", "SV101",
           "SV103", "SV104", "CLP02", "TRN02", "visit_reason"]  # fmt: skip


def test_columns_named_after_x12_elements_get_the_profiles_of_the_format() -> None:
    unsure = profile("x9", ["a8", "b7"] * 5)
    found = [by_element(meant, unsure) for meant in element_profiles(COLUMNS)]
    assert [(p.kind, p.shape) for p in found] == [
        ("identifier", "account"), ("keep", "composite"), ("keep", "composite"),
        ("identifier", "name"), ("identifier", "key"), ("identifier", "street"), ("quasi", "zip"),
        ("quasi", "birth_date"), ("keep", "composite"), ("keep", "composite"), ("keep", "number"),
        ("keep", "composite"), ("identifier", "key"), ("unsure", ""),
    ]  # fmt: skip


def test_two_element_names_are_too_few_for_a_flat_table() -> None:
    assert element_profiles(["N301", "SV101", "weight"]) == (None, None, None)


@pytest.mark.parametrize("cell", ["HC:99213:25", "ABK:E119", "CO*45*120.50", "HE*N130", "11:B:1"])
def test_composite_codes_are_kept_under_any_header(cell: str) -> None:
    assert is_qualified(cell) and conforms("composite", cell)
    assert profile("CAS", [cell] * 6).kind == "keep"


@pytest.mark.parametrize(
    "cell",
    ["HC:4471220", "DOE*JOHN*Q", "QC:DOE:JOHN", "BH:11:D8:20240105", "MRN:447122", "11B", "CO"],
)
def test_names_numbers_and_dates_are_not_composite_codes(cell: str) -> None:
    assert not is_qualified(cell)


def test_other_values_in_kept_element_columns_are_not_kept() -> None:
    assert not conforms("composite", "Okonkwo")
    assert not conforms("composite", "4471220")


def test_columns_named_after_hl7_fields_get_the_profiles_of_the_format() -> None:
    columns = ["PID_3", "PID_5_1", "PID_7", "PID_8", "PID_11_4", "PID_11_5", "PV1-2", "PV1-7.2"]
    unsure = profile("x9", ["a8", "b7"] * 5)
    found = [by_element(meant, unsure) for meant in element_profiles(columns)]
    assert [p.kind for p in found] == [
        "identifier", "identifier", "quasi", "keep", "quasi", "quasi", "keep", "identifier",
    ]  # fmt: skip
    assert found[2].shape == "birth_date" and found[7].role == "provider"


NEMSIS = ["eRecord.01", "eResponse.03", "eTimes.03", "eVitals.06", "Gender (ePatient.13)",
          "ePatient_15", "ePatient.16", "ePatient.02", "eScene.15", "eCrew.01",
          "eOther.99"]  # fmt: skip


def test_nemsis_columns_get_the_profiles_of_its_dictionary() -> None:
    unsure = profile("x9", ["a8", "b7"] * 5)
    found = [by_element(meant, unsure) for meant in element_profiles(NEMSIS)]
    assert [(p.kind, p.shape) for p in found] == [
        ("identifier", "key"), ("identifier", "key"), ("quasi", "date"), ("keep", "number"),
        ("keep", "nemsis"), ("quasi", "age"), ("keep", "nemsis"), ("identifier", "name"),
        ("identifier", "street"), ("identifier", "key"), ("unsure", ""),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "cell", ["2305003", "R07.9", "29857009", "Chest Pain", "Male", "2701001; 2701003", "7701003"]
)
def test_nemsis_codes_and_their_labels_are_kept(cell: str) -> None:
    meant = element_profiles(["eDispatch.05", "eSituation.09", "ePatient.13"])[0]
    assert meant is not None and meant.may_stay(cell)
    assert Voucher(meant.shape).refuses(cell) is None


@pytest.mark.parametrize(
    "cell",
    ["RMB", "JTK", "70301", "4417", "Levi", "98 yr", "MR-44710", "Medic 4", "2305004", "5551234"],
)
def test_keys_and_initials_are_not_nemsis_codes(cell: str) -> None:
    meant = element_profiles(["eDispatch.05", "eSituation.09", "ePatient.13"])
    assert all(found is not None and not found.may_stay(cell) for found in meant)


def test_drug_codes_are_kept_in_drug_columns_only() -> None:
    drug, other = element_profiles(["eMedications.03", "eProcedures.03", "eDispatch.05"])[:2]
    assert drug is not None and drug.may_stay("4337") and not drug.may_stay("Levi")
    assert other is not None and not other.may_stay("4337")


def test_dates_numbers_and_crew_members_are_not_nemsis_codes() -> None:
    names = ["eHistory.19", "eArrest.15", "eAirway.02", "eAirway.10", "eAirway.11", "eAirway.07",
             "ePayment.53", "ePayment.54", "ePayment.58"]  # fmt: skip
    found = [meant and (meant.kind, meant.shape) for meant in element_profiles(names)]
    assert found == [
        *[("quasi", "date")] * 5, *[("identifier", "key")] * 3, ("identifier", "organization"),
    ]  # fmt: skip
