"""The installed package is complete: the wheel contains every file, and the command runs from
it.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("safe_harbor", "recognizers", "risk", "deid")
# Scripts that make a table or a list are needed in the checkout only; all other files are needed at
# run time.
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


def test_the_wheel_contains_every_file(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    tracked = subprocess.run(
        ["git", "ls-files", *FOLDERS], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split()
    assert len(tracked) > 40
    missing = [name for name in tracked if name not in inside]
    assert missing == []


def without_network() -> list[str]:
    """The command prefix that runs a program in a network namespace with loopback only, where this
    is possible.
    """
    alone = ["unshare", "--user", "--map-root-user", "--net", "sh", "-c"]
    alone.append('ip link set lo up && exec "$@"')
    try:
        subprocess.run([*alone, "sh", "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return []
    return [*alone, "sh"]


def test_a_new_user_needs_only_the_wheel(wheel: Path, tmp_path: Path) -> None:
    site, work = tmp_path / "site", tmp_path / "work"
    zipfile.ZipFile(wheel).extractall(site)
    work.mkdir()
    packages = [one for one in sys.path if one.endswith(("site-packages", "lib-dynload"))]
    script = (
        f"import runpy, sys; sys.path[:0] = [{str(site)!r}]; sys.path += {packages!r}; "
        f"sys.argv[1:] = [{str(site)!r}]; "
        f"runpy.run_path({str(ROOT / 'tests' / 'newcomer.py')!r}, run_name='__main__')"
    )
    ran = subprocess.run(
        [*without_network(), sys.executable, "-S", "-c", script],
        cwd=work,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
