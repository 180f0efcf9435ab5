"""How much each part of the finder contributes: each is switched off by itself. Writes
`ablation.md`.

    .venv/bin/python benchmarks/ablation.py

The network reads every text once, and every row of rules searches it once. Evidence from the part
that is switched off is then withheld from the decision. Results are kept in a file of the temporary
folder until the code changes, so an interrupted run resumes where it stopped.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT))

from benchmarks.ablations.switches import (  # noqa: E402
    NOTHING,
    Switch,
    found,
    mechanisms,
    off,
)
from benchmarks.ablations.texts import GOLDEN, Score, Text, lines, notes  # noqa: E402
from benchmarks.floors import CORPORA, REFERENCE, corpora, golden  # noqa: E402
from recognizers import Finder  # noqa: E402
from recognizers.evidence.register import Rules  # noqa: E402

NAMES = (*CORPORA, GOLDEN)
Totals = dict[str, Score]


class Lab:
    """All texts, each scored with nothing switched off, and which rows fire in each."""

    def __init__(self, finder: Finder, texts: Sequence[Text], kept: Path) -> None:
        self.finder, self.texts, self.kept = finder, texts, kept
        self.today: list[Score] = []
        self.fired: dict[str, set[int]] = {}
        self.times: Counter[str] = Counter()
        self.results = self.read()
        for number, text in enumerate(texts):
            self.today.append(text.score(found(finder, text, NOTHING)))
            self.times.update(text.rows)
            for name in {*text.rows, *(seen.table for seen in text.seen)}:
                self.fired.setdefault(name, set()).add(number)

    def read(self) -> dict[str, Totals]:
        """The results of an earlier run of the same code."""
        if not self.kept.exists():
            return {}
        rows = map(json.loads, self.kept.read_text("utf-8").splitlines())
        return {
            name: {corpus: Score(**score) for corpus, score in totals.items()}
            for name, totals in rows
        }

    def totals(self, switch: Switch, numbers: set[int] | None = None) -> Totals:
        """The sums by corpus with `switch` applied; only the texts of `numbers` can differ."""
        if switch.name not in self.results:
            self.results[switch.name] = self.run(switch, numbers)
            told = {name: asdict(s) for name, s in self.results[switch.name].items()}
            with self.kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps([switch.name, told]) + "\n")
        return self.results[switch.name]

    def run(self, switch: Switch, numbers: set[int] | None) -> Totals:
        sums = dict.fromkeys(NAMES, Score())
        with off(switch):
            for number, text in enumerate(self.texts):
                asked = numbers is None or number in numbers
                score = (
                    text.score(found(self.finder, text, switch)) if asked else self.today[number]
                )
                sums[text.corpus] += score
        return sums


def digest() -> str:
    """A digest of everything that a result depends on."""
    files = [*(ROOT / "recognizers").rglob("*"), *(ROOT / "tests/examples").iterdir()]
    files += [*CORPORA.values(), *HERE.rglob("ablation*/*.py"), HERE / "floors.py"]
    own = hashlib.sha256()
    for path in sorted(p for p in files if p.is_file() and p.suffix != ".pyc"):
        own.update(path.name.encode() + path.read_bytes())
    return own.hexdigest()[:16]


def page(lab: Lab, rules: Sequence[Rules]) -> Iterator[str]:
    """The page, line by line."""
    files = [each.name for each in rules]
    today = lab.totals(NOTHING)
    yield from HEAD
    yield from table("source", False)
    yield row("today", today, None, None)
    for switch in mechanisms(files):
        yield row(switch.name, lab.totals(switch), today, None)
    yield "\n## Files of rules\n\n"
    yield from table("file")
    for name in files:
        own = lab.totals(Switch(name, files=frozenset([name])), lab.fired.get(name, set()))
        times = sum(seen.table == name for text in lab.texts for seen in text.seen)
        yield row(name, own, today, times)
    yield from section(lab, "Rows of evidence", "rows", rows_of(lab, rules), today)


def rows_of(lab: Lab, rules: Sequence[Rules]) -> list[str]:
    """All rows of the tables, whether they fired or not, and the rows that code made."""
    tables = {row.id for each in rules for row in each.rows}
    return sorted(tables.union(*(text.rows for text in lab.texts)))


def section(lab: Lab, title: str, kind: str, names: Sequence[str], today: Totals) -> Iterator[str]:
    """One kind of part: the parts that change a figure, then the names of the other parts."""
    results = {
        name: lab.totals(
            Switch(f"{kind}: {name}", **{kind: frozenset([name])}),
            lab.fired.get(name, set()),
        )
        for name in names
    }
    idle = [name for name in names if results[name] == today]
    yield f"\n## {title}\n\n{len(names)} rows; {len(idle)} of them change no figure.\n\n"
    yield from table("row of evidence | matches", False)
    for name, sums in sorted(results.items(), key=lambda item: -worth(item[1], today)):
        if name not in idle:
            yield row(name, sums, today, lab.times[name])
    never = [name for name in idle if not lab.times[name]]
    yield f"\nRows that never match: {', '.join(never) or 'none'}.\n"
    told = [f"{name} ({lab.times[name]})" for name in idle if lab.times[name]]
    yield "\nRows that match but change no figure, with the number of matches: "
    yield f"{', '.join(told) or 'none'}.\n"


def worth(sums: Totals, today: Totals) -> int:
    """How much worse without a part: ten times the leaks, plus words lost and lines not exact."""
    before, after = summed(today), summed(sums)
    exact = today[GOLDEN].exact - sums[GOLDEN].exact
    return 10 * (after.leaks - before.leaks) + after.lost - before.lost + exact


def summed(sums: Mapping[str, Score]) -> Score:
    return sum((sums[name] for name in CORPORA), Score())


HEAD = (
    "# What each part of the finder is worth\n\n",
    "Made by `.venv/bin/python benchmarks/ablation.py`.\n\n",
    "The finder combines the scores of a network, the matches of rules and other evidence in one\n",
    "decision. In each row of a table, one of these parts is switched off and all others are on.\n",
    "In the row `today`, every part is on. The decision is not fitted again without the part. A\n",
    "part is worth keeping if its row has more leaks, more words lost or fewer exact golden\n",
    "lines than `today`. The change from `today` is in parentheses.\n\n",
    "* Matches: how often the rule, or the rules of the file, matched in all texts.\n",
    "* Leaks: annotated spans that findings do not cover completely. The first column counts\n",
    "  all four corpora of `corpora/`: handwritten notes, whole documents, everyday records and\n",
    "  clinic notes. The columns with the name of a corpus give its leaks / words lost.\n",
    "* Words lost: words outside all annotated spans that a finding touches.\n",
    "* Golden lines are short test lines (`tests/examples`) in which identifiers are marked.\n",
    "* Exact: golden lines in which the findings equal the marks.\n",
    "* Missed: golden lines in which a part of a mark is not found.\n",
    "* Touched: golden lines without marks in which something is found.\n\n",
    "A row of evidence is a single rule, named by file and rule (`dates/iso`).\n\n",
    "## Sources of evidence\n\n",
)


def table(first: str, times: bool = True) -> Iterator[str]:
    columns = [first, *(["matches"] if times else []), "leaks", "words lost"]
    columns += [*(f"{name}: leaks / words" for name in CORPORA), "exact", "missed", "touched"]
    width = len(" | ".join(columns).split(" | "))
    yield f"| {' | '.join(columns)} |\n|---|{'---:|' * (width - 1)}\n"


def row(name: str, sums: Totals, today: Totals | None, times: int | None) -> str:
    all_of, lines_of = summed(sums), sums[GOLDEN]
    before = summed(today) if today else all_of
    golden_before = today[GOLDEN] if today else lines_of
    cells = [name, *([] if times is None else [str(times)])]
    cells += [changed(all_of.leaks, before.leaks), changed(all_of.lost, before.lost)]
    cells += [f"{sums[corpus].leaks} / {sums[corpus].lost}" for corpus in CORPORA]
    cells += [
        changed(lines_of.exact, golden_before.exact),
        changed(lines_of.leaks, golden_before.leaks),
        changed(lines_of.lost, golden_before.lost),
    ]
    return f"| {' | '.join(cells)} |\n"


def changed(now: int, before: int) -> str:
    return f"{now:,}" if now == before else f"{now:,} ({now - before:+d})"


def main() -> None:
    """Read the texts, switch each part off in turn, write the page."""
    finder = Finder.load(reference_date=REFERENCE)
    texts: list[Text] = [n for c in corpora() for n in notes(finder, c.name, c.documents)]
    texts += lines(finder, golden())
    lab = Lab(finder, texts, Path(tempfile.gettempdir()) / f"ablation-{digest()}.jsonl")
    text = "".join(page(lab, finder.rules))
    (HERE / "ablation.md").write_text(text, "utf-8")
    print(f"wrote {HERE / 'ablation.md'}")


if __name__ == "__main__":
    main()
