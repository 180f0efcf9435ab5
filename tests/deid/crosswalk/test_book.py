from __future__ import annotations

import multiprocessing
import pickle
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from deid.crosswalk import (
    CodeAllocator,
    Crosswalk,
    CrosswalkError,
    back_up,
    destroy,
    events,
    open_for_job,
    restore_backup,
    rotate,
    verify,
)
from deid.crosswalk.code_drawing import is_crosswalk_code
from deid.crosswalk.keys.master_keys import Passphrase, SecretKey, create_key_file
from deid.errors import KEY, DeidError
from safe_harbor import Identifier as I

_PHRASE = "gravel tulip anvil mosque rind"
PEOPLE = [(f"patient-{n}", f"MRN{n:06d}") for n in range(500)]


def test_a_value_gets_one_code_and_keeps_it(place: str | Path, key: SecretKey) -> None:
    with Crosswalk.create(place, key) as book:
        codes = book.codes(I.MRNS, PEOPLE)
        assert len(set(codes)) == len(PEOPLE)
        assert all(is_crosswalk_code(code) for code in codes)
        assert book.codes(I.MRNS, PEOPLE[::-1]) == codes[::-1]
    with Crosswalk.open(place, key) as book:
        assert book.codes(I.MRNS, PEOPLE) == codes
        assert book.counts() == {"mrns": len(PEOPLE)}
        assert verify(book) == ()


def test_the_same_value_under_another_label_or_in_another_crosswalk_has_another_code(
    place: str | Path, key: SecretKey, tmp_path: Path
) -> None:
    with Crosswalk.create(place, key) as one, Crosswalk.create(tmp_path / "two.db", key) as two:
        items = [("p", "12345678")]
        codes = one.codes(I.MRNS, items) + one.codes(I.SSNS, items) + two.codes(I.MRNS, items)
        assert len(set(codes)) == 3


def test_one_batch_gives_one_code_to_one_identifier(book: Crosswalk) -> None:
    items = [("p", "(555) 010-2030"), ("p", "555.010.2030"), ("q", "555.010.2030")]
    first, second, other = book.codes(I.PHONES, items)
    assert first == second != other


def test_a_number_has_one_code_in_the_rows_of_any_patient(book: Crosswalk) -> None:
    a, b, c = book.codes(
        I.LICENSES, [("p", "NPI 1234567893"), ("q", "npi1234567893"), (None, "X9")]
    )
    assert a == b != c


def test_two_spellings_of_a_name_share_a_code_only_for_the_same_patient(book: Crosswalk) -> None:
    spelt = ["Garcia, Ana", "Ana García", "ANA GARCIA"]
    assert len(set(book.codes(I.NAMES, [("p", name) for name in spelt]))) == 1
    assert len(set(book.codes(I.NAMES, [(None, name) for name in spelt]))) == 3
    assert book.codes(I.NAMES, [("p", spelt[0])]) != book.codes(I.NAMES, [("q", spelt[0])])


def test_surrogates_are_kept_and_the_first_draw_wins(place: str | Path, key: SecretKey) -> None:
    items = [("p", "given"), ("p", "family"), ("q", "given"), ("p", "given")]
    with Crosswalk.create(place, key) as book:
        drawn = book.keep("names.surrogate", items, lambda at: f"draw {at}")
        assert drawn == ["draw 0", "draw 1", "draw 2", "draw 0"]
        assert book.keep("names.surrogate", items, lambda at: "later") == drawn
        assert verify(book) == ()


def test_reveal_is_recorded_before_the_value_is_shown(place: str | Path, key: SecretKey) -> None:
    with Crosswalk.create(place, key) as book:
        code = book.codes(I.NAMES, [("p-1", "Ana García")])[0]
        before = book.head().sequence
        shown = book.reveal(code.lower(), user="officer", reason="recall of an implant")
        assert (shown.identifier, shown.person, shown.value) == (I.NAMES, "p-1", "Ana García")
        assert "Ana" not in repr(shown)
        assert book.head().sequence == before + 1
        for user, reason in (("", "reason"), ("user", "  ")):
            with pytest.raises(CrosswalkError, match="reason"):
                book.reveal(code, user=user, reason=reason)
        assert verify(book) == ()


def test_a_mistyped_code_is_distinguished_from_an_unknown_one(
    book: Crosswalk, tmp_path: Path, key: SecretKey
) -> None:
    code = book.codes(I.MRNS, [("p", "1")])[0]
    typo = code[:5] + ("2" if code[5] != "2" else "3") + code[6:]
    with pytest.raises(CrosswalkError) as mistyped:
        book.reveal(typo, user="u", reason="r")
    with Crosswalk.create(tmp_path / "other.db", key) as other:
        foreign = other.codes(I.MRNS, [("p", "1")])[0]
    with pytest.raises(CrosswalkError) as unknown:
        book.reveal(foreign, user="u", reason="r")
    assert (mistyped.value.code, unknown.value.code) == ("not-a-code", "unknown-code")


def test_a_wrong_key_is_refused(place: str | Path, key: SecretKey, tmp_path: Path) -> None:
    Crosswalk.create(place, key).close()
    other = create_key_file(tmp_path / "other")
    same_name = SecretKey(key.name, bytes(32))
    for wrong in (other, same_name, Passphrase("guess")):
        with pytest.raises(DeidError) as refused:
            Crosswalk.open(place, wrong)
        assert (refused.value.code, refused.value.exit_code) == ("wrong-key", KEY)


def test_an_existing_crosswalk_is_not_overwritten(place: str | Path, key: SecretKey) -> None:
    Crosswalk.create(place, key).close()
    with pytest.raises(CrosswalkError, match="already"):
        Crosswalk.create(place, key)


def test_a_file_that_is_not_a_crosswalk_is_refused(tmp_path: Path, key: SecretKey) -> None:
    (tmp_path / "text").write_text("not a database " * 400)
    (tmp_path / "empty").write_bytes(b"")
    for name, code in (
        ("text", "not-a-crosswalk"),
        ("empty", "not-a-crosswalk"),
        ("no", "no-crosswalk"),
    ):
        with pytest.raises(CrosswalkError) as refused:
            Crosswalk.open(tmp_path / name, key)
        assert refused.value.code == code


def _parts(book: Crosswalk) -> set[bytes]:
    with book.store.reading():
        return {part for row in book.store.entries() for part in (row.place, row.token, row.sealed)}


def test_rotation_changes_every_key_and_no_code(
    place: str | Path, key: SecretKey, tmp_path: Path
) -> None:
    with Crosswalk.create(place, key) as book, Crosswalk.open(place, key) as elsewhere:
        codes = book.codes(I.MRNS, PEOPLE)
        names = book.keep("names.surrogate", [("p", "given")], lambda at: "Rosa")
        old_keys, old_rows = book.store.wrapped_keys(), _parts(book)
        new = create_key_file(tmp_path / "new key")
        rotate(book)
        assert elsewhere.codes(I.MRNS, PEOPLE) == codes
        rotate(book, data=False, index=False, master=new)
        assert not set(book.store.wrapped_keys()) & set(old_keys)
        assert not _parts(book) & old_rows
        assert book.codes(I.MRNS, PEOPLE) == codes
        assert book.keep("names.surrogate", [("p", "given")], lambda at: "") == names
        assert verify(book) == ()
        assert book.reveal(codes[7], user="u", reason="r").value == PEOPLE[7][1]
        with pytest.raises(DeidError, match="key"):
            elsewhere.codes(I.MRNS, PEOPLE)
    with pytest.raises(DeidError, match="key"):
        Crosswalk.open(place, key)
    with Crosswalk.open(place, new) as book:
        assert book.codes(I.MRNS, PEOPLE) == codes


def test_a_backup_restores_into_either_store(
    place: str | Path, key: SecretKey, tmp_path: Path
) -> None:
    with Crosswalk.create(place, key) as book:
        codes = book.codes(I.MRNS, PEOPLE)
        generation = back_up(book, tmp_path / "backup.db")
        assert generation == book.generation
    with restore_backup(tmp_path / "backup.db", tmp_path / "again.db", key) as again:
        assert again.codes(I.MRNS, PEOPLE) == codes
        assert again.generation == generation + 1
        assert verify(again) == ()


def test_a_backup_restores_into_postgresql(database: str, book: Crosswalk, tmp_path: Path) -> None:
    codes = book.codes(I.MRNS, PEOPLE)
    back_up(book, tmp_path / "backup.db")
    with restore_backup(tmp_path / "backup.db", database, book.master) as again:
        assert again.codes(I.MRNS, PEOPLE) == codes
        assert verify(again) == ()


def test_an_old_backup_is_detected(place: str | Path, key: SecretKey, tmp_path: Path) -> None:
    with Crosswalk.create(place, key) as book:
        book.codes(I.MRNS, PEOPLE[:10])
        back_up(book, tmp_path / "old.db")
        book.codes(I.MRNS, PEOPLE[10:])
    with pytest.raises(CrosswalkError, match="older copy"):
        restore_backup(tmp_path / "old.db", tmp_path / "again.db", key)
    assert not (tmp_path / "again.db").exists()
    with restore_backup(
        tmp_path / "old.db", tmp_path / "again.db", key, accept_older=True
    ) as again:
        assert again.counts() == {"mrns": 10}
        assert verify(again) == ()


def test_a_destroyed_crosswalk_cannot_be_opened(place: str | Path, key: SecretKey) -> None:
    with Crosswalk.create(place, key) as book:
        book.codes(I.MRNS, PEOPLE)
        destroy(book)
        assert book.store.wrapped_keys() == []
    with pytest.raises(CrosswalkError) as refused:
        Crosswalk.open(place, key)
    assert refused.value.code == "crosswalk-destroyed"


def test_a_passphrase_opens_the_crosswalk_it_locked(tmp_path: Path) -> None:
    with Crosswalk.create(tmp_path / "book.db", Passphrase(_PHRASE)) as book:
        codes = book.codes(I.MRNS, PEOPLE[:3])
    with Crosswalk.open(tmp_path / "book.db", Passphrase(_PHRASE)) as book:
        assert book.codes(I.MRNS, PEOPLE[:3]) == codes


def test_unusual_values_are_revealed_unchanged(book: Crosswalk) -> None:
    odd = ["", "\x00", "\ud800", "a" * 10_000, "名前", "naïve\u0301", "'; DROP TABLE x; --"]
    codes = book.codes(I.OTHERS, [("p", value) for value in odd])
    for code, value in zip(codes, odd, strict=True):
        assert book.reveal(code, user="u", reason="r").value == value
    assert verify(book) == ()


def _child(book: Crosswalk, answers: multiprocessing.Queue[list[str]]) -> None:
    answers.put(book.codes(I.MRNS, PEOPLE))


def test_a_forked_child_opens_a_connection_of_its_own(place: str | Path, key: SecretKey) -> None:
    forked = multiprocessing.get_context("fork")
    with Crosswalk.create(place, key) as book:
        book.codes(I.MRNS, PEOPLE[:5])
        answers: multiprocessing.Queue[list[str]] = forked.Queue()
        child = forked.Process(target=_child, args=(book, answers))
        child.start()
        given = answers.get(timeout=60)
        child.join()
        assert book.codes(I.MRNS, PEOPLE) == given
        assert verify(book) == ()


def test_a_crosswalk_neither_shows_nor_pickles_its_key(
    book: Crosswalk, key: SecretKey, tmp_path: Path
) -> None:
    book.codes(I.MRNS, PEOPLE[:2])
    shown = repr([book, key, book.keyring, Passphrase("secret words")])
    assert "secret words" not in shown and "MRN" not in shown
    with pytest.raises(TypeError):
        pickle.dumps(book)
    assert (tmp_path / "book.db").stat().st_mode & 0o077 == 0


def test_an_allocator_writes_all_requests_of_a_block_in_one_batch(
    place: str | Path, key: SecretKey
) -> None:
    with Crosswalk.create(place, key) as book:
        desk = CodeAllocator(book)
        before = book.head()
        with desk.single_write():
            codes = [desk(I.MRNS, *person) for person in PEOPLE[:30]]
            names = [desk.keep("names", "p", name, lambda: "Rosa") for name in ("ana", "eva")]
        assert (book.head().sequence, book.generation) == (
            before.sequence + 1,
            before.generation + 1,
        )
        assert [desk(I.MRNS, *person) for person in PEOPLE[:30]] == codes
        assert book.codes(I.MRNS, PEOPLE[:30]) == codes
        assert names == ["Rosa", "Rosa"]
        assert verify(book) == ()
        assert "MRN" not in repr(desk)


def test_a_failed_batch_is_rolled_back(place: str | Path, key: SecretKey) -> None:
    with Crosswalk.create(place, key) as book:
        desk = CodeAllocator(book)
        with pytest.raises(RuntimeError), desk.single_write():
            lost = desk(I.MRNS, "p", "1")
            raise RuntimeError
        assert book.counts() == {}
        assert desk(I.MRNS, "p", "1") != lost
        assert verify(book) == ()


def test_a_failed_draw_rolls_back_its_batch(book: Crosswalk) -> None:
    def fail(at: int) -> str:
        raise RuntimeError

    with pytest.raises(CrosswalkError, match="nothing of its batch"), book.single_write():
        book.codes(I.MRNS, PEOPLE[:3])
        with pytest.raises(RuntimeError):
            book.keep("names", [("p", "ana")], fail)
    assert book.counts() == {}
    assert verify(book) == ()


def test_the_account_of_a_job_shows_the_current_audit_head(tmp_path: Path, key: SecretKey) -> None:
    Crosswalk.create(tmp_path / "book.db", key).close()
    with open_for_job(tmp_path / "book.db", tmp_path / "key") as (desk, account):
        before = dict(account)
        desk(I.MRNS, "p", "1")
        assert dict(account) != before
        assert set(account) == {"generation", "audit_head"}
        after = dict(account)
    assert dict(account) == after
    assert sorted(path.suffix for path in tmp_path.glob("book*")) == [".db"]  # no log stays
    with pytest.raises(DeidError, match="key"), open_for_job(tmp_path / "book.db", None):
        pass


def test_a_closed_crosswalk_stays_closed(book: Crosswalk) -> None:
    """Reading after `close` used to open the database again, and nothing closed that connection."""
    book.close()
    with pytest.raises(RuntimeError, match="closed"), book.store.reading():
        book.store.state()


def test_a_crosswalk_that_another_process_holds_is_reported_as_locked(
    tmp_path: Path, key: SecretKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deid.crosswalk.stores.sqlite_store._WAIT_SECONDS", 0.05)
    with Crosswalk.create(tmp_path / "book.db", key) as book:
        codes = book.codes(I.MRNS, PEOPLE[:5])
        holder = sqlite3.connect(tmp_path / "book.db", isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        assert book.codes(I.MRNS, PEOPLE[:5]) == codes
        with pytest.raises(CrosswalkError) as refused:
            book.codes(I.MRNS, PEOPLE)
        assert (refused.value.code, refused.value.exit_code) == ("crosswalk-locked", KEY)
        holder.execute("ROLLBACK")
        assert book.codes(I.MRNS, PEOPLE)[:5] == codes
        assert verify(book) == ()


def test_every_batch_reveal_rotation_and_backup_is_recorded(
    place: str | Path, key: SecretKey, tmp_path: Path
) -> None:
    with Crosswalk.create(place, key, clock=lambda: datetime(2026, 11, 21, tzinfo=UTC)) as book:
        codes = book.codes(I.MRNS, PEOPLE[:5])
        book.codes(I.MRNS, PEOPLE[:5])
        book.reveal(codes[0], user="officer", reason="recall")
        rotate(book, index=False)
        back_up(book, tmp_path / "backup.db")
        told = list(events(book))
    assert [event["event"] for event in told] == [
        "init",
        "allocate",
        "reveal",
        "rotate",
        "export",
    ]
    assert told[1]["entries"] == {"mrns": 5}
    assert told[2]["user"] == "officer" and told[2]["reason"] == "recall"
    assert {event["at"] for event in told} == {"2026-11-21T00:00:00.000+00:00"}
    assert "MRN" not in repr(told)
