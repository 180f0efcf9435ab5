"""The Python interface: the names of the contract exist and do what the commands do."""

from __future__ import annotations

import importlib
import inspect
import json
from datetime import date
from pathlib import Path

import pytest

import deid
from deid.cli import main
from deid.jobs import engine_choice as engines
from deid.jobs.spark import spark_executors as spark

NOTE = "Mrs. Ada Quennell, MRN 0048213, was seen on 03/14/2023."


def command(*argv: str | Path) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in argv])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def notes(place: Path) -> Path:
    folder = place / "notes"
    folder.mkdir()
    (folder / "one.txt").write_text(NOTE, "utf-8")
    (folder / "two.txt").write_text("Ada slept well.", "utf-8")
    return folder


def test_every_exported_name_exists_and_is_documented() -> None:
    for name in deid.__all__:
        assert getattr(deid, name).__doc__, name
    with pytest.raises(AttributeError):
        deid.anything  # noqa: B018


def of_no_run(manifest: Path) -> dict[str, object]:
    """The manifest without the operator, command and times of the run, and without the hashes over
    them.
    """
    run = ("operator", "command", "start", "end", "release_files", "manifest_sha256")
    told = json.loads(manifest.read_text("utf-8"))
    return {key: value for key, value in told.items() if key not in run}


def test_the_function_writes_the_same_release_as_the_command(tmp_path: Path) -> None:
    folder = notes(tmp_path)
    day = date(2026, 11, 1)
    release = deid.scrub(folder, tmp_path / "ours", reference_date=day)
    asked = ("scrub", folder, "-o", tmp_path / "theirs", "--reference-date", str(day), "--quiet")
    assert command(*asked) == release.exit_code == 0
    for path in (tmp_path / "theirs").rglob("*"):
        twin = tmp_path / "ours" / path.relative_to(tmp_path / "theirs")
        if path.name == "manifest.json":
            assert of_no_run(twin) == of_no_run(path)
        elif path.is_file() and path.suffix != ".html":
            assert twin.read_bytes() == path.read_bytes(), path.name
    assert "Quennell" not in json.dumps(release.manifest) + repr(release)


def test_the_function_returns_the_same_findings_as_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = notes(tmp_path)
    assert command("find", folder) == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert list(deid.find([folder])) == printed


def test_errors_of_a_command_are_raised_with_its_exit_code(tmp_path: Path) -> None:
    with pytest.raises(deid.DeidError) as caught:
        deid.scrub(tmp_path / "absent", tmp_path / "out")
    assert caught.value.exit_code == 6
    with pytest.raises(deid.DeidError) as caught:
        deid.scrub(notes(tmp_path), tmp_path / "out", crosswalk=tmp_path / "book.db")
    assert (caught.value.code, caught.value.exit_code) == ("no-key", 5)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("engine", "code"), [("magic", "engine-unknown"), ("spark", "spark-missing")]
)
def test_a_missing_engine_is_refused_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str, code: str
) -> None:
    monkeypatch.setattr(spark, "pyspark_version", lambda: None)
    with pytest.raises(deid.DeidError) as caught:
        deid.scrub(tmp_path / "absent", tmp_path / "out", engine=engine)
    assert (caught.value.code, caught.value.exit_code) == (code, 2)


def test_a_spark_session_is_opened_for_at_least_one_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`workers` is 0 by default, but Spark does not start with a master for zero tasks."""
    asked: list[int] = []

    def opened(workers: int) -> object:
        asked.append(workers)
        raise deid.DeidError("spark-not-started", "Spark could not be started")

    monkeypatch.setattr(engines, "refuse_missing", lambda: None)
    monkeypatch.setattr(engines, "open_spark", opened)
    with pytest.raises(deid.DeidError):
        deid.scrub(notes(tmp_path), tmp_path / "out", engine="spark")
    assert asked == [1]
    assert not (tmp_path / "out").exists()


def test_codes_are_drawn_from_a_crosswalk(tmp_path: Path) -> None:
    book, key = tmp_path / "book.db", tmp_path / "book.key"
    assert command("crosswalk", "init", book, "--key-file", key) == 0
    policy = deid.read_policy("safe_harbor")
    release = deid.scrub(
        notes(tmp_path), tmp_path / "out", policy=policy, crosswalk=book, key_file=key
    )
    assert release.manifest["crosswalk"]["generation"] == 1


@pytest.mark.parametrize(
    "word",
    [
        *("deid.scrub", "deid.find", "deid.check", "deid.profile", "deid.evaluate", "deid.doctor"),
        *(
            "deid.read_policy",
            "deid.draft_policy",
            "risk.assess",
            "risk.expose",
            "risk.compare_exposures",
        ),
        *("risk.plan", "risk.estimate", "risk.open_population", "recognizers.find"),
        "safe_harbor.check_claim",
    ],
)
def test_every_exported_name_has_an_example(word: str) -> None:
    folder, _, name = word.partition(".")
    assert ">>>" in (inspect.getdoc(getattr(importlib.import_module(folder), name)) or "")


def test_a_dump_is_profiled_table_by_table(tmp_path: Path) -> None:
    dump = tmp_path / "d.sql"
    dump.write_text(
        "INSERT INTO pt (mrn, sex) VALUES ('00441672', 'F'), ('00441673', 'M');\n"
        "INSERT INTO lab (mrn, potassium) VALUES ('00441672', 4.1), ('00441673', 3.9);\n"
    )
    found = [(p.table, p.header) for p in deid.profile(dump)]
    assert found == [
        ("d.sql/pt", "mrn"),
        ("d.sql/pt", "sex"),
        ("d.sql/lab", "mrn"),
        ("d.sql/lab", "potassium"),
    ]


def test_a_file_name_that_contains_a_value_is_not_shown_with_its_tables(
    tmp_path: Path,
) -> None:
    dump = tmp_path / "Olejniczak.sql"
    dump.write_text("INSERT INTO pt (mrn, sex) VALUES ('00441672', 'F'), ('00441673', 'M');\n")
    assert {p.table for p in deid.profile(dump)} == {"*/pt"}
