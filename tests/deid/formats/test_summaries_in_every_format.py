"""The shipped discharge summaries in every format of documents, in one job with their table."""

from __future__ import annotations

import json
from datetime import date
from difflib import SequenceMatcher
from hashlib import sha256
from pathlib import Path

import pytest

from corpora.documents import RENDERED, SUMMARIES
from deid.formats import Record, open_source
from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from deid.release.releasing import Release
from deid.text.engine import load_finder

DAY = date(2026, 11, 21)
KNOWN = (
    "mrn,last_name,first_name,birth_date,account_no\n"
    "00441672,Olejniczak,Hubert,1951-07-19,7700219453\n"
    "6683204,Kealoha,Rose,1929-05-01,\n"
)
OURS = ("olejniczak", "hubert", "00441672", "7700219453", "kealoha", "6683-204", "6683204")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    folder = tmp_path_factory.mktemp("summaries")
    (folder / "in").mkdir()
    (folder / "known.csv").write_text(KNOWN)
    for path in SUMMARIES.glob("*.txt"):
        text = path.read_text("utf-8")
        (folder / "in" / path.name).write_text(text, "utf-8")
        for suffix, render in RENDERED.items():
            stem = f"{path.stem}-{suffix[1:]}"
            (folder / "in" / f"{stem}{suffix}").write_bytes(render(text))
    job = Job(
        (folder / "in",), folder / "out", read_policy("safe_harbor"), DAY,
        known=(folder / "known.csv",), patient_key="mrn",
    )  # fmt: skip
    return run_job(job, load_finder(DAY))


def test_one_job_releases_all_of_them(release: Release) -> None:
    manifest = release.manifest
    assert release.exit_code == 0
    assert manifest["records_in"] == manifest["records_out"] == 10 * (len(RENDERED) + 1)
    assert manifest["residual"]["hits"] == 0 and manifest["residual"]["known_values"] > 0


def test_no_known_value_is_left_in_any_format(release: Release) -> None:
    for text in _texts(release.out).values():
        assert not [value for value in OURS if value in text.lower()]


def test_every_format_leaves_as_the_plain_text_does(release: Release) -> None:
    """At most one word in 200 differs: where lines end, a few findings do, too."""
    texts = _texts(release.out)
    differing = total = 0
    for first in range(1, len(texts), len(RENDERED) + 1):
        own = [texts[first + n].split() for n in range(len(RENDERED) + 1)]
        plain = own[-1]  # `summary-01.txt` comes behind `summary-01-rtf.rtf`
        for words in own:
            matching = SequenceMatcher(None, plain, words, autojunk=False).get_matching_blocks()
            differing += max(len(plain), len(words)) - sum(block.size for block in matching)
            total += len(plain)
    assert total > 10_000
    assert differing / total < 0.005


def _texts(out: Path | None) -> dict[int, str]:
    """The released text of each input, by its ordinal."""
    assert out is not None
    outputs = json.loads((out / "_release" / "manifest.json").read_text())["outputs"]
    texts, files = {}, [p for p in out.iterdir() if p.is_file()]
    for path in files:
        (record,) = open_source(path).records()
        assert isinstance(record, Record)
        texts[sha256(path.read_bytes()).hexdigest()] = record.cells[-1] or ""
    assert len(files) == len(outputs)
    return {int(ordinal): texts[told["sha256"]] for ordinal, told in outputs.items()}
