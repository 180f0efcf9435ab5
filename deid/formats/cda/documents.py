"""C-CDA and eICR: one HL7 ClinicalDocument per file, written again element by element."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from sys import intern
from typing import Any

from lxml import etree

from deid.errors import DeidError
from deid.formats.cda.clean_copy import CleanCopy
from deid.formats.cda.closed_lists import V3
from deid.formats.cda.codes import may_keep_cda_code
from deid.formats.cda.leaves import DocumentLeaf
from deid.formats.cda.parsing import looks_clinical, parse_document
from deid.formats.contract import ReadOptions, Record, RecordFault, RecordSource, Sink
from deid.vocabularies.locus import Locus, LocusTable

_CDA_SUFFIXES = (".xml", ".cda", ".ccda", ".ccd")
UNNAMED_COLUMN = "*"
# The replacement for a withheld document.
_WITHHELD = f'<ClinicalDocument xmlns="{V3}" nullFlavor="MSK"/>\n'.encode()


@dataclass(frozen=True, slots=True)
class DocumentSkeleton:
    """A document without its values, and its leaves in order."""

    root: Any
    leaves: tuple[DocumentLeaf, ...]

    def __repr__(self) -> str:
        return f"DocumentSkeleton({len(self.leaves)} leaves)"


@dataclass(frozen=True, slots=True)
class CdaSource:
    """One document: one record whose columns are its leaves in document order."""

    path: Path
    columns: tuple[str, ...]
    loci: tuple[Locus | None, ...]
    rtf: str

    def __repr__(self) -> str:
        return f"CdaSource({len(self.columns)} columns)"

    def records(self) -> Iterator[Record | RecordFault]:
        """The document, or a fault if the file changed since it was opened."""
        try:
            skeleton = read_document(self.path, self.rtf)
        except DeidError as error:
            yield RecordFault(1, error.code)
            return
        if tuple(leaf_column(leaf)[0] for leaf in skeleton.leaves) != self.columns:
            yield RecordFault(1, "input-changed")
            return
        yield Record(1, tuple(leaf.value for leaf in skeleton.leaves), skeleton=skeleton)


def read_document(path: Path, rtf: str = "document") -> DocumentSkeleton:
    """Read one document and split it into leaves; `rtf` is the form in which its RTF is written.

    Raises:
        DeidError: an error of `parsing.parse_document`.
    """
    growth = CleanCopy(rtf)
    root = growth.grow(parse_document(path))
    return DocumentSkeleton(root, tuple(growth.leaves))


class CdaSink:
    """Writes the document as UTF-8: its elements in order, with the released values."""

    def __init__(self, path: Path, columns: Mapping[int, str]) -> None:
        self._path, self._leaving = path, tuple(columns)
        path.write_bytes(_WITHHELD)

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        """Put the released cells into the document; the others are left out."""
        if not isinstance(skeleton, DocumentSkeleton):
            raise TypeError("a C-CDA sink needs the document's skeleton")
        left = dict(zip(self._leaving, cells, strict=True))
        for index, leaf in enumerate(skeleton.leaves):
            leaf.put(left.get(index))
        tree = etree.ElementTree(skeleton.root)
        tree.write(str(self._path), encoding="UTF-8", xml_declaration=True)

    def close(self) -> None:
        """Do nothing; no file is open."""


class Cda:
    """A C-CDA or eICR document."""

    name = "cda"

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether the file has an XML suffix and its root is a ClinicalDocument."""
        return suffix in _CDA_SUFFIXES and looks_clinical(path)

    def open(self, path: Path, options: ReadOptions) -> RecordSource:
        """Read the document once to collect its paths.

        Raises:
            DeidError: an error of `parsing.parse_document`.
        """
        told = [leaf_column(leaf) for leaf in read_document(path, options.rtf).leaves]
        loci = tuple(locus for _, locus in told)
        return CdaSource(path, tuple(name for name, _ in told), loci, options.rtf)

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink:
        """Open the output, which is in UTF-8 regardless of the input's encoding."""
        if not isinstance(source, CdaSource):
            raise TypeError("a C-CDA sink needs a C-CDA source")
        return CdaSink(path, columns)


@cache
def _cda_loci() -> LocusTable:
    return LocusTable.read("deid.formats.cda")


def leaf_column(leaf: DocumentLeaf) -> tuple[str, Locus | None]:
    """The column name and the locus of a leaf; unlisted codes get a separate column."""
    locus = _cda_loci().find(leaf.path) if leaf.path else None
    if locus is None:
        return intern(leaf.path) or UNNAMED_COLUMN, None
    profile = locus.profile
    if may_keep_cda_code(leaf.path, profile.kind, profile.shape, leaf.value):
        return intern(leaf.path), locus
    return intern(f"{leaf.path}:unlisted"), _cda_loci().find("unlisted")


FORMAT = Cda()
