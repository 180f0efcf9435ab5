"""NCPDP D.0: fields keep their positions, headers keep their widths, and batches count their
content.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from datetime import date
from pathlib import Path

import pytest

from deid.formats import Record, open_source
from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from recognizers import Finder

sys.path.append(str(Path(__file__).parents[1] / "documents"))
from document_canaries import address, canaries_left, canary

DAY = date(2026, 11, 21)
FS, GS, RS, STX, ETX = "\x1c", "\x1d", "\x1e", "\x02", "\x03"
HEADER = "610066D0B1PCNABC12341011234567893     20260314VENDOR0001"


def segment(number: str, *fields: str) -> str:
    return f"{RS}{FS}AM{number}" + "".join(FS + one for one in fields)


PATIENT = segment(
    "01", "CXEA", "CY44MRN7788", "C419510719", "C51", "CAHUBERT", "CBOLEJNICZAK",
    "CM12 SEAWAY ST", "CNMIAMI", "COFL", "CP33413", "CQ3055552222", "HNhubert@mail.example",
)  # fmt: skip
INSURANCE = segment("04", "C2JS00111223333", "CCHUBERT", "CDOLEJNICZAK", "C1GRP889", "C61")
CLAIM = segment(
    "07", "EM1", "D2770021945300", "E103", "D700093015001", "E70000030000", "D300", "D5030", "D61",
    "D80", "DE20260312", "DF05", "NX2", "DK05", "DK99999999",
)  # fmt: skip
PRESCRIBER = segment("03", "EZ01", "DB1987654321", "DRKEALOHA", "PM3055553333", "2JROSE")
DUR = segment("08", "7E1", "E4DD", "E5M0", "E61B")
PRICING = segment("11", "D90000125{", "DC000015{", "DU0000140A", "DN01")
CLINICAL = segment("13", "VE1", "WE02", "DOE1165", "XE1", "ZE20260301", "H2W1", "H301", "H4180")
NARRATIVE = segment("16", "BMCall Mr. Olejniczak at 305-555-2222 soon.")
FILLED = CLAIM + PRICING + PRESCRIBER + DUR + CLINICAL + NARRATIVE
REQUEST = HEADER + PATIENT + INSURANCE + GS + FILLED
RESPONSE = (
    "D0B11A011234567893     20260314"
    + segment("20", "F4Mr. Olejniczak is covered.")
    + segment("29", "CAHUBERT", "CBOLEJNICZAK", "C419510719")
    + GS
    + segment("21", "ANP", "F3AUTH99887766", "UF1", "UH01", "FQWrite to Mr. Olejniczak.")
    + segment("22", "EM1", "D2770021945300")
    + segment("23", "F50000010{", "F90000130A")
    + segment("24", "J61", "E4DD", "FU20260201", "FYLast filled for Mr. Olejniczak.")
)
LEAKS = (
    "HUBERT", "OLEJNICZAK", "44MRN7788", "19510719", "SEAWAY", "MIAMI", "33413", "3055552222",
    "JS00111223333", "7700219453", "20260314", "20260312", "1987654321", "1234567893", "KEALOHA",
    "ROSE", "PCNABC", "VENDOR", "GRP889", "AUTH9988", "305-555", "20260201", "99999999",
)  # fmt: skip


def scrubbed(
    tmp_path: Path, text: str, name: str = "claims.ncpdp", code: int = 0, **options: object
) -> tuple[str, dict[str, object]]:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / name).write_bytes(text.encode())
    finder = Finder.load(model=False, reference_date=DAY)
    job = Job((tmp_path / "in",), tmp_path / "out", read_policy("safe_harbor"), DAY, **options)  # type: ignore[arg-type]
    release = run_job(job, finder)
    assert release.exit_code == code
    (path,) = (p for p in (tmp_path / "out").iterdir() if p.is_file())
    return path.read_bytes().decode(), release.manifest


def fields_of(text: str) -> dict[str, list[str]]:
    """The values by segment and field, from an independent reading of one transmission."""
    found: dict[str, list[str]] = {}
    for part in re.split(f"[{GS}{RS}]", text)[1:]:
        own, *fields = part.split(FS)[1:] or [""]
        for one in fields:
            found.setdefault(f"{own[2:]}-{one[:2]}", []).append(one[2:])
    return found


@pytest.mark.parametrize("text", [REQUEST, RESPONSE], ids=["request", "response"])
def test_identifiers_of_a_claim_are_replaced_and_every_field_keeps_its_position(
    text: str, tmp_path: Path
) -> None:
    out, manifest = scrubbed(tmp_path, text + "\n")
    assert [leak for leak in LEAKS if leak in out.upper()] == []
    assert manifest["residual"]["hits"] == 0 and manifest["records_out"] == 1  # type: ignore[index]
    marks = [(c + text[n + 1 : n + 3]) for n, c in enumerate(text) if c in FS + GS + RS]
    assert marks == [(c + out[n + 1 : n + 3]) for n, c in enumerate(out) if c in FS + GS + RS]
    source = open_source(next(p for p in (tmp_path / "out").iterdir() if p.is_file()))
    assert all(isinstance(record, Record) for record in source.records())


def test_codes_drugs_quantities_and_years_of_a_claim_are_kept(tmp_path: Path) -> None:
    out, _ = scrubbed(tmp_path, REQUEST)
    head = out[: out.index(RS)]
    assert head == "610066D0B1          101[LICENSE]      20260000          "
    told = fields_of(out.rstrip("\n"))
    kept = {
        "07-E1": "03", "07-D7": "00093015001", "07-E7": "0000030000", "07-D5": "030",
        "07-DE": "20260000", "11-D9": "0000125{", "11-DU": "0000140A", "08-E4": "DD",
        "13-DO": "E1165", "13-H4": "180", "13-ZE": "20260000", "01-C5": "1", "01-CO": "FL",
        "01-CP": "334", "01-C4": "19510000", "07-NX": "2",
    }  # fmt: skip
    assert {name: told[name][0] for name in kept} == kept
    assert told["07-DK"] == ["05", ""]  # too short for a code: emptied, so NX still counts
    assert told["16-BM"][0].startswith("Call Mr. [NAME] at [PHONE]")


def test_an_ncpdp_claim_is_linked_to_the_known_tables(tmp_path: Path) -> None:
    known = tmp_path / "patients.csv"
    known.write_text("mrn,last_name,first_name\n44MRN7788,Quillonby,Theodora\n")
    text = REQUEST.replace("Call Mr. Olejniczak", "Ask theodora or QUILLONBY")
    out, manifest = scrubbed(tmp_path, text, known=(known,), patient_key="mrn")
    assert "quillonby" not in out.lower() and "theodora" not in out.lower()
    assert manifest["residual"]["known_values"] > 0  # type: ignore[index]


def test_a_dependent_is_not_the_cardholder(tmp_path: Path) -> None:
    text = REQUEST.replace("C61", "C63").replace("CDOLEJNICZAK", "CDBUDD")
    source_of = tmp_path / "x.ncpdp"
    source_of.write_text(text)
    source = open_source(source_of)
    assert "04-CD[other]" in source.columns and "04-CD" not in source.columns


HEAD = f"{STX}00T{'SENDERQ':24}0000905202603141253P12{'RECEIVERQ':24}{ETX}"


def batch(*texts: str) -> str:
    details = "".join(f"{STX}G1{n:010d}{text}{ETX}\r\n" for n, text in enumerate(texts, 77))
    return f"{HEAD}\r\n{details}{STX}990000905{len(texts) + 2:010d}{'thanks':35}{ETX}\r\n"


def test_a_batch_counts_its_released_transmissions(tmp_path: Path) -> None:
    whole, broken = REQUEST, REQUEST.replace("AM04", "XX04")
    out, manifest = scrubbed(tmp_path, batch(whole, broken, RESPONSE), code=4)
    frames = re.findall(f"{STX}([^{ETX}]*){ETX}", out)
    assert [frame[:2] for frame in frames] == ["00", "G1", "G1", "99"]
    assert frames[0] == f"00T{'SENDER':24}0000001202601010000P12{'RECEIVER':24}"
    assert [frame[2:12] for frame in frames[1:3]] == ["0000000001", "0000000002"]
    assert frames[3] == f"9900000010000000004{'':35}" and manifest["quarantined"] == 1
    assert not any(word in out for word in ("SENDERQ", "RECEIVERQ", "0000905", "thanks", "0314"))


def test_two_transmissions_on_separate_lines_are_read(tmp_path: Path) -> None:
    out, manifest = scrubbed(tmp_path, f"{REQUEST}\r\n{RESPONSE}\r\n", "feed.txt")
    assert manifest["records_out"] == 2 and len(out.splitlines()) >= 2


BROKEN = {
    "empty": ("", "broken-claim"),
    "text": ("ZYXANDROBOB was seen", "broken-claim"),
    "short header": (HEADER[:-1] + PATIENT, "broken-claim"),
    "version 5.1": (REQUEST.replace("D0B1", "51B1", 1), "ncpdp-version"),
    "no segment id": (HEADER + RS + FS + "CAHUBERT", "broken-claim"),
    "text before a field": (HEADER + RS + "HUBERT" + FS + "AM01", "broken-claim"),
    "a field without id": (HEADER + segment("01", "c"), "broken-claim"),
    "groups that are too many": (REQUEST + GS + CLAIM, "broken-claim"),
    "a control": (REQUEST.replace("HUBERT", "HUB\x01ERT"), "control-characters"),
    "an open batch": (batch(REQUEST)[:-60], "broken-claim"),
    "a frame that is open": (STX + REQUEST, "broken-claim"),
    "too long": (HEADER + segment("16", "BM" + "A" * (1 << 20)), "too-large"),
    "script": (
        '<?xml version="1.0"?><Message xmlns="http://www.ncpdp.org/schema/SCRIPT">HUBERT</Message>',
        "ncpdp-script",
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_an_invalid_transmission_is_withheld(what: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "claims.ncpdp").write_bytes(BROKEN[what][0].encode())
    (tmp_path / "in" / "note.txt").write_text("The patient is well.")
    finder = Finder.load(model=False, reference_date=DAY)
    run_job(Job((tmp_path / "in",), tmp_path / "out", read_policy("safe_harbor"), DAY), finder)
    told = (tmp_path / "out" / "_release" / "quarantine.jsonl").read_text().splitlines()
    assert [json.loads(line)["code"] for line in told] == [BROKEN[what][1]]
    left = {p.name for p in (tmp_path / "out").iterdir() if p.is_file()}
    assert left == {"note.txt"}


# Fields of codes, counts and amounts, fields that no table names, and segments that no table names.
HIDING = {
    "01": "C5 C7 2C 4X CX ZZ QQ", "04": "C9 C3 2B 2D N6 G2 99", "02": "EY A0", "03": "EZ 2E",
    "05": "5C 6C HC DV HB 6E", "06": "TR UA TS", "07": "EM E1 D7 ER D6 D8 DJ DK C8 E7 D3 D5 SE",
    "08": "E4 E5 H6 7E", "09": "KE NE", "10": "EF TE ED", "11": "D9 DN DU", "12": "PA PD",
    "13": "WE DO H2 H3 H4 VE", "14": "2Q 4B 2R", "77": "BM CA", "88": "F4",
}  # fmt: skip


def test_no_canary_is_in_any_byte_of_a_released_ncpdp_claim(tmp_path: Path) -> None:
    numbers = iter(range(100))
    body = "".join(
        segment(own, *(name + canary(next(numbers)).upper() for name in names.split()))
        for own, names in HIDING.items()
    )
    shown = segment("16", *(f"BMWrite to {address(n)} soon." for n in range(100, 104)))
    header = HEADER.replace("PCNABC1234", canary(120)[:10]).replace("VENDOR0001", canary(121)[:10])
    out, manifest = scrubbed(tmp_path, header + body + shown)
    assert next(numbers) >= 50 and canaries_left(tmp_path / "out") == set()
    assert "zyxandr" not in out.lower() and out.count("[EMAIL]") == 4
    told_of = {line["what"]: line["count"] for line in manifest["left_behind"]}  # type: ignore[attr-defined]
    assert told_of["unnamed-segments"] == 2 and told_of["unnamed-values"] >= 40


def test_every_line_of_the_ncpdp_table_has_a_valid_path() -> None:
    folder = Path(__file__).parents[4] / "deid" / "formats" / "ncpdp"
    rows = list(csv.DictReader((folder / "loci.csv").read_text().splitlines()))
    assert len({row["path"] for row in rows}) == len(rows) > 300
    assert all(re.fullmatch(r"\d\d-[A-Z0-9]{2}(\[\w+\])?", row["path"]) for row in rows)
