"""`make bench`: every benchmark of this folder, one after the other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def main() -> int:
    """Run each benchmark as its own script; return the exit code of the first that fails."""
    for script in sorted(HERE.glob("*.py")):
        if script.name.startswith("__"):
            continue
        print(f"== {script.name}", flush=True)
        code = subprocess.run([sys.executable, str(script)], cwd=ROOT, check=False).returncode
        if code:
            return code
    return 0


raise SystemExit(main())
