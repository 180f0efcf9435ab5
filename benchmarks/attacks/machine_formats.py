"""Attacks with machine formats: files under a wrong name, and messages within texts and cells."""

from __future__ import annotations

import base64
import bz2
import gzip
import io
import json
import lzma
import sqlite3
import zipfile
from pathlib import Path

from benchmarks.attacks.lab import Lab

NAME, GIVEN, NUMBER = "Quartermaine", "Zebulon", "88420913377"
_ISA = (
    "ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *230101*1253*^*00501*"
    "000000905*0*P*:~"
)
_X12 = (
    "GS*HP*SENDER*RECEIVER*20230101*1253*1*X*005010X221A1~ST*835*0001~BPR*I*1222*C*CHK~"
    f"TRN*1*{NUMBER}*1512345678~CLP*{NUMBER}*1*211*138**12*2312~"
    f"NM1*QC*1*{NAME.upper()}*{GIVEN.upper()}****MI*{NUMBER}~SE*6*0001~GE*1*1~IEA*1*000000905~"
)
_HL7 = (
    f"MSH|^~\\&|APP|FAC|||202311210800||ADT^A01|M1|P|2.5.1\rPID|1||{NUMBER}^^^FAC^MR||"
    f"{NAME.upper()}^{GIVEN.upper()}||19450312|M\rPV1|1|I|5W\r"
)
_EDIFACT = (
    "UNA:+.? 'UNB+UNOA:2+LAB+HOSP+230101:1200+1'UNH+1+MEDRPT:0:1:UN'"
    f"PNA+PAT+{NUMBER}+++SU:{NAME.upper()}+FO:{GIVEN.upper()}'UNT+3+1'UNZ+1+1'"
)
_NCPDP = (
    "610066D0B1XXXXXXXXXX1011234567890     20230101          \x1eAM01\x1cC419450312\x1cC51"
    f"\x1cCA{GIVEN.upper()}\x1cCB{NAME.upper()}\x1d\x1eAM04\x1cC2{NUMBER}"
)
_ASTM = (
    f"H|\\^&|||ANALYZER|||||HOST||P|1|20230101\rP|1||{NUMBER}||{NAME.upper()}^{GIVEN.upper()}||"
    "19450312|M\rO|1|S1||^^^GLU\rR|1|^^^GLU|5.4|mmol/L\rL|1|N\r"
)
_VCARD = f"BEGIN:VCARD\nVERSION:3.0\nN:{NAME};{GIVEN};;;\nTEL:{NUMBER}\nEND:VCARD\n"
_MAIL = (
    f"Return-Path: <z@h.example>\nReceived: from mx.h.example\nFrom: {GIVEN} {NAME} <z@h.example>\n"
    f"Subject: results\nMIME-Version: 1.0\n\nAccount {NUMBER} of {NAME}.\n"
)
_RECORD = {"patient": f"{NAME}, {GIVEN}", "account": NUMBER, "glucose": "5.4"}
_FIXED = "".join(
    f"{88420913000 + n:011d}{NAME.upper():<16}{GIVEN.upper():<12}194503{n:02d}M02139\n"
    for n in range(10, 22)
)
_PIPES = "".join(
    f"{88420913000 + n}|{NAME.upper()}|{GIVEN.upper()}|1945-03-{n:02d}|M|02139\n"
    for n in range(10, 22)
)
_NOTE = f"{GIVEN} {NAME} was seen for account {NUMBER} and is well. "
_SQL = (
    "-- MySQL dump 10.13\nCREATE TABLE `p` (`id` int, `name` varchar(99));\n"
    f"INSERT INTO `p` VALUES ({NUMBER},'{NAME}, {GIVEN}');\n"
)
_XML = (
    '<?xml version="1.0"?><Message xmlns="http://www.ncpdp.org/schema/SCRIPT"><Patient>'
    f"<LastName>{NAME}</LastName><Id>{NUMBER}</Id></Patient></Message>"
)

_X12_FILES = ("x12", "x12_in_lines", "x12_other_marks", "x12_indented")
READ = ("mail", "mbox", "rtf", *_X12_FILES, "headerless", "headerless_commas")
TEXTS: dict[str, str] = {
    "x12": _ISA + _X12,
    "x12_in_lines": (_ISA + _X12).replace("~", "~\r\n"),
    "x12_other_marks": (_ISA + _X12).replace("*", "|").replace("~", "'"),
    "x12_indented": "\n\n  " + _ISA + _X12,
    "x12_without_isa": _X12,
    "x12_behind_prose": "Remittance pasted below.\n" + _ISA + _X12,
    "edifact": _EDIFACT,
    "edifact_without_una": _EDIFACT.removeprefix("UNA:+.? '"),
    "ncpdp": _NCPDP,
    "ncpdp_batch": "\x0200T12345      \x03\n\x02G1" + _NCPDP + "\x03",
    "ncpdp_script": _XML,
    "astm": _ASTM,
    "astm_framed": "\x021" + _ASTM.replace("\r", "\r\n\x022"),
    "hl7_without_msh": _HL7.partition("\r")[2],
    "hl7_behind_prose": "Stuck on the queue:\n" + _HL7,
    "vcard": _VCARD,
    "calendar": f"BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:{NAME}\nEND:VEVENT\nEND:VCALENDAR\n",
    "vcard_behind_prose": "Contact of the son:\n\n" + _VCARD,
    "mail": _MAIL,
    "mbox": f"From z@h.example Mon Jan  2 10:00:00 2023\nFrom: {NAME}\n\n{_NOTE}\n",
    "ldif": f"dn: cn={GIVEN} {NAME},ou=people,dc=h\nobjectClass: person\nsn: {NAME}\n",
    "rtf": "{\\rtf1\\ansi " + _NOTE + "}",
    "pdf": f"%PDF-1.7\n1 0 obj ({NAME}) endobj",
    "postscript": f"%!PS-Adobe-3.0\n({NAME}) show",
    "fixed": _FIXED,
    "fixed_with_gutters": "".join(
        f"{NAME.upper():<16}  {GIVEN.upper():<10}  {n}  M\n" for n in range(41, 60)
    ),
    "headerless": _PIPES,
    "headerless_commas": _PIPES.replace("|", ","),
    "base64": base64.b64encode(_NOTE.encode() * 3).decode(),
    "base64_lines": base64.encodebytes(_NOTE.encode() * 5).decode(),
    "hex": (_NOTE * 2).encode().hex(),
    "hexdump": "".join(
        f"{at:08x}: {(_NOTE * 2).encode()[at : at + 16].hex(' ', 2)}  ................\n"
        for at in range(0, 112, 16)
    ),
    "uuencode": "begin 644 note.txt\nM6F5B=6QO;B!1=6%R=&5R;6%I;F4@\n \nend\n",
    "quoted_printable": "".join(f"={byte:02X}" for byte in _NOTE.encode()),
    "percent": "".join(f"%{byte:02x}" for byte in _NOTE.encode()),
    "vista": f'^DPT(1,0)="{NAME.upper()},{GIVEN.upper()}^M^2450312^^^^^^{NUMBER}"\n' * 2,
    "python": str([_RECORD]),
    "fasta": f">{NUMBER} {NAME}\nACGTACGTACGTTAGCATCGATCGACTAGCATCGACTACG\n",
    "vcf": f"##fileformat=VCFv4.2\n#CHROM\tPOS\t{NAME}\n",
    "turtle": f'@prefix fhir: <http://hl7.org/fhir/> .\n<p> fhir:family "{NAME}" .\n',
    "pgp": f"-----BEGIN PGP MESSAGE-----\n\n{NAME}\n-----END PGP MESSAGE-----\n",
}
"""Texts that no reader reads; each holds the name or the number."""


def _docx() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", f"<w:t>{NAME}</w:t>")
    return packed.getvalue()


def blobs() -> dict[str, bytes]:
    """Binary contents that no reader can read."""
    note = (_NOTE * 3).encode()
    return {
        "word": _docx(),
        "old_word": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500) + note,
        "jpeg": b"\xff\xd8\xff\xe0\0\x10JFIF\0" + note,
        "png": b"\x89PNG\r\n\x1a\n" + note,
        "dicom": bytes(128) + b"DICM" + note,
        "bzip2": bz2.compress(note),
        "xz": lzma.compress(note),
        "zstd": b"\x28\xb5\x2f\xfd" + note,
        "seven_zip": b"7z\xbc\xaf\x27\x1c" + note,
        "orc": b"ORC\x01" + note,
        "avro": b"Obj\x01" + note,
    }


def _codes(lab: Lab, out: str = "out") -> list[str]:
    path = lab.here / out / "_release" / "quarantine.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    return [json.loads(line)["code"] for line in lines]


def _withheld(lab: Lab, folder: Path, count: int) -> bool:
    """Whether every file but the harmless one was withheld, under a code that is explained."""
    lab.write(f"{folder.name}/harmless.txt", "The patient is well.\n")
    run = lab.scrub(folder)
    left = [p.name for p in (lab.here / "out").iterdir() if p.name != "_release"]
    codes = _codes(lab)
    unknown = {"unknown-format", "undecodable-bytes", "control-characters", "engine-error"}
    named = len(codes) == count and not unknown & set(codes)
    gone = lab.absent(NAME, GIVEN, NUMBER, run=run)
    return run.code == 4 and left == ["harmless.txt"] and named and gone


def attack_texts_named_as_notes(lab: Lab) -> bool:
    """Put machine formats into `.txt` files, so that they are scrubbed as prose."""
    unread = {name: text for name, text in TEXTS.items() if name not in READ}
    for name, text in unread.items():
        lab.write(f"in/{name}.txt", text)
    return _withheld(lab, lab.here / "in", len(unread))


def attack_documents_named_as_notes(lab: Lab) -> bool:
    """Name mail, RTF, X12 and delimited tables `.txt`; each must be read by its own format."""
    for name in READ:
        lab.write(f"in/{name}.txt", TEXTS[name])
    lab.write("in/x12_in_utf16.txt", ("\ufeff" + _ISA + _X12).encode("utf-16-le"))
    run = lab.scrub(lab.here / "in")
    left = [p for p in (lab.here / "out").iterdir() if p.name != "_release"]
    return run.code == 0 and len(left) == len(READ) + 1 and lab.absent(NAME, GIVEN, NUMBER, run=run)


def attack_bytes_named_as_notes(lab: Lab) -> bool:
    """Name Office files, images, DICOM, archives and databases `.txt`, `.csv` or `.json`."""
    suffixes = (".txt", ".md", "", ".csv", ".json", ".dat")
    for number, (name, data) in enumerate(blobs().items()):
        lab.write(f"in/{name}{suffixes[number % len(suffixes)]}", data)
    return _withheld(lab, lab.here / "in", len(blobs()))


def attack_cells_of_a_table(lab: Lab) -> bool:
    """Put messages instead of notes into the note column of JSON lines and of a CSV."""
    rows = [{"id": str(n), "text": text} for n, text in enumerate(TEXTS.values())]
    rows.append({"id": "99", "text": json.dumps([_RECORD, _RECORD])})
    rows += [{"id": "100", "text": _HL7}, {"id": "101", "text": _SQL}]
    rows.append({"id": "102", "text": "The patient is well."})
    table = lab.write("notes.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    run = lab.scrub(table)
    left = (lab.here / "out" / "notes.jsonl").read_text().splitlines()
    return run.code == 4 and len(left) == 1 and lab.absent(NAME, GIVEN, NUMBER, run=run)


def attack_readable_formats_under_other_names(lab: Lab) -> bool:
    """Give HL7, FHIR, JSON, SQL, gzip, SQLite and ZIP wrong names, to be scrubbed as prose."""
    person = {
        "resourceType": "Patient",
        "id": "1",
        "name": [{"family": NAME, "given": [GIVEN]}],
        "gender": "male",
    }
    lab.write("in/hl7.md", _HL7)
    lab.write("in/framed.note", "\x0b" + _HL7 + "\x1c\r")
    lab.write("in/hl7.csv", _HL7)
    lab.write("in/fhir.txt", json.dumps(person))
    lab.write("in/bulk.txt", (json.dumps(person) + "\n") * 2)
    lab.write("in/lines.text", (json.dumps({"text": _NOTE}) + "\n") * 3)
    lab.write("in/records.csv", json.dumps([_RECORD, _RECORD]))
    lab.write("in/dump.txt", _SQL)
    lab.write("in/packed.txt", gzip.compress(f"mrn,name\n{NUMBER},{NAME}\n".encode()))
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("a.txt", _NOTE)
        packed.writestr("b.txt", _ISA + _X12)
    lab.write("in/archive.dat", archive.getvalue())
    database = sqlite3.connect(lab.here / "in" / "base.txt")
    with database:
        database.execute("create table t (mrn text, glucose text)")
        database.execute("insert into t values (?, '5.4')", (NUMBER,))
    database.close()
    run = lab.scrub(lab.here / "in")
    hl7 = lab.here / "out" / "hl7.md"
    kept = hl7.exists() and hl7.read_bytes().startswith(b"MSH|^~\\&|")
    return run.code in (0, 4) and kept and lab.absent(NAME, GIVEN, NUMBER, run=run)


def attack_attachments(lab: Lab) -> bool:
    """Declare a claim, a PDF and a vCard as plain text in a FHIR attachment and an HL7 result."""
    told = [TEXTS[name] for name in ("x12", "rtf", "vcard", "edifact", "astm")]
    resources = [
        {
            "resourceType": "DocumentReference",
            "id": str(number),
            "status": "current",
            "content": [
                {
                    "attachment": {
                        "contentType": "text/plain",
                        "data": base64.b64encode(text.encode()).decode(),
                    }
                }
            ],
        }
        for number, text in enumerate(told)
    ]
    lab.write("in/docs.ndjson", "".join(json.dumps(r) + "\n" for r in resources))
    obx = "".join(
        f"OBX|{n}|ED|11488-4^Note^LN||^TEXT^PLAIN^Base64^{base64.b64encode(t.encode()).decode()}\r"
        for n, t in enumerate(told, 1)
    )
    remit = (_ISA + _X12).replace("&", "").replace("|", "").replace("^", "")
    lab.write("in/m.hl7", _HL7.replace(NAME.upper(), "X") + obx + f"NTE|1||{remit}\r")
    run = lab.scrub(lab.here / "in")
    seen = lab.released()
    encoded = any(base64.b64encode(t.encode())[:40] in seen for t in told)
    return run.code in (0, 3, 4) and not encoded and lab.absent(NAME, NUMBER, run=run)


PROSE: dict[str, str] = {
    "letter": "From the desk of the attending physician\n\nThe patient is well and goes home.\n",
    "drugs_in_pipes": "Medications\n"
    "Aspirin | 81 mg | daily | by mouth\nLisinopril | 10 mg | daily | by mouth\n"
    "Metformin | 500 mg | twice daily | by mouth\nAtorvastatin | 40 mg | nightly | by mouth\n"
    "Warfarin | 5 mg | daily | by mouth\nFurosemide | 20 mg | daily | by mouth\n",
    "lab_table": "Labs this morning:\n\n"
    "Sodium      140   mmol/L\nPotassium   4.1   mmol/L\nChloride    101   mmol/L\n"
    "Creatinine  1.0   mg/dL\nGlucose     105   mg/dL\nCalcium     9.2   mg/dL\n\n"
    "All within range.\n",
    "pipes": "H|P reviewed. P|A unchanged. The patient is well.\n",
    "begin": "BEGIN metoprolol 25 mg twice daily. Begin: tomorrow.\n",
    "portal": "Subject: portal message\nFrom: the patient\nTo: the clinic\n\nMy knee is better.\n",
    "brackets": "{Assessment} [Plan] The patient is well. {see above}\n",
    "html": "<p>The patient is <b>well</b> and goes home.</p>\n",
    "tags": "ISA was mentioned. MSH level normal. GS 1. ST segments normal. UNA visit.\n",
    "problems": "#1. Hypertension: stable.\n#2. Diabetes: stable.\n--- end of note ---\n",
    "sql_words": "Insert into the record: the patient is well. Select a new date. Create table.\n",
    "labs_in_pipes": "WBC|7.5|K/uL\nRBC|4.5|M/uL\nHGB|13.5|g/dL\nHCT|40|%\nPLT|250|K/uL\n",
    "percent": "PDF of the report was scanned. %change in weight = 5%. Ratio 3/4 = 75%.\n",
    "box": "+-----------+--------+\n| Drug      | Dose   |\n+-----------+--------+\n"
    "| Aspirin   | 81 mg  |\n| Metformin | 500 mg |\n+-----------+--------+\nBoth are taken.\n",
    "word": "Yes\n",
    "number": "5.4",
    "assigned": "Na = 140, K = 4.1. Weight=70 kg; height=170 cm.\n",
    "columns": "Vitals    Morning    Evening\nPulse     72         80\nThe patient is well.\n",
    "quoted": "> The patient is well.\n> She goes home.\n",
    "equals": "=====================\nDischarge summary\n=====================\nWell.\n",
    "mime": "Content of the letter: the patient is well. MIME type unknown.\n",
    "vista": "S: well. O: ^ appetite, ^ energy. A: better. P: none.\n",
}
"""Notes that look a little like machine formats."""


def attack_prose_that_resembles_messages(lab: Lab) -> bool:
    """Scrub notes that resemble machine formats a little; they must not be withheld."""
    for name, text in PROSE.items():
        lab.write(f"in/{name}.txt", text)
    run = lab.scrub(lab.here / "in")
    left = [p for p in (lab.here / "out").iterdir() if p.suffix == ".txt"]
    return run.code == 0 and len(left) == len(PROSE)
