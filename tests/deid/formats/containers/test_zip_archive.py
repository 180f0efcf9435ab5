"""ZIP archives: each file is read in its own format, files that file managers add are ignored, and
the output has the same structure.
"""

from __future__ import annotations

import gc
import io
import sqlite3
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from deid import spool
from deid.errors import DeidError
from deid.formats import Record, left_behind, members_of, open_source
from deid.formats.containers.zip_archive import ZipPack

CSV = b"id,sex\r\n1,F\r\n2,M\r\n"


def _archive(path: Path, entries: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
        archive.comment = b"packed by OLEJNICZAK"
    return path


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    pq.write_table(pa.table({"n": [1, 2]}), tmp_path / "t.parquet")
    return _archive(
        tmp_path / "extract.zip",
        {
            "data/person.csv": CSV,
            "data/t.parquet": (tmp_path / "t.parquet").read_bytes(),
            "notes/a.txt": b"seen today",
            "__MACOSX/data/._person.csv": b"OLEJNICZAK",
            "data/.DS_Store": b"OLEJNICZAK",
        },
    )


def test_files_added_by_file_managers_are_not_members(archive: Path) -> None:
    assert members_of(archive) == ("data/person.csv", "data/t.parquet", "notes/a.txt")
    assert left_behind(archive) == {"hidden-entries": 2, "archive-comments": 1}


def test_members_are_read_in_their_formats(archive: Path) -> None:
    source = open_source(archive, None, "data/person.csv")
    assert source.columns == ("id", "sex")
    assert [r.cells for r in source.records() if isinstance(r, Record)] == [("1", "F"), ("2", "M")]


def test_an_archive_with_the_same_structure_is_written(archive: Path, through: Callable) -> None:
    out, keys = through(archive)
    assert keys == members_of(archive)
    with zipfile.ZipFile(out) as packed:
        assert packed.namelist() == list(keys)
        assert packed.read("data/person.csv") == CSV
        assert packed.comment == b""
        assert {info.date_time[0] for info in packed.infolist()} == {1980}
    assert b"OLEJNICZAK" not in out.read_bytes()


def test_a_job_leaves_no_unpacked_file(
    archive: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    private = tmp_path / "private"
    private.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(private))
    monkeypatch.setattr(spool, "_process_folders", {})
    source = open_source(archive, None, "data/person.csv")
    [folder] = private.iterdir()
    assert folder.stat().st_mode & 0o077 == 0
    assert len(list(folder.iterdir())) == 1
    assert len(list(source.records())) == 2
    del source
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("scan.bin", b"\0\1", "unknown-format"),
        ("inner.zip", b"PK\5\6" + bytes(18), "container-in-archive"),
        ("broken.parquet", b"PAR1", "broken-parquet"),
    ],
)
def test_an_unreadable_member_does_not_affect_the_others(
    tmp_path: Path, name: str, content: bytes, code: str
) -> None:
    path = _archive(tmp_path / "t.zip", {"a.csv": CSV, name: content})
    with pytest.raises(DeidError) as refused:
        open_source(path, None, name)
    assert refused.value.code == code
    assert open_source(path, None, "a.csv").columns == ("id", "sex")


def _nested(path: Path, depth: int) -> Path:
    _archive(path, {"data/person.csv": CSV, "notes/a.txt": b"seen today"})
    for _ in range(depth):
        _archive(path, {"inner.zip": path.read_bytes(), "b.txt": b"seen again"})
    return path


def test_many_files_of_tables_in_a_compressed_archive_are_read(
    tmp_path: Path, through: Callable
) -> None:
    names = [f"{number}.zip" for number in range(6)]
    held = {name: _archive(tmp_path / name, {"a.csv": CSV}).read_bytes() for name in names}
    held |= {
        "a.yaml": b"id: 1\nsex: F\n",
        "dump.sql": b"CREATE TABLE person (id int);\nINSERT INTO person VALUES (1), (2);\n",
    }
    path = _archive(tmp_path / "inner.zip", held)
    path = _archive(tmp_path / "outer.zip", {"inner.zip": path.read_bytes()})
    wanted = [*(f"{name}/a.csv" for name in names), "a.yaml/records.json", "dump.sql/person"]
    assert members_of(path) == tuple(f"inner.zip/{one}" for one in wanted)
    sources = [open_source(path, None, member) for member in members_of(path)]
    assert [len(list(source.records())) for source in sources] == [2] * 6 + [1, 2]
    out, keys = through(path)
    assert keys == members_of(out) == members_of(path)


def test_archives_within_archives_are_read_to_a_maximum_depth(
    tmp_path: Path, through: Callable
) -> None:
    path = _nested(tmp_path / "outer.zip", 2)
    wanted = ("inner.zip/inner.zip/data/person.csv", "inner.zip/inner.zip/notes/a.txt")
    assert left_behind(path, wanted[0]) == {"archive-comments": 1}
    assert members_of(path) == (*wanted, "inner.zip/b.txt", "b.txt")
    assert open_source(path, None, wanted[0]).columns == ("id", "sex")
    out, keys = through(path)
    assert keys == members_of(path) == members_of(out)
    with zipfile.ZipFile(out) as packed:
        assert packed.namelist() == ["inner.zip", "b.txt"]
        assert packed.read("b.txt") == b"seen again"
        inner = zipfile.ZipFile(io.BytesIO(packed.read("inner.zip"))).read("inner.zip")
    assert zipfile.ZipFile(io.BytesIO(inner)).read("data/person.csv") == CSV
    assert b"OLEJNICZAK" not in out.read_bytes()


def test_a_workbook_and_a_database_in_an_archive_are_read(
    tmp_path: Path, through: Callable
) -> None:
    book, base = tmp_path / "b.xlsx", tmp_path / "c.db"
    sheet = openpyxl.Workbook()
    sheet.active.append(["id", "sex"])
    sheet.active.append([1, "F"])
    sheet.active.title = "people"
    sheet.save(book)
    with sqlite3.connect(base) as connection:
        connection.execute("CREATE TABLE visits (id TEXT, sex TEXT)")
        connection.execute("INSERT INTO visits VALUES ('1', 'F')")
    connection.close()
    content = {path.name: path.read_bytes() for path in (book, base)}
    path = _archive(tmp_path / "all.zip", content)
    assert members_of(path) == ("b.xlsx/people", "c.db/visits")
    out, keys = through(path)
    assert keys == members_of(out) == members_of(path)
    for key in keys:
        [record] = open_source(out, None, key).records()
        assert isinstance(record, Record) and record.cells == ("1", "F")


def test_a_deeper_archive_is_refused(tmp_path: Path) -> None:
    path = _nested(tmp_path / "outer.zip", 4)
    deepest = "inner.zip/inner.zip/inner.zip/inner.zip"
    assert members_of(path)[0] == deepest
    with pytest.raises(DeidError) as caught:
        open_source(path, None, deepest)
    assert caught.value.code == "container-in-archive"


def test_an_archive_in_an_archive_is_unpacked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    innermost = _archive(tmp_path / "z.zip", {f"{n}.csv": CSV for n in range(20)}).read_bytes()
    inner = {"z.zip": innermost} | {f"{n}.csv": CSV for n in range(20)}
    whole = _archive(tmp_path / "b.zip", inner).read_bytes()
    outer = _archive(tmp_path / "out.zip", {"b.zip": whole})
    unpacked: list[str] = []
    unpack = ZipPack.unpack

    def counted(self: ZipPack, path: Path, name: str, target: Path, most: int) -> None:
        unpacked.append(name)
        unpack(self, path, name, target, most)

    monkeypatch.setattr(ZipPack, "unpack", counted)
    names = members_of(outer)
    assert len(names) == 40
    for name in names:
        assert len(list(open_source(outer, None, name).records())) == 2
        left_behind(outer, name)
    assert unpacked.count("b.zip") == 1 and unpacked.count("z.zip") == 1


def test_unpacked_folders_are_removed_when_their_archive_is_evicted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temp"))
    (tmp_path / "temp").mkdir()
    for number in range(9):
        inner = _archive(tmp_path / "i.zip", {"a.csv": CSV}).read_bytes()
        outer = _archive(tmp_path / f"{number}.zip", {"i.zip": inner})
        source = open_source(outer, None, "i.zip/a.csv")
        assert len(list(source.records())) == 2
    del source
    gc.collect()
    assert len(list((tmp_path / "temp").iterdir())) <= 4
