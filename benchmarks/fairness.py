"""Whether names of every origin are found equally well, with held-out names in held-out sentences.

    .venv/bin/python benchmarks/fairness.py

Writes `fairness.md`: by origin and by kind of sentence, the share of names that findings cover
completely. The names (`fairness_names.txt`) are in no list from which training fills slots; the
sentences (`fairness_frames.txt`) are in no file that training reads.
"""

from __future__ import annotations

import math
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from recognizers import Finder, Finding  # noqa: E402

SEED, DRAWS = 29, 6
PLACE = re.compile(r"\{(given|surname)\}")
WORDS, COMPOUNDS, REFERENCE = "function words", "compounds", "anglo"
HEAD = """# Names by origin

Made by `.venv/bin/python benchmarks/fairness.py`.

This page shows whether the engine finds names of every origin equally well. It uses the 55
sentences of `fairness_frames.txt`, which are of 12 kinds. For each origin, these sentences are
filled with names of that origin, drawn at random from `fairness_names.txt`. A name counts as
*found* if findings of any type cover all its letters.

The networks were not trained on these sentences. They were not trained on the names either, except
the homographs, which are in the training data in other sentences.

Three rows of the tables by origin are not origins:

* *Function words* are names that are also ordinary words (Faith, Brown).
* *Compounds* are surnames of several words.
* *Homographs* are names that are also very common words (Do, Will, Hope).

The tables by kind of sentence do not include the names of these three rows. The tables under
`default` are for the default network. The tables under `--fast` are for the small network."""
# Names that are function words: a closed class, so the training has them too, in other sentences.
HOMOGRAPHS = ("Do", "An", "Ma", "He", "Bo", "Her", "So", "In", "To", "Will", "May", "Be", "My",
              "Young", "Long", "Hope", "Mark", "Grant")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Names:
    """Names of one origin."""

    origin: str
    given: tuple[str, ...]
    surnames: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence with names: their origin, the kind of sentence, and the spans of the names."""

    origin: str
    kind: str
    text: str
    spans: tuple[tuple[int, int], ...]


def read_names() -> list[Names]:
    """The held-out names of each origin, then compounds of all origins and homographs."""
    held: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for line in (HERE / "fairness_names.txt").read_text("utf-8").splitlines()[1:]:
        origin, kind, names = line.split(";")
        held[origin][kind] = tuple(names.split("|"))
    rows = [Names(origin, row["given"], row["surname"]) for origin, row in held.items()]
    compounds = tuple(n for row in rows for n in row.surnames if " " in n)
    common = next(row for row in rows if row.origin == REFERENCE)
    return [
        *rows,
        Names(COMPOUNDS, common.given, compounds),
        Names("homographs", HOMOGRAPHS, HOMOGRAPHS),
    ]


def read_frames() -> list[tuple[str, str]]:
    lines = (HERE / "fairness_frames.txt").read_text("utf-8").splitlines()[1:]
    return [(kind, text.replace(" / ", "\n")) for kind, text in (li.split(";", 1) for li in lines)]


def cases(names: Sequence[Names], frames: Sequence[tuple[str, str]]) -> Iterator[Case]:
    """Every frame filled a few times with random names of every origin."""
    for row in names:
        chance = random.Random(f"{SEED} {row.origin}")
        for kind, frame in frames:
            for _ in range(DRAWS):
                yield filled(row, kind, frame, chance)


def filled(names: Names, kind: str, frame: str, chance: random.Random) -> Case:
    drawn = {"given": chance.choice(names.given), "surname": chance.choice(names.surnames)}
    text, spans, at = "", [], 0
    for place in PLACE.finditer(frame):
        text += frame[at : place.start()]
        name = in_case(drawn[place.group(1)], kind)
        spans.append((len(text), len(text) + len(name)))
        text, at = text + name, place.end()
    return Case(names.origin, kind, text + frame[at:], tuple(spans))


def in_case(name: str, kind: str) -> str:
    return {"capitals": name.upper(), "lower case": name.lower()}.get(kind, name)


def covered(text: str, span: tuple[int, int], found: Sequence[Finding]) -> bool:
    """Whether every letter of the span is in some finding."""
    taken = {i for f in found for i in range(f.start, f.end)}
    return all(i in taken for i in range(*span) if text[i].isalnum())


def interval(hits: int, total: int) -> tuple[float, float]:
    """Wilson's score interval at 95 % (Wilson 1927)."""
    z, share = 1.96, hits / total
    middle = share + z * z / (2 * total)
    half = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    return (middle - half) / (1 + z * z / total), (middle + half) / (1 + z * z / total)


Counts = dict[str, list[int]]


def counted(finder: Finder, every: Sequence[Case]) -> tuple[Counts, Counts, list[str]]:
    """Hits and totals by origin and by kind of sentence, and the missed names."""
    origins: Counts = defaultdict(lambda: [0, 0])
    kinds: Counts = defaultdict(lambda: [0, 0])
    missed = []
    founds = finder.find_all([case.text for case in every])
    for case, found in zip(every, founds, strict=True):
        for span in case.spans:
            hit = covered(case.text, span, found)
            tables = [origins[case.origin]]
            if case.origin not in (WORDS, COMPOUNDS, "homographs"):
                tables.append(kinds[case.kind])
            for table in tables:
                table[0] += hit
                table[1] += 1
            if not hit:
                missed.append(f"{case.origin}: {case.text[slice(*span)]} in {case.text!r}")
    return origins, kinds, missed


def table(title: str, counts: Counts) -> Iterable[str]:
    yield f"\n| {title} | names | found | 95 % interval |\n|---|---:|---:|---|"
    for name, (hits, total) in counts.items():
        low, high = interval(hits, total)
        yield f"| {name} | {total:,} | {hits / total:.4f} | {low:.4f} to {high:.4f} |"


def main() -> None:
    every = list(cases(read_names(), read_frames()))
    parts = [HEAD]
    for title, fast in (("default", False), ("`--fast`", True)):
        origins, kinds, missed = counted(Finder.load(fast=fast), every)
        parts += [f"\n## {title}", *table("origin", origins), *table("sentence", kinds)]
        if "--misses" in sys.argv:
            print(title, *missed, sep="\n")
    (HERE / "fairness.md").write_text("\n".join(parts) + "\n", "utf-8")


if __name__ == "__main__":
    main()
