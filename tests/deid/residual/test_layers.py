"""The quick checks before the search of a text rule out nothing that the text holds."""

from __future__ import annotations

import base64
import hashlib
import random
import re
import unicodedata

import numpy as np
import pytest

from deid.people.sorted_pages import SortedPages
from deid.residual.folding import fold_text
from deid.residual.layers import text_layers
from deid.residual.packed.cell_matches import _places_in, _sorted_distinct
from deid.residual.packed.hashed_runs import HashFilter, HashSet, TextRuns
from deid.residual.packed.paged_hashes import PagedHashes
from deid.residual.packed.patient_forms import PatientForms, packed_patients
from deid.residual.residues import mask_residues
from deid.residual.sweep import digests_shown

NOTE = "The caller was Theodora Quartermaine of 118 Canal Street, and she asked for the refill."


@pytest.mark.parametrize("width", [60, 64, 76])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r\n\t", "\n "])
def test_folded_lines_are_decoded_as_one(width: int, end: str) -> None:
    coded = base64.b64encode(NOTE.encode()).decode()
    lines = [coded[start : start + width] for start in range(0, len(coded), width)]
    texts = [text for _, text in text_layers(f"X-Part:\n{end.join(lines)}\n{'k' * 60}Q")]
    assert any(NOTE in text for text in texts)


def test_base64_for_addresses_is_decoded_as_one() -> None:
    told = "seen on? Zoë Theodora>? Quartermaine?>? of Canal Street??>"
    for start in range(3):
        coded = base64.urlsafe_b64encode(told[start:].encode()).decode()
        assert {"_", "-"} & {*coded[9:-9]}
        texts = text_layers(f"/page?next={coded}&x=1")
        assert any(told[start:] in text for _, text in texts)


@pytest.mark.parametrize("digest", [hashlib.md5, hashlib.sha1, hashlib.sha256])
@pytest.mark.parametrize("written", [str.lower, str.upper])
def test_a_digest_beside_other_text_is_shown(digest, written) -> None:
    code = digest(NOTE.encode()).hexdigest()
    assert digests_shown(f"é id={written(code)};{code[:31]} x") == [(3, code)]
    assert digests_shown(f"id={code[:31]} {code[:31]}") == []


def test_runs_of_other_scripts_are_folded_like_the_whole_text() -> None:
    chance = random.Random(5)
    for _ in range(500):
        text = "".join(chance.choices("aZ1 -e\u0301\u200béﬁÅñ̃中가ﾞｶ", k=12))
        whole = unicodedata.normalize("NFKD", text)
        kept = (c for c in whole if c != "\u200b" and not "\u0300" <= c <= "\u036f")
        assert fold_text(text) == "".join(kept)


def test_hashes_in_pages_are_those_of_the_set() -> None:
    some = np.random.default_rng(3).integers(0, 1 << 64, 60_000, np.uint64)
    known = np.unique(some[:1500])
    paged = PagedHashes(SortedPages(np.dtype(np.uint8), [(known, np.zeros(len(known)))]))
    asked = np.concatenate([some[::-1], some[:9]])
    assert paged.places(asked).tolist() == np.flatnonzero(np.isin(asked, known)).tolist()


def test_the_longest_form_of_all_patients_is_known() -> None:
    patients = PatientForms()
    for packed in packed_patients([("a", ["x" * 30, "y"], ()), ("b", ["z"], ()), ("c", [], ())]):
        patients.add(packed)
    assert patients.longest == 30


@pytest.mark.parametrize("count", [1, 2, 5000])
def test_no_hash_of_a_set_is_missed(count: int) -> None:
    edges = [0, 1, 7, 8, (1 << 63) - 1, 1 << 63, (1 << 64) - 8, (1 << 64) - 1]
    some = np.random.default_rng(count).integers(0, 1 << 64, count, np.uint64)
    for edge in edges:
        known = np.unique(np.append(some, np.uint64(edge)))
        assert HashSet(known).places(known).tolist() == [*range(len(known))]
        parted = HashFilter(len(known), (known[start::3] for start in range(3)))
        assert parted.places(known).tolist() == [*range(len(known))]
    assert HashSet(some[:0]).places(some).tolist() == []


def test_runs_are_those_of_letters_and_of_digits() -> None:
    for text in ("", "a", "-", "ab12 c", "é9é", " x1-", "7", "--z9", "q--"):
        runs = TextRuns.of(text)
        told = [text[start:end] for start, end in runs.spans(0, len(runs.starts))]
        assert told == re.findall("[a-z]+|[0-9]+", text)
        assert runs.stream.tobytes() == "".join(told).encode()
        assert runs.stops.tolist() == np.cumsum([0, *map(len, told)]).tolist()


def test_ninety_and_over_is_masked_but_no_longer_number() -> None:
    assert mask_residues("90+ 190+ a90+ [NAME]") == "\x1a\x1a\x1a 190+ a\x1a\x1a\x1a " + "\x1a" * 6


def test_sorted_values_are_looked_up_like_a_set() -> None:
    values = np.random.default_rng(2).integers(0, 50, 40).astype(np.uint64)
    known, asked = _sorted_distinct(values), np.arange(60, dtype=np.uint64)
    assert known.tolist() == sorted(set(values.tolist()))
    at, held = _places_in(known, asked)
    assert held.tolist() == [n in set(values.tolist()) for n in range(60)]
    assert (known[at[held]] == asked[held]).all()
    assert not _places_in(known[:0], asked)[1].any()
