"""Texts of a program are scrubbed and returned with findings, changes and the claim that they
support.
"""

from __future__ import annotations

import pytest

import deid
from deid import Deidentifier, DeidError

NOTE = "Seen by Dr. Okafor on 03/14/2023. Call 617-555-0142."


@pytest.fixture(scope="module")
def engine() -> Deidentifier:
    return Deidentifier()


def test_text_findings_and_changes_agree(engine: Deidentifier) -> None:
    result = engine.scrub_text(NOTE)
    assert result.text == "Seen by Dr. [NAME] on 2023. Call [PHONE]."
    assert [NOTE[f.start : f.end] for f in result.findings] == [
        "Okafor",
        "03/14/2023",
        "617-555-0142",
    ]
    assert [result.text[c.out_start : c.out_end] for c in result.changes] == [
        "[NAME]",
        "2023",
        "[PHONE]",
    ]
    assert (result.verdict.supported, result.verdict.status) == ("safe_harbor", "SEARCHED")


def test_known_values_are_replaced_and_none_is_left(engine: Deidentifier) -> None:
    result = engine.scrub_text("pt zubrowka seen", known={"names": ["Ewa Zubrowka"]})
    assert "zubrowka" not in result.text
    assert result.verdict.status == "NONE_KNOWN_LEFT"


def test_no_repr_shows_content(engine: Deidentifier) -> None:
    result = engine.scrub_text(NOTE, known={"names": ["Okafor"]})
    frame = engine.scrub_frame(pandas_frame())
    for shown in (repr(result), repr(frame), repr(engine), repr(result.changes)):
        assert not any(value in shown for value in ("Okafor", "0142", "Seen", "A-771234"))


def test_results_do_not_depend_on_the_texts_beside_them(engine: Deidentifier) -> None:
    texts = [NOTE, "BP 120/80, afebrile.", "Maria Quispe called.", ""]
    together = engine.scrub_texts(texts)
    assert [r.text for r in together] == [engine.scrub_text(t).text for t in texts]


def test_names_found_in_one_text_are_found_in_other_texts_of_the_patient(
    engine: Deidentifier,
) -> None:
    texts = ["Maria Quispe was seen.", "the quispe chart"]
    apart = engine.scrub_texts(texts, patients=["1", "2"])
    joined = engine.scrub_texts(texts, patients=["1", "1"])
    assert "quispe" not in joined[1].text
    assert len(joined[1].changes) >= len(apart[1].changes)


def test_a_known_value_left_in_the_output_withholds_the_text(
    engine: Deidentifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    finds_nothing = type("Blind", (), {"find_all": lambda self, t, *_: [() for _ in t]})()
    monkeypatch.setattr(engine, "_finder", finds_nothing)
    known = {"names": ["Ewa Zubrowka"]}
    result = engine.scrub_texts(["Ewa Zubrowka was seen"], known=[known])[0]
    assert (result.withheld, result.verdict.held) == ("known-value-left", True)
    with pytest.raises(DeidError) as raised:
        _ = result.text
    assert raised.value.code == "text-withheld"
    assert "Zubrowka" not in str(raised.value)
    with pytest.raises(DeidError):
        engine.scrub_text("Ewa Zubrowka was seen", known=known)


def test_a_text_in_a_machine_format_is_withheld_alone(engine: Deidentifier) -> None:
    message = "MSH|^~\\&|A|B|C|D|20230314||ADT^A01|1|P|2.5\rPID|1||771234||OKAFOR^A\r"
    good, bad = engine.scrub_texts([NOTE, message])
    assert good.text
    assert bad.withheld


@pytest.mark.parametrize(
    "brought",
    [
        {"start": 12, "end": 18, "entity": "PERSON"},
        {"start": 12, "end": 18, "entity_type": "PERSON", "score": 0.5},
    ],
)
def test_spans_of_the_caller_are_replaced_and_nothing_is_claimed(
    engine: Deidentifier, brought: dict[str, object]
) -> None:
    result = engine.scrub_text(NOTE, findings=[brought])
    assert result.text == NOTE.replace("Okafor", "[NAME]")
    assert (result.verdict.supported, result.verdict.status) == ("none", "NOT_EVALUATED")


def test_spans_of_the_caller_may_overlap(engine: Deidentifier) -> None:
    spans = [
        {"start": 12, "end": 18, "entity": "PERSON", "score": 0.9},
        {"start": 8, "end": 15, "entity": "HOSPITAL_WORD", "score": 0.1},
    ]
    result = engine.scrub_text(NOTE, findings=spans)
    assert result.text.startswith("Seen by [NAME] on")


@pytest.mark.parametrize(
    "brought",
    [
        {"start": 12, "end": 99, "entity": "PERSON"},
        {"start": 5, "end": 5, "entity": "PERSON"},
        {"start": -1, "end": 5, "entity": "PERSON"},
        {"start": 1, "end": 5},
        {"start": "x", "end": 5, "entity": "PERSON"},
        None,
    ],
)
def test_invalid_spans_are_refused(engine: Deidentifier, brought: object) -> None:
    with pytest.raises(DeidError) as raised:
        engine.scrub_text(NOTE, findings=[brought])
    assert raised.value.code == "findings-invalid"


def test_lists_of_unequal_length_and_unknown_keys_are_refused(engine: Deidentifier) -> None:
    for wrong in ([None], {"names": ["A"]}):
        with pytest.raises(DeidError) as raised:
            engine.scrub_texts(["a", "b"], known=wrong)
        assert raised.value.code == "lengths-differ"
    with pytest.raises(DeidError) as raised:
        engine.scrub_text("a", known={"nick": ["Zubrowka"]})
    assert raised.value.code == "known-invalid"
    assert "Zubrowka" not in str(raised.value)


def test_a_policy_with_surrogates_needs_its_crosswalk() -> None:
    with pytest.raises(DeidError) as raised:
        Deidentifier(policy=with_surrogates())
    assert raised.value.code == "crosswalk-missing"


def test_the_public_names_are_listed() -> None:
    assert {"scrub_text", "scrub_texts", "scrub_frame", "Deidentifier"} <= set(dir(deid))
    assert all(getattr(deid, name) is not None for name in dir(deid))


def with_surrogates() -> deid.Policy:
    policy = deid.read_policy("safe_harbor")
    word = next(w for w in policy.transforms if w.value == "mrns")
    return policy.model_copy(update={"transforms": policy.transforms | {word: "code"}})


def pandas_frame() -> object:
    import pandas as pd

    return pd.DataFrame({"mrn": ["A-771234", "A-771235"], "potassium": [4.1, 3.9]})


def test_known_values_are_found_in_addition_to_the_findings_of_the_caller(
    engine: Deidentifier,
) -> None:
    text = "Maria Quispe was seen. Quispe slept."
    known = {"names": ["Maria Quispe"]}
    one, both = {"start": 0, "end": 12, "entity": "PERSON"}, {"start": 23, "end": 29}
    with pytest.raises(DeidError) as raised:
        engine.scrub_text(text, known, [one])
    assert raised.value.code == "text-withheld"
    result = engine.scrub_text(text, known, [one, both | {"entity": "PERSON"}])
    assert result.text == "[NAME] was seen. [NAME] slept."
    assert result.verdict.supported == "none"
