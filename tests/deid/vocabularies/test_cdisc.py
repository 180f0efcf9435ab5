"""The terms that CDISC publishes for its variables, and the names of the variables."""

from __future__ import annotations

import pytest

from deid.vocabularies.cdisc.terms import is_cdisc_term
from deid.vocabularies.cdisc.variables import is_cdisc_variable, read_cdisc


@pytest.mark.parametrize(
    ("variable", "term"),
    [
        ("VSTESTCD", "DIABP"),
        ("LBTEST", "Alanine Aminotransferase"),
        ("PARAMCD", "SYSBP"),
        ("DOMAIN", "VS"),
        ("RDOMAIN", "MI"),
        ("EPOCH", "Run-in"),
        ("DSDECOD", "LOST TO FOLLOW-UP"),
        ("EXROUTE", "ORAL GAVAGE"),
        ("STRAIN", "FISCHER 344"),
        ("MISPEC", "GLAND, HARDERIAN"),
        ("QORIG", "CRF"),
        ("VSORRESU", "mmHg"),
        ("PARAM", "Bilirubin (umol/L)"),
        ("IDVAR", "LBSEQ"),
        ("QNAM", "AETRTEM"),
    ],
)
def test_a_term_on_a_code_list_of_the_variable_is_accepted(variable: str, term: str) -> None:
    assert is_cdisc_term(variable, term) and is_cdisc_term(variable.lower(), f" {term} ".strip())


@pytest.mark.parametrize(
    ("variable", "term"),
    [
        ("VSTESTCD", "FISCHER 344"),
        ("LBCAT", "LEWIS"),
        ("SITEID", "VS"),
        ("AETERM", "BASELINE"),
        ("INVNAM", "LEWIS"),
        ("PARAM", "Rose Long (umol/L)"),
        ("PARAM", "Bilirubin (Toledo)"),
        ("IDVAR", "JSMITH"),
        ("VSTESTCD", "4417120"),
        ("ICU", "HENRY"),
        ("MENU", "BOX"),
        ("", "VS"),
    ],
)
def test_a_term_of_another_variable_is_not_accepted(variable: str, term: str) -> None:
    assert not is_cdisc_term(variable, term)


def test_no_term_is_accepted_for_free_text_sites_and_persons() -> None:
    terms = [term for row in read_cdisc("terms") for term in row["terms"].split("|")]
    assert len(terms) > 20_000
    for variable in ("AETERM", "CMTRT", "COVAL", "VSREASND", "DVTERM", "INVNAM", "SITEID"):
        assert not any(is_cdisc_term(variable, term) for term in terms[::7]), variable


def test_every_listed_code_list_has_terms() -> None:
    named = {name for row in read_cdisc("lists") for name in row["lists"].split("|")}
    listed = {row["list"] for row in read_cdisc("terms")}
    assert {name for name in named if "*" not in name and "?" not in name} <= listed


@pytest.mark.parametrize("name", ["LBSEQ", "TRT01P", "VSTPTNUM", "AVISIT"])
def test_a_variable_is_a_domain_with_a_suffix_or_listed_whole(name: str) -> None:
    assert is_cdisc_variable(name)


@pytest.mark.parametrize("name", ["JSMITH", "SMITH", "MRN4417", "LBSMITH"])
def test_other_names_are_not_variables(name: str) -> None:
    assert not is_cdisc_variable(name)


def test_a_variable_of_no_domain_has_no_terms() -> None:
    """`PTLOC` may be the town of a patient, and `TEMPLE` is a part of the head and a town."""
    assert is_cdisc_term("AELOC", "TEMPLE") and not is_cdisc_term("PTLOC", "TEMPLE")
