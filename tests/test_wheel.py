"""What is installed is whole: every file travels in the wheel, the command runs from it."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("safe_harbor", "recognizers", "risk", "deid")
# Scripts that make a table or a list are for the checkout; all else is needed at run time.
DATA = {".csv", ".yaml", ".html", ".css", ".json", ".onnx", ".xz", ".gz", ".txt", ".md"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    return next(folder.glob("*.whl"))


def test_every_file_travels(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    tracked = subprocess.run(
        ["git", "ls-files", *FOLDERS], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split()
    assert len(tracked) > 40
    missing = [name for name in tracked if name not in inside]
    assert missing == []


def test_the_command_runs_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    (tmp_path / "note.txt").write_text("Ana Ruiz, MRN 00417723, seen 03/14/2023.")
    script = (
        f"import sys; sys.path[:0] = [{str(tmp_path / 'site')!r}]; import deid; "
        f"assert deid.__file__.startswith({str(tmp_path)!r}); from deid.cli import main; "
        "main(['scrub', 'note.txt', '-o', 'out', '--quiet'])"
    )
    ran = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path += {sys.path!r}; {script}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert "00417723" not in (tmp_path / "out" / "note.txt").read_text()
