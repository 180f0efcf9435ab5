"""Every quarantine code that a format or the engine uses has an explanation in words."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from deid.vocabularies.quarantine_codes import reason, reasons

ROOT = Path(__file__).resolve().parents[3] / "deid"
# How the code says that a record or a file is withheld.
TELLS = {"RecordFault", "Unreadable", "Lost", "JsonLine", "JsonError", "WithheldText"}
ROOMS = ("formats", "text", "tables", "release")


def codes() -> set[str]:
    found: set[str] = set()
    for path in (path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                given = [a.value for a in node.args if isinstance(a, ast.Constant)]
                texts = [text for text in given if isinstance(text, str)]
                found |= {
                    t
                    for t in texts
                    if (name in TELLS or name.endswith("refusal"))
                    and re.fullmatch("[a-z0-9-]+-[a-z]+", t)
                }
    return found


def test_every_quarantine_code_has_a_reason() -> None:
    # These codes end the job before anything is read, so they are no quarantine codes.
    elsewhere = {"database-url-invalid", "database-unreachable", "database-unreadable"}
    elsewhere |= {"extra-missing"}
    assert len(codes()) > 40
    assert codes() - elsewhere <= set(reasons())


def test_reasons_are_sentences_that_fit_on_a_line() -> None:
    for told in reasons().values():
        assert told.what and told.way_out
        assert not told.what.endswith(".") and not told.way_out.endswith(".")


def test_an_undescribed_code_is_shown_as_its_own_reason() -> None:
    assert str(reason("brand-new")) == "brand-new"
    assert reason("brand-new").way_out == ""
