"""The spaCy component: its entities cover every finding completely."""

from __future__ import annotations

import importlib
import tomllib
from pathlib import Path

import pytest
import spacy
from spacy.tokens import Doc, Span

from recognizers import Finder, Finding
from recognizers.presidio.spacy_component import FindingComponent, make_component
from safe_harbor import Identifier

ROOT = Path(__file__).resolve().parents[3]
TEXTS = ["Seen by Dr. Okafor on 03/14/2023.", "", "Call Mrs. Quispe at 715-555-0142."]


@pytest.fixture(scope="module")
def finder() -> Finder:
    return Finder.load(model=False)


def test_every_finding_is_covered_and_described(finder: Finder) -> None:
    nlp = spacy.blank("en")
    component = FindingComponent(finder)
    docs = list(component.pipe(map(nlp, TEXTS), batch_size=2))
    assert [doc.text for doc in docs] == TEXTS
    for doc in docs:
        for finding in finder.find(doc.text):
            [span] = [one for one in doc.ents if one.start_char <= finding.start < one.end_char]
            assert finding.end <= span.end_char
            assert span.label_ == finding.entity
            assert span._.identifier == finding.identifier.value
            assert (span._.deid_score, span._.deid_source) == (finding.score, finding.source)
    assert "names" in {span._.identifier for span in docs[0].ents}
    assert "phones" in {span._.identifier for span in docs[2].ents}


def test_findings_in_one_token_become_one_span_and_other_entities_stay(finder: Finder) -> None:
    doc = Doc(spacy.blank("en").vocab, words=["RuizMRN7", "has", "asthma"])
    doc.ents = [Span(doc, 0, 1, "ID"), Span(doc, 2, 3, "DISEASE")]
    found = [
        Finding(0, 4, Identifier.NAMES, "PERSON", 0.9, "a"),
        Finding(4, 8, Identifier.MRNS, "MEDICAL_RECORD_NUMBER", 0.8, "b"),
    ]
    FindingComponent(finder).annotated(doc, found)
    assert [(span.start, span.end) for span in doc.ents] == [(0, 1), (2, 3)]
    assert doc.ents[0]._.identifier == "mrns" and doc.ents[1].label_ == "DISEASE"


def test_the_entry_point_is_the_factory() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    module, name = project["entry-points"]["spacy_factories"]["safe_harbor_deid"].split(":")
    assert getattr(importlib.import_module(module), name) is make_component
    assert spacy.blank("en").has_factory("safe_harbor_deid")
