"""What the search guarantees for any text, and how names are propagated."""

from __future__ import annotations

import datetime
import sys
from functools import cache
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recognizers import Finder, KnownValues, ModelError, RecognizerError, search
from recognizers.decide.evidence import grouped
from recognizers.evidence.ages import Ages
from recognizers.evidence.matching import Seen
from recognizers.evidence.register import Function, Rules, RuleTable
from recognizers.text.normalized_text import NormalizedText

PACKAGE = Path(search.__file__).parent
LISTED = (
    "Dr. Okafor ;MRN: 0047291 ;03/14/2023;\n;\t;O\u2019Brien;\u200b;"
    "５５５-０１４ ;naïve ;ﬁbrosis;Ｍrs. ;🩺;"
    "St. Mary's Hospital;aaaaaaaaaaaaaa;0l/22/1933 ;&nbsp\u003b;\r\n;DOB;Lot\t;x@y.org "
)
PIECES = st.sampled_from(LISTED.split(";"))
TEXTS = st.one_of(st.text(max_size=120), st.lists(PIECES, max_size=14).map("".join))


@cache
def finder() -> Finder:
    return Finder.load()


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_findings_are_inside_ordered_and_disjoint(text: str) -> None:
    found = finder().find(text)
    reach = 0
    for finding in found:
        assert reach <= finding.start < finding.end <= len(text)
        assert any(c.isalnum() for c in text[finding.start : finding.end])
        reach = finding.end


@settings(max_examples=40, deadline=None)
@given(st.lists(TEXTS, max_size=4))
def test_findings_do_not_depend_on_the_batch(texts: list[str]) -> None:
    assert finder().find_all(texts) == [finder().find(text) for text in texts]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Seen by Dr. Ok\u200bafor today", "Ok\u200bafor"),
        ("ＭＲＮ: ００４７２９１３", "００４７２９１３"),
        ("Dr. Müller\u00a0saw her", "Müller"),
        ("Date: 0l/22/1933", "0l/22/1933"),
        ("Patient’s son Étienne called", "Étienne"),
        ("Address: 9&nbsp;Ladew&nbsp;Road", "9&nbsp;Ladew&nbsp;Road"),
    ],
)
def test_offsets_refer_to_the_original_text(text: str, value: str) -> None:
    assert value in {text[f.start : f.end] for f in finder().find(text)}


def test_html_entities_are_read_as_their_characters() -> None:
    text = "<b>From:</b>&nbsp;Guadalupe&nbsp;Quintanilla&nbsp;said that Pat O&#39;Brien came&nbsp;"
    assert words(text, Finder.load().find(text)) == [
        "Guadalupe&nbsp;Quintanilla",
        "Pat O&#39;Brien",
    ]


def words(text: str, found: object) -> list[str]:
    return [text[f.start : f.end] for f in found]  # type: ignore[attr-defined]


def test_a_certain_name_is_found_in_every_form() -> None:
    text = (
        "Patient: Marisol Quintanilla.\nQUINTANILLA rested. J. Quintanilla left, Quintanilla's bag."
    )
    assert words(text, finder().find(text))[1:] == ["QUINTANILLA", "J. Quintanilla", "Quintanilla"]


def test_a_name_is_propagated_to_the_other_notes_of_the_patient_only() -> None:
    alone = Finder.load(model=False)  # the network knows this name in any context
    texts = ["Attending: Dr. Wexford.", "wound seen, Wexford agrees"]
    apart = alone.find_all(texts)
    joined = alone.find_all(texts, groups=["p1", "p1"])
    others = alone.find_all(texts, groups=["p1", "p2"])
    assert apart[1] == () == others[1]
    assert words(texts[1], joined[1]) == ["Wexford"]


def test_a_clinical_word_is_not_propagated() -> None:
    text = "Patient: Ruth Foley.\nFoley catheter draining, Babinski down."
    assert words(text, finder().find(text)) == ["Ruth Foley"]


def test_a_name_that_is_a_word_is_found_before_a_verb() -> None:
    text = "Seen by Mrs. Hope Marwick. Hope hopes to leave. We hope so. HOPE LOOKED well."
    assert words(text, finder().find(text)) == ["Hope Marwick", "Hope", "HOPE"]


def test_known_values_have_priority() -> None:
    text = "zorp was here on 03/14/2023"
    found = finder().find(text, KnownValues.of({"names": ["Zorp"]}))
    assert found[0].source == "known_values" and words(text, found)[0] == "zorp"


def test_a_fault_in_propagation_shows_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(text: str, *_: object) -> None:
        raise ValueError(text)

    monkeypatch.setattr("recognizers.search.propagate", broken)
    with pytest.raises(RecognizerError, match="spreading") as caught:
        finder().find("Seen by Dr. Okafor")
    assert "Okafor" not in str(caught.value) and caught.value.__suppress_context__


def fussy_table(name: str) -> RuleTable:
    """A rule that fails on a text that contains `bad` or the name of its table."""

    def fussy(page: NormalizedText) -> list[Seen]:
        if "bad" in page.text or name in page.text:
            raise ValueError(page.text)
        return []

    return RuleTable(name, (Function(fussy),))


def with_fussy_rules() -> Finder:
    shipped = finder().rules.tables
    return Finder(Rules((fussy_table("earlier"), *shipped, fussy_table("later"))))


BROKEN = ["Seen by Dr. Okafor", "later: Dr. Okafor", "earlier: Dr. Wexford", "bad", ""]


def test_a_fault_in_a_rule_withholds_one_document() -> None:
    rules = with_fussy_rules()
    faults: list[tuple[int, str]] = []
    found = rules.find_all(BROKEN, on_fault=lambda n, error: faults.append((n, error.recognizer)))
    assert faults == [(1, "later"), (2, "earlier"), (3, "earlier")]
    assert words(BROKEN[0], found[0]) == ["Okafor"] and found[1:] == [()] * 4


def test_the_first_text_that_failed_is_named() -> None:
    rules = with_fussy_rules()
    with pytest.raises(RecognizerError, match="later") as caught:
        rules.find_all(BROKEN)
    assert "Okafor" not in str(caught.value) and caught.value.__suppress_context__


@given(st.lists(st.integers(0, 9)))
def test_every_text_is_in_exactly_one_batch(lengths: list[int]) -> None:
    numbers = range(len(lengths))
    parts = [numbers[some] for some in grouped(lengths, 12, 3)]
    assert [n for part in parts for n in part] == list(numbers)
    for part in parts:
        assert len(part) < 2 or (len(part) < 4 and sum(lengths[n] for n in part) <= 12)


def poison(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Make `learn` or `propagate` fail on a text that contains BAD."""
    good = getattr(search, name)

    def fussy(given: object, *more: object) -> object:
        if name == "learn":
            given = list(given)  # type: ignore[call-overload]
        if "BAD" in str(given):
            raise ValueError(given)
        return good(given, *more)

    monkeypatch.setattr(search, name, fussy)


@pytest.mark.parametrize("name", ["learn", "propagate"])
def test_a_fault_in_propagation_withholds_one_document(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    texts = ["Attending: Dr. Wexford.", "BAD for Dr. Okafor", "wound seen, Wexford agrees"]
    poison(monkeypatch, name)
    faults: list[tuple[int, str]] = []
    found = finder().find_all(
        texts,
        groups=["p1"] * 3,
        on_fault=lambda number, error: faults.append((number, error.recognizer)),
    )
    assert faults == [(1, "spreading")]
    assert found[1] == () and words(texts[0], found[0]) == words(texts[2], found[2]) == ["Wexford"]


def test_texts_that_fail_only_together_are_all_withheld(monkeypatch: pytest.MonkeyPatch) -> None:
    good = search.learn

    def fussy(pairs: object) -> object:
        pairs = list(pairs)  # type: ignore[call-overload]
        if len(pairs) > 1:
            raise ValueError(pairs)
        return good(pairs)

    monkeypatch.setattr(search, "learn", fussy)
    faults: list[int] = []
    texts = ["Seen by Dr. Okafor", "Seen by Dr. Wexford"]
    found = finder().find_all(
        texts, groups=["p1", "p1"], on_fault=lambda number, _: faults.append(number)
    )
    assert faults == [0, 1] and found == [(), ()]


@pytest.mark.parametrize("name", ["learn", "propagate"])
def test_learning_and_propagation_alone_show_no_text(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    text = "BAD for Dr. Okafor"
    found, known = finder().find(text), finder().learn([text], [()])
    poison(monkeypatch, name)
    with pytest.raises(RecognizerError, match="spreading") as caught:
        if name == "learn":
            finder().learn([text], [found])
        else:
            finder().propagate(text, found, known)
    assert "Okafor" not in str(caught.value) and caught.value.__suppress_context__


def test_birth_years_depend_on_the_reference_date() -> None:
    page = NormalizedText.of("His mother, born in 1934, is well.")
    old = list(Ages(datetime.date(2024, 1, 1), datetime.date(2024, 1, 1)).hits(page))
    young = list(Ages(datetime.date(2023, 1, 1), datetime.date(2023, 1, 1)).hits(page))
    assert {hit.entity for hit in old} == {"BIRTH_YEAR_OVER_89"}
    assert not young


def test_a_missing_model_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setattr("recognizers.model.network.SHIPPED", tmp_path)
    with pytest.raises(ModelError):
        Finder.load()


def test_a_short_note_crosses_few_files() -> None:
    """A call of another file costs a reader, too: the way of a note through the engine is short."""
    note, crossed = "Seen by Dr. Okafor on 03/14/2023.", 0
    assert finder().find(note)

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal crossed
        own, caller = frame.f_code.co_filename, frame.f_back
        if event == "call" and caller is not None and Path(own).is_relative_to(PACKAGE):
            crossed += caller.f_code.co_filename != own

    sys.setprofile(count)
    try:
        finder().find(note)
    finally:
        sys.setprofile(None)
    assert crossed <= 125
