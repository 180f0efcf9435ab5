"""Speed and memory of the residual search: `python benchmarks/residual.py [patients] [megabytes]`.

Synthetic patients (five values each) and a text of clinical filler with a number every tenth word.
"""

from __future__ import annotations

import random
import re
import resource
import sys
import time

from deid.residual.search import ResidualSearch
from recognizers import KnownValue, KnownValues
from safe_harbor import Identifier as I

FILLER = tuple(
    re.findall(
        r"\S+",
        """patient denies chest pain shortness of breath lungs clear bilaterally continue lisinopril
        10 mg daily follow up in two weeks labs reviewed creatinine 1.1 blood pressure 132/84 heart
        rate 72 afebrile no edema abdomen soft plan discussed with family questions answered""",
    )
)
FIRST = ("ba", "ke", "lo", "mi", "tu", "ran", "sol")
SECOND = ("dric", "nova", "ster", "wick")


def patients(count: int, chance: random.Random) -> list[tuple[str, KnownValues]]:
    """Patients with names made of two syllables and with random numbers."""
    parts = [a + b for a in FIRST for b in SECOND]
    known = []
    for n in range(count):
        first, last = (
            chance.choice(parts).title(),
            (chance.choice(parts) + chance.choice(parts)).title(),
        )
        values = (
            KnownValue(I.NAMES, f"{last}, {first}", part="full"),
            KnownValue(I.MRNS, f"{chance.randrange(10**8):08}"),
            KnownValue(I.SSNS, f"{chance.randrange(10**9):09}"),
            KnownValue(I.PHONES, f"802{chance.randrange(10**7):07}"),
            KnownValue(
                I.DATES,
                f"19{chance.randrange(30, 99)}-{chance.randrange(1, 13):02}-11",
                part="birth",
            ),
        )
        known.append((str(n), KnownValues(values)))
    return known


def main() -> None:
    """Print the seconds to compile, the megabytes per second of both searches, and peak memory."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    size = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    chance = random.Random(164514)
    known = patients(count, chance)
    words = [
        chance.choice(FILLER) if n % 10 else str(chance.randrange(10**7)) for n in range(200_000)
    ]
    text = " ".join(words)
    text = (text + "\n") * max(1, size * 1_000_000 // len(text))
    began = time.perf_counter()
    run = ResidualSearch(known)
    print(f"compile {count} patients: {time.perf_counter() - began:.1f} s")
    began = time.perf_counter()
    lines = [text[at : at + 4_000_000].encode() for at in range(0, len(text), 4_000_000)]
    run.sweep(1, "big.txt", lines)
    seconds = time.perf_counter() - began
    print(f"sweep {len(text) / 1e6:.0f} MB: {len(text) / 1e6 / seconds:.1f} MB/s")
    began = time.perf_counter()
    rows = [(n, (text[n * 2000 : n * 2000 + 2000],), str(n % count)) for n in range(5000)]
    run.records(1, rows)
    seconds = time.perf_counter() - began
    print(f"records 10 MB, 5000 patients: {10 / seconds:.1f} MB/s")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"hits {len(run.hits)}; peak {peak} MB")


if __name__ == "__main__":
    main()
