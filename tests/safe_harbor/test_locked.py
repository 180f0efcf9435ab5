"""Commands work only with the installed tables and lists, and refuse altered ones."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from safe_harbor import TableError, check_files, read_hashes
from safe_harbor.locked import LOCK, hashes_of, write_hashes

ROOT = Path(__file__).parents[2]
PACKAGES = ("safe_harbor", "recognizers", "deid")


@pytest.mark.parametrize("name", PACKAGES)
def test_the_lock_matches_the_files(name: str) -> None:
    package = ROOT / name
    assert read_hashes(package) == hashes_of(package), "run `make hashes` if the change is meant"


def _copy(name: str, to: Path) -> Path:
    """A copy of a package made of links, so that one file can be altered."""
    return Path(shutil.copytree(ROOT / name, to / name, copy_function=os.symlink))


def _alter(path: Path, content: bytes) -> None:
    path.unlink()
    path.write_bytes(content)


@pytest.mark.parametrize("name", PACKAGES)
def test_every_altered_or_missing_file_is_refused(name: str, tmp_path: Path) -> None:
    package = _copy(name, tmp_path)
    check_files(package)
    for number, file in enumerate(read_hashes(package)):
        # One package for each file, because a package is checked only once in a process.
        mine = tmp_path / str(number) / name
        (mine / file).parent.mkdir(parents=True)
        content = (package / file).read_bytes()
        shutil.copy(package / LOCK, mine / LOCK)
        others = [other for other in read_hashes(package) if other != file]
        for other in others:
            (mine / other).parent.mkdir(parents=True, exist_ok=True)
            (mine / other).symlink_to((package / other).resolve())
        for code in ("table-missing", "table-altered"):
            with pytest.raises(TableError) as refused:
                check_files(mine)
            assert (refused.value.code, refused.value.place) == (code, f"{name}/{file}")
            (mine / file).write_bytes(content[:-1])
        (mine / file).write_bytes(content)
        check_files(mine)


@pytest.mark.parametrize("damage", ["gone", "empty", "other columns", "not text"])
def test_a_damaged_lock_is_refused(damage: str, tmp_path: Path) -> None:
    package = tmp_path / "p"
    package.mkdir()
    (package / "t.csv").write_text("a\n")
    write_hashes(package)
    assert list(read_hashes(package)) == ["t.csv"]
    content = {"empty": b"", "other columns": b"a,b\n1,2\n", "not text": b"\xff\xfe"}
    if damage == "gone":
        (package / LOCK).unlink()
    else:
        (package / LOCK).write_bytes(content[damage])
    with pytest.raises(TableError):
        check_files(package)


@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("safe_harbor/tables/permitted.csv", "scrub"),
        ("recognizers/words/names/surnames.txt.xz", "scrub"),
        ("deid/policy/shipped/safe_harbor.yaml", "scrub"),
        ("recognizers/words/clinical/more_eponyms.txt", "doctor"),
    ],
)
def test_no_command_works_with_an_altered_table(file: str, command: str, tmp_path: Path) -> None:
    for name in (*PACKAGES, "risk"):
        _copy(name, tmp_path)
    _alter(tmp_path / file, (ROOT / file).read_bytes() + b"\n")
    note = tmp_path / "note.txt"
    note.write_text("Seen today.\n")
    program = "import sys; from deid.cli import main; main(sys.argv[1:])"
    words = ["doctor"] if command == "doctor" else ["scrub", str(note), "-o", str(tmp_path / "out")]
    ended = subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 2
    assert "table-altered" in ended.stdout + ended.stderr
    assert file in ended.stdout + ended.stderr
    assert not (tmp_path / "out").exists()
