"""`deid crosswalk`: its output, the files it writes and its exit codes, with both kinds of
store.
"""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from deid.cli import main
from deid.crosswalk import Crosswalk
from deid.errors import KEY, USAGE
from safe_harbor import Identifier as I

VALUE, PERSON = "MRN 0077123", "patient-9"
_PHRASE = "gravel tulip anvil mosque rind"
Out = pytest.CaptureFixture[str]


def deid(*words: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["crosswalk", *map(str, words)])
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.fixture
def opened(place: str | Path, tmp_path: Path) -> list[object]:
    """The place and key file, as arguments, of a crosswalk that `init` made and that holds one
    code.
    """
    key_file = tmp_path / "the.key"
    assert deid("init", place, "--key-file", key_file) == 0
    with Crosswalk.open(place, key_file) as book:
        book.codes(I.MRNS, [(PERSON, VALUE)])
    return [place, "--key-file", key_file]


def _code(opened: list[object]) -> str:
    with Crosswalk.open(opened[0], opened[2]) as book:  # type: ignore[arg-type]
        return book.codes(I.MRNS, [(PERSON, VALUE)])[0]


def test_init_makes_both_files_readable_by_their_owner_only(
    place: str | Path, tmp_path: Path, capsys: Out
) -> None:
    key_file = tmp_path / "the.key"
    assert deid("init", place, "--key-file", key_file) == 0
    assert key_file.stat().st_mode & 0o777 == 0o600
    before = key_file.read_bytes()
    assert deid("init", place, "--key-file", tmp_path / "new.key") == KEY
    assert not (tmp_path / "new.key").exists()
    assert deid("init", tmp_path / "other.db", "--key-file", key_file) == KEY
    assert key_file.read_bytes() == before
    assert not (tmp_path / "other.db").exists()
    said = capsys.readouterr()
    assert said.out == ""
    assert "[crosswalk-exists]" in said.err and "[key-file-exists]" in said.err


def test_stats_shows_counts_and_the_audit_head(opened: list[object], capsys: Out) -> None:
    assert deid("stats", *opened, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["entries"] == {"mrns": 1}
    assert told["generation"] == 2 and told["events"] == 2
    assert deid("stats", *opened) == 0
    assert "mrns\t1" in capsys.readouterr().out


def test_reveal_prints_to_stdout_only_and_history_shows_who_and_why(
    opened: list[object], capsys: Out
) -> None:
    code = _code(opened)
    place, *key = opened
    assert deid("reveal", place, code, *key, "--reason", "recall", "--user", "officer") == 0
    said = capsys.readouterr()
    assert said.out == f"{code}\tmrns\t{PERSON}\t{VALUE}\n" and VALUE not in said.err
    assert deid("reveal", place, code, *key, "--reason", "again", "--json") == 0
    assert json.loads(capsys.readouterr().out)["value"] == VALUE
    assert deid("history", *opened) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["event"] for event in told] == ["init", "allocate", "reveal", "reveal"]
    assert told[2]["user"] == "officer" and told[2]["reason"] == "recall" and told[3]["user"]
    assert VALUE not in json.dumps(told)


def test_reveal_without_a_reason_is_refused(opened: list[object], capsys: Out) -> None:
    code = _code(opened)
    place, *key = opened
    assert deid("reveal", place, code, *key) == USAGE
    assert deid("reveal", place, code, *key, "--reason", " ") == KEY
    assert VALUE not in capsys.readouterr().out


def test_rekey_backup_restore_and_destroy(
    opened: list[object], tmp_path: Path, capsys: Out
) -> None:
    code = _code(opened)
    place, _, key_file = opened
    new = tmp_path / "new.key"
    assert deid("backup", *opened, "-o", tmp_path / "backup.db") == 0
    assert deid("backup", *opened, "-o", tmp_path / "backup.db") == KEY
    assert deid("rekey", *opened, "--new-key-file", new) == 0
    assert deid("stats", *opened) == KEY
    assert deid("verify", place, "--key-file", new) == 0
    again = tmp_path / "again.db"
    assert deid("restore", tmp_path / "backup.db", again, "--key-file", key_file) == 0
    capsys.readouterr()
    assert deid("reveal", again, code, "--key-file", key_file, "--reason", "test") == 0
    assert VALUE in capsys.readouterr().out
    assert deid("destroy", place, "--key-file", new) == USAGE
    assert deid("destroy", place, "--key-file", new, "--yes", "--shred-key-file") == 0
    assert not new.exists()


def test_verify_compares_the_crosswalk_with_a_manifest(
    opened: list[object], tmp_path: Path, capsys: Out
) -> None:
    place, *key = opened
    manifest = tmp_path / "manifest.json"
    with Crosswalk.open(place, key[1]) as book:  # type: ignore[arg-type]
        manifest.write_text(json.dumps({"crosswalk": {"audit_head": str(book.head())}}))
    assert deid("verify", place, *key, "--manifest", manifest) == 0
    assert capsys.readouterr().out.startswith("intact: 1 entry")
    (tmp_path / "none.json").write_text('{"crosswalk": null}')
    assert deid("verify", place, *key, "--manifest", tmp_path / "none.json") == USAGE
    assert deid("init", tmp_path / "other.db", "--key-file", tmp_path / "other.key") == 0
    other = [tmp_path / "other.db", "--key-file", tmp_path / "other.key"]
    capsys.readouterr()
    assert deid("verify", *other, "--manifest", manifest, "--json") == KEY
    assert [f["code"] for f in json.loads(capsys.readouterr().out)["faults"]] == ["other-book"]


def test_a_restore_drill_reports_what_was_restored_and_does_not_affect_the_live_crosswalk(
    opened: list[object], tmp_path: Path, capsys: Out
) -> None:
    key = opened[1:]
    code = _code(opened)
    assert deid("backup", *opened, "-o", tmp_path / "nightly.bak") == 0
    drill = tmp_path / "drill.db"
    capsys.readouterr()
    assert deid("restore", tmp_path / "nightly.bak", drill, "--drill", *key, "--json") == 0
    said = capsys.readouterr()
    assert json.loads(said.out) == {"generation": 3, "entries": 1, "drill": True}
    assert "issues no new codes" in said.err
    assert deid("verify", drill, *key) == 0
    assert deid("reveal", drill, code, *key, "--reason", "drill") == 0
    assert VALUE in capsys.readouterr().out
    assert deid("stats", *opened) == 0
    assert deid("verify", *opened) == 0


def test_a_missing_head_file_is_reported_until_it_is_accepted(
    opened: list[object], tmp_path: Path, capsys: Out
) -> None:
    (tmp_path / "the.key.heads").unlink()
    assert deid("stats", *opened) == KEY
    assert "[heads-missing]" in capsys.readouterr().err
    assert deid("verify", *opened) == KEY
    assert capsys.readouterr().out.startswith("heads-missing\tthe note beside the key\t")
    assert deid("stats", *opened) == KEY
    assert deid("verify", *opened, "--accept-older") == 0
    assert deid("stats", *opened) == 0
    assert deid("history", *opened) == 0
    assert '"accept"' in capsys.readouterr().out


def test_accepting_a_missing_head_file_does_not_accept_damage(
    place: str | Path, tmp_path: Path, capsys: Out
) -> None:
    key = ["--key-file", tmp_path / "the.key"]
    assert deid("init", place, *key) == 0
    with Crosswalk.open(place, key[1]) as book:  # type: ignore[arg-type]
        book.codes(I.MRNS, [(PERSON, VALUE)])
        with book.store.writing():
            book.store.rewrite([])  # type: ignore[attr-defined]
    assert deid("verify", place, *key, "--accept-older") == KEY
    assert "row-missing" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "kind"),
    [
        (["stats", "no.db", "--key-file", "the.key"], KEY, "no-crosswalk"),
        (["stats", "no.db", "--key-file", "no.key"], KEY, "key-file-unreadable"),
        (["stats", "no.db"], USAGE, "no-key"),
        (["stats", "no.db", "--passphrase", "--key-file", "the.key"], USAGE, "many-keys"),
        (["stats", "mysql://host/db", "--key-file", "the.key"], KEY, "unknown-store"),
        (
            ["stats", "postgresql://ann:secret-word@127.0.0.1:9/db", "--key-file", "the.key"],
            KEY,
            "crosswalk-unreachable",
        ),
    ],
)
def test_errors_are_one_sentence(
    words: list[str],
    code: int,
    kind: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Out,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert deid("init", "made.db", "--key-file", "the.key") == 0
    assert deid(*words) == code
    said = capsys.readouterr().err
    assert f"[{kind}]" in said
    assert "secret-word" not in said and "ann" not in said.replace("cannot", "")


def test_a_passphrase_comes_from_stdin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    for phrase, code in ((_PHRASE, 0), (_PHRASE, 0), ("wrong one", KEY)):
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{phrase}\n"))
        verb = "stats" if (tmp_path / "book.db").exists() else "init"
        assert deid(verb, tmp_path / "book.db", "--passphrase") == code
    assert "[wrong-key]" in capsys.readouterr().err
