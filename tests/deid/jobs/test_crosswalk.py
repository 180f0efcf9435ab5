"""A job that draws codes: the same crosswalk and the same bytes, with any number of workers."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_extract import KnownOnly, coded_policy, digest, job

from deid.crosswalk import Crosswalk, open_for_job, verify
from deid.crosswalk.keys.master_keys import create_key_file
from deid.jobs import run_job
from deid.jobs.local import local_workers


def _run(folder: Path, extract: Path, out: str, workers: int, resume: bool = False) -> str:
    wanted = job(extract, folder / out, policy=coded_policy(), workers=workers, resume=resume)
    with open_for_job(folder / "book.db", folder / "key") as (desk, account):
        release = run_job(wanted, KnownOnly(), allocate=desk, crosswalk=account)
    assert release.exit_code == 0
    return digest(folder / out)


def test_with_an_existing_crosswalk_the_released_bytes_are_the_same(
    extract: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = create_key_file(tmp_path / "key")
    Crosswalk.create(tmp_path / "book.db", key).close()
    first = _run(tmp_path, extract, "first", 2)
    assert _run(tmp_path, extract, "second", 0) == _run(tmp_path, extract, "third", 3)
    assert _run(tmp_path, extract, "again", 2) == first
    left = [4]
    really = local_workers.stage_file

    def stage_file(*arguments: object) -> object:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return really(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(local_workers, "stage_file", stage_file)
    with pytest.raises(KeyboardInterrupt):
        _run(tmp_path, extract, "resumed", 0)
    left[0] = 99
    assert _run(tmp_path, extract, "resumed", 2, resume=True) == first
    with Crosswalk.open(tmp_path / "book.db", key) as book:
        assert verify(book) == ()
