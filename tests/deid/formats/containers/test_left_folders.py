"""No unpacked file stays on the disk, neither from workers nor from killed processes."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

LABS = b"mrn,unit,value\n7304118,mg/dL,90\n7304119,mg/dL,91\n"


def _tar() -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:gz") as packed:
        entry = tarfile.TarInfo("labs.csv")
        entry.size = len(LABS)
        packed.addfile(entry, io.BytesIO(LABS))
    return held.getvalue()


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Nested archives, and the folder for temporary files."""
    source, temporary = tmp_path / "in", tmp_path / "temporary"
    source.mkdir()
    temporary.mkdir()
    for name in ("a", "b", "c"):
        with zipfile.ZipFile(source / f"{name}.zip", "w") as packed:
            packed.writestr("inner.tar.gz", _tar())
            packed.writestr("labs.csv", LABS)
    monkeypatch.setenv("TMPDIR", str(temporary))
    return source, temporary


@pytest.mark.parametrize("workers", [1, 2])
def test_a_job_removes_everything_that_it_unpacked(
    folders: tuple[Path, Path], workers: int
) -> None:
    source, temporary = folders
    command = [sys.executable, "-m", "deid", "scrub", str(source), "-o", str(source.parent / "out")]
    done = subprocess.run(
        [*command, "--workers", str(workers)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert not list(temporary.rglob("*"))


HELD = """
import os, sys
from deid.formats.containers.unpacked_folder import UnpackedFolder
held = UnpackedFolder()
(held.path / "member.csv").write_bytes(b"7304118")
if sys.argv[1] == "fork" and not os.fork():
    own = UnpackedFolder()
    (own.path / "member.csv").write_bytes(b"7304118")
    os._exit(0)
if sys.argv[1] == "fork":
    os.wait()
print(held.path, flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("how", ["end", "fork", "kill"])
def test_the_next_process_removes_folders_that_a_dead_process_left(
    folders: tuple[Path, Path], how: str
) -> None:
    temporary = folders[1]
    child = subprocess.Popen(
        [sys.executable, "-c", HELD, how], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdin is not None and child.stdout is not None
    held = Path(child.stdout.readline().strip())
    _unpack_elsewhere()
    assert (held / "member.csv").exists(), "another process removed what is still read"
    if how == "kill":
        child.send_signal(signal.SIGKILL)
    child.stdin.close()
    child.wait()
    child.stdout.close()
    _unpack_elsewhere()
    assert not list(temporary.rglob("*"))


def _unpack_elsewhere() -> None:
    code = "from deid.formats.containers.unpacked_folder import UnpackedFolder; UnpackedFolder()"
    subprocess.run([sys.executable, "-c", code], check=True, env=dict(os.environ))


def test_other_temporary_folders_are_not_removed(folders: tuple[Path, Path]) -> None:
    temporary = folders[1]
    (temporary / "deid-staged-x").mkdir()
    (temporary / "deid-inputs-link").symlink_to(folders[0])
    _unpack_elsewhere()
    assert (temporary / "deid-staged-x").exists() and list(folders[0].iterdir())
