"""Messages through the whole job: those of the clinic, Microsoft's samples where they are
available, and small ones made here.
"""

from __future__ import annotations

import base64
import csv
import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import hl7
import pytest

from deid.formats import ReadOptions
from deid.formats.hl7v2.messages import FORMAT
from deid.jobs import Job, run_job
from deid.policy.model import parse_policy, policy_text, read_policy
from deid.release.releasing import Release
from deid.text.engine import load_finder
from recognizers import Finder

ROOT = Path(__file__).parents[4]
CLINIC = ROOT / "corpora" / "clinic"
SAMPLES = ROOT.parent / "shared" / "data" / "extracts" / "hl7v2-ms"
DAY = date(2026, 11, 21)
MSH = "MSH|^~\\&|APP|FAC|||202611210800||ORU^R01|M1|P|2.5.1"
PID = "PID|1||00402817^^^F^MR||Quillonby^Thessaly||19360614|F|||||802-555-0143"


def _scrub(inputs: Sequence[Path], out: Path, known: Sequence[Path] = ()) -> Release:
    return run_job(
        Job(
            inputs=tuple(inputs),
            out=out,
            policy=read_policy("safe_harbor"),
            reference_date=DAY,
            known=tuple(known),
        ),
        load_finder(DAY),
    )


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8-sig")


def _one(folder: Path, *segments: str) -> list[str]:
    """The segments of one message after the job."""
    path = folder / "in" / "m.hl7"
    path.parent.mkdir()
    path.write_bytes("".join(segment + "\r" for segment in segments).encode())
    release = _scrub([path], folder / "out")
    assert release.exit_code == 0 and release.out is not None
    return _text(release.out / "m.hl7").split("\r")


# -- the clinic ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory) -> Release:
    if not (CLINIC / "messages.hl7").exists():
        pytest.skip("the clinic's messages are absent")
    out = tmp_path_factory.mktemp("hl7v2") / "out"
    tables = [CLINIC / f"{name}.csv" for name in ("patients", "contacts", "results")]
    return _scrub([CLINIC / "messages.hl7", *tables], out)


def _messages(path: Path) -> list[hl7.Message]:
    bare = re.split(r"\r\n(?=MSH|$)", _text(path))
    return [hl7.parse(message) for message in bare if message]


def _value(message: hl7.Message, place: str) -> str:
    match = re.fullmatch(r"(\w+?)(?:\[(\d)\])?-(\d+)(?:\.(\d+))?", place)
    assert match is not None
    segment = message.segments(match[1])[int(match[2] or 1) - 1]
    field = str(segment[int(match[3])])
    parts = field.split("~")[0].split("^")
    return parts[int(match[4] or 1) - 1] if int(match[4] or 1) <= len(parts) else ""


def test_every_expected_value_of_the_messages_is_met(clinic: Release) -> None:
    assert clinic.exit_code == 0 and clinic.out is not None
    assert clinic.manifest["residual"]["hits"] == 0
    messages = _messages(clinic.out / "messages.hl7")
    with (CLINIC / "expected.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["table"] == "messages.hl7"]
    wrong = [
        (row["row"], row["column"])
        for row in rows
        if _value(messages[int(row["row"]) - 1], row["column"])
        not in (row["expected"], row["also_ok"] or row["expected"])
    ]
    assert len(messages) == 12 and len(rows) > 60
    assert wrong == []


def test_the_messages_join_the_tables(clinic: Release) -> None:
    assert clinic.out is not None
    messages = _messages(clinic.out / "messages.hl7")
    with (clinic.out / "patients.csv").open(encoding="utf-8-sig", newline="") as file:
        tables = {row["mrn"] for row in csv.DictReader(file)}
    with (clinic.out / "results.csv").open(encoding="utf-8-sig", newline="") as file:
        results = {row["mrn"] for row in csv.DictReader(file)}
    keys = {_value(message, "PID-3") for message in messages}
    assert len(keys) == 9 and keys <= tables
    assert keys & results


def test_the_structure_and_codes_of_the_messages_are_kept(clinic: Release) -> None:
    assert clinic.out is not None
    before, after = _messages(CLINIC / "messages.hl7"), _messages(clinic.out / "messages.hl7")
    kept = ("OBX-3", "OBX-6", "OBX-7", "OBR-4", "DG1-3", "IN1-4", "PID-8", "NK1-3", "MSH-9")
    for old, new in zip(before, after, strict=True):
        assert [len(s) for s in old] == [len(s) for s in new]
        named = {str(s[0]) for s in old}
        assert all(
            [str(s[int(place[4:])]) for s in old.segments(place[:3])]
            == [str(s[int(place[4:])]) for s in new.segments(place[:3])]
            for place in kept
            if place[:3] in named
        )


# -- Microsoft's samples -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Release:
    if not SAMPLES.exists():
        pytest.skip("the shared extracts are absent")
    return _scrub([SAMPLES], tmp_path_factory.mktemp("samples") / "out")


def _pairs(release: Release) -> list[tuple[Path, Path]]:
    assert release.out is not None
    files = sorted(path for path in SAMPLES.iterdir() if not path.name.startswith("."))
    same = [(path, release.out / path.name) for path in files]
    renamed = [(a, b) if b.exists() else (a, _coded(b, n)) for n, (a, b) in enumerate(same, 1)]
    return [(a, b) for a, b in renamed if a.suffix == ".hl7"]


def _coded(path: Path, ordinal: int) -> Path:
    return path.with_name(f"file_{ordinal}{path.suffix}")


def test_the_samples_are_released_whole(samples: Release) -> None:
    manifest = samples.manifest
    assert samples.exit_code == 0
    assert manifest["verdict"]["supported"] == "safe_harbor"
    assert manifest["residual"]["hits"] == 0 and manifest["quarantined"] == 0
    assert manifest["records_in"] == manifest["records_out"] == 140


def test_segments_and_fields_of_the_samples_are_kept(samples: Release) -> None:
    counted = 0
    for before, after in _pairs(samples):
        lines = [re.split(r"\r\n|\r|\n", _text(path)) for path in (before, after)]
        counts = [[(line[:3], line.count("|"), line.count("^")) for line in f] for f in lines]
        assert [c[:2] for c in counts[0]] == [c[:2] for c in counts[1]]
        counted += len(counts[0])
    assert counted > 2000


def test_another_library_counts_the_same(samples: Release) -> None:
    for before, after in _pairs(samples):
        read = [hl7.parse(re.sub(r"[\r\n]+", "\r", _text(path))) for path in (before, after)]
        counts = [[(str(segment[0]), len(segment)) for segment in message] for message in read]
        assert counts[0] == counts[1]
        assert str(read[0]["MSH.F9"]) == str(read[1]["MSH.F9"])


def test_no_identifier_of_the_samples_is_left(samples: Release) -> None:
    telling = re.compile(r"(?:PID|NK1|GT1|IN1|MRG)-\d+(?:\.[123])?(?:\[\w+\])?(?:@\w+)?$")
    for before, after in _pairs(samples):
        source = FORMAT.open(before, ReadOptions())
        written = set(re.split(r"[|^~&\r\n]", _text(after)))
        for record in source.records():
            for name, locus, cell in zip(
                source.columns,
                source.loci,  # type: ignore[attr-defined]
                record.cells,  # type: ignore[union-attr]
                strict=True,
            ):
                known = locus is not None and locus.profile.kind == "identifier"
                if known and cell and len(cell) > 4 and telling.match(name):
                    assert cell not in written, name


def test_most_codes_of_the_samples_are_kept(samples: Release) -> None:
    kept = whole = 0
    for before, after in _pairs(samples):
        cells = []
        for path in (before, after):
            source = FORMAT.open(path, ReadOptions())
            record = next(iter(source.records()))
            cells.append(
                {
                    (name, cell)
                    for name, locus, cell in zip(
                        source.columns,
                        source.loci,  # type: ignore[attr-defined]
                        record.cells,  # type: ignore[union-attr]
                        strict=True,
                    )
                    if cell and locus is not None and locus.profile.kind == "keep"
                }
            )
        whole += len(cells[0])
        kept += len(cells[0] & cells[1])
    assert kept / whole > 0.98


# -- small messages made here --------------------------------------------------------------------


def test_a_name_over_two_segments_is_found(tmp_path: Path) -> None:
    rows = ["OBX|1|TX|R^Report^L||Called her daughter Mrs. Delphine", "OBX|2|TX|R^Report^L||"]
    rows += ["OBX|3|TX|R^Report^L||Quillonby at 802-555-", "OBX|4|TX|R^Report^L||0188. No mass."]
    lines = _one(tmp_path, MSH, PID, *rows)
    text = " ".join(line.split("|")[5] for line in lines[2:6])
    assert not re.search(r"Delphine|Quillonby|0188|555", text)
    assert "Called her daughter" in text and "No mass." in text
    assert [line.count("|") for line in lines[2:6]] == [5, 5, 5, 5]


def test_a_text_cut_at_a_fixed_width_is_found(tmp_path: Path) -> None:
    text = "Spoke with the sister of Mrs. Thessaly Quillonby, who lives near by; no change today."
    cut = [f"NTE|{n}|L|{text[n * 43 : n * 43 + 43]}" for n in range(2)]
    assert cut[0].endswith("Thessaly Quil") and cut[1].startswith("NTE|1|L|lonby,")
    lines = _one(tmp_path, MSH, PID, *cut)
    assert "Quil" not in "".join(lines) and "lonby" not in "".join(lines)
    assert "no change today" in lines[3]


def test_an_attached_text_is_searched_in_the_job(tmp_path: Path) -> None:
    data = base64.b64encode(b"QUILLONBY, THESSALY  DOB 06/14/1936  potassium 4.1").decode()
    lines = _one(tmp_path, MSH, PID, f"OBX|1|ED|P^Doc^L||LAB^TEXT^^Base64^{data}")
    opened = base64.b64decode(lines[2].split("^")[-1]).decode()
    assert "QUILLONBY" not in opened and "1936" not in opened and "potassium 4.1" in opened


def test_ages_and_births_over_89_are_pooled_in_every_segment(tmp_path: Path) -> None:
    lines = _one(
        tmp_path,
        MSH,
        PID,
        "NK1|1|Quillonby^Ambrose|SPO|||||||||||||19300101",
        "OBX|1|NM|30525-0^Age^LN||90|a",
        "OBX|2|DT|21112-8^Birth date^LN||19360614",
        "OBX|3|NM|9999-1^Heart rate^LN||91|/min",
    )
    assert "||90+|" in lines[1]
    assert lines[2].endswith("|90+")
    assert [line.split("|")[5] for line in lines[3:6]] == ["90+", "90+", "91"]


def test_two_patients_of_a_message_keep_different_keys(tmp_path: Path) -> None:
    other = PID.replace("00402817", "00402818").replace("Thessaly", "Ottoline")
    lines = _one(tmp_path, MSH, PID, "PV1|1|I", other, "PV1|1|I", "NTE|1||Ottoline Quillonby well")
    keys = [line.split("|")[3].split("^")[0] for line in (lines[1], lines[3])]
    assert keys[0] != keys[1]
    assert "Ottoline" not in "".join(lines)


def test_a_policy_may_name_a_field_of_a_z_segment(tmp_path: Path) -> None:
    (tmp_path / "m.hl7").write_text(f"{MSH}\r{PID}\rZPI|1|thessaly is a visitor|x\r", newline="")
    rule = "columns:\n  - {name: ZPI-2, action: text}"
    policy = parse_policy(policy_text("safe_harbor").replace("columns: []", rule))
    job = Job((tmp_path / "m.hl7",), tmp_path / "out", policy, DAY)
    release = run_job(job, Finder.load(model=False, reference_date=DAY))
    assert release.exit_code == 0 and release.out is not None
    assert _text(release.out / "m.hl7").split("\r")[2] == "ZPI||[NAME] is a visitor|"


def test_a_note_in_another_file_knows_the_name_of_the_message(tmp_path: Path) -> None:
    message = tmp_path / "m.hl7"
    message.write_text(f"{MSH}\r{PID}\r", "utf-8", newline="")
    notes = tmp_path / "notes.csv"
    notes.write_text("NOTE_ID,MRN,BODY\n1,402817,Saw thessaly today. K 4.1 stable.\n", "utf-8")
    release = _scrub([message, notes], tmp_path / "out")
    assert release.exit_code == 0 and release.out is not None
    text = (release.out / "notes.csv").read_text("utf-8")
    assert "thessaly" not in text and "K 4.1 stable" in text
