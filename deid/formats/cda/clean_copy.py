"""Builds a clean copy of a C-CDA document: the listed elements in their order, without values.

Only listed elements, tokens of closed lists and white space are copied. Any other value becomes a
leaf, which the sink writes back, or a stray, which is left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from deid.formats.cda.closed_lists import SDTC, V3, XML, XSI, is_token, is_value_set, is_version
from deid.formats.cda.embedded import (
    is_encoded,
    is_file,
    looks_encoded,
    open_document,
    open_embedded,
)
from deid.formats.cda.leaves import Attribute, Body, DocumentLeaf, Stray, TextNode, mark_masked
from deid.formats.cda.narrative_text import (
    CELLS,
    Narrative,
    edges,
    looseness,
    names_alone,
)
from deid.formats.cda.specs import (
    ElementPlace,
    ElementValue,
    attributes_of,
    element_place,
    inner_place,
    is_listed_element,
    local,
    tail_path,
    text_path,
)

NSMAP = {None: V3, "xsi": XSI, "sdtc": SDTC}
_PUNCTUATION = re.compile(r"[\s,;.()/-]{1,4}")
_OPEN_ATTRIBUTES = frozenset(("mediaType", "representation", "nullFlavor", "type"))


@dataclass(slots=True)
class CleanCopy:
    """The leaves found so far, in order, and the new names of the document's anchors.

    `rtf` is the option of that name in `ReadOptions`: the form in which RTF is written.
    """

    rtf: str
    leaves: list[DocumentLeaf] = field(default_factory=list, repr=False)
    anchors: dict[str, str] = field(default_factory=dict, repr=False)
    named: frozenset[str] = field(default=frozenset(), repr=False)
    narratives: dict[Any, Narrative] = field(default_factory=dict, repr=False)
    guarded: bool = False

    def grow(self, root: Any) -> Any:
        """Build the clean copy of a document."""
        self.named = frozenset(map(str, root.xpath("//@ID")))
        new = etree.Element(root.tag, nsmap=NSMAP)
        self._element(root, new, ElementPlace())
        return new

    def _element(self, old: Any, new: Any, outer: ElementPlace) -> None:
        place = element_place(old, outer)
        if place.kind == "narrative":
            self._narrate(old, new, new.getparent(), 1)
            return
        if place.kind == "drop" or (place.kind == "text" and is_file(old)):
            self._empty(old, new)
        else:
            self._attributes(old, new, attributes_of(old, place))
            self._text(old, new, place)
        within, path = inner_place(old, place), tail_path(old, place)
        for child in old:
            copy = None
            if is_listed_element(child):
                copy = etree.SubElement(new, child.tag)
                self._element(child, copy, within)
            else:
                self._leave_out(child)
            self._tail(child, copy, path)

    # -- attributes --------------------------------------------------------------------------

    def _attributes(self, old: Any, new: Any, told: Mapping[str, ElementValue]) -> None:
        pointed = local(old) == "reference" and "value" in old.attrib and not told
        for key, value in old.attrib.items():
            space, _, name = key.rpartition("}")
            space = space.removeprefix("{")
            if (space, name) == (XSI, "schemaLocation"):
                continue
            what: ElementValue = None
            if space in ("", SDTC) and name in told:
                what = told[name]
            elif pointed and name == "value":
                what = self._pointer(value, new)
            elif space in ("", SDTC, XSI, XML):
                what = self._token(name, value)
            self._attribute(new, key, value, what)

    def _attribute(self, new: Any, key: str, value: str, what: ElementValue) -> None:
        if what is None:
            self.leaves.append(Stray())
            if key in ("code", "value", "root"):
                mark_masked(new)
        elif isinstance(what, str):
            new.set(key, what)
        elif value.strip():
            value = value.strip() if what.value is None else what.value
            leaf = Attribute(what.path, value, new, key, what.form, what.essential, what.before)
            self.leaves.append(leaf)
            new.set(key, "")  # keeps its position

    def _token(self, name: str, value: str) -> str | None:
        text = " ".join(value.split())
        if name in ("ID", "IDREF"):
            return self._anchor(text)
        if name == "referencedObject":
            return " ".join(self._anchor(part) for part in value.split())
        if name == "valueSet":
            return text if is_value_set(text) else None
        if name == "valueSetVersion":
            return text if is_version(text) else None
        if name == "type":
            text = text.rpartition(":")[2]
        return text if is_token(name, text) else None

    def _anchor(self, name: str) -> str:
        return self.anchors.setdefault(name, f"ref-{len(self.anchors) + 1}")

    def _pointer(self, value: str, new: Any) -> str | None:
        """Keep a pointer within the document; a file or external address is left out."""
        text = value.strip()
        if text.startswith("#") or text in self.named:
            return "#" + self._anchor(text.removeprefix("#"))
        return None

    # -- text --------------------------------------------------------------------------------

    def _text(self, old: Any, new: Any, place: ElementPlace) -> None:
        text, path = old.text or "", text_path(old, place)
        if not text.strip() or (place.kind == "delimiter" and _PUNCTUATION.fullmatch(text)):
            new.text = old.text
        elif path == "title" and place.parent == "section":
            self._run(new.getparent(), new, "text", 1, text)
        elif path in ("text", "body"):
            self._embedded(old, new, path)
        elif path:
            before, bare, after = edges(text)
            self.leaves.append(TextNode(path, bare, new, "text", before, after))
        else:
            self.leaves.append(Stray())

    def _embedded(self, old: Any, new: Any, path: str) -> None:
        """Add a leaf for an embedded text or document; HTML becomes the text it displays."""
        if (document := open_document(old, self.rtf)) is not None:
            if document.becomes_text:
                new.set("mediaType", "text/plain")
            self.leaves.append(Body(path, document.text, new, document, is_encoded(old)))
            return
        plain = open_embedded(old)
        if plain is None:
            self.leaves.append(Stray())
            mark_masked(new)
            return
        if "mediaType" in new.attrib and old.get("mediaType") == "text/html":
            new.set("mediaType", "text/plain")
        before, bare, after = edges(plain)
        encoded = is_encoded(old)
        self.leaves.append(
            Body(path, plain, new) if encoded else TextNode(path, bare, new, "text", before, after)
        )

    def _tail(self, old: Any, copy: Any, path: str) -> None:
        text = old.tail or ""
        if copy is None:
            self.leaves += [Stray()] if text.strip() else []
        elif not text.strip():
            copy.tail = text
        elif path:
            before, bare, after = edges(text)
            self.leaves.append(TextNode(path, bare, copy, "tail", before, after))
        else:
            self.leaves.append(Stray())

    def _leave_out(self, old: Any) -> None:
        """Leave out an unlisted element; it counts as one stray if it holds anything."""
        if any(node.attrib or (node.text or "").strip() for node in old.iter()):
            self.leaves.append(Stray())

    def _empty(self, old: Any, new: Any) -> None:
        """Keep the element without its content and mark it as masked."""
        kept: dict[str, ElementValue] = {
            key: None for key in old.attrib if key.rpartition("}")[2] not in _OPEN_ATTRIBUTES
        }
        self._attributes(old, new, kept)
        self.leaves += [Stray()] if (old.text or "").strip() else []
        mark_masked(new)

    # -- narrative ---------------------------------------------------------------------------

    def _run(self, section: Any, node: Any, place: str, joint: int, text: str | None) -> bool:
        """Add a run to the section's narrative; a long narrative continues in another leaf."""
        if not (text or "").strip():
            setattr(node, place, text)
            if text and section in self.narratives:
                self.narratives[section].loose = True
            return False
        if looks_encoded(text or ""):
            self.leaves.append(Stray())
            return False
        narrative = self.narratives.get(section)
        if narrative is None or narrative.is_full(joint):
            narrative = self.narratives[section] = Narrative()
            self.leaves.append(narrative)
        narrative.add(node, place, joint, text or "", guarded=self.guarded)
        return True

    def _narrate(self, old: Any, new: Any, section: Any, joint: int) -> int:
        """Copy the markup and collect its text runs; return the joint before the next run."""
        link = (old.get("href") or "").strip()
        self._attributes(old, new, {"href": self._pointer(link, new)} if link else {})
        joint = 0 if self._run(section, new, "text", joint, old.text) else joint
        for child in old:
            loose = looseness(local(child)) if child.tag.startswith(f"{{{V3}}}") else None
            if loose is None:
                copy = etree.SubElement(new, f"{{{V3}}}content")
                self._leave_out(child)
            else:
                copy = etree.SubElement(new, child.tag)
                outer, self.guarded = self.guarded, self.guarded or self._stands_alone(child)
                joint = self._narrate(child, copy, section, max(joint, loose))
                self.guarded = outer
                joint = max(joint, loose if loose != CELLS else 0)
            joint = 0 if self._run(section, copy, "tail", joint, child.tail) else joint
        return joint

    def _stands_alone(self, old: Any) -> bool:
        """Whether an element is a cell whose text may be an identifier without context; such a
        cell counts as left out."""
        if local(old) != "td" or not names_alone(" ".join("".join(old.itertext()).split())):
            return False
        self.leaves.append(Stray())
        return True
