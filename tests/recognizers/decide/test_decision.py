"""The decision: its input, its output and its reasons."""

from __future__ import annotations

import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from recognizers import Finder, RecognizerError
from recognizers.decide import evidence as atoms_module
from recognizers.decide.decision import Decision, feature_names
from recognizers.decide.evidence import BLANK, LINE, NOTHING, Atoms, Evidence, word_row
from recognizers.decide.features import Groups, mention_keys
from recognizers.decide.odds import RowOdds
from recognizers.evidence.matching import NEVER, Seen
from recognizers.finding import LABELS
from recognizers.model.encoding import Encoded
from recognizers.model.network import SHIPPED, Model, ModelError, ModelOutput, Trees
from recognizers.search import Reading

NOTE = "Patient: Ruth Foley. Seen 3/14/2024 by Dr. Okafor.\nFoley catheter out; K 4.1 meq/l."


@cache
def finder() -> Finder:
    return Finder.load()


def taken(found: Finder, text: str) -> set[int]:
    return {i for f in found.find(text) for i in range(f.start, f.end)}


def test_a_match_that_ends_inside_a_word_splits_the_word() -> None:
    atoms = Atoms.of("dob4/2/78 x", [Seen(3, 9, "DATE_TIME", 0.9, "dates/day")])
    assert atoms.words == ["dob", "4", "2", "78", "x"]
    assert atoms.gaps[1:5].tolist() == [NOTHING, 2, 2, BLANK]
    assert Atoms.of("a\nb", ()).gaps[1] == LINE


def test_an_escape_is_read_as_its_letter() -> None:
    text = "Oroz&eacute; came"
    atoms = Atoms.of(text, ())
    assert atoms.words == ["Oroz\u00e9", "came"]
    assert text[atoms.starts[0] : atoms.ends[0]] == "Oroz&eacute;"


def test_the_word_lists_are_read_once_for_a_repeated_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def asking(word: str) -> bytes:
        asked.append(word)
        return word_row(word)

    monkeypatch.setattr(atoms_module, "word_row", asking)
    atoms = Atoms.of("Okafor saw Okafor", ())
    assert atoms.listed.tolist()[0] == atoms.listed.tolist()[2] != atoms.listed.tolist()[1]
    assert asked == ["Okafor", "saw"]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["ann", "bob", "x", "cy"]), st.integers(-9, 9), st.integers(0, 1))
    )
)
def test_the_other_mentions_of_a_word_exclude_the_word_itself(
    drawn: list[tuple[str, int, int]],
) -> None:
    values = np.array([value for _, value, _ in drawn], np.float32)
    texts = np.cumsum([step for *_, step in drawn], dtype=np.int64)
    words = [(int(text), word) for text, (word, *_) in zip(texts, drawn, strict=True)]
    # Two of the forms are the same word.
    forms = ["ann", "x", "bob", "cy", "ann"]
    own = [4 * (n % 2) if w == "ann" else forms.index(w) for n, (_, w) in enumerate(words)]
    groups = Groups(mention_keys(forms, np.array(own, np.int64), texts))
    others = [
        [values[j] for j, w in enumerate(words) if j != i and w == word and len(word[1]) > 1]
        for i, word in enumerate(words)
    ]
    assert groups.counts().tolist() == [len(own) for own in others]
    assert groups.greatest(values, -99).tolist() == [max(own, default=-99) for own in others]
    means = [np.mean(own) if own else -99 for own in others]
    assert np.allclose(groups.mean(values, -99), means)


def test_an_uncounted_row_is_scored_by_its_strength() -> None:
    odds = RowOdds({("a/b", "PERSON", 5): (50.0, 0.0)})
    strong, weak = (Seen(0, 1, "PERSON", strength, "x/y") for strength in (0.95, 0.2))
    assert odds(strong) > 2 and odds(weak) < -1
    assert odds(Seen(0, 1, "PERSON", 0.95, "a/b")) < -1


def test_a_lower_threshold_finds_at_least_as_much() -> None:
    loud, usual, strict = (Finder.load(threshold=least) for least in (0.01, None, 0.9))
    assert taken(loud, NOTE) >= taken(usual, NOTE) >= taken(strict, NOTE)
    doubtful = "Her cousin, 3/4, came; fall of may; told will; rm 12"
    assert taken(loud, doubtful) > taken(strict, doubtful)


def test_the_trees_do_not_read_atoms_that_nothing_suspects(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    usual, loud = (Finder.load(threshold=least).decision for least in (None, 0.1))
    monkeypatch.setattr(Trees, "log_odds", lambda _, rows: np.full(len(rows), 9, np.float32))
    assert usual is not None and loud is not None
    shares = np.zeros((3, 1 + len(LABELS)), np.float32)
    shares[:, 0], shares[2, 0] = 0.9999, 0.999
    row = Seen(4, 7, "PERSON", 0.2, "x/y")
    evidence = Evidence(Atoms.of("one two six", ()), [row], shares, 1 - shares[:, 0])
    assert (usual.chances(evidence) > 0.5).tolist() == [False, True, True]
    assert (loud.chances(evidence) > 0.5).all()
    shares[:, 0] = np.nan
    assert (usual.chances(evidence) > 0.5).all()


def test_certain_evidence_overrides_the_network() -> None:
    text = "Seen by Dr. Okafor"
    (output,) = finder().modelled([text])
    assert isinstance(output, ModelOutput)
    evidence = Evidence.of_output(text, (), output)
    decision = finder().decision
    assert decision is not None and decision.chances(evidence)[-1] > 0.9
    denied = Evidence(
        evidence.atoms, [Seen(12, 18, "PERSON", NEVER, "x/y")], evidence.shares, evidence.peaks
    )
    assert decision.chances(denied)[-1] == 0


def test_reasons_name_the_evidence_and_no_value() -> None:
    start = NOTE.index("Okafor")
    reasons = finder().explain(NOTE, start, start + 6)
    assert reasons[0].evidence == "network" and reasons[0].weight > 1
    told = repr(reasons).casefold()
    assert not any(word.casefold() in told for word in ("Okafor", "Foley", "Ruth", "2024"))
    assert finder().explain(NOTE, 19, 20) == ()


def test_decision_trees_with_other_features_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Model.load()
    monkeypatch.setattr("recognizers.decide.decision.feature_names", lambda: feature_names()[1:])
    with pytest.raises(ModelError, match="model-altered"):
        Decision.load(model)
    shutil.copytree(SHIPPED, tmp_path / "copy")
    rows = tmp_path / "copy" / "rows.csv"
    rows.write_text(rows.read_text("utf-8").replace(",5,", ",4,", 1), "utf-8")
    with pytest.raises(ModelError, match="model-altered"):
        Model.load(tmp_path / "copy")


def test_rows_of_a_hospital_are_always_found(tmp_path: Path) -> None:
    rows = tmp_path / "ward.yaml"
    rows.write_text(
        "entity: OTHER_ID\nrows:\n- id: sticker\n  left: 'sticker '\n  value: 'mild|moderate'\n"
        "  strength: 0.6\n  example: 'sticker [[mild]]'\n  counterexample: 'sticker'\n",
        "utf-8",
    )
    text = "sticker mild, pain mild"
    assert finder().find(text) == ()
    (found,) = Finder.load(rows=rows, threshold=0.999).find(text)
    assert (found.start, found.end, found.source) == (8, 12, "ward")


@pytest.mark.parametrize("share", [0.0, np.nan])
def test_a_network_without_output_stops_the_load(
    share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(model: Model, encoded: Encoded) -> NDArray[np.float32]:
        shares = np.full((len(encoded), 1 + len(model.labels)), share, np.float32)
        shares[:, 0] = 1
        return shares

    monkeypatch.setattr(Model, "probabilities", silent)
    with pytest.raises(ModelError, match="model-altered"):
        Finder.load()


def test_a_network_that_returns_nan_withholds_the_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = Finder.load()
    assert own.model is not None

    class Broken:
        def run(self, _: object, feed: dict[str, NDArray[np.int64]]) -> list[NDArray[np.float32]]:
            return [np.full((1, feed["ids"].shape[1], 27), np.nan, np.float32)]

    monkeypatch.setattr(own.model, "_session", Broken())
    faults: list[str] = []
    found = own.find_all([NOTE], on_fault=lambda _, error: faults.append(error.recognizer))
    assert faults == ["model"] and found == [()]


def test_deciding_without_the_output_of_the_network_fails() -> None:
    with pytest.raises(RecognizerError):
        finder().accepted([Reading(NOTE, [])])
    with pytest.raises(RecognizerError):
        replace(finder(), decision=None).find(NOTE)


@pytest.mark.parametrize("text", ["x", "n", "J.", "- k", "(g)\n", "Q "])
def test_a_single_letter_is_not_a_name(text: str) -> None:
    assert not taken(finder(), text)


@pytest.mark.parametrize("name", ["Vermont", "VERMONT", "Nebraska", "New York", "North Carolina"])
def test_a_state_that_is_not_a_given_name_is_not_a_name(name: str) -> None:
    assert not taken(finder(), f"Patient: {name}")


@pytest.mark.parametrize("name", ["Georgia", "Virginia", "Colorado", "Montana", "Vermont Ruiz"])
def test_a_state_that_is_also_a_given_name_is_a_name_after_its_label(name: str) -> None:
    found = finder().find(f"Patient: {name}")
    assert [(f.start, f.end, f.entity) for f in found] == [(9, 9 + len(name), "PERSON")]
