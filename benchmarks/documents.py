"""Recall, speed and memory for each document format, compared with text extraction and default
Presidio: writes `documents.md`.

    .venv/bin/python benchmarks/documents.py [--spacy-model FOLDER]

`FOLDER` holds the weights of `en_core_web_sm`, which no package registry carries under that name;
without it Presidio's columns are left out and the page is only printed. Each figure comes from a
process of its own.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from difflib import SequenceMatcher
from email import message_from_bytes, policy
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from benchmarks.speed import presidio, processor  # noqa: E402
from corpora.documents import RENDERED  # noqa: E402
from deid.formats import (  # noqa: E402
    ReadOptions,
    Record,
    format_of,
    members_of,
    open_source,
    read_layout,
)

NOTES = HERE.parent / "corpora" / "handwritten" / "notes.jsonl"
DAY = date(2026, 11, 21)
PAGE, REPEATS, CLAIMS = 3000, 5, 500
Extract = Callable[[bytes], str]
Gold = Sequence[Sequence[tuple[int, int]]]


def _rtf(data: bytes) -> str:
    return str(import_module("striprtf.striprtf").rtf_to_text(data.decode("ascii")))


def _html(data: bytes) -> str:
    body = import_module("lxml.html").document_fromstring(data).find("body")
    return "\n".join(body.itertext())


def _mail(data: bytes) -> str:
    body: Any = message_from_bytes(data, policy=policy.default).get_body(("plain",))
    return str(body.get_content())


def _word(data: bytes) -> str:
    document = import_module("docx").Document(io.BytesIO(data))
    return "\n".join(paragraph.text for paragraph in document.paragraphs)


def _odt(data: bytes) -> str:
    document = import_module("odfdo").Document(io.BytesIO(data))
    return "\n".join(paragraph.inner_text for paragraph in document.body.paragraphs)


def _pdf(data: bytes) -> str:
    pages = import_module("pypdf").PdfReader(io.BytesIO(data)).pages
    return "\n".join(page.extract_text() for page in pages)


def _segments(data: bytes) -> str:
    reader = import_module("pyx12.x12file").X12Reader(io.StringIO(data.decode("ascii")))
    return "\n".join(segment.format(" ", " ", " ") for segment in reader)


# How a user would extract the text: the package that must be installed, and how it is called.
EXTRACTORS: Mapping[str, tuple[str, Extract]] = {
    ".rtf": ("striprtf", _rtf),
    ".html": ("lxml", _html),
    ".eml": ("email", _mail),
    ".docx": ("docx", _word),
    ".odt": ("odfdo", _odt),
    ".pdf": ("pypdf", _pdf),
    ".837": ("pyx12", _segments),
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
    sets = (f"ST*837*{n:04}*005010X222A1~{own}SE*16*{n:04}~" for n in range(1, CLAIMS + 1))
    return f"{head}{''.join(sets)}GE*{CLAIMS}*17~IEA*1*000000905~".encode()


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
    told = (
        "INFO Sent the letter to the ward.",
        "WARN No answer came from the other side, so it was asked again.",
        "INFO The queue is closed; what was left of it will be sent later.",
    )
    lines = (f"2023-03-14T10:{n // 60 % 60:02}:{n % 60:02}Z {told[n % 3]}\n" for n in range(9000))
    return "".join(lines).encode()


TABLES: Mapping[str, Callable[[], bytes]] = {
    ".837": _x12, ".ncpdp": _ncpdp, ".xml": _fhir_xml, ".dat": _fixed, ".yaml": _yaml,
    ".log": _log,
}  # fmt: skip


NAMES = {
    "": "plain text", ".rtf": "RTF", ".html": "HTML", ".eml": "e-mail", ".docx": "Word",
    ".odt": "OpenDocument", ".pdf": "PDF, as text", ".pdf redacted": "PDF, `--pdf redacted`",
    ".837": "X12", ".ncpdp": "NCPDP", ".xml": "FHIR in XML", ".dat": "fixed width",
    ".yaml": "YAML", ".log": "log",
}  # fmt: skip
TIMED = (*RENDERED, ".pdf redacted", *TABLES)
Answer = dict[str, float]


def main() -> int:
    """Write the page, or print it if Presidio was not measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spacy-model", default="", metavar="FOLDER")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child:
        suffix, what = asked.child
        print(json.dumps(TASKS[what](suffix, asked.spacy_model)))
        return 0
    page = "\n".join(page_lines(asked.spacy_model)) + "\n"
    if not asked.spacy_model:
        print(page)
        return 0
    (HERE / "documents.md").write_text(page, "utf-8")
    print(f"wrote {HERE / 'documents.md'}")
    return 0


def page_lines(model: str) -> list[str]:
    """The page: how it was made, recall by format, speed and memory by format."""
    lines = [
        *INTRODUCTION,
        f"Load of the machine at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.",
        f"Processor: {processor()}.",
        "",
        "| format | recall | words in place | text extracted by | recall of Presidio |",
        "|---|---:|---:|---|---:|",
    ]
    found = {
        (suffix, what): child(suffix, what, model)
        for what in TASKS
        for suffix in ("", *TIMED)
        if what != "recall" or suffix in ("", *RENDERED)
    }
    for suffix in ("", *RENDERED):
        own, other = found[suffix, "recall"], found[suffix, "instead"]
        by = EXTRACTORS[suffix][0] if suffix in EXTRACTORS else ""
        rate = f"{other['recall']:.2%}" if "recall" in other else ""
        told = f"{own['recall']:.2%} | {own['kept']:.2%}"
        lines.append(f"| {NAMES[suffix]} | {told} | {by} | {rate} |")
    lines += [
        "",
        (
            "| format | read and written | whole job | memory of the whole job "
            "| text and Presidio | memory of text and Presidio |"
        ),
        "|---|---:|---:|---:|---:|---:|",
    ]
    for suffix in ("", *TIMED):
        files, job, other = (found[suffix, what] for what in ("files", "job", "instead"))
        told = [*_rate(files)[:1], *_rate(job), *_rate(other)]
        lines.append(f"| {NAMES[suffix]} | {' | '.join(told)} |")
    return lines


INTRODUCTION = f"""# Documents

Made by `.venv/bin/python benchmarks/documents.py --spacy-model FOLDER`.

This page shows whether the format of a document affects what the engine finds, and how fast each
format is processed. `corpora/documents.py` writes the 40 annotated notes of `corpora/handwritten`
in each format.

The first table gives the recall for each format:

* *Recall* is the share of annotated identifiers in which findings of any type cover every letter
  and digit. It says little about other notes, because some rules were written after the misses in
  these notes were read. Only the differences between the formats are meaningful.
* *Words in place* is the share of words that this engine reads at the same position as in the plain
  text.
* *Text extracted by* and *recall of Presidio* show an alternative to this engine: a package
  extracts the text, and default Presidio searches it.

The second table gives pages per CPU second, and the memory of the largest process. A page is
{PAGE:,} characters of text, or of the file if it is a table. A separate process measured each
figure. A cell is empty if nothing was measured.

* *Read and written*: the engine reads the file and writes it again, without a search.
* *Whole job*: `deid scrub` with the default network and the residual search, without start-up.
* *Text and Presidio*: a package extracts the text, and Presidio searches it. Nothing is written.

The notes are short, and each PDF is read in a separate child process. Starting this process takes
longer than processing the text of a note. This lowers the speed of PDF in the
table.
""".split("\n")


def _rate(one: Answer) -> list[str]:
    """Pages per second and memory, blank if nothing was measured."""
    if not one.get("seconds"):
        return ["", ""]
    rate = one["pages"] / one["seconds"]
    return [f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}", f"{one['memory']:.0f} MB"]


def child(suffix: str, what: str, model: str) -> Answer:
    """The result of a child process that measures one format."""
    command = [sys.executable, str(Path(__file__)), "--child", suffix, what]
    done = subprocess.run(
        [*command, "--spacy-model", model],
        capture_output=True, check=True, text=True, cwd=HERE.parent,
        env={k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"},
    )  # fmt: skip
    answer: Answer = json.loads(done.stdout)
    return answer


def notes() -> tuple[list[str], Gold]:
    """The annotated notes, and the spans of their identifiers."""
    rows = [json.loads(line) for line in NOTES.read_text("utf-8").splitlines()]
    return [row["text"] for row in rows], [
        [(s["start"], s["end"]) for s in row["spans"]] for row in rows
    ]


def rendered(suffix: str) -> tuple[list[bytes], float]:
    """The files of a format, and their number of pages."""
    ending = suffix.partition(" ")[0]
    if ending in TABLES:
        data = TABLES[ending]()
        return [data], len(data) / PAGE
    texts, _ = notes()
    return [RENDERED[ending](text) if ending else text.encode() for text in texts], sum(
        map(len, texts)
    ) / PAGE


def measure_recall(suffix: str, model: str) -> Answer:
    """Recall of the shipped engine on the text read from the files, and the words in place."""
    from deid.text.engine import load_finder

    texts, gold = notes()
    read = [shown(suffix, data) for data in rendered(suffix)[0]] if suffix else texts
    same = [
        sum(a == b for a, b in zip(text.split(), other.split(), strict=False))
        for text, other in zip(texts, read, strict=True)
    ]
    found = load_finder(DAY).find_all(read)
    kept = sum(same) / sum(len(text.split()) for text in texts)
    return {"recall": recall(texts, read, gold, found), "kept": kept}


def measure_instead(suffix: str, model: str) -> Answer:
    """Text extraction and default Presidio; empty if the package or the model is missing."""
    package, extract = EXTRACTORS.get(suffix, ("json", bytes.decode))
    known = suffix in EXTRACTORS or not suffix
    if not model or not known or find_spec(package) is None:
        return {}
    files, pages = rendered(suffix)
    search = presidio(model)
    search(["Seen by Dr. Okafor."])
    began = used()
    plain = [part for data in files for part in _pieces(suffix, extract(data))]
    found = search(plain)
    answer = {"pages": pages, "seconds": used() - began, "memory": memory()}
    if suffix in ("", *RENDERED):
        texts, gold = notes()
        answer["recall"] = recall(texts, plain, gold, found)
    return answer


def _pieces(suffix: str, text: str) -> list[str]:
    """The text, or each claim of a claims file: Presidio has a limit of characters."""
    return text.split("\nST ") if suffix in TABLES else [text]


def measure_files(suffix: str, model: str) -> Answer:
    """Reading and writing without a search."""
    files, pages = rendered(suffix)
    repeats = REPEATS if suffix in RENDERED and suffix != ".pdf" else 1
    with TemporaryDirectory() as name:
        paths = laid_out(Path(name), suffix, files)
        options = options_of(suffix, Path(name))
        began = used()
        for _ in range(repeats):
            for path in paths:
                send_through(path, options)
        return {"pages": repeats * pages, "seconds": used() - began, "memory": memory()}


def measure_job(suffix: str, model: str) -> Answer:
    """The whole job with the default engine, which is loaded before the clock begins."""
    from deid.jobs import Job, run_job
    from deid.policy.model import read_policy
    from deid.text.engine import load_finder

    files, pages = rendered(suffix)
    finder = load_finder(DAY)
    finder.find_all(["Seen by Dr. Okafor."])
    with TemporaryDirectory() as name:
        laid_out(Path(name), suffix, files)
        job = Job(
            (Path(name) / "in",), Path(name) / "out", read_policy("safe_harbor"), DAY,
            read=options_of(suffix, Path(name)),
        )  # fmt: skip
        began = used()
        release = run_job(job, finder)
        assert release.exit_code == 0, (suffix, release.exit_code)
        return {"pages": pages, "seconds": used() - began, "memory": memory()}


TASKS: Mapping[str, Callable[[str, str], Answer]] = {
    "recall": measure_recall,
    "files": measure_files,
    "job": measure_job,
    "instead": measure_instead,
}


def laid_out(folder: Path, suffix: str, files: Sequence[bytes]) -> list[Path]:
    """Write the input files of a job, and the layout of fixed-width files beside them."""
    (folder / "layout.csv").write_text(LAYOUT)
    (folder / "in").mkdir()
    paths = []
    for number, data in enumerate(files):
        paths.append(folder / "in" / f"note-{number}{suffix.partition(' ')[0] or '.txt'}")
        paths[-1].write_bytes(data)
    return paths


def options_of(suffix: str, folder: Path) -> ReadOptions:
    layout = read_layout(folder / "layout.csv") if suffix == ".dat" else None
    return ReadOptions(pdf=suffix.partition(" ")[2] or "text", layout=layout)


def memory() -> float:
    """Megabytes of the largest of this process and its children."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(kind).ru_maxrss for kind in kinds) // 1024


def shown(suffix: str, data: bytes) -> str:
    """The text of a document that the engine searches."""
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
        places = places_in(text, other)
        covered = {n for f in findings for n in range(f.start, f.end)}
        total += len(spans)
        for start, end in spans:
            letters = [n for n in range(start, end) if text[n].isalnum()]
            hit += all(n not in places or places[n] in covered for n in letters)
    return hit / total


def places_in(text: str, other: str) -> dict[int, int]:
    """Maps the offset of each letter and digit of a text to its offset in the text as read."""
    old = [n for n, char in enumerate(text) if char.isalnum()]
    new = [n for n, char in enumerate(other) if char.isalnum()]
    before, after = [text[n] for n in old], [other[n] for n in new]
    if before == after:
        return dict(zip(old, new, strict=True))
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    return {old[b.a + n]: new[b.b + n] for b in blocks for n in range(b.size)}


def used() -> float:
    """CPU seconds of this process and of its child processes, which read PDF."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def send_through(path: Path, options: ReadOptions) -> None:
    """Read a file and write everything that was read to a new file."""
    found = format_of(path, options)
    assert found is not None
    for number, member in enumerate(members_of(path, options)):
        source = open_source(path, options, member)
        target = path.parents[1] / "out" / f"{number}-{Path(member or path.name).name}"
        target.parent.mkdir(exist_ok=True)
        sink = found.create(target, source, dict(enumerate(source.columns)))
        for record in source.records():
            if isinstance(record, Record):
                sink.write(record.cells, record.skeleton)
        sink.close()


if __name__ == "__main__":
    sys.exit(main())
