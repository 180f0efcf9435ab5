"""A name known for certain is found in later mentions; words that merely resemble it are kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recognizers.finding import Finding
from recognizers.propagate import propagation
from recognizers.propagate.certain import learn
from recognizers.propagate.propagation import SPREADING, propagate, standing, wholes
from safe_harbor import Identifier

WARD = "Quillen Ward House"


@given(st.text("aA1_-\u00e9\u00b2\u0301 ", max_size=40))
def test_words_are_found_at_the_same_places_whether_few_or_many_are_searched(text: str) -> None:
    tokens = {"a", "1", "aa", "11", "a1", "\u00e9", "\u00b2"}
    few = sorted(standing(text.lower(), tokens))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(propagation, "FEW", 0)
        assert few == sorted(standing(text.lower(), tokens))


def facilities(text: str) -> list[str]:
    """The places of a facility whose name is known."""
    finding = Finding(0, len(WARD), Identifier.PLACES, "FACILITY", 0.95, "model")
    return [text[f.start : f.end] for f in propagate(text, learn([(WARD, [finding])]), [])]


def test_a_whole_value_is_found_between_word_bounds_and_inside_the_text() -> None:
    assert facilities("at QUILLEN ward house, Quillen Ward Houses, quillen ward house") == [
        "QUILLEN ward house",
        "quillen ward house",
    ]
    assert facilities("Quillen Ward Hous") == []
    shorter = learn([("Ab 12345 ", [Finding(0, 9, Identifier.OTHERS, "OTHER_ID", 0.95, "model")])])
    assert propagate("ab 12345", shorter, []) == []


VALUES = ("Elm 12 St", "Elm 12", "Elm", "12 St", "#12-34", "Elm's")


@given(st.lists(st.sampled_from(["Elm", "elm", " ", "12", "St", "#", "-", "34", "'s", "x"])))
def test_whole_values_are_found_wherever_a_word_begins(parts: list[str]) -> None:
    text = "".join(parts)
    found = wholes(text, tuple((value, "OTHER_ID") for value in VALUES))
    expected = {
        (start, start + len(value))
        for start in (token.start() for token in SPREADING["TOKEN"].finditer(text))
        for value in (value.lower().lstrip("#") for value in VALUES)
        if text[start:].lower().startswith(value) and not text[start + len(value) :][:1].isalnum()
    }
    assert sorted((f.start, f.end) for f in found) == sorted(expected)


def test_a_letter_that_becomes_longer_in_lower_case_hides_no_value() -> None:
    assert facilities("İnci, İpek: Quillen Ward House") == [WARD]


def mentions(name: str, text: str, score: float = 0.95) -> list[str]:
    """What is found in `text` when `name` is known from another text of the patient."""
    finding = Finding(0, len(name), Identifier.NAMES, "PERSON", score, "model")
    found = propagate(text, learn([(name, [finding])]), [])
    return [text[f.start : f.end] for f in found]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("Lindqvist", " - Lindqvist: not a lobectomy", ["Lindqvist"]),
        ("Selin İpekçi", "seen by İpekçi", ["İpekçi"]),
        ("Selin İpekçi", "İpekçi's chart; of Kaya-İpekçi.", ["İpekçi", "Kaya-İpekçi"]),
        ("Ms. Truly Cope", "F2F w/ Cope by 4/29. Will cope.", ["Cope"]),
        ("Alma Lung", "Lung's pills. Lung exam: clear. Lung: clear.", ["Lung"]),
        ("Edna Graves", "Graves' disease, then Graves' ophthalmopathy, then Graves disease", []),
        ("Ole Sen", "0900. Sen out 11/10", ["Sen"]),
        ("Ben Storm", "SURG   Storm    Storm    none", ["Storm", "Storm"]),
        ("Jo Steele", "03:36 Jo: wait. jo is", ["Jo"]),
        ("Li Xiong", "Li 0.9, on Li 300", []),
        ("thi mai hoa", "told hoa to wait", ["hoa"]),
        ("Thi Mai Hoa Early", "seen early, told early", []),
        ("Marsha Linehan", "Linehan-style coaching, Linehan-Roe agrees", ["Linehan-Roe"]),
        ("Ann Wilson", "then Wilson sutures it, so Wilson counts", ["Wilson", "Wilson"]),
        ("Ms. Tro", "Tro denies pain, so Tro leaves. TRO was filed.", ["Tro", "Tro"]),
        ("Ruth Foley", "texted Foley. Foley out. Foley's balloon", ["Foley"]),
    ],
)
def test_later_mentions_of_a_known_name_are_found(
    name: str, text: str, expected: list[str]
) -> None:
    assert mentions(name, text) == expected


@pytest.mark.parametrize(
    ("name", "score", "expected"), [("Rulla", 0.7, 1), ("Rulla", 0.4, 0), ("Kenya", 0.7, 0)]
)
def test_a_name_that_is_not_a_word_needs_less_certainty(
    name: str, score: float, expected: int
) -> None:
    assert len(mentions(name, f"Saw {name} again.", score)) == expected


def test_an_abbreviation_in_capitals_is_not_propagated() -> None:
    assert mentions("PMHNP", "the PMHNP at the desk", 0.95) == []


def test_letters_found_as_initials_are_not_part_of_a_name() -> None:
    finding = Finding(0, 3, Identifier.NAMES, "PERSON", 0.95, "names_initials")
    assert not learn([("out", [finding])]).parts


@pytest.mark.parametrize(
    ("written", "later"),
    [("Jos&eacute; Mu&ntilde;oz", "Muñoz"), ("Brian O&#39;Malley", "O'Malley")],
)
def test_a_name_with_html_entities_is_learned_decoded(written: str, later: str) -> None:
    assert mentions(written, f"Then {later} slept.") == [later]
