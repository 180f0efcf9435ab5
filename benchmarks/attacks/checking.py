"""Attacks on `deid check`: releases that were altered, or that it cannot search completely."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks.attacks.lab import Lab

CLINIC = Path(__file__).resolve().parents[2] / "corpora" / "clinic"
SECRET = b"Zebulon Quartermaine came, MRN 8821337755.\n" * 3
TABLE = "patient_id,first_name,last_name,mrn\nP1,Zebulon,Quartermaine,8821337755\n"


def _released(lab: Lab) -> Path:
    notes = [{"id": str(n), "text": f"Slept well, said Dr. Okafor, bed {n}."} for n in range(3)]
    text = "".join(json.dumps(note) + "\n" for note in notes)
    lab.scrub(lab.write("notes.jsonl", text))
    return lab.here / "out"


def _survivors(lab: Lab, tampered: Mapping[str, Callable[[Path], object]]) -> list[str]:
    """The alterations that `deid check` does not notice."""
    out, copy = _released(lab), lab.here / "copy"
    passed = [] if lab.deid("check", out).code == 0 else ["the release itself is refused"]
    for name, tamper in tampered.items():
        shutil.copytree(out, copy)
        tamper(copy)
        passed += [name] if lab.deid("check", copy).code not in (3, 6) else []
        shutil.rmtree(copy)
    return passed


def _edit(name: str, old: str, new: str) -> Callable[[Path], object]:
    def tamper(out: Path) -> None:
        path = out / "_release" / name
        text = path.read_text("utf-8")
        path.write_text(text.replace(old, new, 1), "utf-8")
        assert text != path.read_text("utf-8"), name

    return tamper


def attack_documents_edited(lab: Lab) -> bool:
    """Edit a count, a state, the page or the operator, or delete the log of changes."""
    documents = ("evidence.html", "changes.jsonl", "quarantine.jsonl", "manifest.json")
    deleted = {f"{n} gone": lambda out, n=n: (out / "_release" / n).unlink() for n in documents}
    emptied = {f"{n} empty": lambda out, n=n: (out / "_release" / n).write_bytes(b"")
               for n in ("evidence.html", "changes.jsonl", "manifest.json")}  # fmt: skip
    edited = {
        "headline": _edit("evidence.html", "Searched, not proved", "Known values proved absent"),
        "warning": _edit("evidence.html", "nothing was proved", "nothing was missed"),
        "a number of the page": _edit("evidence.html", " of 7,404", " of 97,404"),
        "found": _edit("manifest.json", '"found": 3', '"found": 2'),
        "records": _edit("manifest.json", '"records_in": 3', '"records_in": 4'),
        "known values": _edit("manifest.json", '"known_values": 0', '"known_values": 10'),
        "state": _edit("manifest.json", '"SEARCHED"', '"NONE_KNOWN_LEFT"'),
        "policy": _edit("manifest.json", '"policy": "', '"policy": "x'),
        "operator": _edit("manifest.json", '"operator": "', '"operator": "x'),
        "start": _edit("manifest.json", '"start": "2', '"start": "1'),
        "a change": _edit("changes.jsonl", '"identifier":"names"', '"identifier":"dates"'),
        "a change less": _edit("changes.jsonl", '"record":3', '"record":2'),
    }
    return not _survivors(lab, {**deleted, **emptied, **edited})


def attack_files_moved(lab: Lab) -> bool:
    """Rename, copy, add, empty or remove released files; hide files among the documents."""
    name = "notes.jsonl"
    moved: dict[str, Callable[[Path], object]] = {
        "renamed": lambda out: (out / name).rename(out / "Zebulon Quartermaine.jsonl"),
        "copied": lambda out: shutil.copy(out / name, out / "copy.jsonl"),
        "gone": lambda out: (out / name).unlink(),
        "emptied": lambda out: (out / name).write_bytes(b""),
        "added": lambda out: (out / "more.txt").write_text("well"),
        "hidden": lambda out: (out / ".more").write_text("well"),
        "among the documents": lambda out: (out / "_release/more.txt").write_text("well"),
        "a folder of a name": lambda out: (out / "Zebulon Quartermaine").mkdir(),
        "a link": lambda out: (out / "link").symlink_to("/etc"),
        "one byte": lambda out: (out / name).open("ab").write(b" "),
    }
    return not _survivors(lab, moved)


def _zip(content: bytes, method: int = zipfile.ZIP_STORED, comment: bytes = b"") -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        archive.writestr("note.txt", content)
        archive.comment = comment
    return packed.getvalue()


def _tar(content: bytes) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        entry = tarfile.TarInfo("note.txt")
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def _locked(data: bytes) -> bytes:
    """A ZIP whose entries are marked as encrypted."""
    marked = bytearray(data)
    marked[6] |= 1
    marked[marked.find(b"PK\x01\x02") + 8] |= 1
    return bytes(marked)


def hidden() -> dict[str, bytes]:
    """The secret in every kind of wrapping."""
    text, well = SECRET.decode(), b"well\n"
    return {
        "bz2": bz2.compress(SECRET),
        "xz": lzma.compress(SECRET),
        "lzma": lzma.compress(SECRET, format=lzma.FORMAT_ALONE),
        "zlib": zlib.compress(SECRET),
        "gz of xz": gzip.compress(lzma.compress(SECRET)),
        "behind a bz2": bz2.compress(well) + lzma.compress(SECRET),
        "behind a gz": gzip.compress(well) + bz2.compress(SECRET),
        "cut off": bz2.compress(SECRET)[:-8],
        "UTF-32": text.encode("utf-32"),
        "UTF-32-LE": text.encode("utf-32-le"),
        "UTF-32-BE": text.encode("utf-32-be"),
        "UTF-16-BE": text.encode("utf-16-be"),
        "EBCDIC": text.encode("cp037"),
        "zip of bz2": _zip(SECRET, zipfile.ZIP_BZIP2),
        "zip of lzma": _zip(SECRET, zipfile.ZIP_LZMA),
        "bz2 in a zip": _zip(bz2.compress(SECRET)),
        "UTF-32 in a zip": _zip(text.encode("utf-32")),
        "locked zip": _locked(_zip(well)),
        "comment of a zip": _zip(well, comment=lzma.compress(SECRET)),
        "before a zip": bz2.compress(SECRET) + _zip(well),
        "tar": _tar(SECRET),
        "tar of xz": _tar(lzma.compress(SECRET)),
        "tar.bz2": bz2.compress(_tar(SECRET)),
        "7z": b"7z\xbc\xaf\x27\x1c" + bytes(range(256)),
        "zstd": b"\x28\xb5\x2f\xfd" + bytes(range(128, 256)),
        "PNG": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
        "PDF": b"%PDF-1.4\n1 0 obj << >> endobj\n",
        "PGP": b"See below.\n-----BEGIN PGP MESSAGE-----\nhQEMA\n",
        "uuencode": b"begin 644 note.txt\n#86)C\nend\n",
    }


def attack_what_cannot_be_searched(lab: Lab) -> bool:
    """Put a known name into compressed data, archives and encodings that cannot be opened."""
    from deid.release.release_check import check_release

    table = lab.write("patients.csv", TABLE)
    passed = []
    for number, (name, data) in enumerate(hidden().items()):
        for suffix in (".txt", ".bin"):
            folder = lab.write(f"{number}{suffix}/file{suffix}", data).parent
            if check_release(folder, [table], "patient_id").clean:
                passed.append(name)
    return not passed


def attack_member_beside_the_release(lab: Lab) -> bool:
    """Check a folder with a truncated archive; the command must exit with 3 and name the code."""
    folder = lab.write("more/scan.bz2", bz2.compress(SECRET)[:-8]).parent
    run = lab.deid("check", folder)
    return run.code == 3 and "[not-searched]" in run.stdout


def attack_fresh_release_refused(lab: Lab) -> bool:
    """Run the commands of README; the fresh release must pass its own check."""
    extract = lab.here / "extract"
    extract.mkdir()
    for name in ("patients.csv", "notes.csv", "encounters.csv"):
        shutil.copy(CLINIC / name, extract)
    known = ("--known", extract / "patients.csv", "--patient-key", "patientId")
    first = lab.scrub(extract, *known)
    run = lab.deid("check", lab.here / "out", *known)
    return first.code == 0 and run.code == 0 and ": 0 hits" in run.stdout


def attack_words_that_are_names(lab: Lab) -> bool:
    """Notes with eponyms and places must give no hits; a surname with a title must give one."""
    people = "patient_id,first_name,last_name\nP1,Dakota,Silverman\nP2,Peg,Camille\n"
    table = lab.write("patients.csv", people)
    text = "PEG tube. Roy-Camille screws. Lee Silverman therapy in South Dakota."
    notes = lab.write("notes.jsonl", json.dumps({"id": "1", "text": text}) + "\n")
    known = ("--known", table, "--patient-key", "patient_id")
    lab.scrub(notes)
    fresh = lab.deid("check", lab.here / "out", *known)
    left = lab.write("left/note.txt", "Mrs. Silverman slept well.")
    found = lab.deid("check", left.parent, *known)
    return fresh.code == 0 and found.code == 3
