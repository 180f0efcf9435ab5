"""`make demo`, the first command of a new user, prints what the README shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from corpora import demo

README = Path(__file__).resolve().parents[1] / "README.md"


def test_the_demo_prints_the_block_of_the_readme(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert demo.main(tmp_path) == 0
    printed = capsys.readouterr().out.splitlines()
    shown = re.search(r"<!-- demo -->\n```diff\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert shown
    expected = [line for line in shown[1].splitlines() if line]
    assert [line for line in expected if line not in printed] == []
