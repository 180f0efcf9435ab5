"""Broken Parquet, SAS, workbooks, databases and archives through one job.

Every file contains a canary, which must be in no file, no file name and no message of OUT.
"""

from __future__ import annotations

import io
import sqlite3
import struct
import tempfile
import zipfile
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest
from broken_files import CANARY, C, Outcome, holds_canary, scrub_files
from openpyxl import Workbook

from deid.errors import DeidError
from deid.formats import members_of, open_source


def _parquet(column: pa.Array | None = None, **options: object) -> bytes:
    buffer = io.BytesIO()
    cells = pa.array([CANARY, "b"]) if column is None else column
    pq.write_table(pa.table({"comment": cells}), buffer, **options)
    return buffer.getvalue()


def _half_text() -> pa.Array:
    """A text that is not valid UTF-8."""
    content = C + b"\xff"
    buffers = [None, pa.py_buffer(struct.pack("<2i", 0, len(content))), pa.py_buffer(content)]
    return pa.Array.from_buffers(pa.string(), 1, buffers)


def _spoilt(content: bytes, start: int, length: int) -> bytes:
    return content[:start] + bytes(b ^ 0xFF for b in content[start : start + length]) + content[
        start + length :
    ]  # fmt: skip


def _pages() -> bytes:
    """Two row groups; the pages of the second are damaged."""
    content = _parquet(
        pa.array(["well"] * 20 + [f"{CANARY} {n}" for n in range(20)]),
        row_group_size=20, compression="gzip", use_dictionary=False, write_statistics=False,
    )  # fmt: skip
    second = pq.read_metadata(io.BytesIO(content)).row_group(1).column(0).data_page_offset
    return _spoilt(content, content.index(b"\x1f\x8b", second), 40)


def _zip(entries: Iterable[tuple[str | zipfile.ZipInfo, bytes]]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


MAGIC = bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")
ROWS = b"sex,comment\nF," + C + b"\n"


def _link() -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("data.csv")
    info.external_attr = 0o120777 << 16
    return info


def _overlapping() -> bytes:
    """A second directory entry that points into the bytes of the first."""
    content = _zip([("a.csv", ROWS), ("b.csv", ROWS)])
    at = content.rindex(b"PK\1\2") + 42
    return content[:at] + struct.pack("<I", 4) + content[at + 4 :]


def _flagged() -> bytes:
    content = bytearray(_zip([("a.csv", ROWS)]))
    for mark, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        content[content.index(mark) + offset] |= 1
    return bytes(content)


def _crc() -> bytes:
    """An entry whose bytes do not match its checksum."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.csv", ROWS)
    return buffer.getvalue().replace(b"\nF,", b"\nM,")


def _workbook(change: Callable[[str, bytes], bytes] = lambda name, xml: xml) -> bytes:
    book, buffer = Workbook(), io.BytesIO()
    book.active.append(["sex", "comment"])
    book.active.append(["F", CANARY])
    book.save(buffer)
    with zipfile.ZipFile(buffer) as package:
        return _zip([(n, change(n, package.read(n))) for n in package.namelist()])


LAUGHS = b"""<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "Quillonby">
<!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">]><x>&lol2;</x>"""


def _sheet(xml: bytes) -> bytes:
    return _workbook(lambda name, old: xml if name == "xl/worksheets/sheet1.xml" else old)


def _doctype(name: str, xml: bytes) -> bytes:
    document = b'<!DOCTYPE x SYSTEM "file:///etc/passwd">'
    return xml.replace(b"<workbook", document + b"<workbook") if "workbook.xml" in name else xml


def _sqlite(script: str) -> bytes:
    database = sqlite3.connect(":memory:")
    database.executescript(script)
    return database.serialize()


BROKEN = "create table t (sex); insert into t values"
HALF = f"(cast('{CANARY}' || x'ff' as text))"
TABLE = f"create table t (sex, comment); insert into t values ('F', '{CANARY}')"


def _transport() -> bytes:
    frame = pd.DataFrame({"SEX": ["F"] * 9, "NOTE": [f"{CANARY}{n}" for n in range(9)]})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.xpt"
        pyreadstat.write_xport(frame, str(path), file_format_version=5)
        return path.read_bytes()


def _duckdb() -> bytes:
    """A database that is cut off after its header."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.duckdb"
        with duckdb.connect(str(path)) as made:
            made.execute(f"create table t as select '{CANARY} ' || i as c from range(9000) r(i)")
        return path.read_bytes()[:9000]


# name: the bytes, the code, and whether the whole file (or table) is withheld
COLLECTION: dict[str, tuple[bytes, str, bool]] = {
    "cut.parquet": (_parquet()[:-9], "broken-parquet", True),
    "empty.parquet": (b"", "broken-parquet", True),
    "footer.parquet": (_spoilt(_parquet(), len(_parquet()) - 60, 40), "broken-parquet", True),
    "length.parquet": (_parquet()[:-8] + b"\xff\xff\xff\x7fPAR1", "broken-parquet", True),
    "text.parquet": (ROWS, "broken-parquet", True),
    "secret.parquet": (b"PARE" + C + b"PARE", "encrypted-parquet", True),
    "nul.parquet": (_parquet(pa.array([CANARY + "\0", "b"])), "control-characters", False),
    "bytes.parquet": (
        _parquet(_half_text()),
        "undecodable-bytes", False,
    ),
    "pages.parquet": (_pages(), "broken-row-group", False),
    "cut.xpt": (_transport()[:-33], "broken-sas", True),
    "text.xpt": (ROWS, "broken-sas", True),
    "two.xpt": (_transport() + _transport()[240:], "several-datasets", True),
    "text.sas7bdat": (C * 40, "broken-sas", True),
    "cut.sas7bdat": (bytes(12) + MAGIC + C * 9, "broken-sas", True),
    "text.xlsx": (ROWS, "broken-workbook", True),
    "secret.xlsx": (bytes.fromhex("d0cf11e0a1b11ae1") + C, "encrypted-workbook", True),
    "old.xls": (bytes.fromhex("d0cf11e0a1b11ae1") + C, "encrypted-workbook", True),
    "cut.xlsx": (_workbook()[:-40], "broken-workbook", True),
    "laughs.xlsx": (_sheet(LAUGHS), "xml-dtd", True),
    "utf16.xlsx": (_sheet(LAUGHS.decode().encode("utf-16")), "xml-dtd", True),
    "doctype.xlsx": (_workbook(_doctype), "xml-dtd", True),
    "xml.xlsx": (_sheet(b"<worksheet><sheetData><row>" + C), "broken-workbook", True),
    "bomb.xlsx": (_sheet(b"<worksheet>" + b" " * (6 << 20)), "archive-too-large", True),
    "text.db": (ROWS, "no-database", True),
    "cut.db": (_sqlite(TABLE)[:-4100], "broken-database", True),
    "pages.db": (_spoilt(_sqlite(TABLE), 4096, 4000), "broken-database", True),
    "secret.db": (bytes(range(64)) * 64 + C, "no-database", True),
    "nul.db": (_sqlite(f"{BROKEN} ('{CANARY}' || char(0)), ('F')"), "control-characters", False),
    "bytes.db": (_sqlite(f"{BROKEN} ('F'), {HALF}"), "undecodable-bytes", False),
    "text.duckdb": (ROWS, "no-database", True),
    "empty.duckdb": (b"", "no-database", True),
    "cut.duckdb": (_duckdb(), "broken-database", True),
    "text.zip": (ROWS, "broken-archive", True),
    "cut.zip": (_zip([("a.csv", ROWS * 50)])[:-30], "broken-archive", True),
    "bomb.zip": (_zip([("a.csv", bytes(6 << 20))]), "archive-too-large", True),
    "climbs.zip": (_zip([("../../a.csv", ROWS)]), "unsafe-archive-path", True),
    "root.zip": (_zip([("/etc/a.csv", ROWS)]), "unsafe-archive-path", True),
    "drive.zip": (_zip([("C:a.csv", ROWS)]), "unsafe-archive-path", True),
    "back.zip": (_zip([("..\\a.csv", ROWS)]), "unsafe-archive-path", True),
    "link.zip": (_zip([(_link(), b"/etc/passwd")]), "unsafe-archive-path", True),
    "secret.zip": (_flagged(), "encrypted-archive", True),
    "overlap.zip": (_overlapping(), "archive-too-large", True),
    "twice.zip": (_zip([("a.csv", ROWS), ("A.csv", ROWS)]), "double-member", True),
    "inner.zip": (_zip([("a.zip", _zip([("a.csv", ROWS)])[:-9])]), "broken-archive", True),
    "crc.zip": (_crc(), "broken-archive", True),
    "empty.zip": (_zip([]), "empty-table", True),
}  # fmt: skip


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    folder = tmp_path_factory.mktemp("malformed")
    whole = folder / "whole.parquet"
    pq.write_table(pa.table({"sex": ["F", "M"], "weight": [70.5, 71.0]}), whole)
    files = {name: data for name, (data, _, _) in COLLECTION.items()}
    outcome = scrub_files(folder, files | {whole.name: whole.read_bytes()})
    assert pq.read_table(outcome.out / whole.name).equals(pq.read_table(whole))
    return outcome


@pytest.mark.parametrize("name", COLLECTION)
def test_each_broken_container_has_its_code(name: str, outcome: Outcome) -> None:
    _, code, whole = COLLECTION[name]
    assert outcome.codes[name] == {f"{'file' if whole else 'record'}:{code}"}


def test_nothing_of_a_broken_container_is_released(outcome: Outcome) -> None:
    assert not holds_canary(outcome.out)
    for path in filter(zipfile.is_zipfile, outcome.out.rglob("*.*")):
        with zipfile.ZipFile(path) as archive:
            assert all(C not in archive.read(name) for name in archive.namelist())


def test_a_database_that_is_being_written_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "ward.db"
    path.write_bytes(_sqlite(TABLE))
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("begin exclusive")
        with pytest.raises(DeidError) as refused:
            members_of(path)
    assert refused.value.code == "database-in-use"


def test_a_database_with_a_write_ahead_log_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "ward.db"
    path.write_bytes(_sqlite(TABLE))
    path.with_name("ward.db-wal").write_bytes(C)
    with pytest.raises(DeidError) as refused:
        members_of(path)
    assert refused.value.code == "database-in-use"


def test_no_message_about_a_container_shows_a_value(tmp_path: Path) -> None:
    shown = []
    for name, (data, _, whole) in COLLECTION.items():
        path = tmp_path / name
        path.write_bytes(data)
        if not whole:
            continue
        with pytest.raises(DeidError) as refused:
            for member in members_of(path) or ("",):
                open_source(path, None, member)
        error = refused.value
        shown.append(f"{error.message} {error.place} {error.hint} {error!r} {error.__cause__!r}")
        assert (error.__cause__ is None and error.__suppress_context__) or not error.__context__
    assert CANARY not in " ".join(shown)
