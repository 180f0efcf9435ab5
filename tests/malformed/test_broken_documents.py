"""Broken and hostile files through one job: each gets a code, and nothing of them is released."""

from __future__ import annotations

import resource
from collections.abc import Mapping
from pathlib import Path

import document_files
import fhir_xml_files
import hostile_files
import pdf_files
import pytest
import x12_files
from broken_files import CANARY, Outcome, holds_canary, scrub_files

from deid.errors import DeidError
from deid.formats import open_source

Files = Mapping[str, tuple[bytes, str]]
# The files of each kind, and the minimum number of files.
KINDS: Mapping[str, tuple[Files, int]] = {
    "RTF": (document_files.RTF_FILES, 14),
    "HTML": (document_files.HTML_FILES, 10),
    "mail": (document_files.MAIL_FILES, 11),
    "Word": (document_files.WORD_FILES, 13),
    "OpenDocument": (document_files.ODT_FILES, 7),
    "PDF": (pdf_files.PDF_FILES, 21),
    "X12": (x12_files.X12_FILES, 16),
    "FHIR in XML": (fhir_xml_files.FHIR_XML_FILES, 21),
    "bombs": (hostile_files.BOMBS, 20),
    "objects that hold themselves": (hostile_files.LOOPS, 10),
    "huge pictures": (hostile_files.PICTURES, 11),
    "encrypted": (hostile_files.LOCKS, 11),
    "macros and programs": (hostile_files.PROGRAMS, 11),
}
COLLECTION: Files = {name: one for files, _ in KINDS.values() for name, one in files.items()}
# Processor time for one file; PDFium's limit is half of it.
MOST_SECONDS = 60
WHOLE = {
    "whole.rtf": document_files.GOOD,
    "whole.pdf": pdf_files.GOOD,
    "whole.837": x12_files.GOOD,
    "whole.xml": fhir_xml_files.GOOD,
}
# These files are read as text and withheld when the text is searched, or are refused record by
# record.
REFUSED_LATER = ("inner.txt", *fhir_xml_files.REFUSED_LATER)


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    files = {name: data for name, (data, _) in COLLECTION.items()}
    return scrub_files(tmp_path_factory.mktemp("malformed"), files | WHOLE)


@pytest.mark.parametrize("kind", KINDS)
def test_there_are_enough_of_each_kind(kind: str) -> None:
    files, least = KINDS[kind]
    assert len(files) >= least
    assert len({(Path(name).suffix, data) for name, (data, _) in files.items()}) == len(files)


def test_no_file_is_of_two_kinds_and_each_is_reported(outcome: Outcome) -> None:
    assert len(COLLECTION) == sum(len(files) for files, _ in KINDS.values()) >= 176
    hostile = ("bombs", "objects that hold themselves", "huge pictures", "encrypted")
    assert sum(len(KINDS[kind][0]) for kind in (*hostile, "macros and programs")) >= 60
    assert set(outcome.codes) >= set(COLLECTION)


@pytest.mark.parametrize("name", COLLECTION)
def test_each_broken_document_has_its_code(name: str, outcome: Outcome) -> None:
    assert {line.split(":")[1] for line in outcome.codes[name]} == {COLLECTION[name][1]}


def test_nothing_of_a_broken_document_is_released(outcome: Outcome) -> None:
    left = [p for p in outcome.out.rglob("*") if p.is_file() and p.parent.name != "_release"]
    contents = {path.name: path.read_bytes() for path in left}
    broken = {path.name for path in left} - {*WHOLE, "whole.pdf.txt"} - set(REFUSED_LATER)
    assert not broken and len(left) == len(WHOLE) + len(fhir_xml_files.REFUSED_LATER)
    assert all(b"patient was seen" in contents[n] or b"patient is well" in contents[n]
               for n in contents if n.startswith("whole."))  # fmt: skip
    assert not holds_canary(outcome.out)


@pytest.mark.parametrize("name", [name for name in COLLECTION if name not in REFUSED_LATER])
def test_an_error_of_a_broken_document_shows_no_value_and_comes_in_time(
    name: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(COLLECTION[name][0])
    began = processor_seconds()
    with pytest.raises(DeidError) as caught:
        list(open_source(tmp_path / name).records())
    assert CANARY not in f"{caught.value!r}{caught.value}"
    assert caught.value.__cause__ is None
    assert processor_seconds() - began < MOST_SECONDS


def processor_seconds() -> float:
    """Processor time of this process and of its children, which read PDF."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(kind) for kind in kinds]
    return sum(one.ru_utime + one.ru_stime for one in used)
