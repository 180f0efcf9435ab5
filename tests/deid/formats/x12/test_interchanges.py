# ruff: noqa: E501
"""X12: released elements are those that the tables name, in new envelopes that count what was
written.
"""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from datetime import date
from pathlib import Path

import pytest
from pyx12.x12file import X12Reader

from deid.errors import DeidError
from deid.formats import Record, open_source
from deid.formats.x12.places import _has_its_look, element_locus
from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from recognizers import Finder

sys.path.append(str(Path(__file__).parents[1] / "documents"))
from document_canaries import address, canaries_left, canary

DAY = date(2026, 11, 21)
ISA = "ISA*00*          *00*          *ZZ*SUBMITTERQ     *ZZ*RECEIVERID     *230314*1253*^*00501*000000905*0*T*:~"
BODIES = {
    "837": ("HC", "005010X222A1", """BHT*0019*00*244579*20230314*1023*CH~NM1*41*2*PREMIER BILLING*****46*TGJ23~PER*IC*JERRY KOWALCZYK*TE*3055552222~HL*1**20*1~PRV*BI*PXC*203BF0100Y~NM1*85*2*KILDARE SERVICE*****XX*9876543210~N3*234 SEAWAY ST~N4*MIAMI*FL*331110001~HL*2*1*22*1~SBR*P**2222SJ******CI~NM1*IL*1*SMITHSON*GERTRUDE****MI*JS00111223333~DMG*D8*19430501*F~HL*3*2*23*0~PAT*19~NM1*QC*1*SMITHSON*THEODORE~N3*236 N MAIN ST~N4*MIAMI*FL*33413~DMG*D8*19300501*M~CLM*26463774*100.50***11:B:1*Y*A*Y*I~REF*EA*44MRN7788~NTE*ADD*Mr. Smithson was seen for a cough.~HI*ABK:E1165*ABF:I10~DTP*434*RD8*20221230-20230105~LX*1~SV1*HC:99213:25*40*UN*1***1:2~DTP*472*D8*20230302~"""),
    "835": ("HP", "005010X221A1", """BPR*I*150*C*CHK************20230319~TRN*1*12345*1999999999~N1*PR*ACME PAYER~N1*PE*KILDARE*XX*9876543210~LX*1~CLP*7722337*1*226*132**12*119932404007801*11*1~CAS*CO*45*94~NM1*QC*1*BUDD*WILLIAM****MI*33344555510~DTM*232*20230301~SVC*HC:99211*12*9**1~CLP*7722338*1*1*1**12*11*11*1~NM1*QC*1*ROE*JANE****MI*33344555511~PLB*123456*20231231*CV:9876514*-1.27~"""),
    "834": ("BE", "005010X220A1", """BGN*00*12456*20230520*1200****2~N1*P5*ACME DAIRY*FI*999888777~INS*Y*18*021*20*A***FT~REF*0F*123456789~REF*1L*123456001~DTP*356*D8*20230523~NM1*IL*1*DOE*JOHN*P***34*123456789~PER*IP**HP*7172343334~N3*100 MARKET ST~N4*CAMP HILL*PA*17011**CY*CUMBERLAND~DMG*D8*19400816*M~HD*021**HLT~DTP*348*D8*20230601~"""),
    "820": ("RA", "005010X218", """BPR*I*1500*C*ACH************20230319~TRN*3*78905~N1*PE*ACME PLAN*FI*591230045~N1*PR*ACME DAIRY*FI*599988777~ENT*1*2J*34*544778888~NM1*IL*1*KOWALSKI*DANA****34*544778888~RMR*IK*9705010012**250*300~REF*38*22118844~DTM*582****RD8*20230301-20230331~ADX*-20*H1~ENT*2*2J*EI*JS00777~NM1*EY*1*OKORO*AMA****EI*JS00777~RMR*ZZ*9705010013**80~"""),
    "271": ("HB", "005010X279A1", """BHT*0022*11*10001234*20230430*1319~HL*1**20*1~NM1*PR*2*ABC COMPANY*****PI*842610001~HL*2*1*22*0~TRN*2*93175-012547*9877281234~NM1*IL*1*SMITH*ROBERT*B***MI*11122333301~N3*29 FREMONT ST~N4*PEACE*NY*10023~DMG*D8*19630519*M~EB*1**30**GOLD PLAN~MSG*Call Robert Smith at home.~"""),
    "278": ("HI", "005010X217", """BHT*0007*13*3920394930*20230102*1101~HL*1**20*1~NM1*X3*2*ABC PAYER*****46*1234560010~HL*2*1*22*1~NM1*IL*1*SMITH*JOE****MI*12345678901~HL*3*2*EV*0~UM*HS*I*2*11:B*****Y~DTP*AAH*D8*20230510~HI*BF:41090:D8:20230125~"""),
    "277": ("HN", "005010X214", """BHT*0085*08*277X2140001*20230314*1253*TH~HL*1**20*1~NM1*PR*2*ABC COMPANY*****PI*842610001~HL*2*1*19*1~NM1*85*2*KILDARE*****XX*9876543210~HL*3*2*PT*0~NM1*QC*1*SMITHSON*GERTRUDE****MI*JS00111223333~DMG*D8*19430501*F**:RET:2106-3~TRN*2*26463774~STC*F1:65*20230312*WQ*250*200*20230313*CHK*20230314*7722337*A7:21:82:65*A7:562*Call Gertrude Smithson.~REF*1K*7722338~DTP*472*D8*20230302~SVC*HC:99213*10*5~STC*A2:20*20230302~CAT*AE*TX~EFI*05~"""),
    "999": ("FA", "005010X231A1", """AK1*HC*20230314*005010X222A1~AK2*837*0021*005010X222A1~IK3*NM1*8*2010BA*8~CTX*SITUATIONAL TRIGGER*CLM*43**5:3*C023:1325~CTX*CLM01:26463774~IK4*3:1:2*1036*7*SMITHSON~IK5*R*5~AK9*R*1*1*0~"""),
    "997": ("FA", "005010", """AK1*HC*1253*005010~AK2*837*0021~AK3*NM1*8*2010BA*8~AK4*4*1036*7*GERTRUDE~AK5*R*5~AK9*R*1*1*0~"""),
}  # fmt: skip


def interchange(kind: str, body: str | None = None) -> str:
    code, version, own = BODIES[kind]
    lines = [
        f"GS*{code}*SUBMITTERQ*RECEIVERID*20230314*1253*17*X*{version}~",
        f"ST*{kind}*0021*{version}~",
        own if body is None else body,
    ]
    text = "".join(lines)
    count = text.count("~")
    return f"{ISA}{text}SE*{count}*0021~GE*1*17~IEA*1*000000905~"


def scrubbed(
    tmp_path: Path, name: str, text: str, **options: object
) -> tuple[str, dict[str, object]]:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / name).write_text(text)
    finder = Finder.load(model=False, reference_date=DAY)
    job = Job((tmp_path / "in",), tmp_path / "out", read_policy("safe_harbor"), DAY, **options)  # type: ignore[arg-type]
    release = run_job(job, finder)
    assert release.exit_code == 0
    (path,) = (p for p in (tmp_path / "out").iterdir() if p.is_file())
    return path.read_text(), release.manifest


def faults_of(text: str) -> list[object]:
    """The faults that an independent reader finds in envelopes, counts and control numbers."""
    reader = X12Reader(io.StringIO(text))
    faults: list[object] = []
    for _ in reader:
        faults += reader.pop_errors()
    reader.cleanup()
    return faults + reader.pop_errors()


def several_groups() -> str:
    """Two interchanges: three groups of claims and remittances, with two or three sets each."""
    parts = []
    for control, kinds in (("000000905", ("837", "835")), ("000000906", ("837",))):
        groups = []
        for number, kind in enumerate(kinds, 17):
            code, version, own = BODIES[kind]
            sets = []
            for one in range(21, 24 - (kind == "835")):
                lines = f"ST*{kind}*{one:04}*{version}~{own}"
                sets.append(f"{lines}SE*{lines.count('~') + 1}*{one:04}~")
            head = f"GS*{code}*SUBMITTERQ*RECEIVERID*20230314*1253*{number}*X*{version}~"
            groups.append(f"{head}{''.join(sets)}GE*{len(sets)}*{number}~")
        parts += [ISA.replace("000000905", control), *groups, f"IEA*{len(kinds)}*{control}~"]
    return "".join(parts)


def test_envelopes_of_several_groups_and_interchanges_are_renumbered(tmp_path: Path) -> None:
    original = several_groups()
    assert faults_of(original) == []
    text, manifest = scrubbed(tmp_path, "claims.x12", original)
    assert faults_of(text) == [] and [w for w in (*NAMES, *NUMBERS) if w in text.upper()] == []
    assert manifest["records_in"] == manifest["records_out"]
    rows = [part.strip().split("*") for part in text.split("~")]
    controls = {tag: [row[at] for row in rows if row[0] == tag] for tag, at in CONTROLS.items()}
    assert len(set(controls["ISA"])) == 2 and controls["ISA"] == controls["IEA"]
    assert len(controls["GS"]) == 3 and controls["GS"] == controls["GE"]
    assert len(controls["ST"]) == 8 and controls["ST"] == controls["SE"]
    # Check the checker: the independent reader does report faults in damaged files.
    assert faults_of(text.replace("IEA*2*", "IEA*3*")) and faults_of(text.replace("SE*", "SE*9"))


CONTROLS = {"ISA": 13, "IEA": 2, "GS": 6, "GE": 2, "ST": 2, "SE": 2}
NAMES = (
    "SMITHSON",
    "THEODORE",
    "GERTRUDE",
    "KOWALCZYK",
    "BUDD",
    "WILLIAM",
    "ROE",
    "DOE",
    "JOHN",
    "ROBERT",
    "JOE",
    "ACME DAIRY",
    "KOWALSKI",
    "OKORO",
)
NUMBERS = (
    "26463774",
    "44MRN7788",
    "JS00111223333",
    "3055552222",
    "9876543210",
    "SUBMITTERQ",
    "000000905",
    "7722337",
    "33344555510",
    "119932404007801",
    "123456789",
    "7172343334",
    "93175",
    "544778888",
    "9705010012",
    "22118844",
    "JS00777",
    "11122333301",
    "12345678901",
    "19300501",
    "20230302",
    "20230314",
    "1253",
    "0021",
)


@pytest.mark.parametrize("kind", BODIES)
def test_identifiers_are_replaced_and_an_independent_x12_reader_finds_no_fault(
    kind: str, tmp_path: Path
) -> None:
    original = interchange(kind)
    assert faults_of(original) == []
    text, manifest = scrubbed(tmp_path, f"file.{kind}", original)
    assert [w for w in (*NAMES, *NUMBERS) if w in text.upper()] == []
    assert faults_of(text) == []
    assert manifest["records_in"] == manifest["records_out"]
    before, after = (
        [s.split("*")[0] for s in t.replace("\n", "").split("~")] for t in (original, text)
    )
    assert before == after
    source = open_source(next((tmp_path / "out").glob(f"*.{kind}")))
    assert all(isinstance(record, Record) for record in source.records())


# The separators of elements, components and repetitions, the end of a segment, and what follows it.
SIGNS = ["|>^~\n", "\x1d\x1f^\x1c\r\n", "*:{\n", "*<!'\r\n", "^&%$ ", "*:\x1f~\r\n\r\n"]


@pytest.mark.parametrize("signs", SIGNS)
def test_other_separators_give_the_same_release(signs: str, tmp_path: Path) -> None:
    element, component, repetition, end = signs[:4]
    plain = interchange("837").replace("^*00501", "\1*00501")
    other = plain.translate({ord("*"): element, ord(":"): component, ord("\1"): repetition})
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    wanted, _ = scrubbed(tmp_path / "a", "claim.837", interchange("837"))
    found, _ = scrubbed(tmp_path / "b", "claim.837", other.replace("~", signs[3:]))

    def rows(text: str, one: str, end: str, component: str) -> list[list[str]]:
        segments = (part.strip("\r\n ") for part in text.split(end))
        return [s.replace(component, ":").split(one) for s in segments if s][1:]

    assert rows(found, element, end, component) == rows(wanted, "*", "~", ":")
    assert [w for w in (*NAMES, *NUMBERS) if w in found.upper()] == []


def test_codes_amounts_years_and_levels_of_x12_are_kept(tmp_path: Path) -> None:
    text, _ = scrubbed(tmp_path, "claim.837", interchange("837"))
    for kept in (
        "HI*ABK:E1165*ABF:I10~",
        "SV1*HC:99213:25*40*UN*1***1:2~",
        "DTP*472*CY*2023~",
        "DTP*434*RD4*2022-2023~",
        "PRV*BI*PXC*203BF0100Y~",
        "HL*3*2*23*0~",
        "*FL*334~",
        "*100.50***11:B:1*Y*A*Y*I~",
    ):
        assert kept in text, kept
    assert "was seen for a cough.~" in text


def test_premium_payments_keep_their_amounts_and_the_years_of_coverage(tmp_path: Path) -> None:
    text, _ = scrubbed(tmp_path, "premiums.820", interchange("820"))
    assert re.search(r"ENT\*1\*2J\*34\*\[SSN\]~", text)
    assert re.search(r"RMR\*IK\*\[[^*]+\]\*\*250\*300~", text)
    assert "DTM*582****CY*2023~" in text and "ADX*-20*H1~" in text


def test_an_interchange_without_padding_is_read(tmp_path: Path) -> None:
    head, _, rest = interchange("837").partition("~")
    bare = "*".join(part.strip() for part in head.split("*"))
    text, _ = scrubbed(tmp_path, "claim.837", f"{bare}~{rest}")
    assert faults_of(text) == [] and "SV1*HC:99213:25*40*UN*1***1:2~" in text
    assert [w for w in (*NAMES, *NUMBERS) if w in text.upper()] == []


def test_an_x12_claim_is_linked_to_the_known_tables(tmp_path: Path) -> None:
    (tmp_path / "patients.csv").write_text(
        "mrn,last_name,first_name,account_no\n44MRN7788,Quillonby,Theodora,26463774\n"
    )
    body = BODIES["837"][2].replace("Mr. Smithson was", "Met Quillonby and theodora who was")
    text, manifest = scrubbed(
        tmp_path,
        "claim.837",
        interchange("837", body),
        known=(tmp_path / "patients.csv",),
        patient_key="mrn",
    )
    assert "quillonby" not in text.lower() and "theodora" not in text.lower()
    assert manifest["residual"]["hits"] == 0


def test_acknowledgments_and_claim_status_keep_their_codes_and_counts(tmp_path: Path) -> None:
    (tmp_path / "status").mkdir()
    text, _ = scrubbed(tmp_path, "file.999", interchange("999"))
    status, _ = scrubbed(tmp_path / "status", "file.277", interchange("277"))
    for kept in (
        "*005010X222A1~\nIK3*NM1*8*2010BA*8~\nCTX*SITUATIONAL TRIGGER*CLM*43**5:3*C023:1325~",
        "IK4*3:1:2*1036*7~\nIK5*R*5~\nAK9*R*1*1*0~",
    ):
        assert kept in text, kept
    for kept in (
        "STC*F1:65*2023*WQ*250*200*2023*CHK*2023*",
        "*A7:21:82:65*A7:562*Call [NAME]",
        "DMG*CY*1943*F**:RET:2106-3~",
        "STC*A2:20*2023~\nCAT*AE*TX~\nEFI*05~",
    ):
        assert kept in status, kept


def test_an_acknowledgment_outside_the_transactions_is_read(tmp_path: Path) -> None:
    alone = f"{ISA}TA1*000000905*230314*1253*A*000~IEA*0*000000905~"
    before, _ = scrubbed(tmp_path, "file.ta1", alone)
    (tmp_path / "with").mkdir()
    within = interchange("999").replace(ISA, f"{ISA}TA1*000000905*230314*1253*A*000~")
    text, _ = scrubbed(tmp_path / "with", "file.999", within)
    for released in (before, text):
        assert "\nTA1*000000001*230101*0000*A*000~\n" in released
        assert "000000905" not in released
        assert faults_of(released) == []


def test_acknowledgments_have_new_control_numbers(tmp_path: Path) -> None:
    body = "AK1*HC*7788*005010X222A1~AK2*837*5566~IK5*A~AK2*SMITHSON*SMITHSON~IK5*A~AK9*A*2*2*2~"
    twice = "TA1*SMITHSON*SMITHSON*SMITHSON*A*000~TA1*000000904*230314*1253*R*001~"
    text, manifest = scrubbed(
        tmp_path, "file.999", interchange("999", body).replace(ISA, f"{ISA}{twice}")
    )
    for written in (
        "TA1*000000001*000101*0000*A*000~\nTA1*000000002*230101*0000*R*001~",
        "AK1*HC*1*005010X222A1~\nAK2*837*0001~\nIK5*A~\nAK2**0002~\nIK5*A~",
    ):
        assert written in text, text
    assert [w for w in ("7788", "5566", "SMITHSON", "904", "1253") if w in text] == []
    told = {line["what"]: line["count"] for line in manifest["left_behind"]}
    assert told == {"unnamed-values": 1}


# All that can be left out of a set, and segments at which records begin without a released value.
LEFT_OUT = ("", "ZZZ*A~", "ZZZ*A~ZZ*B~", "HL*SMITHSON~PLB~", "INS*SMITHSON~CLP*%~HL~ZZZ*A~")


@pytest.mark.parametrize("body", LEFT_OUT)
def test_an_output_has_the_records_of_its_input_whatever_is_left_out(
    body: str, tmp_path: Path
) -> None:
    text, manifest = scrubbed(tmp_path, "file.x12", interchange("271", body))
    assert "SMITHSON" not in text and "ZZ*" not in text.replace("*ZZ*", "")
    assert manifest["records_in"] == manifest["records_out"]
    records = list(open_source(next((tmp_path / "out").glob("*.x12"))).records())
    assert len(records) == manifest["records_in"]


def test_a_line_feed_as_segment_end_gives_no_empty_lines(tmp_path: Path) -> None:
    text, _ = scrubbed(tmp_path, "claim.837", interchange("837").replace("~", "\n"))
    assert "\n\n" not in text and faults_of(text) == []


HIDING = """
K3*%~ZZZ*%~NM1*IL*1*ROE*J****MI*1*%*%*%~N4*A*FL*33111*%%%%*5*B*%~DMG*D8*19300101*%%%%*%%%%*%%%%%~REF*EA*1**%~CLM*1*%***%%%:B:%%%%%*%%%%%~
HI*%%%%%%%%:E11*ABK:%:%:%~SV1*%%%%:99213:%%%%%:%%%%%*%*%%%%*%*%~LX*%~AMT*%%%%%*%~QTY*%%%%%*%~SBR*%%%%%*%%%%%*1**%%%%%~PAT*%%%%%~CRC*%%%%%*%%%%%~
LIN**%%%%%*%~CAS*%%%%%*%%%%%*%~EB*%%%%%**%%%%%~PWK*%%%%%*%%%%%~HCP*%%%%%*%~UM*%%%%%~PRV*%%%%%*%%%%%*%~MEA*%%%%%*%%%%%*%~CN1*%%%%%*%~OI*%%%%%~III*%%%%%*%%~TOO*%%%%%*%~
""".replace("\n", "")


def test_no_canary_is_in_any_byte_of_a_released_x12_interchange(tmp_path: Path) -> None:
    pieces = re.split("%+", HIDING)
    body = "BHT*0022*11*1*20230430~HL*1**22*0~" + "".join(
        p + (canary(n).upper() if n < len(pieces) - 1 else "") for n, p in enumerate(pieces)
    )
    shown = "".join(
        f"NTE*ADD*Write to {address(n)} soon.~MSG*{address(n)}~" for n in range(100, 104)
    )
    text = (
        interchange("271", body + shown)
        .replace("SUBMITTERQ ", canary(120)[:11].upper())
        .replace("20230314*1253*17", f"20230314*1253*{canary(121)}")
    )
    text = (
        text.replace("GE*1*17", f"GE*1*{canary(121)}")
        .replace("*0021*", f"*{canary(122)}*")
        .replace("*0021~", f"*{canary(122)}~")
    )
    assert len(pieces) - 1 >= 50
    out, manifest = scrubbed(tmp_path, "letter.271", text)
    assert canaries_left(tmp_path / "out") == set()
    assert out.count("[EMAIL]") == 8 and faults_of(out) == []
    told = {line["what"]: line["count"] for line in manifest["left_behind"]}
    assert told["unnamed-segments"] == 2 and told["unnamed-values"] >= 45
    assert json.dumps(manifest).count("zyxandro") == 0


@pytest.mark.parametrize(
    "data", ["Seen: Zbrezow~Thessaly~\x02SE*1*0001~IEA*1*1~", "x" * 70_000 + "Zbrezow", "Zbrezow"]
)
def test_binary_data_may_hold_any_sign_and_is_left_out(data: str, tmp_path: Path) -> None:
    body = f"BGN*11*1*20230314~LX*1~BIN*{len(data)}*{data}~NM1*QC*1*ROE*ANN~"
    text, manifest = scrubbed(tmp_path, "note.x12", interchange("271", body))
    assert "Zbrezow" not in text and "BIN" not in text and "NM1*QC*1*[NAME]" in text
    assert manifest["records_in"] == manifest["records_out"]
    assert faults_of(text) == []


def test_binary_data_of_a_wrong_length_is_withheld(tmp_path: Path) -> None:
    path = tmp_path / "note.x12"
    path.write_text(interchange("271", "BGN*11*1*20230314~BIN*9*Seen: Zbrezow~Thessaly~"), "utf-8")
    with pytest.raises(DeidError):
        open_source(path)


@pytest.mark.parametrize("name", ["AKRON", "JOHNSON", "TOLEDO"])
def test_letters_that_may_be_a_name_are_no_medical_code(name: str, tmp_path: Path) -> None:
    body = f"EB*1**30~III*{name}~SVC*HC:{name}*10*5~LQ*HE*{name}~SVC*HC:D0120*10*5~LQ*HE*MA130~"
    body += "HI*BBR:GZHZZZZ~"
    text, _ = scrubbed(tmp_path, "codes.271", interchange("271", body))
    assert name not in text
    assert "HC:D0120" in text and "HE*MA130" in text and "BBR:GZHZZZZ" in text


@pytest.mark.parametrize(("code", "stays"), [("JOHN", 0), ("QUAN", 0), ("KIM", 0), ("FAM", 1)])
def test_letters_that_may_be_a_name_are_no_code(code: str, stays: int) -> None:
    locus = element_locus("HD", 3)
    assert locus is not None
    assert _has_its_look("HD-03", locus, code) == bool(stays)


def test_every_line_of_the_x12_table_has_a_valid_path() -> None:
    folder = Path(__file__).parents[4] / "deid" / "formats" / "x12"
    rows = list(csv.DictReader((folder / "loci.csv").read_text().splitlines()))
    assert len({row["path"] for row in rows}) == len(rows) > 600
    assert all(
        re.fullmatch(r"[A-Z][A-Z0-9]{1,2}-\d\d(\.\d+)?(\[\w+\])?", row["path"]) for row in rows
    )
