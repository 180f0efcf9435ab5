"""The format of a content by its signature: variants of each family, and prose that resembles
them.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from benchmarks.attacks.machine_formats import PROSE, TEXTS, blobs
from deid.formats import format_of
from deid.formats.register import formats
from deid.formats.signatures import read_signatures, sniff
from deid.formats.signatures.withheld_format import WithheldFormat
from deid.vocabularies.quarantine_codes import reasons

ROOT = Path(__file__).resolve().parents[4]
NOTE = "Zebulon Quartermaine was seen for account 88420913377 and is well. "
DATA = NOTE.encode()
CODED = base64.b64encode(DATA).decode()
_ROWS = [
    f"{88420900 + n}|QUARTERMAINE, Z|1945-03-{n}|{word}"
    for n, word in zip(range(10, 15), ("M", "F", "M", "F", "M"), strict=True)
]
SIBLINGS: dict[str, tuple[str, str]] = {
    "acknowledgment": ("TA1*000000905*230101*1253*A*000~AK1*HP*1~AK9*A*1*1*1~", "message-segments"),
    "claim in lines": (
        "ISA*00*          *00*          *ZZ*A*ZZ*B*230101*1253*^*00501*1*0*P*:\nGS*HC*A*B\n",
        "x12-interchange",
    ),
    "quoted": ("> ISA|00|          |00|          |ZZ|A", "x12-interchange"),
    "two segments": ("Remit: NM1*QC*1*ROE*JO~CLP*884209*1*211~ thank you", "message-segments"),
    "script": (
        "UIB+UNOA:0++1234'UIH+SCRIPT:008:001:NEWRX+1'PTT+1+1945+ROE'",
        "edifact-interchange",
    ),
    "no interchange": (
        "UNH+1+MEDRPT:0:1:UN'PNA+PAT+8842+++SU:ROE'UNT+3+1'",
        "message-segments",
    ),
    "claim, signs": (
        "610066D0B1XXXXXXXXXX1011234567890     20230101       <FS>CAROE",
        "ncpdp-claim",
    ),
    "version 5.1": ("61006651B1XXXX\x1cAM01\x1cCAJO\x1cCBROE", "ncpdp-claim"),
    "instrument": ("H!~@$!!!ANALYZER\rP!1!!88420913377!!ROE~JO\r", "astm-message"),
    "instrument, headless": ("P|1|88420913|||ROE^JO\nO|1|S1||^^^GLU\nL|1|N\n", "message-segments"),
    "hl7, other marks": ("MSH#$~\\&#APP#FAC\rPID#1##88420913##ROE$JO\r", "hl7-message"),
    "hl7, one segment": ("PID|1||88420913^^^FAC^MR||ROE^JO||19450312|M", "message-segments"),
    "hl7, indented": ("Pasted:\n   PID|1||88420913||ROE^JO\n", "message-segments"),
    "vcard, small": ("begin:vcard\nn;charset=utf-8:Roe;Jo\nend:vcard\n", "vcard"),
    "mime part": ("--b\nContent-Transfer-Encoding: base64\n\nUXVhcnRl\n--b--", "mail-message"),
    "mbox": ("From 1@h.example Mon, 2 Jan 2023 10:00:00 +0000\nX: 1\n\nhello", "mail-message"),
    "rtf": ("Note: {\\rtf1\\ansi Roe}", "rtf-document"),
    "rtf, capitals": ("{\\RTF1 Roe}", "rtf-document"),
    "soap": ('<s:Envelope xmlns:s="urn:x"><s:Body>Roe</s:Body></s:Envelope>', "xml-document"),
    "xml, bare": ("<patient><name>Roe</name><mrn>8842</mrn></patient>", "xml-document"),
    "xml, attributes": ('<Patient id="1" name="Roe"/>', "xml-document"),
    "xml, comment": ("<!-- a --><!-- b --><patient><n>Roe</n></patient>", "xml-document"),
    "json in a log": ('2023-01-01 INFO {"mrn": "88420913"}', "json-document"),
    "json, escaped": (json.dumps(json.dumps({"n": "Roe"})), "json-document"),
    "json, called": ('cb({ "n" : "Roe" });', "json-document"),
    "json sequence": ('\x1e{"n":"Roe"}\n', "json-document"),
    "tuples": ("[('Roe', '88420913', 'M')]", "object-literal"),
    "yaml": ("---\npatient:\n  name: Roe\n  mrn: 8842\n", "yaml-document"),
    "form": ("name=Roe&mrn=88420913&dob=1945-03-12", "form-data"),
    "ldif": ("dn:: Y249Um9l\nobjectClass: person\n", "directory-entry"),
    "update": ("UPDATE p SET name='Roe' WHERE id=1;", "sql-dump"),
    "copy": ("COPY public.p (id, n) FROM stdin;\n1\tRoe\n\\.\n", "sql-dump"),
    "globals": ('ZWR\n^DPT(1,0)="ROE,JO"\n', "mumps-global"),
    "dicom dump": ("(0010,0010) PN [ROE^JO]  # 6, 1 PatientName\n", "dicom-file"),
    "base64 for URLs": (base64.urlsafe_b64encode(DATA * 2).decode(), "encoded-file"),
    "base64, spaced": (
        " ".join(CODED[i : i + 4] for i in range(0, 88, 4)),
        "encoded-file",
    ),
    "base64 of a JPEG": ("/9j/4AAQSkZJRgABAQEASABIAAD", "encoded-file"),
    "base32": (base64.b32encode(DATA).decode(), "encoded-file"),
    "ascii85": (base64.a85encode(DATA, adobe=True).decode(), "encoded-file"),
    "base85": (base64.b85encode(DATA).decode(), "encoded-file"),
    "hex, spaced": (DATA.hex(" ").upper(), "encoded-file"),
    "hex, folded": (DATA.hex()[:60] + "\n" + DATA.hex()[60:120], "encoded-file"),
    "bits": (" ".join(f"{byte:08b}" for byte in DATA), "encoded-file"),
    "decimals": (" ".join(str(byte) for byte in DATA), "encoded-file"),
    "octal": ("".join(f"\\{byte:03o}" for byte in DATA), "encoded-file"),
    "entities": ("".join(f"&#{byte};" for byte in DATA), "encoded-file"),
    "unicode escapes": ("".join(f"\\u{byte:04x}" for byte in DATA), "encoded-file"),
    "od": ("0000000 6f5a 7562 6f6c 206e\n0000020 6961 656e 7720 7361\n", "encoded-file"),
    "lost bytes": (b"\x89PNG\r\n\x1a\n\0\0".decode("utf-8", "replace"), "binary-data"),
    "fixed, three lines": (
        "".join(f"0001234{n}QUARTERMAINE  ZEBULON 194503{n}2M02139\n" for n in range(3)),
        "fixed-width-records",
    ),
    "fixed, ruled": (
        "LAST          FIRST     SEX\n------------- --------- ---\n"
        + "".join(f"{'ROE' + chr(65 + n):<14}{'ZEBULON':<10}M\n" for n in range(9))
        + "\n(9 rows affected)\n",
        "fixed-width-records",
    ),
    "headerless": ("\n".join(_ROWS), "delimited-records"),
    "headerless, three": ("\n".join(_ROWS[:3]).replace("|", "\t"), "delimited-records"),
    "psql": (
        " id | name | born | sex\n----+-----+---+---\n"
        + "\n".join(row.replace("|", " | ") for row in _ROWS),
        "delimited-records",
    ),
}


@pytest.mark.parametrize("name", SIBLINGS)
def test_variants_of_each_format_are_recognized(name: str) -> None:
    text, told = SIBLINGS[name]
    seen = sniff(text)
    assert seen is not None and seen.format == told


@pytest.mark.parametrize("name", TEXTS)
def test_every_text_of_the_attack_is_recognized(name: str) -> None:
    assert sniff(TEXTS[name]) is not None


@pytest.mark.parametrize("name", blobs())
def test_every_binary_file_of_the_attack_is_recognized(name: str) -> None:
    assert sniff(blobs()[name]) is not None


@pytest.mark.parametrize("name", PROSE)
def test_prose_has_no_signature(name: str) -> None:
    assert sniff(PROSE[name]) is None


def test_of_the_shipped_notes_only_the_hl7_message_has_a_signature() -> None:
    told = []
    for path in sorted((ROOT / "corpora").rglob("*.jsonl")):
        texts = [json.loads(line).get("text") for line in path.read_text("utf-8").splitlines()]
        told += [(path.parent.name, seen.format) for t in texts if t and (seen := sniff(t))]
    for path in sorted((ROOT / "corpora" / "sample").rglob("*.txt")):
        told += [(path.name, seen.format)] if (seen := sniff(path.read_text("utf-8"))) else []
    assert told == [("whole_documents", "hl7-message")]


def test_every_recognized_format_has_a_reason() -> None:
    assert {one.format for one in read_signatures()} <= set(reasons())


def test_every_signature_with_a_suffix_has_a_reader(tmp_path: Path) -> None:
    """Some format accepts the suffix that a signature stands for, whatever the file's name is."""
    path = tmp_path / "empty.txt"
    path.write_bytes(b"<ClinicalDocument/>")
    for one in read_signatures():
        readers = [f for f in formats() if f.name != "text"]
        assert not one.read_as or any(f.accepts(path, one.read_as) for f in readers), one.format


@pytest.mark.parametrize("bom", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_utf_16_and_utf_32_files_are_recognized(tmp_path: Path, bom: str) -> None:
    path = tmp_path / "n.txt"
    path.write_bytes(TEXTS["vcard"].encode(bom))
    assert format_of(path) == WithheldFormat("vcard")


def test_a_file_with_a_known_suffix_is_left_to_its_reader(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("\n".join(_ROWS))
    found = format_of(path)
    assert found is not None and found.name == "csv"


HOSTILE = {
    "letters": "A" * 200_000 + "!",
    "segments": "A1*" * 60_000,
    "comments": "<!-- -->" * 20_000 + "x",
    "sql comments": "/**/" * 50_000 + "x",
    "lists": "---\n" + "  - a: b\n" * 20_000 + "X",
    "braces": '{"' * 100_000,
    "pairs": "ab " * 60_000 + "z",
    "fields": "PID|" * 50_000,
    "tags": "<a><b>" + "</a>" * 50_000 + "x",
    "attributes": "<a " + 'b="c" ' * 30_000 + "x",
    "long tag": "<a><" + "b" * 100_000,
    "long tags": "<a><" + "b" * 100_000 + ">c</b></a",
    "long root": "<" + "a" * 200_000 + ">",
    "headers": "A: b\n" * 40_000,
    "numbers": "99 " * 60_000 + "z",
    "dump": ("00000000 " + "ab " * 20 + "\n") * 3_000 + "zz",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_are_checked_in_linear_time(
    name: str, cpu_seconds_below: Callable[[float], AbstractContextManager[None]]
) -> None:
    with cpu_seconds_below(1):
        sniff(HOSTILE[name])


def test_an_ecg_recording_is_recognized_by_its_header_and_not_by_three_letters() -> None:
    recording = b"\x1c\x9b\x40\x02\0\0\x9a\x1f\0\0\x88\0\0\0\x0d\x0dSCPECG" + bytes(64)
    assert getattr(sniff(recording), "format", None) == "signal-file"
    assert sniff("SCP reviewed with the patient") is None


@pytest.mark.parametrize(
    "title",
    ["PARENT_PHONE", "PAR1", "PK_ID", "BM_DATE", "BMI", "GIF89a", "ID3_CODE", "MZ_TWIN", "AT&TFORM",
     "SAS_ID", "fLaC", "ARROW1", "FEA1_SCORE", "!BDN", "070701", "ORC_ID", "ISA_SCORE", "MSH_ID",
     "ageDftypNote", "patient_DUCK", "%PDF", "{\\rtf"],
)  # fmt: skip
@pytest.mark.parametrize("mark", [",", "\t", ";", "|"])
def test_a_header_with_the_first_letters_of_a_binary_format_is_a_header(
    tmp_path: Path, title: str, mark: str
) -> None:
    path = tmp_path / "t.csv"
    rows = [mark.join((str(100 + n), "MF"[n % 2])) for n in range(30)]
    path.write_text("\n".join([mark.join((title, "CHILD_SEX")), *rows, ""]))
    found = format_of(path)
    assert found is not None and found.name == "csv"


@pytest.mark.parametrize(
    "note",
    ["PARESTHESIA of the left arm", "PARENT was told", "GIF89a of the scan", "FEA1 at rest"],
)
def test_a_note_with_the_first_letters_of_a_binary_format_is_prose(note: str) -> None:
    assert sniff(note) is None


HEADS = {
    "parquet-file": b"PAR1\x15\x04\x15\x16\x15\x1aL",
    "duckdb-database": bytes(range(128, 136)) + b"DUCK\x40" + bytes(7),
    "arrow-file": b"ARROW1\0\0\xff\xff\xff\xff\xa8\0\0\0",
    "mail-store": b"!BDN\x9e\x41\xc2\x32SM\x17\0\x13\0",
    "image-file": b"GIF87a\x14\0\x1e\0\x80\0\0",
    "media-file": b"\0\0\0\x20ftypisom\0\0\x02\0isomiso2",
    "packed-archive": b"070701" + b"0" * 104 + b"a\0",
    "tar-archive": b"a" * 257 + b"ustar\x0000",
}


@pytest.mark.parametrize("name", HEADS)
def test_a_binary_file_is_recognized_by_its_first_bytes(name: str) -> None:
    found = sniff(HEADS[name])
    assert found is not None and found.format == name
