"""Bytes spilled to disk are read back, in this process and in forked ones."""

from __future__ import annotations

import os
import random

import pytest

from deid.spool import Spill


@pytest.mark.parametrize("held", [0, 10, 1 << 20])
def test_appended_bytes_are_read_back(held):
    chance = random.Random(3)
    parts = [bytes(chance.choices(range(256), k=chance.randrange(500))) for _ in range(200)]
    spill = Spill(held)
    places = [spill.append(part) for part in parts]
    whole = b"".join(parts)
    assert len(spill) == len(whole)
    assert [spill.read(at, len(p)) for at, p in zip(places, parts, strict=True)] == parts
    assert spill.read(len(whole) - 3, 99) == whole[-3:]
    assert spill.is_on_disk == (held < 1 << 20)
    assert spill.read(5, 30_000) == whole[5:30_005]
    assert str(whole[:4]) not in repr(spill)


def test_a_forked_process_reads_but_does_not_append():
    spill = Spill(4)
    spill.append(b"0123456789" * 2000)
    reads, writes = os.pipe()
    if not (child := os.fork()):
        told = spill.read(2, 5)
        try:
            spill.append(b"x")
        except OSError:
            told += b" refused"
        os.write(writes, told)
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reads, 99) == b"23456 refused"
    assert spill.read(2, 5) == b"23456"
    for end in (reads, writes):
        os.close(end)


def test_the_spill_file_has_no_name(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    spill = Spill(0)
    spill.append(b"Quartermaine" * 1000)
    assert list(tmp_path.rglob("*")) == []
    assert spill.is_on_disk and spill.read(0, 12) == b"Quartermaine"


def test_a_copy_for_other_machines_is_encrypted_and_made_once(tmp_path):
    spill = Spill(0)
    spill.append(b"Quartermaine" * 1000)
    shared = spill.share_in(tmp_path)
    assert spill.share_in(tmp_path) == shared
    (copy,) = tmp_path.iterdir()
    assert b"Quartermaine" not in copy.read_bytes()
    assert copy.stat().st_mode & 0o077 == 0
    other = Spill.of_shared(shared)
    assert other.read(0, len(other)) == b"Quartermaine" * 1000
    with pytest.raises(OSError, match="not permitted"):
        other.append(b"x")


def test_an_altered_or_exchanged_block_is_not_read(tmp_path):
    spill = Spill(0)
    spill.append(b"Quartermaine" * 2000)
    shared = spill.share_in(tmp_path)
    (copy,) = tmp_path.iterdir()
    data = copy.read_bytes()
    half = len(data) // 2
    for other in (data[half:] + data[:half], b"?" + data[1:], data[: half - 1]):
        copy.write_bytes(other)
        with pytest.raises(OSError, match="error"):
            Spill.of_shared(shared).read(0, 20_000)
