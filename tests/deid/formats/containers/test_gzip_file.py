"""A gzipped file is read as the file inside it; the name and time in the gzip header are not
released.
"""

from __future__ import annotations

import gzip
from datetime import date
from pathlib import Path

import pytest

from deid.errors import DeidError
from deid.formats import members_of, open_source
from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from recognizers import Finder

DAY = date(2026, 11, 21)
TABLE = b"PATIENT_ID,FIRST,LAST,SEX\nK-100417,Oda,Brandvold,F\nK-100418,Sven,Quillon,M\n"


def _packed(path: Path, data: bytes = TABLE) -> Path:
    with path.open("wb") as raw, gzip.GzipFile("Oda_Brandvold.csv", "wb", 6, raw) as file:
        file.write(data)
    return path


def test_a_gzipped_file_reads_as_the_file_inside(tmp_path: Path) -> None:
    path = _packed(tmp_path / "patients.csv.gz")
    assert members_of(path) == ("patients.csv",)
    assert open_source(path, None, "patients.csv").columns == ("PATIENT_ID", "FIRST", "LAST", "SEX")


def test_a_scrubbed_file_is_gzipped_again_with_the_same_bytes_each_time(tmp_path: Path) -> None:
    path = _packed(tmp_path / "patients.csv.gz")
    finder = Finder.load(model=False, reference_date=DAY)
    outs = []
    for name in ("one", "two"):
        release = run_job(Job((path,), tmp_path / name, read_policy("safe_harbor"), DAY), finder)
        assert release.exit_code == 0
        outs.append((tmp_path / name / "patients.csv.gz").read_bytes())
    assert outs[0] == outs[1]
    assert b"Brandvold" not in outs[0]
    lines = gzip.decompress(outs[0]).splitlines()
    assert len(lines) == 3 and b"Brandvold" not in b"".join(lines)


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("cut.csv.gz", gzip.compress(TABLE, mtime=0)[:-12], "broken-archive"),
        ("plain.csv.gz", TABLE, "broken-archive"),
        ("flipped.csv.gz", gzip.compress(TABLE, mtime=0)[:-8] + b"\0" * 8, "broken-archive"),
        ("bomb.csv.gz", gzip.compress(b"\0" * (1 << 23), mtime=0), "archive-too-large"),
        (
            "inner.zip.gz",
            gzip.compress(b"PK\x05\x06" + b"\0" * 18, mtime=0),
            "container-in-archive",
        ),
        ("inner.exe.gz", gzip.compress(b"MZ", mtime=0), "unknown-format"),
    ],
)
def test_broken_gzip_data_is_refused(tmp_path: Path, name: str, data: bytes, code: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(DeidError) as caught:
        open_source(path, None, members_of(path)[0])
    assert caught.value.code == code


def test_a_gzipped_file_without_a_telling_suffix_is_read_by_its_content(
    tmp_path: Path,
) -> None:
    path = _packed(tmp_path / "backup.gz")
    assert open_source(path, None, "backup").columns == ("PATIENT_ID", "FIRST", "LAST", "SEX")
