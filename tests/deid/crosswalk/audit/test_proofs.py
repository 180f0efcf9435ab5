"""A change made behind the engine's back is refused when the row is read, not only by `verify`."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from deid.crosswalk import (
    Crosswalk,
    CrosswalkError,
    back_up,
    events,
    restore_backup,
    rotate,
    verify,
)
from deid.crosswalk.keys.master_keys import Passphrase, SecretKey
from deid.crosswalk.trouble import KeyTrouble
from deid.errors import DeidError
from safe_harbor import Identifier as I

PEOPLE = [(f"p{n}", f"MRN{n:05d}") for n in range(30)]
PHRASE = "gravel tulip anvil mosque rind"
Run = Callable[..., list[Any]]


@contextmanager
def _behind(place: str | Path) -> Iterator[Run]:
    """Runs statements directly on the tables, behind the engine's back."""
    if isinstance(place, Path):
        import sqlite3

        db: Any = sqlite3.connect(place, isolation_level=None)
    else:
        import psycopg

        db = psycopg.connect(place, autocommit=True)

    def run(statement: str, *values: Any) -> list[Any]:
        text = statement if isinstance(place, Path) else statement.replace("?", "%s")
        cursor = db.execute(text, values) if values else db.execute(text)
        return cursor.fetchall() if cursor.description else []

    try:
        yield run
    finally:
        db.close()


def _rows(run: Run, kind: str = "mrns") -> list[Any]:
    sql = (
        "SELECT place, mark, token, sealed, number FROM crosswalk_entries WHERE kind = ? ORDER BY 1"
    )
    return [tuple(bytes(x) if isinstance(x, memoryview) else x for x in r) for r in run(sql, kind)]


def _swap(*columns: str) -> Callable[[Run], None]:
    """Two rows exchange columns; each value is first replaced by one that no row has."""

    def tamper(run: Run) -> None:
        names = ("place", "mark", "token", "sealed", "number")
        one, two = (dict(zip(names, row, strict=True)) for row in _rows(run)[:2])
        for n, column in enumerate(columns):
            key = "place" if column != "place" else "sealed"
            spare = bytes([n]) * 24
            for row, value in ((one, spare), (two, one[column]), (one, two[column])):
                run(f"UPDATE crosswalk_entries SET {column} = ? WHERE {key} = ?", value, row[key])

    return tamper


def _copy_code(run: Run) -> None:
    """Two patients share one code."""
    one, two = _rows(run)[:2]
    run("UPDATE crosswalk_entries SET token = ? WHERE place = ?", one[2], two[0])


def _known_difference(run: Run) -> None:
    """Shift row one by the difference of two released codes, so that it would show code two."""
    one, two = _rows(run)[:2]
    body = bytes(a ^ b for a, b in zip(one[2][:19], two[2][:19], strict=True))
    run("UPDATE crosswalk_entries SET token = ? WHERE place = ?", body + one[2][19:], one[0])


def _flip_surrogate(run: Run) -> None:
    place, _, token, _, _ = _rows(run, "names.surrogate")[0]
    run("UPDATE crosswalk_entries SET token = ? WHERE place = ?", token[:-30] + bytes(30), place)


READ = {
    "tokens swapped": _swap("token"),
    "places swapped": _swap("place"),
    "tokens and marks swapped": _swap("token", "mark"),
    "tokens, marks and values swapped": _swap("token", "mark", "sealed"),
    "code copied": _copy_code,
    "code changed by a known difference": _known_difference,
    "code cut": lambda run: run("UPDATE crosswalk_entries SET token = ?", b"X" * 19),
    "code emptied": lambda run: run("UPDATE crosswalk_entries SET token = ?", b""),
    "surrogate changed": _flip_surrogate,
}
"""Tamperings that every read of a code or a surrogate detects."""


def _ask_all(book: Crosswalk) -> None:
    book.codes(I.MRNS, PEOPLE)
    book.keep("names.surrogate", [("p0", "given")], lambda at: "Other")


@pytest.fixture
def filled(place: str | Path, key: SecretKey) -> str | Path:
    with Crosswalk.create(place, key) as book:
        book.codes(I.MRNS, PEOPLE[:10])
        book.codes(I.MRNS, PEOPLE)
        book.keep("names.surrogate", [("p0", "given")], lambda at: "Rosa")
    return place


@pytest.mark.parametrize("attack", READ)
def test_an_altered_row_is_refused_when_it_is_read(
    attack: str, filled: str | Path, key: SecretKey
) -> None:
    with _behind(filled) as run:
        READ[attack](run)
    with Crosswalk.open(filled, key) as book, pytest.raises(CrosswalkError) as refused:
        _ask_all(book)
    assert refused.value.code == "crosswalk-altered"


def test_a_swapped_value_is_never_revealed(filled: str | Path, key: SecretKey) -> None:
    with Crosswalk.open(filled, key) as book:
        codes = book.codes(I.MRNS, PEOPLE)
    for columns in (("sealed",), ("mark",), ("mark", "token")):
        with _behind(filled) as run:
            _swap(*columns)(run)
        refused = 0
        with Crosswalk.open(filled, key) as book:
            for code, (person, value) in zip(codes, PEOPLE, strict=True):
                try:
                    shown = book.reveal(code, user="u", reason="r")
                    assert (shown.person, shown.value) == (person, value)
                except CrosswalkError:
                    refused += 1
        with _behind(filled) as run:
            _swap(*columns)(run)
        assert refused == 2


ABSENT = {
    "last row deleted": lambda run: run(
        "DELETE FROM crosswalk_entries WHERE place = ?", max(_rows(run))[0]
    ),
    "all rows deleted": lambda run: run("DELETE FROM crosswalk_entries"),
    "row replaced by junk": lambda run: run(
        "UPDATE crosswalk_entries SET place = ? WHERE place = ?", bytes(24), _rows(run)[0][0]
    ),
    "row duplicated at another place": lambda run: run(
        "INSERT INTO crosswalk_entries (place, kind, mark, number, token, sealed)"
        " SELECT ?, kind, NULL, number, token, sealed FROM crosswalk_entries WHERE place = ?",
        bytes(24),
        _rows(run)[0][0],
    ),
}
"""After such a change, drawing a code and rotating the keys are both refused."""


@pytest.mark.parametrize("attack", ABSENT)
@pytest.mark.parametrize("work", ["codes", "surrogate", "rotate", "together"])
def test_no_code_is_drawn_where_rows_are_missing(
    attack: str, work: str, filled: str | Path, key: SecretKey
) -> None:
    with _behind(filled) as run:
        ABSENT[attack](run)
    with Crosswalk.open(filled, key) as book, pytest.raises(CrosswalkError) as refused:
        if work == "codes":
            book.codes(I.MRNS, [("new", "MRN99999")])
        elif work == "surrogate":
            book.keep("names.surrogate", [("new", "given")], lambda at: "Eva")
        elif work == "rotate":
            rotate(book)
        else:
            with book.single_write():
                book.codes(I.MRNS, [("new", "MRN99999")])
    assert refused.value.code == "crosswalk-altered"


def test_a_row_of_another_crosswalk_is_refused(
    filled: str | Path, key: SecretKey, tmp_path: Path
) -> None:
    with Crosswalk.create(tmp_path / "other.db", key) as other:
        other.codes(I.MRNS, PEOPLE)
    with _behind(tmp_path / "other.db") as run:
        foreign = _rows(run)[0]
    with _behind(filled) as run:
        run(
            "INSERT INTO crosswalk_entries (place, kind, mark, number, token, sealed)"
            " VALUES (?, 'mrns', ?, ?, ?, ?)",
            *(foreign[0], foreign[1], foreign[4], foreign[2], foreign[3]),
        )
    with Crosswalk.open(filled, key) as book:
        with pytest.raises(CrosswalkError, match="changed outside"):
            book.codes(I.MRNS, [("new", "MRN99999")])
        assert {fault.code for fault in verify(book)} == {"row-altered"}


OPENED = {
    "generation raised": "UPDATE crosswalk_book SET generation = generation + 5",
    "generation lowered": "UPDATE crosswalk_book SET generation = generation - 1",
    "weight changed": "UPDATE crosswalk_book SET weight = hash",
    "audit truncated": "DELETE FROM crosswalk_audit WHERE sequence >= 3",
    "last event deleted": "DELETE FROM crosswalk_audit WHERE sequence = 4",
    "event added": "INSERT INTO crosswalk_audit SELECT sequence + 1, sealed, hash"
    " FROM crosswalk_audit WHERE sequence = 4",
    "signer changed": "UPDATE crosswalk_book SET public = hash",
    "name changed": "UPDATE crosswalk_book SET book = book || '-restored0'",
}


@pytest.mark.parametrize("attack", OPENED)
def test_an_altered_audit_head_is_refused_on_opening_and_before_a_write(
    attack: str, filled: str | Path, key: SecretKey
) -> None:
    with Crosswalk.open(filled, key) as book:
        with _behind(filled) as run:
            run(OPENED[attack])
        with pytest.raises(DeidError):
            book.codes(I.MRNS, [("new", "MRN99999")])
        book.forget()
    with pytest.raises(DeidError) as refused:
        Crosswalk.open(filled, key)
    assert refused.value.code == "crosswalk-altered"


_FUNCTION = (
    "CREATE FUNCTION {0}() RETURNS trigger LANGUAGE plpgsql AS"
    " $$ BEGIN DELETE FROM crosswalk_entries WHERE kind = 'mrns'; RETURN NEW; END $$"
)
PLANTED: dict[str, dict[str, str]] = {
    "sqlite": {
        "trigger": "CREATE TRIGGER t AFTER INSERT ON crosswalk_audit BEGIN"
        " DELETE FROM crosswalk_entries; END",
        "view": "CREATE VIEW v AS SELECT * FROM crosswalk_entries",
        "table": "CREATE TABLE notes (x)",
        "index": "CREATE INDEX i ON crosswalk_entries (kind)",
        "expression index": "CREATE INDEX i ON crosswalk_entries (length(token))",
        "column with a default": "ALTER TABLE crosswalk_keys ADD COLUMN x TEXT DEFAULT 'x'",
        "virtual table": "CREATE VIRTUAL TABLE f USING fts5(x)",
        "table instead of": "ALTER TABLE crosswalk_entries RENAME TO old",
        "dropped table": "DROP TABLE crosswalk_audit",
    },
    "postgresql": {
        "trigger": _FUNCTION.format("planted")
        + "; CREATE TRIGGER t AFTER INSERT ON crosswalk_audit EXECUTE FUNCTION planted()",
        "disabled trigger": _FUNCTION.format("planted")
        + "; CREATE TRIGGER t AFTER INSERT ON crosswalk_audit EXECUTE FUNCTION planted()"
        "; ALTER TABLE crosswalk_audit DISABLE TRIGGER t",
        "rule": "CREATE RULE r AS ON INSERT TO crosswalk_audit DO ALSO"
        " DELETE FROM crosswalk_entries",
        "rule instead": "CREATE RULE r AS ON UPDATE TO crosswalk_book DO INSTEAD NOTHING",
        "view": "CREATE VIEW v AS SELECT * FROM crosswalk_entries",
        "materialized view": "CREATE MATERIALIZED VIEW v AS SELECT * FROM crosswalk_keys",
        "policy": "CREATE POLICY p ON crosswalk_entries USING (kind <> 'mrns')",
        "row-level security": "ALTER TABLE crosswalk_entries ENABLE ROW LEVEL SECURITY",
        "default": "ALTER TABLE crosswalk_entries ALTER COLUMN number SET DEFAULT 7",
        "generated column": "ALTER TABLE crosswalk_keys ADD x int GENERATED ALWAYS AS (1) STORED",
        "identity column": "ALTER TABLE crosswalk_keys ADD x int GENERATED ALWAYS AS IDENTITY",
        "index": "CREATE INDEX i ON crosswalk_entries (kind)",
        "same index again": "CREATE UNIQUE INDEX i ON crosswalk_entries (mark)",
        "expression index": "CREATE INDEX i ON crosswalk_entries (length(token))",
        "child table": "CREATE TABLE child () INHERITS (crosswalk_entries)",
        "foreign key": "CREATE TABLE child (s bigint REFERENCES crosswalk_audit)",
        "extra table": "CREATE TABLE crosswalk_more (x int)",
        "check dropped": "ALTER TABLE crosswalk_book DROP CONSTRAINT crosswalk_book_only_row_check",
        "unique dropped": "ALTER TABLE crosswalk_entries DROP CONSTRAINT"
        " crosswalk_entries_mark_key",
        "null allowed": "ALTER TABLE crosswalk_entries ALTER sealed DROP NOT NULL",
        "type changed": "ALTER TABLE crosswalk_entries ALTER number TYPE bigint",
        "unlogged": "ALTER TABLE crosswalk_entries SET UNLOGGED",
        "view instead of a table": "ALTER TABLE crosswalk_entries RENAME TO old;"
        " CREATE VIEW crosswalk_entries AS SELECT * FROM old",
    },
}


def _planted() -> list[tuple[str, str]]:
    return [(store, name) for store, named in PLANTED.items() for name in named]


@pytest.mark.parametrize(("store", "name"), _planted(), ids=lambda word: str(word))
def test_objects_planted_in_the_database_are_refused(
    store: str, name: str, key: SecretKey, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    place: str | Path = tmp_path / "book.db"
    if store == "postgresql":
        place = request.getfixturevalue("database")
    with Crosswalk.create(place, key) as book:
        book.codes(I.MRNS, PEOPLE[:5])
        with _behind(place) as run:
            run(PLANTED[store][name])
        # A process that has the crosswalk open can no longer write, and no process can open it.
        with pytest.raises(CrosswalkError) as refused:
            book.codes(I.MRNS, PEOPLE)
        gone = "not-a-crosswalk" if name == "table instead of" else ""
        assert refused.value.code in ("schema-altered", gone)
        book.forget()
    with pytest.raises(CrosswalkError) as refused:
        Crosswalk.open(place, key)
    assert refused.value.code == "schema-altered"
    if name not in ("table instead of", "dropped table"):
        with Crosswalk.open(place, key, inspect=True) as book:
            assert {fault.code for fault in verify(book)} == {"schema-altered"}


def test_an_operator_on_the_search_path_changes_no_answer(database: str, key: SecretKey) -> None:
    schema = database.rpartition("%3D")[2]
    with Crosswalk.create(database, key) as book:
        codes = book.codes(I.MRNS, PEOPLE)
    with _behind(database) as run:
        run(
            "CREATE FUNCTION never(bytea, bytea) RETURNS bool LANGUAGE sql AS 'SELECT false';"
            "CREATE OPERATOR = (leftarg = bytea, rightarg = bytea, function = never)"
        )
    hostile = database.replace(f"%3D{schema}", f"%3D{schema},pg_catalog")
    with Crosswalk.open(hostile, key, accept_older=True) as book:
        assert book.codes(I.MRNS, PEOPLE) == codes


def test_a_damaged_index_is_reported_as_damage(tmp_path: Path, key: SecretKey) -> None:
    place = tmp_path / "book.db"
    with Crosswalk.create(place, key) as book:
        book.codes(I.MRNS, PEOPLE)
    with _behind(place) as run:
        run("PRAGMA writable_schema = ON")
        run(
            "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master"
            " WHERE name = 'sqlite_autoindex_crosswalk_keys_1') WHERE name ="
            " 'sqlite_autoindex_crosswalk_entries_2'"
        )
    with Crosswalk.open(place, key, inspect=True) as book:
        assert "store-damaged" in {fault.code for fault in verify(book)}


# The file of audit heads beside the key.


def _heads(tmp_path: Path) -> Path:
    return tmp_path / "key.heads"


def _drop_a_line(path: Path) -> None:
    told = json.loads(path.read_text())
    told["heads"] = {}
    path.write_text(json.dumps(told))


def _lower_a_head(path: Path) -> None:
    told = json.loads(path.read_text())
    told["heads"] = {book: line.replace(".4.", ".1.") for book, line in told["heads"].items()}
    path.write_text(json.dumps(told))


DAMAGES: dict[str, tuple[Callable[[Path], Any], str]] = {
    "deleted": (Path.unlink, "heads-missing"),
    "emptied": (lambda path: path.write_text(""), "heads-damaged"),
    "an empty object": (lambda path: path.write_text("{}"), "heads-damaged"),
    "a list": (lambda path: path.write_text("[]"), "heads-damaged"),
    "cut": (lambda path: path.write_bytes(path.read_bytes()[:-20]), "heads-damaged"),
    "bytes": (lambda path: path.write_bytes(bytes(range(256))), "heads-damaged"),
    "a line dropped": (_drop_a_line, "heads-damaged"),
    "a head lowered": (_lower_a_head, "heads-damaged"),
    "of another key": (
        lambda path: shutil.copy(path.with_name("other.heads"), path),
        "heads-damaged",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_missing_or_altered_head_file_beside_the_key_is_reported(
    damage: str, filled: str | Path, key: SecretKey, tmp_path: Path
) -> None:
    change, code = DAMAGES[damage]
    other = SecretKey("other", bytes(32), tmp_path / "other.heads")
    Crosswalk.create(tmp_path / "other.db", other).close()
    change(_heads(tmp_path))
    with pytest.raises(CrosswalkError) as refused:
        Crosswalk.open(filled, key)
    assert refused.value.code == code
    with Crosswalk.open(filled, key, inspect=True) as book:
        assert [fault.code for fault in verify(book)] == [code]
        book.accept()
    with Crosswalk.open(filled, key) as book:
        assert verify(book) == ()
        assert [event["event"] for event in events(book)][-1] == "accept"


def test_another_crosswalk_put_in_its_place_is_refused(tmp_path: Path, key: SecretKey) -> None:
    for name in ("live", "other"):
        with Crosswalk.create(tmp_path / f"{name}.db", key) as book:
            book.codes(I.MRNS, PEOPLE[:5])
    shutil.copy(tmp_path / "other.db", tmp_path / "live.db")
    with pytest.raises(CrosswalkError) as refused:
        Crosswalk.open(tmp_path / "live.db", key)
    assert refused.value.code == "another-book"


# Passphrases.


WEAK = """a
hunter2
password
password1234567890
P@ssw0rdP@ssw0rd!
aaaaaaaaaaaaaaaa
abcdefghijklmnopqrstuvwxyz
qwertyuiopasdfghjklzxcvbnm
12345678901234567890
correct horse battery staple
Summer2026!Hospital
abcabcabcabcabcabc
letmein letmein letmein
2026-11-23
hospital clinic patient health
xK9#mQ2$"""


@pytest.mark.parametrize("weak", WEAK.splitlines())
def test_a_weak_passphrase_is_refused(weak: str, tmp_path: Path, key: SecretKey) -> None:
    with pytest.raises(KeyTrouble) as refused:
        Crosswalk.create(tmp_path / "book.db", Passphrase(weak))
    assert refused.value.code == "weak-passphrase"
    assert len(weak) < 8 or weak not in refused.value.message
    with Crosswalk.create(tmp_path / "other.db", key) as book:
        with pytest.raises(KeyTrouble, match="easy to guess"):
            rotate(book, master=Passphrase(weak))
        assert verify(book) == ()


@pytest.mark.parametrize("strong", [PHRASE, "xK9#mQ2$vL7pWz4tB", "orbit-lemon-tractor-violin"])
def test_a_strong_passphrase_is_accepted(strong: str, tmp_path: Path) -> None:
    with Crosswalk.create(tmp_path / "book.db", Passphrase(strong)) as book:
        assert verify(book) == ()


def test_a_crosswalk_with_a_passphrase_detects_an_older_copy(tmp_path: Path) -> None:
    place = tmp_path / "book.db"
    with Crosswalk.create(place, Passphrase(PHRASE)) as book:
        book.codes(I.MRNS, PEOPLE[:5])
    shutil.copy(place, tmp_path / "old.db")
    with Crosswalk.open(place, Passphrase(PHRASE)) as book:
        book.codes(I.MRNS, PEOPLE)
    shutil.copy(tmp_path / "old.db", place)
    with pytest.raises(CrosswalkError) as refused:
        Crosswalk.open(place, Passphrase(PHRASE))
    assert refused.value.code == "crosswalk-rolled-back"
    with pytest.raises(KeyTrouble) as wrong:
        Crosswalk.open(place, Passphrase("not the one"))
    assert wrong.value.code == "wrong-key"
    for left in (tmp_path / "state").rglob("*.heads"):
        left.unlink()
    with pytest.raises(CrosswalkError) as refused:
        Crosswalk.open(place, Passphrase(PHRASE))
    assert refused.value.code == "heads-missing"


# Restore drills and restored copies.


@pytest.mark.parametrize("drill", [False, True])
def test_a_restored_copy_does_not_affect_the_live_crosswalk(
    drill: bool, filled: str | Path, key: SecretKey, tmp_path: Path
) -> None:
    with Crosswalk.open(filled, key) as live:
        codes = live.codes(I.MRNS, PEOPLE)
        released = live.head()
        back_up(live, tmp_path / "backup.db")
    with restore_backup(tmp_path / "backup.db", tmp_path / "copy.db", key, drill=drill) as copy:
        assert copy.codes(I.MRNS, PEOPLE) == codes
        assert copy.reveal(codes[3], user="u", reason="drill").value == PEOPLE[3][1]
        assert verify(copy, [released]) == ()
        if drill:
            with pytest.raises(CrosswalkError, match="drill"):
                copy.codes(I.MRNS, [("new", "MRN99999")])
        else:
            copy.codes(I.MRNS, [("new", "MRN99999")])
    with Crosswalk.open(filled, key) as live:
        live.codes(I.MRNS, [("newer", "MRN88888")])
        later = live.head()
        assert verify(live, [released]) == ()
    with Crosswalk.open(tmp_path / "copy.db", key) as copy:
        assert [fault.code for fault in verify(copy, [later])] == ["rolled-back"]
    # The next drill, with the same backup, which is older by now.
    restore_backup(tmp_path / "backup.db", tmp_path / "again.db", key, drill=True).close()
    with pytest.raises(CrosswalkError, match="older copy"):
        restore_backup(tmp_path / "backup.db", tmp_path / "third.db", key)
    Crosswalk.open(filled, key).close()


@pytest.mark.parametrize("drill", [False, True])
def test_a_restored_copy_is_not_accepted_as_the_live_crosswalk(
    drill: bool, tmp_path: Path, key: SecretKey
) -> None:
    live = tmp_path / "live.db"
    with Crosswalk.create(live, key) as book:
        book.codes(I.MRNS, PEOPLE[:5])
        back_up(book, tmp_path / "backup.db")
        book.codes(I.MRNS, PEOPLE)
    copied = restore_backup(
        tmp_path / "backup.db", tmp_path / "copy.db", key, accept_older=True, drill=drill
    )
    copied.close()
    for older, code in (("copy.db", "another-book"), ("backup.db", "crosswalk-rolled-back")):
        shutil.copy(tmp_path / older, live)
        with pytest.raises(CrosswalkError) as refused:
            Crosswalk.open(live, key)
        assert refused.value.code == code


def test_a_restored_copy_detects_that_it_was_rolled_back(tmp_path: Path, key: SecretKey) -> None:
    with Crosswalk.create(tmp_path / "live.db", key) as book:
        back_up(book, tmp_path / "backup.db")
    restore_backup(tmp_path / "backup.db", tmp_path / "copy.db", key).close()
    shutil.copy(tmp_path / "copy.db", tmp_path / "old.db")
    with Crosswalk.open(tmp_path / "copy.db", key) as copy:
        copy.codes(I.MRNS, PEOPLE)
    shutil.copy(tmp_path / "old.db", tmp_path / "copy.db")
    with pytest.raises(CrosswalkError, match="older copy"):
        Crosswalk.open(tmp_path / "copy.db", key)


def test_a_tampered_backup_is_not_restored(tmp_path: Path, key: SecretKey) -> None:
    with Crosswalk.create(tmp_path / "live.db", key) as book:
        book.codes(I.MRNS, PEOPLE)
        back_up(book, tmp_path / "backup.db")
    with _behind(tmp_path / "backup.db") as run:
        run("DELETE FROM crosswalk_entries WHERE place = ?", _rows(run)[0][0])
    for drill in (False, True):
        with pytest.raises(CrosswalkError) as refused:
            restore_backup(tmp_path / "backup.db", tmp_path / "copy.db", key, drill=drill)
        assert refused.value.code == "backup-damaged"
    assert not (tmp_path / "copy.db").exists()
