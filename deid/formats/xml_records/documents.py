"""XML records: one file of one record, or of several beside each other below the root.

The copy of the document is built when it is read. A record that is withheld keeps the elements of
its copy, without values.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from lxml import etree

from deid.errors import DeidError
from deid.formats.cda.specs import local
from deid.formats.contract import ReadOptions, Record, RecordFault, RecordSource, Sink
from deid.formats.guarded_xml import parse_xml_file, xml_refusal
from deid.formats.path_columns import PathColumns, count_paths
from deid.formats.xml_records.copying import XmlCopy, XmlFault, XmlRecord
from deid.vocabularies.locus import Locus

_XML_SUFFIX = ".xml"
# Elements that each are a record, by the root of their documents.
_RECORD_ELEMENTS = {"ODM": "SubjectData"}
_NO_RECORDS = frozenset(["html", "svg", "schema", "stylesheet", "transform", "wordDocument"])
_ROOT_WITHIN = 1 << 16
_XML_PROLOG = re.compile(
    rb"(?:\s+|<\?.*?\?>|<!--.*?-->|\xef\xbb\xbf|\xff\xfe|\xfe\xff)*", re.DOTALL
)
_ROOT_ELEMENT = re.compile(rb"<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)")


@dataclass(frozen=True, slots=True)
class XmlSkeleton:
    """The data that the sink needs to write a record: its leaves, their columns, its document."""

    document: Any = field(repr=False)
    record: XmlRecord = field(repr=False)
    places: tuple[int, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class XmlSource:
    """One file; its columns are paths.

    `loci_at` has the loci of the paths that the tables list; the others are judged as columns.
    """

    path: Path
    paths: PathColumns
    loci_at: Mapping[str, Locus | None] = field(repr=False)
    rtf: str
    by_name: bool = True
    prefixes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"XmlSource({len(self.columns)} columns)"

    @property
    def columns(self) -> tuple[str, ...]:
        """The paths of the leaves."""
        return self.paths.columns

    @property
    def closed_paths(self) -> frozenset[str]:
        """The paths that the tables list: their names are published, their codes were checked."""
        return frozenset(self.loci_at)

    def records(self) -> Iterator[Record | RecordFault]:
        """The envelope of the document, if there are records in it, and each record."""
        try:
            document, records = read_xml_records(self.path, self.rtf)
        except DeidError as error:
            yield RecordFault(1, error.code)
            return
        for ordinal, record in enumerate(records, 1):
            if record.fault:
                yield RecordFault(ordinal, record.fault)
                continue
            cells: list[str | None] = [None] * len(self.columns)
            leaves = ((leaf.path, leaf.value) for leaf in record.leaves)
            places = self.paths.place(leaves, cells)
            yield Record(ordinal, tuple(cells), skeleton=XmlSkeleton(document, record, places))

    def sample(self, size: int) -> Iterator[Record]:
        """The first records."""
        return (one for one in islice(self.records(), size) if isinstance(one, Record))


def read_xml_records(path: Path, rtf: str) -> tuple[Any, list[XmlRecord]]:
    """The copy of a document and its records.

    Raises:
        DeidError: `too-deep`, `too-many-names`, `too-many-values`, and the codes of
            `parse_xml_file`.
    """
    root = parse_xml_file(path)
    copy = XmlCopy(rtf, frozenset(_record_elements(root)))
    try:
        document = copy.grow(root)
    except XmlFault as fault:
        raise xml_refusal(str(fault)) from None
    return document, copy.records


def _record_elements(root: Any) -> list[Any]:
    """The elements that are records of their own: equal elements that are all that is in the root,
    below any elements around them, or those that the format names."""
    named = _RECORD_ELEMENTS.get(local(root))
    if named is not None:
        return [node for node in root.iter() if local(node) == named]
    while len(root) == 1:
        root = root[0]
    tags = {child.tag for child in root}
    return list(root) if len(tags) == 1 and all(len(child) for child in root) else []


class XmlSink:
    """Writes the copy of the document, in UTF-8, with the released values of its records."""

    def __init__(self, path: Path, columns: Mapping[int, str]) -> None:
        self._path = path
        self._position = {column: place for place, column in enumerate(columns)}
        self._document: Any = None
        path.write_bytes(b"<withheld/>\n")

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        """Put the released cells of a record into the copy."""
        if not isinstance(skeleton, XmlSkeleton):
            raise TypeError("an XML record needs the skeleton it was read with")
        self._document = skeleton.document
        for leaf, column in zip(skeleton.record.leaves, skeleton.places, strict=True):
            place = self._position.get(column)
            leaf.put(None if place is None else cells[place])
        for text in skeleton.record.texts:
            text.finish()

    def close(self) -> None:
        """Write the document."""
        if self._document is not None:
            tree = etree.ElementTree(self._document)
            etree.indent(tree)
            tree.write(str(self._path), encoding="UTF-8", xml_declaration=True)
            self._document = None


class XmlRecords:
    """Records of clinical systems in XML."""

    name = "xml_records"

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether the name ends in `.xml` and the root element is not one of a page or a schema."""
        named = suffix == path.suffix.casefold() == _XML_SUFFIX
        return named and _root_name(path) not in ("", *_NO_RECORDS)

    def open(self, path: Path, options: ReadOptions) -> RecordSource:
        """Read the document once to collect its paths.

        Raises:
            DeidError: an error of `read_xml_records`.
        """
        _, records = read_xml_records(path, options.rtf)
        most: dict[str, int] = {}
        loci: dict[str, Locus | None] = {}
        for record in records:
            count_paths(most, (leaf.path for leaf in record.leaves))
            loci |= record.loci
        return XmlSource(path, PathColumns.of(most), loci, options.rtf)

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink:
        """Open the output, which is in UTF-8."""
        if not isinstance(source, XmlSource):
            raise TypeError("a sink of XML records needs such a source")
        return XmlSink(path, columns)

    def left_behind(
        self, path: Path, member: str = "", options: ReadOptions | None = None
    ) -> Mapping[str, int]:
        """The count of values that cannot be searched or that the rules of HL7 do not name."""
        rtf = (options or ReadOptions()).rtf
        counted: Counter[str] = Counter()
        for record in read_xml_records(path, rtf)[1]:
            counted["unnamed-values"] += record.strays
            counted["unnamed-values"] += sum(locus is None for locus in record.loci.values())
        return dict(+counted)


def _root_name(path: Path) -> str:
    """The name of the root element, or "" if the file does not begin with one."""
    with path.open("rb") as file:
        head = file.read(_ROOT_WITHIN).replace(b"\0", b"")
    before = _XML_PROLOG.match(head)
    found = _ROOT_ELEMENT.match(head, before.end() if before else 0)
    return "" if found is None else found[1].decode("ascii", "replace")


FORMAT = XmlRecords()
