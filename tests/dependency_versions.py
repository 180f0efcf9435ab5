"""Test with the oldest and the newest versions that `pyproject.toml` permits: `make versions`.

Each resolution gets its own virtual environment in a temporary folder, with the development
packages of the lock that the tests need, and runs the tests named on the command line (by default
those of the wheel and of each package's core). It needs uv and a package index. With
`--resolve-only`, it prints what would be installed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESOLUTIONS = ("lowest-direct", "highest")
TOOLS = ("pytest>=8", "pytest-xdist>=3.6", "hypothesis>=6", "hatchling>=1.27", "editables>=0.5")
TESTS = ("tests/safe_harbor", "tests/deid/in_memory", "tests/deid/policy", "tests/cli")


def resolve(resolution: str, python: str) -> str:
    """The versions, one per line, as uv resolves them."""
    command = ["uv", "pip", "compile", "pyproject.toml", "--quiet", "--no-header", "--no-annotate"]
    command += ["--no-emit-index-url", "--resolution", resolution, "--python-version", python]
    made = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return made.stdout


def run_tests(resolution: str, python: str, tests: list[str]) -> int:
    """Install that resolution into a new environment and run the tests there."""
    with tempfile.TemporaryDirectory(prefix="deid-versions-") as name:
        folder = Path(name)
        (folder / "versions.txt").write_text(resolve(resolution, python))
        subprocess.run(["uv", "venv", "--quiet", "--python", python, folder / "venv"], check=True)
        interpreter = folder / "venv" / "bin" / "python"
        install = ["uv", "pip", "install", "--quiet", "--python", str(interpreter)]
        subprocess.run([*install, "-r", str(folder / "versions.txt"), *TOOLS], check=True)
        subprocess.run([*install, "--no-deps", "-e", "."], cwd=ROOT, check=True)
        command = [str(interpreter), "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
        return subprocess.run(command, cwd=ROOT, check=False).returncode


def main() -> int:
    """The highest exit code of all runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tests", nargs="*", default=list(TESTS))
    parser.add_argument("--python", default=f"{sys.version_info[0]}.{sys.version_info[1]}")
    parser.add_argument("--resolution", choices=RESOLUTIONS, action="append")
    parser.add_argument("--resolve-only", action="store_true")
    asked = parser.parse_args()
    worst = 0
    for resolution in asked.resolution or RESOLUTIONS:
        print(f"== {resolution}, Python {asked.python}", flush=True)
        if asked.resolve_only:
            print(resolve(resolution, asked.python))
        else:
            worst = max(worst, run_tests(resolution, asked.python, asked.tests))
    return worst


if __name__ == "__main__":
    raise SystemExit(main())
