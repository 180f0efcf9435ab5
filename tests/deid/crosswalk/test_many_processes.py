"""Many processes at once, and killed processes: each value has one code, and no code is lost."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from deid.crosswalk import Crosswalk, back_up, rotate, verify
from deid.crosswalk.keys.master_keys import SecretKey, create_key_file
from deid.crosswalk.stores.sqlite_store import Sqlite
from deid.crosswalk.stores.stored_rows import BookState
from deid.errors import DeidError
from safe_harbor import Identifier as I

_FORK = multiprocessing.get_context("fork")
_PEOPLE = [(f"p{n}", f"MRN{n:06d}") for n in range(3000)]


def _allocate(place: str | Path, key: SecretKey, seed: int, out: Connection) -> None:
    mine = random.Random(seed).sample(_PEOPLE, 2000)
    with Crosswalk.open(place, key) as book:
        given = {}
        for start in range(0, len(mine), 250):
            batch = mine[start : start + 250]
            given.update(zip(batch, book.codes(I.MRNS, batch), strict=True))
    out.send(given)
    out.close()


def test_processes_agree_on_every_code(place: str | Path, key: SecretKey) -> None:
    Crosswalk.create(place, key).close()
    ends, children = [], []
    for seed in range(6):
        here, there = _FORK.Pipe(duplex=False)
        child = _FORK.Process(target=_allocate, args=(place, key, seed, there))
        child.start()
        there.close()
        ends.append(here)
        children.append(child)
    answers = [end.recv() for end in ends]
    for child in children:
        child.join()
    agreed: dict[tuple[str, str], str] = {}
    for answer in answers:
        assert all(agreed.setdefault(person, code) == code for person, code in answer.items())
    assert len(set(agreed.values())) == len(agreed)
    with Crosswalk.open(place, key) as book:
        assert verify(book) == ()
        assert book.counts() == {"mrns": len(agreed)}
        people = list(agreed)
        assert book.codes(I.MRNS, people) == [agreed[person] for person in people]


def _killed(work: Callable[[Connection], None], after: float) -> list[object]:
    """What a process printed before it was killed, `after` seconds after its first line."""
    here, there = _FORK.Pipe(duplex=False)
    child = _FORK.Process(target=work, args=(there,))
    child.start()
    there.close()
    said: list[object] = [here.recv()]
    time.sleep(after)
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)
    child.join()
    while True:
        try:
            said.append(here.recv())
        except EOFError:
            return said


def test_a_crosswalk_survives_a_kill_while_codes_are_allocated(
    place: str | Path, key: SecretKey
) -> None:
    Crosswalk.create(place, key).close()
    chance = random.Random(514)
    told: dict[tuple[str, str], str] = {}

    def work(out: Connection) -> None:
        with Crosswalk.open(place, key) as book:
            order = random.Random(chance.random()).sample(_PEOPLE, len(_PEOPLE))
            for start in range(0, len(order), 40):
                batch = order[start : start + 40]
                out.send(dict(zip(batch, book.codes(I.MRNS, batch), strict=True)))

    for _ in range(8):
        for answer in _killed(work, chance.uniform(0, 0.06)):
            assert isinstance(answer, dict)
            assert all(told.setdefault(person, code) == code for person, code in answer.items())
    with Crosswalk.open(place, key) as book:
        assert verify(book) == ()
        assert book.codes(I.MRNS, list(told)) == list(told.values())
        book.codes(I.MRNS, _PEOPLE)
        assert book.counts() == {"mrns": len(_PEOPLE)}
        assert verify(book) == ()


def test_a_crosswalk_survives_a_kill_while_keys_are_rotated(
    place: str | Path, key: SecretKey, tmp_path: Path
) -> None:
    other = create_key_file(tmp_path / "other")
    with Crosswalk.create(place, key) as book:
        codes = book.codes(I.MRNS, _PEOPLE[:600])
    chance = random.Random(514)
    current = key

    def work(out: Connection) -> None:
        book = Crosswalk.open(place, current)
        out.send("ready")
        while True:
            rotate(book, master=other if book.master is key else key)

    for _ in range(6):
        _killed(work, chance.uniform(0, 0.12))
        _until_the_server_noticed(place)
        current = _the_one_that_opens(place, key, other)
        with Crosswalk.open(place, current) as book:
            assert book.codes(I.MRNS, _PEOPLE[:600]) == codes
            assert verify(book) == ()
            assert book.counts() == {"mrns": 600}


def _until_the_server_noticed(place: str | Path) -> None:
    """Wait until the server has ended the request of the killed client: a key rotation may be
    committed only after the kill.
    """
    if isinstance(place, Path):
        return
    import psycopg

    others = (
        "select count(*) from pg_stat_activity where backend_type = 'client backend' "
        "and datname = current_database() and pid <> pg_backend_pid()"
    )
    deadline = time.monotonic() + 30
    with psycopg.connect(place, autocommit=True) as db:
        while db.execute(others).fetchone() != (0,):
            assert time.monotonic() < deadline, "a killed client's session lives on"
            time.sleep(0.01)


def _the_one_that_opens(place: str | Path, *keys: SecretKey) -> SecretKey:
    opening = []
    for key in keys:
        try:
            Crosswalk.open(place, key).close()
        except DeidError as refused:
            assert refused.code == "wrong-key"
        else:
            opening.append(key)
    assert len(opening) == 1
    return opening[0]


def test_a_crosswalk_survives_a_kill_during_a_backup(
    place: str | Path, key: SecretKey, tmp_path: Path
) -> None:
    with Crosswalk.create(place, key) as book:
        codes = book.codes(I.MRNS, _PEOPLE[:600])
    chance = random.Random(514)
    backups = tmp_path / "backups"
    backups.mkdir()

    def work(out: Connection) -> None:
        book = Crosswalk.open(place, key)
        back_up(book, backups / f"{len(list(backups.glob('*.db')))}.db")
        out.send("ready")
        while True:
            back_up(book, backups / f"{len(list(backups.glob('*.db')))}.db")

    for _ in range(6):
        _killed(work, chance.uniform(0, 0.15))
    with Crosswalk.open(place, key) as book:
        assert verify(book) == ()
        back_up(book, backups / "last.db")
    whole = sorted(backups.glob("*.db"))
    assert len(whole) > 6
    for backup in whole:
        with Crosswalk.open(backup, key, accept_older=True) as copy:
            # All backups but the last are older than the crosswalk and are reported as older; there
            # is no other fault.
            assert {fault.code for fault in verify(copy)} <= {"rolled-back"}
            assert copy.counts() == {"mrns": 600}
            assert copy.codes(I.MRNS, _PEOPLE[:600]) == codes
            copy.forget()


@pytest.mark.parametrize("missing", ["table", "rows"])
def test_an_interrupted_init_can_be_repeated(tmp_path: Path, key: SecretKey, missing: str) -> None:
    import sqlite3

    if missing == "rows":
        (tmp_path / "book.db").touch(mode=0o600)
    else:
        sqlite3.connect(tmp_path / "book.db").execute("PRAGMA journal_mode = WAL")
    with Crosswalk.create(tmp_path / "book.db", key) as book:
        assert verify(book) == ()


def test_a_head_recorded_while_a_crosswalk_is_opened_is_not_a_roll_back(
    tmp_path: Path, key: SecretKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "book.db"
    Crosswalk.create(place, key).close()
    state = Sqlite.state
    done = []

    def overtaken(self: Sqlite) -> BookState:
        found = state(self)
        if not done:
            done.append(True)
            with Crosswalk.open(place, key) as other:
                other.codes(I.MRNS, _PEOPLE[:5])
        return found

    monkeypatch.setattr(Sqlite, "state", overtaken)
    with Crosswalk.open(place, key) as book:
        done.clear()
        assert verify(book) == ()
