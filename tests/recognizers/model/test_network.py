"""The shipped model: it loads completely or not at all, reads texts to their end, and gives
reproducible results.
"""

from __future__ import annotations

import json
import platform
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recognizers.decide.decision import Decision
from recognizers.evidence.register import Rules
from recognizers.finding import ENTITIES, Finding
from recognizers.model.network import (
    MANIFEST,
    SHIPPED,
    TOKENIZER,
    Model,
    ModelError,
    arithmetic,
)
from recognizers.search import Finder

MOST_PACKED = 20_000_000
NOTE = """Larkmoor Regional Medical Center
Patient: Okafor, Chiamaka J.   MRN: 00482913   DOB: 04/02/1961
Ms. Okafor was admitted on March 3, 2024 with heart failure. Her daughter Ngozi can be reached at
(419) 555-0133. Lasix 40 mg BID, Hodgkin lymphoma in remission, CHA2DS2-VASc 4.
"""
NETWORKS = json.loads((SHIPPED / MANIFEST).read_text("utf-8"))["networks"]
NETWORK, FAST_NETWORK = NETWORKS["default"]["file"], NETWORKS["fast"]["file"]
FILLER = "The lungs are clear to auscultation and the abdomen is soft. Sodium 138, potassium 4.2.\n"


@pytest.fixture(scope="module", params=[False, True], ids=["default", "fast"])
def model(request: pytest.FixtureRequest) -> Model:
    return Model.load(fast=request.param)


def found_by(model: Model, texts: list[str]) -> list[tuple[Finding, ...]]:
    """The findings of the decision from the network alone."""
    return Finder(Rules(), model, decision=Decision.load(model)).find_all(texts)


def values(model: Model, text: str) -> set[str]:
    return {text[f.start : f.end] for f in found_by(model, [text])[0]}


def test_the_network_finds_names_by_context_and_keeps_medical_words(model: Model) -> None:
    found = " | ".join(sorted(values(model, NOTE)))
    for value in ("Chiamaka", "00482913", "04/02/1961", "Ngozi", "555-0133"):
        assert value in found
    for word in ("Lasix", "Hodgkin", "lymphoma", "VASc"):
        assert word not in found


def test_findings_of_the_network_have_their_types_and_source(model: Model) -> None:
    found = found_by(model, [NOTE])[0]
    assert {f.source for f in found} == {"model"}
    assert all(ENTITIES[f.entity] is f.identifier for f in found)
    assert any(f.entity == "MEDICAL_RECORD_NUMBER" for f in found)


def test_the_end_of_a_text_of_two_megabytes_is_read(model: Model) -> None:
    text = FILLER * (2_000_000 // len(FILLER)) + NOTE
    found = found_by(model, [text])[0]
    tail = len(text) - len(NOTE)
    alone = {(f.start + tail, f.end + tail) for f in found_by(model, [NOTE])[0]}
    assert {text[f.start : f.end] for f in found if f.start >= tail} >= {"Ngozi", "00482913"}
    assert len(alone & {(f.start, f.end) for f in found}) >= len(alone) - 2


def test_findings_of_the_network_do_not_depend_on_the_batch(model: Model) -> None:
    texts = [NOTE, "", "Seen by Dr. Halloran.", FILLER * 40 + NOTE, NOTE.upper(), NOTE.lower()]
    together = found_by(model, texts)
    assert together == [found_by(model, [text])[0] for text in texts]
    assert found_by(model, texts[::-1]) == together[::-1]


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=80),
            st.sampled_from(
                ["Okafor\u200b,", "０１/02/1933", "MRN\t", "\r\n", "😀", "x" * 300, NOTE]
            ),
        ),
        max_size=8,
    )
)
def test_any_text_gives_ordered_disjoint_findings_inside_it(model: Model, parts: list[str]) -> None:
    text = " ".join(parts)
    end = 0
    for finding in found_by(model, [text])[0]:
        assert end <= finding.start < finding.end <= len(text)
        assert any(map(str.isalnum, text[finding.start : finding.end]))
        end = finding.end


def test_the_network_accepts_an_empty_list_of_texts(model: Model) -> None:
    assert found_by(model, []) == []
    assert found_by(model, ["", " \n "]) == [(), ()]


def _remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def _alter(name: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        content = bytearray((folder / name).read_bytes())
        content[len(content) // 2] ^= 1
        (folder / name).write_bytes(content)

    return change


def _manifest(**changes: Any) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        row = json.loads((folder / MANIFEST).read_text()) | changes
        (folder / MANIFEST).write_text(json.dumps(row))

    return change


@pytest.mark.parametrize(
    ("harm", "code", "place"),
    [
        (_remove(NETWORK), "model-missing", NETWORK),
        (_remove(TOKENIZER), "model-missing", TOKENIZER),
        (_remove(MANIFEST), "model-missing", MANIFEST),
        (_alter(NETWORK), "model-altered", NETWORK),
        (_alter(TOKENIZER), "model-altered", TOKENIZER),
        (_remove(FAST_NETWORK), "model-missing", FAST_NETWORK),
        (_alter(FAST_NETWORK), "model-altered", FAST_NETWORK),
        (_manifest(files={}), "model-altered", MANIFEST),
        (_manifest(networks={}), "model-altered", MANIFEST),
        (_manifest(labels=["NAME", "SHOE_SIZE"]), "model-altered", MANIFEST),
        (lambda folder: (folder / MANIFEST).write_text("{"), "model-altered", MANIFEST),
    ],
)
def test_an_incomplete_or_altered_model_is_refused(
    tmp_path: Path, harm: Callable[[Path], None], code: str, place: str
) -> None:
    folder = tmp_path / "models"
    shutil.copytree(SHIPPED, folder)
    harm(folder)
    with pytest.raises(ModelError) as caught:
        Model.load(folder)
    assert (caught.value.code, caught.value.place, caught.value.exit_code) == (code, place, 2)
    assert caught.value.hint


def test_a_complete_copy_of_the_model_loads(tmp_path: Path) -> None:
    shutil.copytree(SHIPPED, tmp_path / "copy")
    assert found_by(Model.load(tmp_path / "copy"), [NOTE]) == found_by(Model.load(), [NOTE])


def test_shipped_files_stay_under_their_size_limit() -> None:
    """As compressed in a wheel; together with the word lists the limit is 25 MB."""
    packed = (zlib.compress(path.read_bytes(), 6) for path in SHIPPED.iterdir())
    assert sum(map(len, packed)) <= MOST_PACKED


@pytest.mark.skipif(platform.machine() != "x86_64", reason="Arm rounds otherwise")
@pytest.mark.parametrize("fast", [False, True], ids=["default", "fast"])
def test_the_arithmetic_is_that_of_the_manifest(fast: bool) -> None:
    """The exporting machine and this one need not be alike: processors with AVX2 and FMA, and all
    later ones, agree.
    """
    assert arithmetic(fast=fast) == NETWORKS["fast" if fast else "default"]["arithmetic"]
