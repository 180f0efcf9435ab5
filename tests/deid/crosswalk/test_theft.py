"""A stolen store without the key shows only sizes and counts."""

from __future__ import annotations

import base64
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

import pytest

from deid.crosswalk import Crosswalk, back_up, rotate
from deid.crosswalk.keys.master_keys import SecretKey
from safe_harbor import Identifier as I

VALUES = {
    I.NAMES: ["Wilhelmina Oyelaran-Dvořáková", "Quintavious Abernethy"],
    I.MRNS: ["MRN-84420917735", "QX7730921184"],
    I.PHONES: ["(555) 010-2030 ext 77123"],
    I.EMAILS: ["oyelaran.w@example-hospice.test"],
    I.PLACES: ["4711 Thistledown Crescent"],
    I.DATES: ["1931-07-23T04:05"],
}
PERSON, REASON, SURROGATE = "patient-key-991", "asked by Quintavious", "Rosalind Achterberg"


def fill(book: Crosswalk) -> list[str]:
    """Use every way to write: codes, surrogates, a reveal whose reason contains identifiers, a
    rotation.
    """
    codes: list[str] = []
    for identifier, values in VALUES.items():
        codes += book.codes(identifier, [(PERSON, value) for value in values])
    book.keep("names.surrogate", [(PERSON, "Wilhelmina")], lambda at: SURROGATE)
    book.reveal(codes[0], user="dr.abernethy", reason=REASON)
    return codes


def needles(codes: list[str]) -> list[bytes]:
    """Every secret in every spelling and encoding that a file might contain."""
    secrets = [values[0] for values in VALUES.values()]
    secrets += [PERSON, REASON, SURROGATE, "dr.abernethy", *codes]
    return sorted({form for secret in secrets for form in _forms(secret)})


def _forms(secret: str) -> Iterator[bytes]:
    squeezed = "".join(sign for sign in secret if sign.isalnum())
    for text in {secret, secret.lower(), secret.upper(), secret[::-1], squeezed, squeezed.lower()}:
        for encoding in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "latin-1", "utf-7"):
            yield text.encode(encoding, "replace")
        raw = text.encode()
        yield from (raw.hex().encode(), raw.hex().upper().encode())
        yield from (urllib.parse.quote(text).encode(), ascii(text)[1:-1].encode())
        # Base64 of the middle of the value, at each of its three possible offsets.
        yield from (
            base64.b64encode(raw[skip : skip + (len(raw) - skip) // 3 * 3]) for skip in range(3)
        )


def found(folders: list[Path], wanted: list[bytes]) -> list[tuple[str, int]]:
    """The files and the number of each needle that they contain; a failing test shows no value."""
    hits, searched = [], 0
    for file in (file for folder in folders for file in folder.rglob("*") if file.is_file()):
        content = file.read_bytes().rstrip(b"\x00")
        searched += len(content)
        hits += [(file.name, number) for number, needle in enumerate(wanted) if needle in content]
    assert searched > 20_000
    return hits


def test_the_search_finds_what_is_there(tmp_path: Path) -> None:
    wanted = needles([])
    (tmp_path / "leak").write_bytes(bytes(30_000) + VALUES[I.MRNS][0].encode("utf-16-le"))
    assert found([tmp_path], wanted)


def test_a_stolen_sqlite_file_contains_no_secret(
    tmp_path: Path, key: SecretKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    stolen, temporary = tmp_path / "stolen", tmp_path / "temporary"
    stolen.mkdir()
    temporary.mkdir()
    for name in ("TMPDIR", "SQLITE_TMPDIR"):
        monkeypatch.setenv(name, str(temporary))
    with Crosswalk.create(stolen / "book.db", key) as book:
        codes = fill(book)
        wanted = needles(codes)
        assert (stolen / "book.db-wal").stat().st_size > 0
        assert found([stolen, temporary], wanted) == []
        rotate(book)
        back_up(book, stolen / "backup.db")
        assert found([stolen, temporary], wanted) == []
    assert found([stolen, temporary, tmp_path], wanted) == []


def test_a_stolen_postgresql_folder_contains_no_secret(own_database: str, key: SecretKey) -> None:
    import psycopg

    with Crosswalk.create(own_database, key) as book:
        codes = fill(book)
        rotate(book)
    with psycopg.connect(own_database, autocommit=True) as admin:
        admin.execute("CHECKPOINT")
        row = admin.execute(
            "SELECT current_setting('data_directory'), oid::int8 FROM pg_database"
            " WHERE datname = current_database()"
        ).fetchone()
    assert row is not None
    data = Path(row[0])
    folders = [data / "base" / str(row[1]), data / "pg_wal", data / "pg_xact"]
    assert found(folders, needles(codes[:1] + codes[-1:])) == []


def test_sealed_values_show_only_a_class_of_lengths(book: Crosswalk) -> None:
    book.codes(I.NAMES, [("p", "Al"), ("q", "Bartholomew Featherstone")])
    with book.store.reading():
        assert len({len(entry.sealed) for entry in book.store.entries()}) == 1
