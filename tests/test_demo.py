"""`make demo` is the first command of a newcomer: what it imports is there."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

DEMO = Path(__file__).resolve().parents[1] / "corpora" / "demo.py"


def test_every_name_that_the_demo_imports_exists() -> None:
    for node in ast.walk(ast.parse(DEMO.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            module = importlib.import_module(node.module)
            assert all(hasattr(module, alias.name) for alias in node.names), node.module
