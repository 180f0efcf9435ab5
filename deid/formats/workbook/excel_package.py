"""The XML package of a workbook: checks it before parsing, counts it, repacks it after writing."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from deid.errors import unreadable
from deid.formats.containers.zip_safety import opened_zip, pack_zip

_PACKAGE_BLOCK = 1 << 20
_DTD = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_KEPT = len(b"<!DOCTYPE") + 64
# Parts of the package that are never passed on, by their path in the package.
_HIDDEN_PARTS = (
    ("pivot-caches", re.compile(r"xl/pivotCache/pivotCacheDefinition")),
    ("pictures", re.compile(r"xl/media/")),
    ("charts", re.compile(r"xl/charts/chart")),
    ("macros", re.compile(r"xl/vbaProject")),
    ("embedded-objects", re.compile(r"xl/embeddings/")),
    ("external-links", re.compile(r"xl/externalLinks/externalLink")),
    ("connections", re.compile(r"xl/connections")),
    ("custom-xml", re.compile(r"customXml/item\d")),
    ("document-properties", re.compile(r"docProps/")),
)
# Elements to count, by the parts that hold them.
_BOOK, _SHEET = r"xl/workbook\.xml", r"xl/worksheets/sheet"
_XML_ELEMENTS = (
    ("comments", r"xl/(?:comments|threadedComments/)", "(?:c|threadedC)omment"),
    ("defined-names", _BOOK, "definedName"),
    ("formulas", _SHEET, "f"),
    ("merged-cells", _SHEET, "mergeCell"),
    ("hyperlinks", _SHEET, "hyperlink"),
    ("validations", _SHEET, "dataValidation"),
    ("headers-and-footers", _SHEET, "headerFooter"),
)
_OOXML = "http://schemas.openxmlformats.org"
_PROPERTIES = {
    "docProps/core.xml": (
        f'<coreProperties xmlns="{_OOXML}/package/2006/metadata/core-properties"/>'
    ),
    "docProps/app.xml": f'<Properties xmlns="{_OOXML}/officeDocument/2006/extended-properties"/>',
}


def check_package(path: Path) -> None:
    """Refuse a package that is not a sound archive, or whose XML defines entities.

    Raises:
        DeidError: `xml-dtd`, and the codes of `zip_safety.opened_zip`.
    """
    with opened_zip(path) as archive:
        for name in archive.namelist():
            if name.casefold().endswith((".xml", ".rels", ".vml")) and _defines(archive, name):
                raise unreadable(
                    "xml-dtd",
                    "XML of the workbook defines entities, which Excel never does",
                    hint="save it again with Excel",
                )


def _defines(archive: ZipFile, name: str) -> bool:
    """Whether the XML holds a document type, or has an encoding in which one could hide."""
    tail = b""
    try:
        with archive.open(name) as file:
            while block := file.read(_PACKAGE_BLOCK):
                if not tail and (b"\0" in block[:4] or block[:2] in (b"\xfe\xff", b"\xff\xfe")):
                    return True
                if _DTD.search(tail + block):
                    return True
                tail = block[-_KEPT:]
    except Exception:  # the workbook reader reports broken parts that matter
        return False
    return False


def left_in_package(path: Path) -> dict[str, int]:
    """Counts of what the package holds besides values, by kind."""
    found: Counter[str] = Counter()
    with opened_zip(path) as archive:
        for name in archive.namelist():
            found.update(what for what, place in _HIDDEN_PARTS if place.match(name))
            wanted = [(w, _opening(e)) for w, place, e in _XML_ELEMENTS if re.match(place, name)]
            if wanted:
                found.update(_count_elements(archive, name, wanted))
    return {what: count for what, count in sorted(found.items()) if count}


def _opening(element: str) -> re.Pattern[bytes]:
    return re.compile(rb"<(?:\w+:)?%b[ >/]" % element.encode())


def _count_elements(
    archive: ZipFile, name: str, wanted: list[tuple[str, re.Pattern[bytes]]]
) -> Counter[str]:
    found: Counter[str] = Counter()
    with archive.open(name) as file:
        left = b""
        while block := file.read(_PACKAGE_BLOCK):
            cut = block.rfind(b"<") if len(block) == _PACKAGE_BLOCK else len(block)
            data, left = left + block[:cut], block[cut:]
            for what, form in wanted:
                found[what] += len(form.findall(data))
        for what, form in wanted:
            found[what] += len(form.findall(left))
    return found


def repack_workbook(path: Path) -> None:
    """Repack a new workbook with fixed times and without author metadata."""
    with TemporaryDirectory(dir=path.parent, prefix=".deid-") as folder, ZipFile(path) as archive:
        entries: list[tuple[str, Path | bytes]] = []
        for number, name in enumerate(archive.namelist()):
            if name in _PROPERTIES:
                entries.append((name, _PROPERTIES[name].encode()))
                continue
            content = Path(folder) / str(number)
            with archive.open(name) as source, content.open("wb") as file:
                while block := source.read(_PACKAGE_BLOCK):
                    file.write(block)
            entries.append((name, content))
        made = Path(folder) / "made"
        pack_zip(made, entries)
        made.replace(path)
