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
from recognizers.evidence.register import RuleTable  # noqa: E402
from recognizers.evidence.rows import Row  # noqa: E402

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


def page(lab: Lab, rules: Sequence[RuleTable]) -> Iterator[str]:
    """The page, line by line."""
    files = [each.name for each in rules]
    today = lab.totals(NOTHING)
    yield from HEAD
    yield from table("source", False)
    yield row("every part on", today, None, None)
    for switch in mechanisms(files):
        yield row(switch.name, lab.totals(switch), today, None)
    yield "\n## Files of rules\n\n"
    yield from table("file")
    for name in files:
        own = lab.totals(Switch(name, files=frozenset([name])), lab.fired.get(name, set()))
        times = sum(seen.table == name for text in lab.texts for seen in text.seen)
        yield row(name, own, today, times)
    yield from section(lab, "Single rules", "rows", rows_of(lab, rules), today)


def rows_of(lab: Lab, rules: Sequence[RuleTable]) -> list[str]:
    """All rows of the tables, whether they fired or not, and the rows that code made."""
    tables = {row.id for each in rules for row in each.rules if isinstance(row, Row)}
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
    yield f"\n## {title}\n\nThe table names a rule by its file and its own name (`dates/iso`). "
    yield f"There are {len(names)} rules. Switching off one of {len(idle)} rules changes no "
    yield "figure, so the table leaves these rules out.\n\n"
    yield from table("rule | matches", False)
    for name, sums in sorted(results.items(), key=lambda item: -worth(item[1], today)):
        if name not in idle:
            yield row(name, sums, today, lab.times[name])
    never = [name for name in idle if not lab.times[name]]
    yield f"\nRules that never match: {', '.join(never) or 'none'}.\n"
    told = [f"{name} ({lab.times[name]})" for name in idle if lab.times[name]]
    yield "\nRules that match but change no figure, with the number of matches: "
    yield f"{', '.join(told) or 'none'}.\n"


def worth(sums: Totals, today: Totals) -> int:
    """How much worse without a part: ten times the leaks, plus words lost and lines not exact."""
    before, after = summed(today), summed(sums)
    exact = today[GOLDEN].exact - sums[GOLDEN].exact
    return 10 * (after.leaks - before.leaks) + after.lost - before.lost + exact


def summed(sums: Mapping[str, Score]) -> Score:
    return sum((sums[name] for name in CORPORA), Score())


HEAD = (
    "# What each part of the finder contributes\n",
    "\n",
    "Made by `.venv/bin/python benchmarks/ablation.py`.\n",
    "\n",
    "The *finder* is the part of the engine that finds identifiers in text. It combines the\n",
    "scores of a network, the matches of rules and other evidence in one decision. In each row\n",
    "of a table, one part of the finder is switched off and all others are on. The decision is\n",
    "not trained again without this part. In the row `every part on`, nothing is switched off.\n",
    "Parentheses hold the difference from this row. A part helps if its row has more leaks,\n",
    "more lost words or fewer exact lines than the row `every part on`.\n",
    "\n",
    "Two columns count in the annotated notes of `corpora/` (handwritten notes, whole\n",
    "documents, everyday records, clinic notes). A *span* is an identifier that an annotator\n",
    "marked. The columns with the name of a corpus give the leaks / lost words of this corpus.\n",
    "\n",
    "* Leaks: spans that findings do not cover completely.\n",
    "* Words lost: words outside all spans that a finding touches.\n",
    "\n",
    "Three columns count in the *golden lines*, short test lines in `tests/examples` in which\n",
    "identifiers are marked:\n",
    "\n",
    "* Exact: lines in which the findings equal the marks.\n",
    "* Missed: lines in which a part of a mark is not found.\n",
    "* Touched: lines without marks in which something is found.\n",
    "\n",
    "The column *matches* counts how often the rule, or the rules of the file, matched in the\n",
    "notes and in the golden lines.\n",
    "\n",
    "## Sources of evidence\n",
    "\n",
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
    text = "".join(page(lab, finder.rules.tables))
    (HERE / "ablation.md").write_text(text, "utf-8")
    print(f"wrote {HERE / 'ablation.md'}")


if __name__ == "__main__":
    main()
