"""`-` stands for stdin or stdout wherever a file is expected, and all commands accept `--json`."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.main import get_command

from deid.cli import app, main
from deid.cli.register import COMMANDS
from deid.policy.model import policy_text
from deid.spool import spooled

Give = Callable[[bytes | str], None]
TABLE = "mrn,potassium\n0048213,4.1\n0048290,3.9\n0048311,5.0\n"
PEOPLE = "sex,year\n" + "M,1970\n" * 3 + "F,1980\n" * 2


@pytest.fixture
def give(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[bytes | str], None]]:
    """Puts data on a stdin that has a file descriptor, as a file has."""
    with ExitStack() as stack:

        def put(data: bytes | str) -> None:
            path = tmp_path_factory.mktemp("stdin") / "data"
            path.write_bytes(data if isinstance(data, bytes) else data.encode())
            monkeypatch.setattr("sys.stdin", stack.enter_context(path.open(encoding="utf-8")))

        yield put


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as end:
        main(words)
    return int(end.value.code or 0)


def test_a_table_is_profiled_from_stdin_and_drafted_to_stdout(
    give: Give, capsys: pytest.CaptureFixture[str]
) -> None:
    give(TABLE)
    assert run("profile", "-", "-o", "-") == 0
    assert 'name: "potassium"' in capsys.readouterr().out


def test_a_policy_is_checked_from_stdin(give: Give, capsys: pytest.CaptureFixture[str]) -> None:
    give(policy_text("limited_data_set"))
    assert run("policy", "check", "-", "--json") == 0
    assert json.loads(capsys.readouterr().out)["supported"] == "limited_data_set"


def test_a_text_is_checked_from_stdin(
    tmp_path: Path, give: Give, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "patients.csv").write_text("id,last_name\n7,Okaforvale\n")
    give("Mrs. Okaforvale was seen.")
    known = ("--known", str(tmp_path / "patients.csv"), "--patient-key", "id")
    assert run("check", "-", "--json", *known) == 3
    assert json.loads(capsys.readouterr().out)["hits"] > 0


def test_a_plan_writes_its_table_to_stdout_and_messages_to_stderr(
    tmp_path: Path,
    give: Give,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    give(PEOPLE)
    assert run("plan", "-", "--quasi", "sex,year", "--k", "2", "-o", "-", "--json") == 0
    told = capsys.readouterr()
    assert told.out.splitlines()[0] == "sex,year"
    assert len(told.out.splitlines()) == 6
    assert json.loads(told.err)["smallest_class"] == 2
    assert list(tmp_path.iterdir()) == []


def test_a_report_is_the_only_output_on_stdout(
    tmp_path: Path,
    give: Give,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    give(PEOPLE)
    assert run("risk", "-", "--quasi", "sex,year", "--html", "-", "--json") == 0
    page = capsys.readouterr().out
    assert page.startswith("<!doctype html>") and page.rstrip().endswith("</html>")
    assert list(tmp_path.iterdir()) == []


def parquet() -> bytes:
    stream = io.BytesIO()
    pd.DataFrame({"mrn": ["0048213"]}).to_parquet(stream)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("data", "suffix"),
    [
        (b'\xef\xbb\xbf{"text": "a"}', ".jsonl"),
        (b"\n<?xml version='1.0'?><ClinicalDocument/>", ".xml"),
        (parquet(), ".parquet"),
        (b"SQLite format 3\0", ".sqlite"),
        (b"MSH|^~\\&|", ".txt"),
        (TABLE.encode(), ".txt"),
    ],
)
def test_the_format_of_stdin_is_recognized_by_its_content(
    data: bytes, suffix: str, give: Give
) -> None:
    give(data)
    with spooled(["-"]) as (path,):
        assert path.suffix == suffix
        assert path.read_bytes() == data


def commands(command: Any, name: str) -> list[tuple[str, Any]]:
    found = getattr(command, "commands", None)
    if not found:
        return [(name, command)]
    return [leaf for word, one in found.items() for leaf in commands(one, f"{name} {word}")]


def test_every_command_that_is_not_a_server_accepts_json() -> None:
    group: Any = get_command(app)
    leaves = [
        leaf for name, _, _ in COMMANDS for leaf in commands(group.get_command(None, name), name)
    ]
    without = {n for n, c in leaves if not any("--json" in p.opts for p in c.params)}
    assert without == {"serve"}


def test_a_crosswalk_reports_its_generation_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place, key = str(tmp_path / "book.db"), str(tmp_path / "book.key")
    assert run("crosswalk", "init", place, "--key-file", key, "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"generation": 1}
