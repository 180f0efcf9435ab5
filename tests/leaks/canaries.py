"""Canaries: values that exist nowhere else, and a search that finds them in any encoding."""

from __future__ import annotations

import base64
import gzip
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

NAME = "Zyxandra Quorblatt"
NAMES = ("Zyxandra", "Quorblatt")
MRN = "88417603925"
PHONE = "(802) 555-0177"
SSN = "219-09-9977"
EMAIL = "zyxandra.quorblatt@canary.example"
STREET = "4417 Vexnorth Lane"
HEADER = "Quorblatt Zyxandra 88417603925"
FILE = "Quorblatt_Zyxandra"
POLICY = "canary-policy-value-7731"
ALL = (*NAMES, MRN, "5550177", "555-0177", "219099977", SSN, EMAIL, "Vexnorth", POLICY)


def spellings(value: str) -> Iterator[bytes]:
    """The value in the forms in which a file might contain it."""
    for text in {value, value.upper(), value.lower(), urllib.parse.quote(value)}:
        for codec in ("utf-8", "utf-16-le", "utf-16-be"):
            yield text.encode(codec)
    raw = value.encode()
    for shift in range(3):
        code = base64.b64encode(b"\0" * shift + raw)
        # The characters that depend on the neighbors of the value are left out.
        yield code[4 if shift else 0 : len(code) - 4]


def seen_in(data: bytes) -> list[str]:
    """The canaries in some bytes, by number, because a report must not contain their values."""
    if data[:2] == b"\x1f\x8b":
        data += gzip.decompress(data)
    return [f"canary {n}" for n, v in enumerate(ALL) if any(d in data for d in spellings(v))]


def sweep(*roots: Path) -> list[str]:
    """Search the name and the content of every file below the roots."""
    hits = []
    for root in roots:
        for number, path in enumerate(sorted(root.rglob("*")) if root.exists() else ()):
            hits += [f"name of file {number}: {h}" for h in seen_in(path.name.encode())]
            if path.is_file():
                hits += [f"file {number}: {h}" for h in seen_in(path.read_bytes())]
    return hits
