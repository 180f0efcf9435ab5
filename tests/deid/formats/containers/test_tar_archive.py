# ruff: noqa: E501
"""Tar archives, gzipped or not: regular files are read by their formats, and nothing else is
released.
"""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from document_canaries import canaries_left, canary, scrub_folder

from corpora.documents import as_docx, as_eml, as_pdf, as_rtf
from deid.errors import DeidError
from deid.formats import Record, left_behind, members_of, open_source

CSV = b"id,sex\r\n1,F\r\n2,M\r\n"


def tar_of(entries: dict[str, bytes], **told: object) -> bytes:
    """An archive of these files, with headers of the given kind."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, data in entries.items():
            header = tarfile.TarInfo(name)
            header.size = len(data)
            for key, value in told.items():
                setattr(header, key, value)
            archive.addfile(header, io.BytesIO(data))
    return out.getvalue()


FILES = {"./data/person.csv": CSV, "notes/a.txt": b"seen today", "data/.DS_Store": b"x"}


@pytest.mark.parametrize(
    ("name", "above"), [("a.tar", ""), ("a.tar.gz", "a.tar/"), ("a.tgz", "a.tar/")]
)
def test_files_are_read_and_packed_again(
    tmp_path: Path, through: Callable, name: str, above: str
) -> None:
    data = tar_of(FILES, uname="OLEJNICZAK", mtime=1_600_000_000)
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if "gz" in name else data)
    assert members_of(path) == (f"{above}data/person.csv", f"{above}notes/a.txt")
    source = open_source(path, None, f"{above}data/person.csv")
    assert [r.cells for r in source.records() if isinstance(r, Record)] == [("1", "F"), ("2", "M")]
    out, keys = through(path)
    assert keys == members_of(out) == members_of(path)
    with tarfile.open(out) as packed:
        headers = packed.getmembers()
        assert [h.name for h in headers] == ["data/person.csv", "notes/a.txt"]
        assert {(h.mtime, h.uname, h.uid, h.mode) for h in headers} == {(0, "", 0, 0o600)}
        stream = packed.extractfile(headers[0])
        assert stream is not None and stream.read() == CSV


def test_hidden_files_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.tar").write_bytes(tar_of(FILES))
    assert left_behind(tmp_path / "a.tar") == {"hidden-entries": 1}


def test_tar_archives_under_other_names_are_recognized_by_content(tmp_path: Path) -> None:
    (tmp_path / "backup").write_bytes(tar_of({"person.csv": CSV}))
    assert members_of(tmp_path / "backup") == ("person.csv",)


@pytest.mark.parametrize("suffix", [".tar", ".tar.gz", ".tgz"])
def test_no_canary_is_in_any_byte_of_a_released_tar_archive(tmp_path: Path, suffix: str) -> None:
    """Canaries in names, headers, hidden files, and everything that the formats of the files drop."""
    number = iter(range(200))

    def word() -> str:
        return canary(next(number))

    def shown() -> str:
        return f"Seen {word()}@canary.example. The patient is well."

    files: dict[str, bytes] = {
        f"{word()}/{word()}.txt": shown().encode(),
        f"._{word()}": word().encode(),
        "__MACOSX/a": word().encode(),
        "letter.docx": as_docx(shown()),
        "letter.rtf": as_rtf(shown()),
        "letter.pdf": as_pdf(shown()),
        "letter.eml": f"X-Mailer: {word()}\n".encode() + as_eml(shown()),
        "page.html": f"<p title='{word()}'>{shown()}<!-- {word()} -->".encode(),
        "person.csv": f"id,first_name,email\n1,{word()},{word()}@canary.example\n".encode(),
        "inner.tar.gz": gzip.compress(tar_of({f"{word()}.txt": shown().encode()}, uname=word())),
        "fhir.json": f'{{"resourceType":"Patient","name":[{{"family":"{word()}"}}],"x":"{word()}"}}'.encode(),
        "fhir.xml": f'<Patient xmlns="http://hl7.org/fhir"><!-- {word()} --><name><family value="{word()}"/></name></Patient>'.encode(),
        "scan.png": b"\x89PNG\r\n" + word().encode(),
        "program": b"\x7fELF" + word().encode(),
    }
    keys = ("comment", "SCHILY.xattr.user", "path.x", "LIBARCHIVE.xattr.a", "SUN.holesdata", "note")
    pax = {key: word() for key in keys}
    data = tar_of(files, uname=word(), gname=word(), pax_headers=pax) + word().encode()
    packed = gzip.compress(data) if "gz" in suffix else data
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / f"extract{suffix}").write_bytes(packed)
    release = scrub_folder(tmp_path / "in", tmp_path / "out")
    assert release.exit_code == 4
    assert canaries_left(tmp_path / "out") == set()
    out = (tmp_path / "out" / f"extract{suffix}").read_bytes()
    plain = gzip.decompress(out) if "gz" in suffix else out
    with tarfile.open(fileobj=io.BytesIO(plain)) as archive:
        assert len(archive.getmembers()) == len(files) - 4
        (text,) = (m for m in archive.getmembers() if m.name.endswith("_1.txt"))
        stream = archive.extractfile(text)
        assert stream is not None and stream.read() == b"Seen [EMAIL]. The patient is well."


def linked(kind: bytes, target: str) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        header = tarfile.TarInfo("a.csv")
        header.type, header.linkname = kind, target
        archive.addfile(header)
    return out.getvalue()


def long_header() -> bytes:
    header = tarfile.TarInfo("a.csv")
    header.size = 1 << 50
    return header.tobuf(tarfile.GNU_FORMAT) + bytes(1024)


WHOLE = tar_of({"a.csv": CSV, "b.csv": CSV})
MALFORMED: dict[str, tuple[bytes, str]] = {
    "symbolic": (linked(tarfile.SYMTYPE, "/etc/passwd"), "unsafe-archive-path"),
    "hard": (linked(tarfile.LNKTYPE, "b.csv"), "unsafe-archive-path"),
    "device": (linked(tarfile.CHRTYPE, ""), "unsafe-archive-path"),
    "block": (linked(tarfile.BLKTYPE, ""), "unsafe-archive-path"),
    "fifo": (linked(tarfile.FIFOTYPE, ""), "unsafe-archive-path"),
    "climbs": (tar_of({"../a.csv": CSV}), "unsafe-archive-path"),
    "climbs_within": (tar_of({"x/../../a.csv": CSV}), "unsafe-archive-path"),
    "absolute": (tar_of({"/etc/a.csv": CSV}), "unsafe-archive-path"),
    "drive": (tar_of({"C:a.csv": CSV}), "unsafe-archive-path"),
    "backslash": (tar_of({"x\\a.csv": CSV}), "unsafe-archive-path"),
    "control": (tar_of({"a\x01.csv": CSV}), "unsafe-archive-path"),
    "twice": (tar_of({"a.csv": CSV, "A.csv": CSV}), "double-member"),
    "cut_header": (WHOLE[:300], "broken-archive"),
    "cut_file": (WHOLE[:520], "broken-archive"),
    "cut_later": (WHOLE[:1600], "broken-archive"),
    "no_end": (WHOLE[:2048], "broken-archive"),
    "garbage_between": (WHOLE[:1024] + b"x" * 512 + WHOLE[1024:], "broken-archive"),
    "checksum": (WHOLE[:148] + b"00000000" + WHOLE[156:], "broken-archive"),
    "long_size": (long_header(), "archive-too-large"),
    "text": (b"the patient is well" * 100, "broken-archive"),
    "empty": (b"", "broken-archive"),
}  # fmt: skip


@pytest.mark.parametrize("name", MALFORMED)
def test_unsafe_or_broken_tar_archives_are_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a.tar"
    path.write_bytes(MALFORMED[name][0])
    with pytest.raises(DeidError) as caught:
        members_of(path)
    assert caught.value.code == MALFORMED[name][1]
    assert caught.value.__cause__ is None


def test_a_gzip_bomb_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.tar.gz"
    path.write_bytes(gzip.compress(tar_of({"a.csv": bytes(1 << 24)})))
    with pytest.raises(DeidError) as caught:
        open_source(path, None, members_of(path)[0])
    assert caught.value.code == "archive-too-large"


def test_archives_in_a_tar_archive_are_read_to_a_maximum_depth(tmp_path: Path) -> None:
    data = tar_of({"a.csv": CSV})
    for _ in range(4):
        data = tar_of({"inner.tar": data})
    (tmp_path / "a.tar").write_bytes(data)
    (member,) = members_of(tmp_path / "a.tar")
    assert member == "/".join(["inner.tar"] * 4)
    with pytest.raises(DeidError) as caught:
        open_source(tmp_path / "a.tar", None, member)
    assert caught.value.code == "container-in-archive"
