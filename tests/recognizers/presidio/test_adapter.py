"""Presidio is the plug-in interface: its recognizers work in our finder, and ours work in its
engine.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from presidio_analyzer import Pattern, PatternRecognizer

from benchmarks.floors import REFERENCE, corpora
from recognizers import Finder, RecognizerError, analyzer, read_registry
from recognizers.model.network import Model, ModelOutput, read_all
from recognizers.presidio.adapter import EntityRecognizer
from safe_harbor import Identifier

TEXT = "Seen by Dr. Okafor on 03/14/2023, MRN 00472913, ward code WX-7."


def hospital() -> PatternRecognizer:
    return PatternRecognizer("WARD_CODE", name="Wards", patterns=[Pattern("ward", r"WX-\d", 0.9)])


def test_a_hospitals_recognizer_plugs_into_the_finder() -> None:
    finder = Finder.load(model=False, extra_recognizers=[hospital()])
    (ward,) = [f for f in finder.find(TEXT) if f.source == "Wards"]
    assert TEXT[ward.start : ward.end] == "WX-7"
    assert (ward.identifier, ward.entity) == (Identifier.OTHERS, "WARD_CODE")


def test_a_registry_file_plugs_into_the_finder(tmp_path: Path) -> None:
    path = tmp_path / "registry.yaml"
    path.write_text(
        "supported_languages: [en]\nglobal_regex_flags: 26\nrecognizers:\n"
        "  - name: Wards\n    type: custom\n    supported_entity: WARD_CODE\n"
        "    supported_languages: [{language: en}]\n"
        "    patterns: [{name: ward, regex: 'WX-[0-9]', score: 0.9}]\n",
        "utf-8",
    )
    finder = Finder.load(model=False, extra_recognizers=read_registry(path))
    assert any(f.entity == "WARD_CODE" for f in finder.find(TEXT))


def test_our_recognizers_plug_into_a_plain_analyzer() -> None:
    results = analyzer().analyze(TEXT, "en")
    found = {(r.entity_type, TEXT[r.start : r.end]) for r in results}
    assert ("PERSON", "Okafor") in found
    assert ("DATE_TIME", "03/14/2023") in found
    assert ("MEDICAL_RECORD_NUMBER", "00472913") in found


def test_the_search_imports_presidio_only_for_plugged_in_recognizers() -> None:
    """Importing Presidio takes longer than everything that the first finding needs."""
    script = (
        "import json, sys; from recognizers import Finder; "
        "found = Finder.load().find('Seen by Dr. Okafor'); "
        "print(json.dumps([len(found), [m for m in ('presidio_analyzer', 'spacy') "
        "if m in sys.modules]]))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert json.loads(done.stdout) == [1, []]


def covered(spans: list[tuple[int, int]]) -> set[int]:
    return {place for start, end in spans for place in range(start, end)}


def test_the_analyzer_covers_what_the_finder_covers_on_every_corpus() -> None:
    finder, engine = Finder.load(reference_date=REFERENCE), analyzer(reference_date=REFERENCE)
    for corpus in corpora():
        texts = corpus.texts[::4]
        for text, found in zip(texts, finder.find_all(texts), strict=True):
            results = covered([(r.start, r.end) for r in engine.analyze(text, "en")])
            assert results == covered([(f.start, f.end) for f in found]), corpus.name


def test_the_analyzer_returns_the_requested_entity_types() -> None:
    results = analyzer().analyze(TEXT, "en", entities=["DATE_TIME"])
    assert {r.entity_type for r in results} == {"DATE_TIME"}


def test_a_hospitals_recognizer_adds_to_the_analyzer() -> None:
    results = analyzer([hospital()], model=False).analyze(TEXT, "en")
    assert {"WARD_CODE", "PERSON"} <= {r.entity_type for r in results}


def test_the_finder_names_its_recognizers() -> None:
    sources = Finder.load(extra_recognizers=[hospital()]).sources
    assert sources[0] == "names" and sources[-2:] == ("model", "Wards")


def test_none_of_presidios_own_recognizers_is_loaded() -> None:
    modules = {type(r).__module__ for r in analyzer(model=False).registry.recognizers}
    assert modules and all(m.startswith("recognizers.") for m in modules)


class Broken(EntityRecognizer):
    def load(self) -> None:
        pass

    def analyze(self, text, entities, nlp_artifacts=None):  # type: ignore[no-untyped-def]
        raise KeyError(text)


def test_a_failure_names_the_recognizer_and_never_the_text() -> None:
    finder = Finder.load(model=False, extra_recognizers=[Broken(["X"], name="Broken")])
    with pytest.raises(RecognizerError) as caught:
        finder.find(TEXT)
    assert caught.value.recognizer == "Broken"
    assert "Okafor" not in repr(caught.value)
    assert caught.value.__cause__ is None and caught.value.__suppress_context__


def test_a_failing_document_is_reported_and_the_others_are_searched() -> None:
    class Fussy(Broken):
        def analyze(self, text, entities, nlp_artifacts=None):  # type: ignore[no-untyped-def]
            if "BAD" in text:
                raise KeyError(text)
            return []

    finder = Finder.load(model=False, extra_recognizers=[Fussy(["X"], name="Fussy")])
    faults: list[tuple[int, str]] = []
    found = finder.find_all(
        ["BAD", TEXT], on_fault=lambda number, error: faults.append((number, error.recognizer))
    )
    assert faults == [(0, "Fussy")]
    assert found[0] == () and found[1]


def test_a_model_that_fails_on_one_document_fails_that_one_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def read(model: Model, texts: list[str]) -> list[ModelOutput]:
        if any("BAD" in text for text in texts):
            raise ValueError(texts)
        return read_all(model, texts)

    monkeypatch.setattr("recognizers.search.read_all", read)
    finder = Finder.load()
    faults: list[tuple[int, str]] = []
    found = finder.find_all(
        [TEXT, "BAD"], on_fault=lambda number, error: faults.append((number, error.recognizer))
    )
    assert faults == [(1, "model")] and found[0] and found[1] == ()
