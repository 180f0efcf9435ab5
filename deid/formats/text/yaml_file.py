"""YAML, processed as JSON with the same records and written as YAML without comments."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from deid.errors import DeidError
from deid.formats.containers.pack import PackedEntry, PackedFiles
from deid.formats.contract import Format
from deid.formats.documents.whole_text import refuse_document
from deid.formats.text.encoding import detect_encoding
from deid.formats.text.yaml_text import YamlFault, read_plain_yaml, write_yaml

LARGEST_YAML = 1 << 24
_COMMENT_LINE = re.compile(r"(?m)^\s*#|\s#\s")


class YamlPack:
    """The documents of a YAML file as one JSON file, or JSON lines if there are several."""

    name = "yaml"
    suffixes = (".yaml", ".yml")

    def entries(self, path: Path) -> Sequence[str]:
        """The name of the one JSON file.

        Raises:
            DeidError: `broken-yaml`, `too-large`, `undecodable-bytes`.
        """
        return ["records.jsonl" if len(_documents(path)) > 1 else "records.json"]

    def unpack(self, path: Path, name: str, target: Path, most: int) -> None:
        """Write the documents as JSON; raises the errors of `entries`."""
        lines = [json.dumps(one, ensure_ascii=False) for one in _documents(path)]
        target.write_text("\n".join(lines) + "\n", "utf-8")

    def pack(self, target: Path, path: Path, entries: Sequence[PackedEntry]) -> tuple[str, ...]:
        """Write the released records as YAML and return the names of the entries."""
        (entry,) = entries
        text = entry.path.read_text("utf-8")
        several = self.entries(path) == ["records.jsonl"]
        documents = [json.loads(one) for one in (text.splitlines() if several else [text])]
        target.write_text(write_yaml(documents), "utf-8")
        return tuple(self.entries(target))

    def dropped(self, path: Path) -> Mapping[str, int]:
        """The number of comments, counted by pattern."""
        return {"comments": len(_COMMENT_LINE.findall(_text_of_file(path)))}

    def own_format(self, name: str) -> Format | None:
        """Return None, because the entry is read as JSON."""
        return None


def _text_of_file(path: Path) -> str:
    if path.stat().st_size > LARGEST_YAML:
        raise refuse_document("too-large")
    try:
        encoding = detect_encoding(path)
        if encoding.damaged:
            raise refuse_document("undecodable-bytes")
        return path.read_bytes()[len(encoding.bom) :].decode(encoding.codec)
    except (DeidError, UnicodeError):
        raise refuse_document("undecodable-bytes") from None


def _documents(path: Path) -> list[Any]:
    try:
        found = read_plain_yaml(_text_of_file(path))
    except YamlFault:
        raise refuse_document("broken-yaml") from None
    if not found or any(not isinstance(one, dict | list) for one in found):
        raise refuse_document("broken-yaml")
    return found


FORMAT = PackedFiles(YamlPack())
