"""HL7 v2: unchanged messages keep their bytes, values are at their paths, and changes are
escaped.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import hl7
import pytest

from deid.errors import DeidError
from deid.formats import Record, RecordFault, format_of, open_source
from deid.formats.hl7v2.messages import FORMAT
from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from recognizers import Finder

MSH = "MSH|^~\\&|APP|FAC|||202611210800||ADT^A01|M1|P|2.5.1"
PID = "PID|1||00402817^^^WVFH^MR~912-34-4471^^^SSA^SS||Lowe^Ada^R^^^^L||19360614|F"
Through = Callable[..., tuple[Path, tuple[str, ...]]]


def _file(folder: Path, *segments: str, end: str = "\r", name: str = "m.hl7") -> Path:
    path = folder / name
    path.write_bytes("".join(segment + end for segment in segments).encode())
    return path


def _cells(path: Path) -> dict[str, list[str]]:
    """The values of all messages in a file, by path."""
    source = open_source(path)
    found: dict[str, list[str]] = {}
    for record in source.records():
        assert isinstance(record, Record)
        for name, cell in zip(source.columns, record.cells, strict=True):
            if cell is not None:
                found.setdefault(name, []).append(cell)
    return found


def _lines(path: Path) -> list[str]:
    return path.read_bytes().decode().split("\r")


def _loci(path: Path) -> dict[str, Any]:
    source: Any = open_source(path)
    return dict(zip(source.columns, source.loci, strict=True))


def _swap(**changes: str) -> Callable[[str, str | None], str | None]:
    return lambda name, cell: changes.get(cell or "", cell)


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_a_file_comes_back_byte_for_byte(tmp_path: Path, through: Through, end: str) -> None:
    note = "NTE|1|L|Sm\\T\\Co \\H\\x\\N\\ \\X4A6F\\ C:\\tmp\\.br\\a~b|||"
    path = _file(tmp_path, MSH, PID, note, 'PV1|1|O|W^E&1||""|', "", "", end=end)
    assert through(path)[0].read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + MSH.encode() + b"\r" + PID.encode(),
        b"\x0b"
        + MSH.encode()
        + b"\r"
        + PID.encode()
        + b"\r\x1c\r\x0b"
        + MSH.encode()
        + b"\r\x1c\r",
        MSH.replace("|", "#").replace("^~\\&", "*@!%").encode() + b"\rPID#1##7***F*MR##Lowe*Ada",
        MSH.encode("utf-16"),
        (MSH + "\rPID|1||7||Peña^José").encode("cp1252"),
        (MSH + "||||||8859/2\rPID|1||7||Wójcik^Aga").encode("iso8859-2"),
        b"FHS|^~\\&|A|B\rBHS|^~\\&|A|B\r" + MSH.encode() + b"\rBTS|1|done\rFTS|1\r",
    ],
    ids=["mark", "frames", "delimiters", "wide", "windows", "latin-2", "batch"],
)
def test_every_encoding_and_framing_is_written_back(
    tmp_path: Path, through: Through, data: bytes
) -> None:
    path = tmp_path / "m.hl7"
    path.write_bytes(data)
    assert all(isinstance(record, Record) for record in open_source(path).records())
    assert through(path)[0].read_bytes() == data


def test_values_are_read_at_their_paths(tmp_path: Path) -> None:
    cells = _cells(_file(tmp_path, MSH, PID))
    assert cells["PID-5.1"] == ["Lowe"] and cells["PID-5.2"] == ["Ada"]
    assert cells["PID-3.1"] == ["00402817"] and cells["PID-3.1[SS]"] == ["912-34-4471"]
    assert cells["PID-7"] == ["19360614"] and cells["MSH-7"] == ["20261121"]


def test_loci_give_the_shape_and_role_of_each_value(tmp_path: Path) -> None:
    path = _file(tmp_path, MSH, PID, "NK1|1|Lowe^Ben||||||||||||||19300101", "PV1|1||||||7^Roe^Jo")
    told = {
        name: (locus.profile.shape, locus.profile.role, locus.part)
        for name, locus in _loci(path).items()
    }
    assert told["PID-3.1"] == ("patient_key", "", "")
    assert told["PID-3.1[SS]"][0] == "ssn"
    assert told["PID-5.1"] == ("name", "", "last")
    assert told["NK1-2.2"] == ("name", "relative", "first")
    assert told["NK1-16"] == ("birth_date", "relative", "")
    assert told["PV1-7.2"] == ("name", "provider", "last")


def test_a_whole_name_in_the_first_component_is_a_full_name(tmp_path: Path) -> None:
    path = _file(tmp_path, MSH, "PID|1||7||LOWE, ADA", "TXA|1||||John Smith~C8^Roe")
    parts = {name: locus.part for name, locus in _loci(path).items()}
    assert parts["PID-5.1[WHOLE]"] == parts["TXA-5.1[WHOLE]"] == "full"
    assert _cells(path)["TXA-5.1"] == ["C8"] and parts["TXA-5.2"] == "last"


def test_unnamed_values_are_emptied_and_counted(tmp_path: Path, through: Through) -> None:
    path = _file(tmp_path, MSH, PID, "ZPI|1|Quiet Loon^x&y~z|\\T\\|", "PV1|1|O|A^B^C^D^^^^^^^^^Q")
    loci = _loci(path)
    unnamed = {name for name, locus in loci.items() if locus is None}
    assert unnamed == {"ZPI-1", "ZPI-2", "ZPI-2.2.1", "ZPI-2.2.2", "ZPI-3", "PV1-3.13"}
    out, _ = through(path, lambda name, cell: None if loci[name] is None else cell)
    assert _lines(out)[2:4] == ["ZPI||^&~||", "PV1|1|O|A^B^C^D^^^^^^^^^"]
    assert FORMAT.left_behind(path) == {"unnamed-values": 7}


def test_changed_values_are_escaped_again(tmp_path: Path, through: Through) -> None:
    path = _file(tmp_path, MSH, PID)
    out, _ = through(path, _swap(Lowe="A|B^C&D~E\\F", Ada="x"))
    assert b"||A\\F\\B\\S\\C\\T\\D\\R\\E\\E\\F^x^R^^^^L|" in out.read_bytes()
    assert _cells(out)["PID-5.1"] == ["A|B^C&D~E\\F"]


def test_a_message_without_an_escape_character_gets_blanks_for_delimiters(
    tmp_path: Path, through: Through
) -> None:
    path = _file(tmp_path, MSH.replace("^~\\&", "^~"), PID)
    out, _ = through(path, _swap(Lowe="A^B"))
    assert b"||A B^Ada^R" in out.read_bytes()


def test_text_around_a_change_keeps_its_bytes(tmp_path: Path, through: Through) -> None:
    before = "NTE|1|L|\\H\\Mr.\\N\\ Lowe \\T\\ Sons.\\.br\\Seen~by \\X4A6F\\ \\.sp2\\C:\\tmp"
    path = _file(tmp_path, MSH, before)
    out, _ = through(path, lambda name, cell: cell and cell.replace("Lowe", "[NAME]"))
    assert _lines(out)[1] == before.replace("Lowe", "[NAME]")


def test_text_is_read_without_its_escapes(tmp_path: Path) -> None:
    cells = _cells(_file(tmp_path, MSH, "NTE|1|L|Sm\\X69\\th \\T\\ Co\\.br\\~a^b \\Z9\\\\Cxx\\"))
    assert cells["NTE-3"] == ["Smith & Co\n\na b "]


def test_an_unreadable_escape_is_not_released(tmp_path: Path, through: Through) -> None:
    path = _file(tmp_path, MSH, "NTE|1|L|a \\ZSmith\\ b \\X00FF\\")
    assert b"NTE|1|L|a  b " in through(path)[0].read_bytes()


def test_a_text_over_several_segments_is_read_as_one_text(tmp_path: Path, through: Through) -> None:
    asked = "|TX|1^Report^L||"
    rows = [f"OBX|1{asked}Seen by John", f"OBX|2{asked}", f"OBX|3{asked}Smith today"]
    path = _file(tmp_path, MSH, *rows, "NTE|1||call", "NTE|2||802")
    cells = _cells(path)
    assert cells["OBX-5[text]"] == ["Seen by John\nSmith today"]
    assert cells["NTE-3"] == ["call\n802"]
    out, _ = through(path, lambda n, c: c and c.replace("John\nSmith", "[NAME]"))
    assert _lines(out)[1:4] == [
        f"OBX|1{asked}Seen by [NAME]",
        rows[1],
        f"OBX|3{asked} today",
    ]


def test_lines_cut_at_a_width_are_joined_without_a_break(tmp_path: Path) -> None:
    text = "The patient was seen by Doctor Papadimitriou on the ward, phone 802-555-0143."
    rows = [f"NTE|{n}||{text[n * 25 : n * 25 + 25]}" for n in range(4)]
    assert _cells(_file(tmp_path, MSH, *rows))["NTE-3"] == [text]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_text_with_bare_line_breaks_is_one_segment(
    tmp_path: Path, through: Through, end: str
) -> None:
    text = f"OBX|1|TX|1^Report^L||Seen by John{end}{end}Smith today.{end}No mass.||||||F"
    path = _file(tmp_path, MSH, text, "NTE|1||a", "b", end=end)
    cells = _cells(path)
    assert cells["OBX-5[text]"] == ["Seen by John\n\nSmith today.\nNo mass."]
    assert cells["NTE-3"] == ["a\nb"] and cells["OBX-11"] == ["F"]
    assert through(path)[0].read_bytes() == path.read_bytes()
    out, _ = through(path, lambda n, c: c and c.replace("John\n\nSmith", "[NAME]"))
    assert out.read_bytes().count(end.encode()) == path.read_bytes().count(end.encode())


def test_results_are_read_by_their_type(tmp_path: Path) -> None:
    cells = _cells(
        _file(
            tmp_path,
            MSH,
            "OBX|1|NM|1^Glucose^LN||60~120|mg/dL",
            "OBX|2|CE|2^Organism^L||X1^Grew for Smith^L",
            "OBX|3|XPN|3^Mother^L||Lowe^Eve",
            "OBX|4|ZZ|4^Odd^L||any^thing",
            "OBX|5|DT|5^Date of birth^L||19310203",
            "OBX|6|NM|30525-0^Age^LN||93|a",
            "OBX|7|NM|6^Age at visit^L||7|mo",
            "OBX|8|NA|7^Wave^L||1^2^3^4^5^6",
            "OBX|9|SN|8^Ratio^L||>^1^:^128",
            "OBX|10|TS|9^Seen^L||202601021030+0100",
        )
    )
    assert cells["OBX-5[NM]"] == ["60", "120"]
    assert cells["OBX-5[CWE].2"] == ["Grew for Smith"] and cells["OBX-5[XPN].1"] == ["Lowe"]
    assert cells["OBX-5[text]"] == ["any thing"]
    assert cells["OBX-5[BIRTH]"] == ["19310203"]
    assert cells["OBX-5[AGE]"] == ["93"] and cells["OBX-5[AGE_MONTHS]"] == ["7"]
    assert cells["OBX-5[NA]"] == ["1^2^3^4^5^6"]
    assert cells["OBX-5[SN].4"] == ["128"] and cells["OBX-5[TS].1"] == ["20260102"]


@pytest.mark.parametrize(
    ("label", "text", "path"),
    [
        ("Mother's phone number", "8025550143", "OBX-5[PHONE_NUMBER]"),
        ("First Name", "Delphine", "OBX-5[PERSON]"),
        ("Medical record number", "00403344", "OBX-5[MEDICAL_RECORD_NUMBER]"),
        ("Organism name", "Escherichia coli", "OBX-5[text]"),
        ("Street drug use", "never", "OBX-5[text]"),
        ("Hair color", "Brown", "OBX-5[text]"),
        ("Appearance", "Cloudy", "OBX-5[text]"),
    ],
)
def test_a_label_decides_how_a_short_text_is_classified(
    tmp_path: Path, label: str, text: str, path: str
) -> None:
    cells = _cells(_file(tmp_path, MSH, f"OBX|1|ST|1^{label}^L||{text}"))
    assert cells[path] == [text]


def _attachment(kind: str, data: bytes, coding: str = "Base64") -> str:
    coded = base64.b64encode(data).decode() if coding == "Base64" else data.hex()
    return f"OBX|1|ED|1^Doc^L||LAB^{kind}^^{coding}^{coded}"


@pytest.mark.parametrize("coding", ["Base64", "Hex"])
def test_attached_text_is_decoded_and_encoded_again(
    tmp_path: Path, through: Through, coding: str
) -> None:
    path = _file(tmp_path, MSH, _attachment("TEXT", "Lowe, Ada | ü".encode(), coding))
    assert _cells(path)["OBX-5[ED].5"] == ["Lowe, Ada | ü"]
    assert through(path)[0].read_bytes() == path.read_bytes()
    out, _ = through(path, lambda name, cell: cell and cell.replace("Lowe", "[NAME]"))
    assert _cells(out)["OBX-5[ED].5"] == ["[NAME], Ada | ü"]


def test_rtf_in_a_message_is_rewritten(tmp_path: Path, through: Through) -> None:
    raw = rb"{\rtf1{\info{\author Eve}}Lo{\b we}, Ada is well\par}"
    path = _file(tmp_path, MSH, _attachment("application/rtf", raw))
    out, _ = through(path, lambda name, cell: cell and cell.replace("Lowe", "[NAME]"))
    assert _cells(out)["OBX-5[ED].5"] == ["[NAME], Ada is well"]
    assert b"Eve" not in base64.b64decode(out.read_bytes().rpartition(b"^")[2])


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("IM", b"GIF89a"),
        ("TEXT", b"%PDF-1.4 Lowe"),
        ("TEXT", b"{\\rtf1 Lowe"),
        ("TEXT", b"<?xml version='1.0'?><name>Lowe</name>"),
        ("TEXT", b"\x00\x01Lowe"),
        ("AP", b'{"name": "Lowe"}'),
        ("application", b"PK\x03\x04Lowe"),
    ],
)
def test_attachments_of_a_message_that_are_not_clearly_text_are_dropped(
    tmp_path: Path, through: Through, kind: str, data: bytes
) -> None:
    path = _file(tmp_path, MSH, _attachment(kind, data))
    assert "OBX-5[ED].5[binary]" in _cells(path)
    assert FORMAT.left_behind(path) == {"binary-attachments": 1}
    out, _ = through(path, lambda n, c: "[PHOTO]" if n.endswith("[binary]") else c)
    assert _lines(out)[1].endswith("^Base64^")


def test_the_second_patient_of_a_message_has_a_separate_key(tmp_path: Path) -> None:
    second = PID.replace("00402817", "00402818").replace("Ada", "Eve")
    loci = _loci(_file(tmp_path, MSH, PID, second))
    keys = [loci[name].profile for name in ("PID-3.1", "PID-3.1@relative")]
    assert [(key.shape, key.role) for key in keys] == [
        ("patient_key", ""),
        ("patient_key", "relative"),
    ]


@pytest.mark.parametrize(("event", "role"), [("A40", ""), ("A44", "relative")])
def test_a_merge_names_the_same_patient_and_a_move_another_patient(
    tmp_path: Path, event: str, role: str
) -> None:
    path = _file(tmp_path, MSH.replace("A01", event), PID, "MRG|00120093^^^F^MR||||||PIKE^RUTH")
    found = {locus.profile.role for name, locus in _loci(path).items() if "MRG-1.1" in name}
    assert found == {role}


def test_prose_in_a_field_of_codes_is_searched_as_text(tmp_path: Path) -> None:
    prose = "The patient cannot come on Sept 20, her sister Eve Lowe will call"
    cells = _cells(_file(tmp_path, MSH, f"NTE|1|{prose}|x", "IN1|1|ABCD8742119^^|"))
    assert cells["NTE-2[text]"] == [prose]
    assert cells["IN1-2.1[number]"] == ["ABCD8742119"]


@pytest.mark.parametrize(
    ("segment", "place", "kept"),
    [
        *(
            (f"OBX|1|NM|2345-7^^LN||5|{unit}", "OBX-6.1", True)
            for unit in ("nmol/L", "umol/L", "mosm/kg", "{ratio}", "/hpf", "/lpf", "mmol/L")
        ),
        ("RXE|||1||nmol/L", "RXE-5.1", True),
        ("OBX|1|NM|2345-7^^LN||5|SMITH", "OBX-6.1", False),
        ("OBX|1|NM|2345-7^^LN||5|Jones/L", "OBX-6.1", False),
        *(
            (f"OBX|1|NM|{code}^{code}^L||5", "OBX-3.1", True)
            for code in ("AST", "CREAT", "GLUC", "RDW", "MCHC", "VITD")
        ),
        ("OBX|1|NM|CREAT^CREATININE^L||5", "OBX-3.2", True),
        ("OBX|1|NM|RDW^RDW^L||5", "OBX-3.2", True),
        ("OBR|1|||GGT^GGT^L", "OBR-4.1", True),
        ("OBX|1|NM|SMITH^SMITH^L||5", "OBX-3.1", False),
        ("OBX|1|NM|Ast^Ast^L||5", "OBX-3.1", False),
        ("PV1|1|O||||||||AST", "PV1-10.1", False),
    ],
)
def test_units_and_laboratory_tests_without_a_coding_system_are_kept_in_their_fields(
    tmp_path: Path, segment: str, place: str, kept: bool
) -> None:
    cells = _cells(_file(tmp_path, MSH, segment))
    assert (place in cells) == kept
    assert kept or any(name.startswith(f"{place}[") for name in cells)


def test_values_of_several_messages_share_columns(tmp_path: Path) -> None:
    path = _file(tmp_path, MSH, "NTE|1||a", "PV1|1", "NTE|2||b", MSH, PID)
    source = open_source(path)
    assert source.columns.count("NTE-3") == 2
    first, second = (r.cells for r in source.records() if isinstance(r, Record))
    place = source.columns.index("NTE-3")
    assert first[place : place + 2] == ("a", "b") and second[place : place + 2] == (None, None)


def test_column_names_contain_no_value(tmp_path: Path) -> None:
    source = open_source(_file(tmp_path, MSH, PID, "ZPI|1|Lowe"))
    for record in source.records():
        assert "Lowe" not in repr(record) and "Lowe" not in repr(getattr(record, "skeleton", ""))
    assert "Lowe" not in repr(source) + "".join(source.columns)


@pytest.mark.parametrize(
    ("name", "text", "taken"),
    [
        ("a.hl7", "anything", True),
        ("a.txt", MSH, True),
        ("a", "\ufeff" + MSH, True),
        ("a.txt", "MSH is what they call it.", False),
        ("a.csv", MSH, True),
    ],
)
def test_a_message_file_is_recognized_by_its_name_or_its_start(
    tmp_path: Path, name: str, text: str, taken: bool
) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    found = format_of(path)
    assert (found is FORMAT) is taken


def test_a_file_without_a_message_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DeidError) as raised:
        open_source(_file(tmp_path, "PID|1||7", "nothing"))
    assert raised.value.code == "no-message"


def test_another_library_reads_the_same_fields(tmp_path: Path, through: Through) -> None:
    path = _file(tmp_path, MSH, PID, "PV1|1|O|A^B||||7^Roe^Jo", "NTE|1||a\\T\\b|")
    out, _ = through(path, _swap(Lowe="[NAME]", Roe="x|y"))
    before, after = (hl7.parse(p.read_bytes().decode()) for p in (path, out))
    assert [len(segment) for segment in before] == [len(segment) for segment in after]
    assert str(after["PID.5.1.1"]) == "[NAME]" and str(after["PID.5.1.2"]) == "Ada"
    assert after.unescape(str(after["PV1.7.1.2"])) == "x|y"


def test_a_broken_message_does_not_affect_its_neighbors(tmp_path: Path) -> None:
    path = _file(tmp_path, MSH, PID, MSH, "pid|1", MSH, PID)
    codes = [r.code if isinstance(r, RecordFault) else "" for r in open_source(path).records()]
    assert codes == ["", "broken-segment", ""]


@pytest.mark.parametrize("start", ["[SOM]", "[SOM]\r", "<VT>", "<SB>\r"])
@pytest.mark.parametrize("end", ["[EOM]", "<FS>", ""])
def test_frames_written_as_words_are_not_part_of_a_message(
    tmp_path: Path, start: str, end: str
) -> None:
    path = tmp_path / "m.hl7"
    path.write_bytes(f"{start}{MSH}\r{PID}\r{end}\r{start}{MSH}\r{PID}\r{end}\r".encode())
    assert _cells(path)["PID-5.1"] == ["Lowe", "Lowe"]
    assert len(list(open_source(path).records())) == 2


@pytest.mark.parametrize(
    ("order", "text"),
    [("GlucoseTolerance", "Glucose Tolerance"), ("GLUCOSE TOLERANCE", "GLUCOSE TOLERANCE")],
)
def test_an_order_named_by_its_test_is_released(tmp_path: Path, order: str, text: str) -> None:
    obr = f"OBR|1||{order}^LAB|GTT^{text}^L"
    day = date(2026, 11, 21)
    job = Job((_file(tmp_path, MSH, PID, obr),), tmp_path / "out", read_policy("safe_harbor"), day)
    release = run_job(job, Finder.load(model=False, reference_date=day))
    assert release.exit_code == 0 and release.manifest["residual"]["hits"] == 0
    [line] = [x for x in _lines(tmp_path / "out" / "m.hl7") if x.startswith("OBR")]
    assert line.split("|")[4] == f"GTT^{text}^L" and order not in line.split("|")[3]


def _scrubbed(folder: Path, *segments: str) -> list[str]:
    """The segments of a message after a job."""
    (folder / "in").mkdir()
    _file(folder / "in", *segments)
    day = date(2026, 11, 21)
    job = Job((folder / "in",), folder / "out", read_policy("safe_harbor"), day)
    assert run_job(job, Finder.load(model=False, reference_date=day)).exit_code == 0
    return _lines(folder / "out" / "m.hl7")


def test_codes_of_closed_tables_stay_although_a_known_value_has_the_same_figures(
    tmp_path: Path,
) -> None:
    head = MSH.replace("A01", "A31").replace("2.5.1", "2.3.1")
    person = "PID|1||00402817^^^WVFH^MR||Lowe^Ada||19660205|F||||31|"
    lines = _scrubbed(tmp_path, head, "EVN|A31|20010302", person, "PV1|1|O" + "|" * 42 + "20010302")
    assert lines[0].split("|")[8:12:3] == ["ADT^A31", "2.3.1"]
    assert lines[1] == "EVN|A31|2001"


def test_a_local_event_of_a_closed_table_is_checked_like_a_local_code(tmp_path: Path) -> None:
    own = _file(tmp_path, MSH.replace("A01", "Z05"), PID, name="own.hl7")
    odd = _file(tmp_path, MSH.replace("A01", "OKAFOR"), PID, name="odd.hl7")
    assert _cells(own)["MSH-9.2[local]"] == ["Z05"]
    assert "MSH-9.2[unlisted]" in _cells(odd)


@pytest.mark.parametrize("time", ["2022", "194305", "202215.12", "0959"])
def test_a_time_of_day_is_not_read_as_a_year(time: str, tmp_path: Path) -> None:
    asked = "OBX|1|TM|57715-5^Time of birth^LN||{}||||||F"
    lines = _scrubbed(tmp_path, MSH, PID, "OBR|1", asked.format(time))
    assert lines[3] == asked.format("")


@pytest.mark.parametrize(
    ("segment", "left"),
    [
        ("PV1|1|I|^^^^^5642 Hilly Av", "Hilly"),
        ("OBX|1|ST|1^X^L||1||||||F|||||Ada|Cue012345678910^Test^99ELR", "012345678910"),
        ("NTE|1|L|see labs20070101123401.hl7", "20070101"),
    ],
)
def test_addresses_numbers_and_stamps_in_place_of_codes_do_not_stay(
    segment: str, left: str, tmp_path: Path
) -> None:
    lines = _scrubbed(tmp_path, MSH, PID, segment)
    assert len(lines) == 4 and left not in lines[2]
