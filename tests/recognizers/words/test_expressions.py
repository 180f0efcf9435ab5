"""Every expression of `words/patterns` is read and used; a name without a row is an error."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import recognizers
from recognizers.words.expressions import SHARED, filled, patterns, yaml_content
from recognizers.words.folder import WORDS

FILES = sorted((WORDS / "patterns").glob("*.yaml"))
PACKAGE = Path(recognizers.__file__).parent
CODE = "".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_expression_is_used(path: Path) -> None:
    folders = (PACKAGE / "evidence" / "tables", WORDS / "patterns")
    files = [p for folder in folders for p in folder.glob("*.yaml")]
    written = CODE + "".join(p.read_text("utf-8") for p in files)
    unused = [
        name for name in yaml_content(path) if not re.search(rf"[\"'{{]{name}[\"'}}]", written)
    ]
    assert unused == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_names_of_other_expressions_are_replaced(path: Path) -> None:
    own = patterns(path.stem)
    texts = [
        *own.texts.values(),
        *(text for group in own.groups.values() for text in group.values()),
    ]
    assert texts and not any(re.search(r"\{[A-Z][A-Z_0-9]+\}", text) for text in texts)


def test_a_name_without_a_row_is_an_error() -> None:
    with pytest.raises(KeyError):
        filled("{NOWHERE}", SHARED.texts)


def test_every_name_of_the_stub_is_resolved() -> None:
    stub = (PACKAGE / "__init__.pyi").read_text("utf-8")
    lines = [line for line in stub.splitlines() if line.startswith("from ")]
    assert len(lines) == len(recognizers.LATER) > 80
    assert all(getattr(recognizers, name) is not None for name in recognizers.LATER)
