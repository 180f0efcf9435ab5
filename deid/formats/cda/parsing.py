"""Reads the root of a C-CDA document."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from deid.formats.cda.closed_lists import V3
from deid.formats.guarded_xml import parse_xml_file, xml_refusal

_PARSED_HEAD_BYTES = 1 << 20
_BEFORE_ROOT_ELEMENT = re.compile(rb"<!--.*?-->|<\?.*?\?>|<![^>\[]{0,2000}[>\[]", re.DOTALL)
_ROOT = re.compile(rb"[^<]*<(?:[A-Za-z_][\w.-]{0,63}:)?ClinicalDocument[\s/>]")


def looks_clinical(path: Path) -> bool:
    """Whether a file begins like a C-CDA document, in any encoding that contains ASCII."""
    try:
        with path.open("rb") as file:
            head = file.read(_PARSED_HEAD_BYTES)
    except OSError:
        return False
    bare = _BEFORE_ROOT_ELEMENT.sub(b"", head.replace(b"\0", b""))
    return _ROOT.match(bare) is not None


def parse_document(path: Path) -> Any:
    """The root element of a document, without comments and processing instructions.

    Raises:
        DeidError: `no-clinical-document`, or an error of `parse_xml_file`.
    """
    root = parse_xml_file(path)
    if root.tag != f"{{{V3}}}ClinicalDocument":
        raise xml_refusal("no-clinical-document")
    return root
