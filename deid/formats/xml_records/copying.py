"""Builds a copy of an XML record without its values, and collects them as leaves.

Only names of known words, constants of the schemas and white space are copied. Every other value
becomes a leaf, which the sink writes back, or is left out and counted. HL7 v2 and v3 within the
document are read with their own rules.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

from lxml import etree

from deid.formats.cda.clean_copy import CleanCopy
from deid.formats.cda.closed_lists import V3, XML, XSI
from deid.formats.cda.documents import leaf_column
from deid.formats.cda.embedded import looks_encoded
from deid.formats.cda.leaves import DocumentLeaf
from deid.formats.cda.specs import local, namespace_of
from deid.formats.hl7v2.pieces import Unreadable
from deid.formats.signatures import sniff
from deid.formats.xml_records.closed_lists import (
    Label,
    XmlPlace,
    XmlRule,
    family_of,
    family_of_root,
    is_constant,
    is_schema_name,
    label_at,
    locus_at,
    rule_at,
    schema_names,
    stated_system,
    unlisted_locus,
)
from deid.formats.xml_records.leaves import FieldText, XmlLeaf, field_leaves
from deid.formats.xml_records.v2_segments import (
    SegmentTree,
    is_v2_message,
    take_v2_message,
)
from deid.vocabularies import is_language
from deid.vocabularies.locus import Locus

MOST_LEAVES, DEEPEST = 100_000, 200
# Names that are in no table, of known words or not. Each is a column to judge, and more of them are
# no schema.
MOST_UNLISTED_NAMES = 2000
UNNAMED = "*"
_NEVER_COPIED = frozenset(["schemaLocation", "noNamespaceSchemaLocation"])


class XmlFault(Exception):
    """A document that cannot be read as records; its only argument is an error code."""


@dataclass(slots=True)
class XmlRecord:
    """The leaves of one record, in order, and the texts to finish once they are written."""

    leaves: list[DocumentLeaf] = field(default_factory=list, repr=False)
    loci: dict[str, Locus | None] = field(default_factory=dict, repr=False)
    texts: list[FieldText | SegmentTree] = field(default_factory=list, repr=False)
    strays: int = 0
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Inside:
    """Where an element is, the label of its values, and the names that make no path."""

    place: XmlPlace
    label: str = field(default="", repr=False)
    through: frozenset[str] = frozenset()

    def below(self, name: str) -> Inside:
        """The inside of an attribute."""
        return self if name in self.through else replace(self, place=self.place.below(name))


def _inside_label(place: XmlPlace, label: Label) -> Inside:
    """The inside of labeled parts. Their path begins at the element with the label."""
    if label.shown:
        place = replace(place, names=place.names[-1:]).below(label.shown)
    return Inside(place, label.text, label.through)


def _inside(key: str, label: Label | None, inner: Inside, labeled: Inside) -> Inside:
    named = label is not None and key.rpartition("}")[2] in label.within
    return labeled if named else inner


@dataclass(slots=True)
class XmlCopy:
    """The copy of a document: its envelope is the first record, the elements `apart` are others."""

    rtf: str
    apart: Collection[Any] = field(default=(), repr=False)
    records: list[XmlRecord] = field(default_factory=lambda: [XmlRecord()], repr=False)
    unlisted: dict[str, str] = field(default_factory=dict, repr=False)
    renamed: int = 0
    now: XmlRecord = field(init=False, repr=False)
    count: int = 0

    def __post_init__(self) -> None:
        self.now = self.records[0]

    def grow(self, root: Any) -> Any:
        """The copy of the root element.

        Raises:
            XmlFault: `too-deep`, `too-many-names`, `too-many-values`.
        """
        family = family_of(namespace_of(root)) or family_of_root(local(root))
        return self._element(root, None, Inside(XmlPlace(family)), 0)

    def _element(self, old: Any, above: Any, inside: Inside, depth: int) -> Any:
        if depth > DEEPEST:
            raise XmlFault("too-deep")
        if old in self.apart:
            self.now = XmlRecord()
            self.records.append(self.now)
        found = self._dialect(old, above)
        if found is None:
            found = self._generic(old, above, inside, depth)
        if old in self.apart:
            self.now = self.records[0]
        return found

    # -- HL7 -------------------------------------------------------------------------------------

    def _dialect(self, old: Any, above: Any) -> Any:
        """The copy of a message of HL7 v2 or v3 or of a clinical document; None for others."""
        if is_v2_message(old):
            return self._v2_message(old, above)
        if namespace_of(old) != V3:
            return None
        copy = CleanCopy(self.rtf)
        new = copy.grow(old)
        for leaf in copy.leaves:
            path, locus = leaf_column(leaf)
            if path == UNNAMED:
                self.now.strays += 1
            else:
                self._add(replace_path(leaf, path), locus)
        return _appended(new, above)

    def _v2_message(self, old: Any, above: Any) -> Any:
        try:
            tree = take_v2_message(old, self.rtf)
        except Unreadable as error:
            self.now.fault = str(error)
            return _appended(etree.Element(old.tag), above)
        self.now.texts.append(tree)
        self.now.strays += tree.strays
        for leaf, locus in tree.leaves():
            self._add(leaf, locus)
        return _appended(tree.root, above)

    # -- elements --------------------------------------------------------------------------------

    def _generic(self, old: Any, above: Any, inside: Inside, depth: int) -> Any:
        space, own = namespace_of(old), local(old)
        outer = inside.place
        family = family_of(space) or ("" if space else outer.family)
        shown = self._shown(own)
        new = _new_element(above, space if family_of(space) else "", shown)
        place = replace(outer, family=family)
        if own not in inside.through:
            place = place.below(shown, _type_of(old))
        label = label_at(place, old)
        inner = Inside(place, inside.label, inside.through)
        labeled = inner if label is None else _inside_label(place, label)
        for key, value in old.attrib.items():
            self._attribute(new, key, value, _inside(key, label, inner, labeled), old)
        children = list(old)
        if not children:
            self._value(new, "", (old.text or "").strip(), labeled, old)
        elif any(text and text.strip() for text in (old.text, *(c.tail for c in children))):
            self.now.strays += 1  # text between elements: a value may continue over them
        for child in children:
            self._element(child, new, _inside(child.tag, label, inner, labeled), depth + 1)
        return new

    def _shown(self, name: str) -> str:
        """The name in the copy: a name that may be a value becomes a number."""
        if name in schema_names():
            return name
        if name not in self.unlisted:
            if len(self.unlisted) >= MOST_UNLISTED_NAMES:
                raise XmlFault("too-many-names")
            self.unlisted[name] = self._new_name(name)
        return self.unlisted[name]

    def _new_name(self, name: str) -> str:
        if is_schema_name(name):
            return name
        self.renamed += 1
        return f"element_{self.renamed}"

    def _attribute(self, new: Any, key: str, value: str, inside: Inside, old: Any) -> None:
        space, _, name = key.rpartition("}")
        space = space.removeprefix("{")
        if space == XSI and name in _NEVER_COPIED:
            return
        if space in (XSI, XML):
            if _is_standard(name, value):
                new.set(key, value)
            else:
                self.now.strays += 1
            return
        shown = self._shown(name)
        spelled = f"{{{space}}}{shown}" if space and family_of(space) else shown
        self._value(new, spelled, value.strip(), inside.below(shown), old)

    # -- values ----------------------------------------------------------------------------------

    def _value(self, new: Any, name: str, value: str, inside: Inside, old: Any) -> None:
        """Copy a constant, or add a leaf for a value; what cannot be searched is left out."""
        if name:
            new.set(name, "")  # keeps its position
        if not value:
            return
        if looks_encoded(value) or sniff(value) is not None:
            self.now.strays += 1
            return
        rule = rule_at(inside.place)
        if rule is None:
            locus = unlisted_locus(inside.place, inside.label, value)
            path = ".".join(inside.place.names) if locus is None else locus.path
            self._add(XmlLeaf(path, value, new, name), locus, decided=locus is not None)
        elif rule.token and is_constant(rule.token, value):
            XmlLeaf("", value, new, name).put(value)
        elif rule.field:
            self._field(new, name, value, rule)
        elif rule.locus is not None:
            self._listed(new, name, value, inside, old, rule)

    def _listed(
        self, new: Any, name: str, value: str, inside: Inside, old: Any, rule: XmlRule
    ) -> None:
        system = stated_system(inside.place.family, old)
        locus = locus_at(rule, inside.place, inside.label, system, value)
        self._add(XmlLeaf(locus.path, value, new, name), locus)

    def _field(self, new: Any, name: str, value: str, rule: XmlRule) -> None:
        """Add the values of a field of HL7 v2; a field of PID says its number itself."""
        segment, _, number = rule.field.partition("-")
        head = ""
        if not number:
            head, _, value = value.partition("|")
            number = head.removeprefix(f"{segment}-")
            if not (head.startswith(f"{segment}-") and number.isdigit() and len(number) < 3):
                self.now.strays += 1
                return
        try:
            text, found = field_leaves(new, segment, int(number), value, self.rtf, name)
        except Unreadable:
            self.now.strays += 1
            return
        if head:
            text.message.pieces.insert(0, f"{head}|")
            for leaf, _ in found:
                leaf.written.pieces[:] = [piece + 1 for piece in leaf.written.pieces]
        self.now.texts.append(text)
        for leaf, locus in found:
            self._add(leaf, locus)

    def _add(self, leaf: DocumentLeaf, locus: Locus | None = None, *, decided: bool = True) -> None:
        self.count += 1
        if self.count > MOST_LEAVES:
            raise XmlFault("too-many-values")
        self.now.leaves.append(leaf)
        if decided:
            self.now.loci[leaf.path] = locus


@dataclass(frozen=True, slots=True)
class _Renamed:
    """A leaf of a clinical document under the name of its column."""

    path: str
    leaf: DocumentLeaf = field(repr=False)

    @property
    def value(self) -> str:
        return self.leaf.value

    def put(self, cell: str | None) -> None:
        self.leaf.put(cell)


def replace_path(leaf: DocumentLeaf, path: str) -> DocumentLeaf:
    """The leaf under another path."""
    return leaf if leaf.path == path else _Renamed(path, leaf)


def _type_of(element: Any) -> str:
    """The `xsi:type` of an element, without its prefix and parameters; "" if it has none."""
    told: str = element.get(f"{{{XSI}}}type", "")
    return told.rpartition(":")[2].partition("<")[0]


def _is_standard(name: str, value: str) -> bool:
    if name == "type":
        return is_schema_name(
            value.rpartition(":")[2].replace("_", " ").replace("<", " ").strip(">")
        )
    if name == "nil":
        return value in ("true", "false")
    return is_language(value) if name == "lang" else value in ("preserve", "default")


def _new_element(above: Any, space: str, name: str) -> Any:
    tag = f"{{{space}}}{name}" if space else name
    nsmap: dict[str | None, str] = {None: space} if space else {}
    if above is None:
        return etree.Element(tag, nsmap={**nsmap, "xsi": XSI})
    return etree.SubElement(above, tag, nsmap=nsmap or None)


def _appended(new: Any, above: Any) -> Any:
    if above is not None:
        above.append(new)
    return new
