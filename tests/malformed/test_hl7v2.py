"""Broken and hostile HL7 v2 files through one job: each gets a code, and nothing of them is
released.
"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from deid.errors import DeidError
from deid.formats import Record, RecordFault, open_source
from deid.formats.hl7v2 import message_split as hl7v2_blocks
from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from recognizers import Finder

DAY = date(2026, 11, 21)
CANARY = "Quillonby"
MSH = "MSH|^~\\&|A|F|||20261121||ADT^A01|M1|P|2.5.1"
PID = f"PID|1||7788^^^F^MR||{CANARY}^Ada"
FINE = f"{MSH}\rPV1|1|O\r"


def _message(*segments: str) -> bytes:
    return "".join(segment + "\r" for segment in segments).encode()


# name: the bytes before a valid message, and the code
RECORDS: dict[str, tuple[bytes, str]] = {
    "stray_start.hl7": (_message(PID), "no-header"),
    "prose_start.hl7": (f"exported for {CANARY}\r\r".encode(), "no-header"),
    "after_trailer.hl7": (_message("BTS|1", PID), "no-header"),
    "lower_case.hl7": (_message(MSH, PID.lower()), "broken-segment"),
    "torn_line.hl7": (_message(MSH, PID, f"{CANARY} today"), "broken-segment"),
    "torn_note.hl7": (_message(MSH, "NTE|1||seen", PID.lower()), "broken-segment"),
    "short_name.hl7": (_message(MSH, f"PI|1||{CANARY}"), "broken-segment"),
    "other_sign.hl7": (_message(MSH, PID.replace("|", "#")), "broken-segment"),
    "name_as_segment.hl7": (_message(MSH, "LEE|Ann|7788"), "unknown-segment"),
    "same_signs.hl7": (_message(MSH.replace("^~\\&", "^^\\&"), PID), "broken-header"),
    "many_signs.hl7": (_message(MSH.replace("^~\\&", "^~\\&#%$!"), PID), "broken-header"),
    "letter_signs.hl7": (_message(MSH.replace("^~\\&", "^~\\Q"), PID), "broken-header"),
    "no_signs.hl7": (_message(MSH.replace("^~\\&", ""), PID), "broken-header"),
    "nul.hl7": (_message(MSH, PID + "\0"), "control-characters"),
    "bell.hl7": (_message(MSH, PID + "\x07"), "control-characters"),
    "mixed_bytes.hl7": (_message(MSH, PID + "é") + b"NTE|1||\xe9\r", "undecodable-bytes"),
    "not_utf8.hl7": (
        _message(MSH + "||||||UNICODE UTF-8", PID) + b"NTE|1||\xe9\r",
        "undecodable-bytes",
    ),
    "not_windows.hl7": (_message(MSH, PID) + b"NTE|1||\x81\x8d\r", "undecodable-bytes"),
    "open_frame.hl7": (b"\x0b" + _message(MSH, PID), "truncated-frame"),
    "wide_segment.hl7": (_message(MSH, PID + "|" * 5_000), "too-many-fields"),
    "wide_field.hl7": (_message(MSH, PID + "^" * 60_000), "too-many-values"),
    "wide_component.hl7": (_message(MSH, PID + "&" * 60_000), "too-many-values"),
    "many_values.hl7": (_message(MSH, PID, *["PV1|1|O|A^B^C^D"] * 18_000), "too-many-values"),
    "many_segments.hl7": (_message(MSH, PID, *["PV1"] * 100_001), "too-many-segments"),
}


def _scrub(inputs: Path, out: Path) -> tuple[int, list[dict[str, object]]]:
    finder = Finder.load(model=False, reference_date=DAY)
    release = run_job(Job((inputs,), out, read_policy("safe_harbor"), DAY), finder)
    manifest = release.manifest
    assert manifest["records_in"] == manifest["records_out"] + manifest["quarantined"]
    assert release.out is not None
    lines = (release.out / "_release" / "quarantine.jsonl").read_text("utf-8").splitlines()
    return release.exit_code, [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, object]]]:
    folder = tmp_path_factory.mktemp("hl7v2")
    (folder / "in").mkdir()
    for name, (data, _) in RECORDS.items():
        (folder / "in" / name).write_bytes(data + FINE.encode())
    code, fallen = _scrub(folder / "in", folder / "out")
    assert code == 4
    return folder / "out", fallen


@pytest.mark.parametrize("name", RECORDS)
def test_a_broken_message_is_withheld_alone(
    released: tuple[Path, list[dict[str, object]]], name: str
) -> None:
    out, fallen = released
    ordinal = sorted(RECORDS).index(name) + 1
    assert [line["code"] for line in fallen if line["file"] == ordinal] == [RECORDS[name][1]]
    assert b"PV1|1|O\r" in _released(out, name, ordinal).read_bytes()


def _released(out: Path, name: str, ordinal: int) -> Path:
    """The file under its name, or under its number where the name is not kept."""
    return out / name if (out / name).exists() else out / f"file_{ordinal}.hl7"


def test_nothing_of_a_broken_message_is_released(
    released: tuple[Path, list[dict[str, object]]],
) -> None:
    files = [path for path in released[0].rglob("*") if path.is_file()]
    assert len(files) > len(RECORDS)
    for path in files:
        assert CANARY.encode() not in path.read_bytes()


FILES: dict[str, tuple[bytes, str]] = {
    "nothing.hl7": (b"no message at all\r", "no-message"),
    "binary.hl7": (bytes(range(256)) * 8, "no-message"),
    "half_wide.hl7": (FINE.encode("utf-16")[:-1], "unreadable-encoding"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_holds_no_message_is_refused(tmp_path: Path, name: str) -> None:
    data, code = FILES[name]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(DeidError) as raised:
        open_source(tmp_path / name)
    assert raised.value.code == code and CANARY not in str(raised.value)


def test_an_endless_line_is_not_held_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hl7v2_blocks, "LONGEST_MESSAGE", 1 << 12)
    monkeypatch.setattr(hl7v2_blocks, "_LONGEST_LINE_PIECE", 1 << 10)
    path = tmp_path / "endless.hl7"
    path.write_bytes(_message(MSH, PID + CANARY * 10_000) + FINE.encode())
    first, second = open_source(path).records()
    assert isinstance(first, RecordFault) and first.code == "message-too-long"
    assert isinstance(second, Record)


def test_an_empty_message_file_is_released_empty(tmp_path: Path) -> None:
    path = tmp_path / "empty.hl7"
    path.write_bytes(b"")
    assert list(open_source(path).records()) == []


def test_a_long_text_full_of_escapes_is_withheld(tmp_path: Path) -> None:
    path = tmp_path / "bomb.hl7"
    path.write_bytes(_message(MSH, "NTE|1||" + "\\T\\" * 1_500_000))
    (record,) = open_source(path).records()
    assert isinstance(record, RecordFault) and record.code == "text-too-long"
