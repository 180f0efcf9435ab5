"""Each weight file and each step of the decoder is needed: without it a few notes give worse
results.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.floors import EXACT as MET
from benchmarks.floors import REFERENCE, Golden, corpora, golden
from deid.evaluation.scoring import NOT_REQUIRED, GoldDocument, count_document
from recognizers import Finder
from recognizers.decide import decoding
from recognizers.decide.decision import Decision
from recognizers.decide.evidence import Atoms
from recognizers.decide.odds import CASES_RIGHT, CASES_WRONG
from recognizers.finding import LABELS
from recognizers.model.network import MANIFEST, SHIPPED, Model, ModelError

NOTES = 24
# The worst permitted results: spans that leak, clean words lost, spans found exactly with their
# type, and golden date lines met exactly.
LEAKS, LOST, EXACT, LINES = 3, 34, 784, 183
FIELD = 0x3D  # the field of a single value in a list, as protobuf writes it
SIGN = 0x80
SIDES = (CASES_WRONG, CASES_RIGHT)


@cache
def notes() -> tuple[GoldDocument, ...]:
    """The shortest notes of the everyday records corpus."""
    (own,) = (corpus for corpus in corpora() if corpus.name == "everyday records")
    return tuple(sorted(own.documents, key=lambda note: len(note.text))[:NOTES])


@cache
def lines() -> tuple[Golden, ...]:
    """The golden lines about dates."""
    return tuple(line for line in golden() if line.word == "dates")


@cache
def shipped() -> Finder:
    return Finder.load(reference_date=REFERENCE)


def score(finder: Finder) -> tuple[int, int, int, int]:
    """Leaks, clean words lost, spans found exactly, golden lines met."""
    leaks = lost = exact = 0
    for note, found in zip(notes(), finder.find_all([n.text for n in notes()]), strict=True):
        tally = count_document(note, found, NOT_REQUIRED)
        rows = [row for label, row in tally.by_label.items() if label not in NOT_REQUIRED]
        leaks += sum(row.spans - row.covered for row in rows)
        lost += tally.words - tally.kept
        spans = {(f.start, f.end, f.entity) for f in found}
        exact += sum((s.start, s.end, LABELS.get(s.label, s.label)) in spans for s in note.spans)
    told = finder.find_all([line.text for line in lines()])
    met = sum(line.judged(f) == MET for line, f in zip(lines(), told, strict=True))
    return leaks, lost, exact, met


def holds(finder: Finder) -> bool:
    """Does a finder reach the floors of these notes?"""
    leaks, lost, exact, met = score(finder)
    return leaks <= LEAKS and lost <= LOST and exact >= EXACT and met >= LINES


def test_the_shipped_engine_reaches_the_floors_of_the_notes() -> None:
    assert holds(shipped())


def of_folder(folder: Path, name: str, change: Callable[[bytes], bytes]) -> Finder:
    """A finder in which one weight file is changed, with hashes as if it were shipped."""
    for path in SHIPPED.iterdir():
        os.link(path, folder / path.name)
    data = change((SHIPPED / name).read_bytes())
    manifest = json.loads((SHIPPED / MANIFEST).read_text("utf-8"))
    manifest["files"][name] = hashlib.sha256(data).hexdigest()
    for file, content in ((name, data), (MANIFEST, json.dumps(manifest).encode())):
        (folder / file).unlink()
        (folder / file).write_bytes(content)
    model = Model.load(folder)
    return replace(shipped(), model=model, decision=Decision.load(model))


def blank(data: bytes) -> bytes:
    """Set a tenth of the weights, in the middle of the file, to zero."""
    first, size = len(data) // 2, len(data) // 10
    return data[:first] + bytes(size) + data[first + size :]


def negated(data: bytes) -> bytes:
    """Negate every leaf of the decision trees."""
    changed = bytearray(data)
    place = data.index(b"target_weights") + len(b"target_weights")
    assert changed[place] == FIELD
    while changed[place] == FIELD:
        changed[place + 4] ^= SIGN
        place += 5
    return bytes(changed)


def halved(data: bytes) -> bytes:
    """Divide every leaf of the decision trees by two or more."""
    changed = bytearray(data)
    place = data.index(b"target_weights") + len(b"target_weights")
    while changed[place] == FIELD:
        changed[place + 3] = max(changed[place + 3] - SIGN, 0)
        place += 5
    return bytes(changed)


def exchanged(data: bytes) -> bytes:
    """Exchange, for each row, how often it was right and wrong."""
    head, *lines = data.decode().splitlines()
    parts = [line.rsplit(",", 2) for line in lines]
    return "\n".join([head, *(f"{key},{right},{wrong}" for key, wrong, right in parts)]).encode()


def counts_exchanged(data: bytes) -> bytes:
    """Exchange, for each word, how often it was and was not part of an identifier."""
    with np.load(BytesIO(data)) as told:
        arrays = {name: told[name] for name in told.files}
    turned = {
        name: arrays[name.replace(*sides)] if sides[0] in name else array
        for name, array in arrays.items()
        for sides in [SIDES if CASES_WRONG in name else SIDES[::-1]]
    }
    file = BytesIO()
    np.savez_compressed(file, **turned)
    return file.getvalue()


@pytest.mark.parametrize(
    ("file", "change"),
    [
        ("model.onnx", blank),
        ("default_trees.onnx", negated),
        ("default_trees.onnx", halved),
        ("rows.csv", exchanged),
        ("words.npz", counts_exchanged),
    ],
)
def test_changed_weights_are_detected(
    file: str, change: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    try:
        finder = of_folder(tmp_path, file, change)
    except ModelError:
        return
    assert not holds(finder)


def never(*_: Any) -> bool:
    return False


def always(*_: Any) -> bool:
    return True


def nothing(*_: Any) -> None:
    return None


def uncut(text: str, _: Any) -> Atoms:
    return CUT(text, ())


def edgeless(_: Any, sure: list[int], *__: Any) -> list[int]:
    return sure


CUT = Atoms.of


@pytest.mark.parametrize(
    ("owner", "name", "other"),
    [
        (decoding, "joined", never),
        (decoding, "joined", always),
        (decoding, "with_edges", edgeless),
        (decoding.Edges, "add", nothing),
        (decoding, "UNLABELLED", slice(0, 3)),
        (Atoms, "of", uncut),
    ],
    ids=[
        "never joined",
        "always joined",
        "no weaker edges",
        "no edges",
        "no labels",
        "uncut atoms",
    ],
)
def test_a_changed_decoder_is_detected(
    owner: Any, name: str, other: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, name, other)
    assert not holds(shipped())


@pytest.mark.parametrize("factor", [0.2, 3.0])
def test_a_changed_threshold_is_detected(factor: float) -> None:
    decision = shipped().decision
    assert decision is not None
    least = min(decision.threshold.least * factor, 0.99)
    other = replace(decision, threshold=replace(decision.threshold, least=least))
    assert not holds(replace(shipped(), decision=other))
