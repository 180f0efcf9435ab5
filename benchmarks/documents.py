"""Documents: is as much found in each format as in plain text, how fast are they, and what would
text extraction and default Presidio find of them?

    python benchmarks/documents.py [--spacy-model FOLDER] [--summaries]

Annotated notes are rendered in each format (`corpora/documents.py`), read again, and searched by
the shipped engine. An annotated identifier is found if findings cover all of its letters and
digits. A page is 3,000 characters. Each format is read and written in a process of its own: CPU
seconds and the largest memory are those of the process and of its children, without the search.
What a user would take instead is measured where its package is installed (striprtf for RTF). The
Word packages made here lack parts that python-docx asks for, so Word is not among them.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from email import message_from_bytes, policy
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from types import SimpleNamespace
from typing import Any

from benchmarks.speed import presidio
from corpora.documents import RENDERED, SUMMARIES
from deid.formats import ReadOptions, Record, format_of, members_of, open_source, read_layout
from deid.residual.pdf_pages import pdf_text

NOTES = Path(__file__).resolve().parents[1] / "corpora" / "handwritten" / "notes.jsonl"
PAGE, REPEATS = 3000, 5
Extract = Callable[[bytes], str]
Gold = Sequence[Sequence[tuple[int, int]]]


def _rtf(data: bytes) -> str:
    return str(import_module("striprtf.striprtf").rtf_to_text(data.decode("ascii")))


def _html(data: bytes) -> str:
    return str(import_module("lxml.html").document_fromstring(data).find("body").text_content())


def _mail(data: bytes) -> str:
    body: Any = message_from_bytes(data, policy=policy.default).get_body(("plain",))
    return str(body.get_content())


# What a user takes to get at the text: the package that must be there, and how it is called.
EXTRACTORS: Mapping[str, tuple[str, Extract]] = {
    ".rtf": ("striprtf", _rtf),
    ".html": ("lxml", _html),
    ".eml": ("email", _mail),
    ".pdf": ("pypdf", pdf_text),
}


def _x12() -> bytes:
    own = (
        "BHT*0019*00*1*20230314*1023*CH~HL*1**20*1~NM1*85*2*KILDARE*****XX*9876543210~HL*2*1*22*0~"
        "NM1*IL*1*SMITHSON*GERTRUDE****MI*JS00111223333~N3*236 N MAIN ST~N4*MIAMI*FL*33413~DMG*D8*"
        "19430501*F~CLM*26463774*100***11:B:1*Y*A*Y*I~NTE*ADD*Seen for a cough.~HI*ABK:E1165~LX*1~"
        "SV1*HC:99213*40*UN*1***1~DTP*472*D8*20230302~"
    )
    head = (
        "ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *230314*1253*^*00501*"
        "000000905*0*T*:~GS*HC*S*R*20230314*1253*17*X*005010X222A1~"
    )
    sets = (f"ST*837*{n:04}*005010X222A1~{own}SE*16*{n:04}~" for n in range(1, 2001))
    return f"{head}{''.join(sets)}GE*2000*17~IEA*1*000000905~".encode()


def _ncpdp() -> bytes:
    header = "610066D0B1PCNABC1234101" + "1234567893".ljust(15) + "20260302" + "VENDOR0001"
    parts = (
        ("01", "CY44MRN7788", "C419510719", "C51", "CAHUBERT", "CBOLEJNICZAK", "CNMIAMI", "COFL"),
        ("04", "C2JS00111223333"),
        ("07", "EM1", "D27700219", "E103", "D700093015001", "E70000030000"),
    )
    segments = "".join(
        f"\x1e\x1cAM{own}" + "".join(f"\x1c{f}" for f in rest) for own, *rest in parts
    )
    return "\n".join([header + segments] * 4000).encode()


def _fhir_xml() -> bytes:
    one = (
        "<entry><resource><Patient><id value='p{0}'/><identifier><value value='44{0}'/>"
        "</identifier><name><family value='Smithson'/><given value='Gertrude'/></name>"
        "<gender value='female'/><birthDate value='1943-05-01'/><address><city value='Miami'/>"
        "</address></Patient></resource></entry>"
    )
    entries = "".join(one.format(n) for n in range(2000))
    space = "xmlns='http://hl7.org/fhir'"
    return f"<Bundle {space}><type value='collection'/>{entries}</Bundle>".encode()


def _fixed() -> bytes:
    line = (
        "10P000012  SMITHSON       GERTRUDE  19430501MIAMI          Seen for a cough today.      \n"
    )
    return (line * 10_000).encode()


LAYOUT = (
    "name,start,width\nkind,1,2\npatient_id,3,9\nlast_name,12,15\nfirst_name,27,10\n"
    "birth_date,37,8\ncity,45,15\ncomment,60,30\n"
)


def _yaml() -> bytes:
    one = (
        "- {{patient_id: p{0}, last_name: Smithson, birth_date: '1943-05-01', note: Seen today.}}\n"
    )
    return "".join(one.format(n) for n in range(4000)).encode()


def _log() -> bytes:
    told = ("sent the letter to the ward", "closed the queue", "saw no answer, and asked again")
    lines = (f"2023-03-14T10:00:01Z INFO worker {n} {told[n % 3]}\n" for n in range(20_000))
    return "".join(lines).encode()


TABLES: Mapping[str, Callable[[], bytes]] = {
    ".837": _x12, ".ncpdp": _ncpdp, ".xml": _fhir_xml, ".dat": _fixed, ".yaml": _yaml,
    ".log": _log,
}  # fmt: skip


def main() -> int:
    """One line a format: recall of each engine, words in place, pages a second, memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spacy-model", default="", metavar="FOLDER")
    parser.add_argument("--summaries", action="store_true", help="recall on the ten alone")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child:
        print(json.dumps(measured(*asked.child)))
        return 0
    print("| format | recall | words in place | extraction and Presidio |\n|---|---|---|---|")
    for line in recall_lines(asked.spacy_model, asked.summaries):
        print(line, flush=True)
    print("\n| format | pages a second | memory | text alone, by | pages a second |")
    print("|---|---|---|---|---|")
    for suffix in (*RENDERED, ".pdf redacted", *TABLES):
        own, other = child(suffix, "own"), child(suffix, "extract")
        told = f"| `{suffix}` | {own['pages'] / own['seconds']:,.0f} | {own['memory']:.0f} MB |"
        rate = f"{other['pages'] / other['seconds']:,.0f}" if other["seconds"] else ""
        print(f"{told} {EXTRACTORS[suffix][0] if rate else ''} | {rate} |", flush=True)
    return 0


def recall_lines(model: str, ten: bool) -> Iterator[str]:
    """Recall, the notes of which every word is in place, and the recall of Presidio on extracted
    text; on all notes, or on the ten shipped summaries."""
    from deid.text.engine import load_finder

    rows = [json.loads(line) for line in NOTES.read_text("utf-8").splitlines()]
    shipped = {path.read_text("utf-8").rstrip() for path in SUMMARIES.glob("*.txt")}
    rows = [row for row in rows if not ten or row["text"].rstrip() in shipped]
    texts = [row["text"] for row in rows]
    gold = [[(s["start"], s["end"]) for s in row["spans"]] for row in rows]
    ours = load_finder(date(2026, 11, 21)).find_all
    theirs = presidio(model) if model else None
    for suffix in ("", *RENDERED):
        files = [RENDERED[suffix](text) if suffix else b"" for text in texts]
        read = [shown(suffix, data) for data in files] if suffix else texts
        kept = sum(a.split() == b.split() for a, b in zip(texts, read, strict=True)) / len(texts)
        package, extract = EXTRACTORS.get(suffix, ("", None))
        other = ""
        if theirs is not None and (not suffix or (extract and find_spec(package))):
            plain = [extract(data) for data in files] if extract else texts
            other = f"{recall(texts, plain, gold, theirs(plain)):.2%}"
        own = recall(texts, read, gold, ours(read))
        yield f"| `{suffix or 'plain text'}` | {own:.2%} | {kept:.1%} | {other} |"


def shown(suffix: str, data: bytes) -> str:
    """The text that is searched of a document."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"note{suffix}"
        path.write_bytes(data)
        source = open_source(path, None, next(iter(members_of(path))))
        (record,) = (r for r in source.records() if isinstance(r, Record))
        return record.cells[-1] or ""


def recall(texts: Sequence[str], read: Sequence[str], gold: Gold, found: Sequence[Any]) -> float:
    """The share of annotated identifiers that findings cover."""
    hit = total = 0
    for text, other, spans, findings in zip(texts, read, gold, found, strict=True):
        covered = {n for f in findings for n in range(f.start, f.end)}
        marks = [n in covered for n, char in enumerate(other) if char.isalnum()]
        places = {n: k for k, n in enumerate(n for n, c in enumerate(text) if c.isalnum())}
        for start, end in spans:
            total += 1
            inside = [places[n] for n in range(start, end) if n in places]
            hit += all(k < len(marks) and marks[k] for k in inside)
    return hit / total


def child(suffix: str, what: str) -> dict[str, float]:
    """What a process of its own came to with one format."""
    command = [sys.executable, str(Path(__file__)), "--child", suffix, what]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    answer: dict[str, float] = json.loads(done.stdout)
    return answer


def measured(suffix: str, what: str) -> dict[str, float]:
    """Pages, CPU seconds and megabytes; no seconds where nothing was measured."""
    texts = [json.loads(line)["text"] for line in NOTES.read_text("utf-8").splitlines()]
    ending = suffix.partition(" ")[0]
    files = [TABLES[ending]()] if ending in TABLES else [RENDERED[ending](text) for text in texts]
    length = len(files[0]) if ending in TABLES else sum(map(len, texts))
    package, extract = EXTRACTORS.get(suffix, ("", None))
    if what == "extract" and (extract is None or find_spec(package) is None):
        return {"pages": 0, "seconds": 0, "memory": 0}
    with TemporaryDirectory() as folder:
        task = SimpleNamespace(folder=Path(folder), ending=ending, pdf=suffix.partition(" ")[2])
        paths = []
        for number, data in enumerate(files):
            paths.append(task.folder / f"note-{number}{ending}")
            paths[-1].write_bytes(data)
        repeats = REPEATS if ending in RENDERED and ending != ".pdf" else 1
        began = used()
        for _ in range(repeats):
            for path, data in zip(paths, files, strict=True):
                if what == "extract" and extract is not None:
                    extract(data)
                else:
                    send_through(path, task)
        seconds = used() - began
    memory = (
        max(
            resource.getrusage(who).ru_maxrss
            for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        )
        // 1024
    )
    return {"pages": repeats * length / PAGE, "seconds": seconds, "memory": memory}


def used() -> float:
    """CPU seconds of this process and of its children, which read PDF."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def send_through(path: Path, task: SimpleNamespace) -> None:
    """Read a file and write all that was read of it again."""
    layout = None
    if task.ending == ".dat":
        (task.folder / "layout.csv").write_text(LAYOUT)
        layout = read_layout(task.folder / "layout.csv")
    options = ReadOptions(pdf=task.pdf or "text", layout=layout)
    found = format_of(path, options)
    assert found is not None
    for number, member in enumerate(members_of(path, options)):
        source = open_source(path, options, member)
        target = task.folder / "out" / f"{number}-{Path(member or path.name).name}"
        target.parent.mkdir(exist_ok=True)
        sink = found.create(target, source, dict(enumerate(source.columns)))
        for record in source.records():
            if isinstance(record, Record):
                sink.write(record.cells, record.skeleton)
        sink.close()


if __name__ == "__main__":
    raise SystemExit(main())
