"""Documents: is as much found in each format as in plain text, and how fast are they?

    python benchmarks/documents.py [NOTES.jsonl]

Annotated notes are rendered in each format (`corpora/documents.py`), read again, and searched by
the shipped engine. An annotated identifier is found if findings cover all of its letters and
digits. A page is 3,000 characters; times are CPU seconds of reading and writing without the search.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from time import process_time as own_time

from corpora.documents import RENDERED
from deid.formats.documents import docx, html_page, mail, odt, rtf
from deid.formats.pdf import document as pdf
from deid.residual.pdf_pages import pdf_text
from deid.text.engine import load_finder
from recognizers import Finder

NOTES = Path(__file__).resolve().parents[1] / "corpora" / "handwritten" / "notes.jsonl"
PAGE = 3000
READERS = {
    ".rtf": rtf.FORMAT,
    ".html": html_page.FORMAT,
    ".docx": docx.FORMAT,
    ".odt": odt.FORMAT,
    ".pdf": pdf.FORMAT,
}
REPEATS = 5


def main() -> int:
    """One line a format: recall, the share of words kept in place, pages a second."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else NOTES
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    texts = [row["text"] for row in rows]
    gold = [[(s["start"], s["end"]) for s in row["spans"]] for row in rows]
    finder = load_finder(date(2026, 11, 21))
    print("| format | recall | words in place | pages a second |\n|---|---|---|---|")
    print(f"| plain text | {recall(finder, texts, texts, gold):.2%} | 100.0% | |")
    for suffix in RENDERED:
        files = [RENDERED[suffix](text) for text in texts]
        read = [shown(suffix, data) for data in files]
        kept = sum(a.split() == b.split() for a, b in zip(texts, read, strict=True)) / len(texts)
        rate = pages_a_second(suffix, files, texts)
        found = recall(finder, texts, read, gold)
        print(f"| `{suffix}` | {found:.2%} | {kept:.1%} of notes | {rate:,.0f} |")
    for name, task in pdf_tasks([RENDERED[".pdf"](text) for text in texts]):
        start = process_time()
        task()
        rate = sum(map(len, texts)) / PAGE / (process_time() - start)
        print(f"| {name} | | | {rate:,.0f} |")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(f"\nlargest child process: {peak} MB")
    return 0


def pdf_tasks(files: Sequence[bytes]) -> list[tuple[str, Callable[[], object]]]:
    """New pages by this engine, and what extracts text elsewhere."""

    def redact() -> None:
        for data in files:
            read = pdf.read_pdf(data)
            pdf.write_redacted(data, read, read.text)

    return [
        ("PDF, `--pdf redacted`", redact),
        ("pypdf, text alone", lambda: [pdf_text(data) for data in files]),
    ]


def shown(suffix: str, data: bytes) -> str:
    """The text that is searched of a document."""
    if suffix == ".eml":
        return mail.read_message(data).cells[-1] or ""
    return READERS[suffix].read(data).text


def process_time() -> float:
    """CPU seconds of this process and of the readers of PDF, which are children."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own_time() + children.ru_utime + children.ru_stime


def pages_a_second(suffix: str, files: Sequence[bytes], texts: Sequence[str]) -> float:
    """Pages read and written in a CPU second."""
    start = process_time()
    for _ in range(REPEATS):
        for data in files:
            if suffix == ".eml":
                cells = mail.read_message(data).cells
                mail.write_message(dict(zip((*mail.MAIL_HEADERS, "text"), cells, strict=True)))
                continue
            found = READERS[suffix]
            read = found.read(data)
            found.write(read, read.text)
    return REPEATS * sum(map(len, texts)) / PAGE / (process_time() - start)


def recall(
    finder: Finder,
    texts: Sequence[str],
    read: Sequence[str],
    gold: Sequence[Sequence[tuple[int, int]]],
) -> float:
    """The share of annotated identifiers that findings cover."""
    hit = total = 0
    for text, other, spans, found in zip(texts, read, gold, finder.find_all(read), strict=True):
        covered = {n for f in found for n in range(f.start, f.end)}
        marks = [n in covered for n, char in enumerate(other) if char.isalnum()]
        places = {n: k for k, n in enumerate(n for n, c in enumerate(text) if c.isalnum())}
        for start, end in spans:
            total += 1
            inside = [places[n] for n in range(start, end) if n in places]
            hit += all(k < len(marks) and marks[k] for k in inside)
    return hit / total


if __name__ == "__main__":
    raise SystemExit(main())
