"""Canaries in archives within archives: names, comments, extra fields, hidden files, contents."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

from attached_canaries import SHOWN, Hiding
from document_canaries import canaries_left, canaries_of, scrub_folder

from corpora.documents import as_docx, as_eml, as_pdf, as_rtf

KEPT = "The patient was well on lisinopril and slept through the night without pain or fever."


def zipped(hiding: Hiding, files: dict[str, bytes]) -> bytes:
    """A ZIP with canaries in comments, extra fields, hidden files and after its end."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name)
            info.comment = hiding.word().encode()
            extra = hiding.word().encode()
            info.extra = b"\x75\x70" + len(extra).to_bytes(2, "little") + extra
            archive.writestr(info, data)
        archive.writestr(f"__MACOSX/._{hiding.word()}", hiding.word())
        archive.writestr(f".{hiding.word()}", hiding.word())
        archive.comment = hiding.word().encode()
    return file.getvalue()


def test_no_canary_is_in_any_byte_of_a_released_nested_archive(tmp_path: Path) -> None:
    hiding = Hiding()
    word, shown = hiding.word, hiding.shown
    log = f"2023-03-14 INFO {KEPT}\nmail sent to {shown()}"
    deepest = zipped(
        hiding, {f"{word()}.txt": f"{KEPT}\n{shown()}".encode(), "a.log": log.encode()}
    )
    person = f"last_name,mrn,email\n{word()},{word()},{word()}@canary.example\n"
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", pax_headers={"comment": word()}) as archive:
        for name, data in (("deep.zip", deepest), (f"{word()}/person.csv", person.encode())):
            info = tarfile.TarInfo(name)
            info.size, info.uname, info.gname = len(data), word(), word()
            archive.addfile(info, io.BytesIO(data))
    files = {
        "inner.tar": tar.getvalue(),
        f"{word()}/letter.docx": as_docx(shown()),
        "letter.rtf": as_rtf(shown()),
        "letter.pdf": as_pdf(shown()),
        "letter.eml": f"X-Mailer: {word()}\n".encode() + as_eml(shown()),
        "page.html.gz": gzip.compress(f"<p title='{word()}'>{shown()}<!-- {word()} -->".encode()),
        "scan.tif": b"II\x2a\x00" + word().encode(),
        "too.zip": zipped(
            hiding,
            {
                "b.zip": zipped(
                    hiding,
                    {
                        "c.zip": zipped(
                            hiding, {"d.zip": zipped(hiding, {"e.txt": word().encode()})}
                        )
                    },
                )
            },
        ),
    }
    data = zipped(hiding, files) + hiding.word().encode()
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "extract.zip").write_bytes(data)
    assert next(hiding.numbers) >= 80 and len(canaries_of(data)) >= 30
    release = scrub_folder(tmp_path / "in", tmp_path / "out")
    assert release.exit_code == 4 and release.manifest["residual"]["hits"] == 0
    assert canaries_left(tmp_path / "out") == set()
    with zipfile.ZipFile(tmp_path / "out" / "extract.zip") as archive:
        assert archive.testzip() is None and archive.comment == b""
        with tarfile.open(fileobj=io.BytesIO(archive.read("inner.tar"))) as inner:
            deep = next(m for m in inner.getmembers() if m.name.endswith(".zip"))
            found = inner.extractfile(deep)
            assert found is not None
            with zipfile.ZipFile(io.BytesIO(found.read())) as last:
                texts = [last.read(name).decode() for name in last.namelist()]
        assert f"{KEPT}\n{SHOWN}" in texts and any(KEPT in t for t in texts if "INFO" in t)
