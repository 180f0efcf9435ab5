"""What the commands load, and how a manifest describes it."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from deid.cli import main
from deid.text.engine import describe, load_finder

TEXT = "Seen by Dr. Ann Lee on 3/4/2024 for Hodgkin lymphoma; call (419) 555-0133.\n"


def test_the_manifest_names_the_network_in_use() -> None:
    assert describe()["network"] == "default"
    assert describe(fast=True)["network"] == "fast"
    assert describe().keys() == describe(fast=True).keys()


def test_the_fast_finder_uses_another_network() -> None:
    day = date(2024, 3, 4)
    default, fast = load_finder(day), load_finder(day, fast=True)
    assert default.model is not None and fast.model is not None
    (slow_reading,), (fast_reading,) = default.modelled([TEXT]), fast.modelled([TEXT])
    assert slow_reading != fast_reading
    assert {TEXT[f.start : f.end] for f in fast.find(TEXT)} >= {"3/4/2024", "(419) 555-0133"}


@pytest.mark.parametrize("flags", [(), ("--fast",)])
def test_find_accepts_the_fast_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: tuple[str, ...]
) -> None:
    path = tmp_path / "note.txt"
    path.write_text(TEXT)
    with pytest.raises(SystemExit) as end:
        main(["find", str(path), *flags])
    row = json.loads(capsys.readouterr().out)
    assert not end.value.code
    assert any(f["entity"] == "DATE_TIME" for f in row["findings"])
