"""Broken and hostile files through one job: each a code, nothing of them passed on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import document_files
import fhir_xml_files
import hostile_files
import pdf_files
import pytest
import x12_files
from broken_files import CANARY, Told, holds_canary, scrub_files

from deid.errors import DeidError
from deid.formats import open_source

COLLECTION: Mapping[str, tuple[bytes, str]] = {
    **document_files.DOCUMENT_FILES,
    **pdf_files.PDF_FILES,
    **x12_files.X12_FILES,
    **fhir_xml_files.FHIR_XML_FILES,
    **hostile_files.HOSTILE_FILES,
}
WHOLE = {
    "whole.rtf": document_files.GOOD,
    "whole.pdf": pdf_files.GOOD,
    "whole.837": x12_files.GOOD,
    "whole.xml": fhir_xml_files.GOOD,
}
# Read as a text, and withheld when its text is searched; or refused record by record.
REFUSED_LATER = ("inner.txt", *fhir_xml_files.REFUSED_LATER)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    files = {name: data for name, (data, _) in COLLECTION.items()}
    return scrub_files(tmp_path_factory.mktemp("malformed"), files | WHOLE)


@pytest.mark.parametrize("name", COLLECTION)
def test_each_has_its_code(name: str, told: Told) -> None:
    assert {line.split(":")[1] for line in told.codes[name]} == {COLLECTION[name][1]}


def test_nothing_broken_is_passed_on(told: Told) -> None:
    left = [p for p in told.out.rglob("*") if p.is_file() and p.parent.name != "_release"]
    told_of = {path.name: path.read_bytes() for path in left}
    broken = {path.name for path in left} - {*WHOLE, "whole.pdf.txt"} - set(REFUSED_LATER)
    assert not broken and len(left) == len(WHOLE) + len(fhir_xml_files.REFUSED_LATER)
    assert all(b"patient was seen" in told_of[n] or b"patient is well" in told_of[n]
               for n in told_of if n.startswith("whole."))  # fmt: skip
    assert not holds_canary(told.out)


@pytest.mark.parametrize("name", [name for name in COLLECTION if name not in REFUSED_LATER])
def test_an_error_shows_no_value(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(COLLECTION[name][0])
    with pytest.raises(DeidError) as caught:
        list(open_source(tmp_path / name).records())
    assert CANARY not in f"{caught.value!r}{caught.value}"
    assert caught.value.__cause__ is None
