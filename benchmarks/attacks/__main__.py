"""`python -m benchmarks.attacks [PART ...]`: run the attacks, print which of them held."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchmarks.attacks import attacks
from benchmarks.attacks.lab import Lab


def main(parts: list[str]) -> int:
    """Print one line per attack; the exit code is 1 if an attack broke the claim."""
    broke = total = 0
    for attack in attacks():
        if parts and attack.part not in parts:
            continue
        with tempfile.TemporaryDirectory() as folder:
            held = attack.run(Lab(Path(folder)))
        total += 1
        broke += not held
        print(f"{'held' if held else 'BROKE':6} {attack.part:20} {attack.summary}", flush=True)
    print(f"\n{total} attacks, {total - broke} held, {broke} broke the claim")
    return 1 if broke else 0


raise SystemExit(main(sys.argv[1:]))
