"""A full disk and a read-only disk: each is reported as such, and no partial output remains."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_extract import KnownOnly, job, write_extract

from deid.errors import DeidError
from deid.jobs import run_job
from deid.jobs.local import file_worker as running


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A separate file system of 128 KiB."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(place)]
    if os.geteuid() or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


@pytest.mark.parametrize("workers", [0, 2])
def test_a_full_disk_ends_the_job_and_its_space_is_freed(
    small_disk: Path, tmp_path: Path, workers: int
) -> None:
    source = write_extract(tmp_path / "in", patients=90, notes=400)
    with pytest.raises(OSError) as told:
        run_job(job(source, small_disk / "out", workers=workers), KnownOnly())
    assert told.value.errno == errno.ENOSPC
    assert told.value.filename is None, "the path of a file is no message"
    assert list(small_disk.iterdir()) == []


@pytest.mark.parametrize("room", [0, 4096, 12288])
def test_a_disk_without_room_for_the_ledger_is_left_unchanged(
    small_disk: Path, extract: Path, room: int
) -> None:
    (small_disk / "full").write_bytes(bytes((128 << 10) - room))
    with pytest.raises(OSError) as told:
        run_job(job(extract, small_disk / "out"), KnownOnly())
    assert told.value.errno == errno.ENOSPC
    assert [path.name for path in small_disk.iterdir()] == ["full"]


def test_a_read_only_disk_is_reported(small_disk: Path, extract: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with pytest.raises(DeidError) as refused:
        run_job(job(extract, small_disk / "out"), KnownOnly())
    assert refused.value.code == "out-not-writable"


@pytest.mark.parametrize("workers", [0, 2])
def test_a_disk_that_fills_up_while_a_file_is_written_ends_the_job(
    extract: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "no room", "a path")

    monkeypatch.setattr(running, "_rename", full)
    with pytest.raises(OSError) as told:
        run_job(job(extract, tmp_path / "out", workers=workers), KnownOnly())
    assert told.value.errno == errno.ENOSPC
    assert list(tmp_path.iterdir()) == [extract]
