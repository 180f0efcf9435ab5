"""Reads and writes YAML; the only module that imports PyYAML."""

from __future__ import annotations

import re
from typing import Any

import yaml


class YamlFault(Exception):
    """A text that is not YAML, with the line of the error if known, and without any value."""

    def __init__(self, line: int = 0) -> None:
        super().__init__("not YAML")
        self.line = line


def read_yaml(text: str) -> Any:
    """Read one YAML 1.1 document.

    Raises:
        YamlFault: the text is not YAML.
    """
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError) as error:  # ValueError: an invalid date (`2020-13-45`)
        mark = getattr(error, "problem_mark", None)
        raise YamlFault(0 if mark is None else mark.line + 1) from None


class _PlainLoader(yaml.SafeLoader):
    """Loads mappings with unique text keys, lists, numbers, booleans and texts; dates stay text."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise yaml.YAMLError("an anchor or alias")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value if isinstance(key, yaml.ScalarNode) else None for key, _ in node.value]
        if None in keys or len(set(keys)) != len(keys) or "<<" in keys:
            raise yaml.YAMLError("a key that is not text or is repeated")
        values = [self.construct_object(value, deep=True) for _, value in node.value]
        return dict(zip(keys, values, strict=True))


_PLAIN_TAGS = tuple(f"tag:yaml.org,2002:{kind}" for kind in ("str", "bool", "null", "seq"))
_NUMBER_PATTERNS = {
    "int": re.compile(r"-?(?:0|[1-9]\d{0,17})$"),
    "float": re.compile(r"-?(?:0|[1-9]\d{0,17})\.\d{1,17}$"),
}
_PlainLoader.yaml_constructors = {
    tag: yaml.SafeLoader.yaml_constructors[tag]
    for tag in (*_PLAIN_TAGS, *(f"tag:yaml.org,2002:{kind}" for kind in _NUMBER_PATTERNS), None)
}
_PlainLoader.yaml_implicit_resolvers = {
    start: [(tag, pattern) for tag, pattern in resolvers if tag in _PLAIN_TAGS]
    for start, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _kind, _pattern in _NUMBER_PATTERNS.items():  # numbers as in JSON: 00441672 is a text
    _PlainLoader.add_implicit_resolver(f"tag:yaml.org,2002:{_kind}", _pattern, list("-0123456789"))
_PlainLoader.add_constructor("tag:yaml.org,2002:map", _PlainLoader.construct_mapping)


class _PlainDumper(yaml.SafeDumper):
    """Writes texts of several lines as blocks, and no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _block_text(dumper: yaml.SafeDumper, text: str) -> Any:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style)


_PlainDumper.add_representer(str, _block_text)


def read_plain_yaml(text: str) -> list[Any]:
    """Read all documents of a text of plain YAML: no anchors, no custom tags, dates as text.

    Raises:
        YamlFault: the text is not plain YAML.
    """
    try:
        return list(yaml.load_all(text, Loader=_PlainLoader))  # a subclass of SafeLoader
    except (yaml.YAMLError, ValueError, TypeError, RecursionError, AttributeError):
        raise YamlFault from None


def write_yaml(documents: list[Any]) -> str:
    """The documents as YAML in block style."""
    return yaml.dump_all(
        documents,
        Dumper=_PlainDumper,
        sort_keys=False,
        allow_unicode=True,
        explicit_start=len(documents) > 1,
        width=100,
    )
