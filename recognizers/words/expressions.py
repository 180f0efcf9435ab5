"""Regular expressions, each a row of `words/patterns/<name>.yaml`; `{NAME}` stands for another."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from recognizers.words.folder import WORDS

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_LIST_NAME = re.compile(r"\{([A-Z][A-Z_0-9]+)\}")


class Patterns(dict[str, re.Pattern[str]]):
    """The expressions of a file, compiled by `re` at their first use; `texts` are as written.

    `groups` are the lists and mappings of expressions.
    """

    def __init__(self, texts: Mapping[str, str], groups: Mapping[str, Mapping[str, str]]) -> None:
        super().__init__()
        self.texts, self.groups = texts, groups

    def __missing__(self, name: str) -> re.Pattern[str]:
        self[name] = found = re.compile(self.texts[name])
        return found


def yaml_content(path: Path) -> Any:
    """The content of a YAML file; raises OSError or ValueError."""
    try:
        return yaml.load(path.read_text("utf-8"), Loader=_LOADER)
    except yaml.YAMLError:
        raise ValueError("not a YAML file") from None


def filled(text: str, lists: Mapping[str, str]) -> str:
    """The text with each `{NAME}` replaced; raises KeyError for a name that `lists` lacks."""
    return _LIST_NAME.sub(lambda match: lists[match[1]], text)


@cache
def patterns(name: str) -> Patterns:
    """The expressions of a file, which may name those of `shared.yaml` and earlier ones."""
    shared = {} if name == "shared" else SHARED.texts
    told = yaml_content(WORDS / "patterns" / f"{name}.yaml")
    texts, groups = dict(shared), dict[str, dict[str, str]]()
    for key, value in told.items():
        if isinstance(value, str):
            texts[key] = filled(value, texts)
        else:
            rows = value if isinstance(value, dict) else dict(enumerate(value))
            groups[key] = {str(row): filled(text, texts) for row, text in rows.items()}
    return Patterns(texts, groups)


SHARED = patterns("shared")
