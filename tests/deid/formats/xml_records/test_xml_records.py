"""XML records of each family: what stays, what is removed, and what is withheld."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import date
from pathlib import Path

import pytest
from lxml import etree

from deid.errors import DeidError
from deid.formats import Record, RecordFault, format_of, open_source
from deid.formats.xml_records.closed_lists import is_constant, may_keep_value
from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from recognizers import Finder

# Invented records. The values in braces are those of a person, a provider or a place.
FOLDER = Path(__file__).parent / "records"
RECORDS = {path.stem: path.read_text("utf-8") for path in sorted(FOLDER.glob("*.xml"))}
DAY = date(2026, 11, 21)
PERSON = {
    "family": "Brzezicka", "given": "Oriana", "relative": "Tallchief", "provider": "Okonjo",
    "clinic": "Lindqvist Clinic", "city": "Wauwatosa", "street": "4418 Quarry Lane",
    "phone": "(414) 555-0177", "email": "oriana.brz@mail77.org", "mrn": "MR7731992",
    "ssn": "431-22-8890", "plan": "XQ118820031", "account": "A55120037", "number": "77120041",
    "uuid": "11873320-8812-4771-9920-118733207712", "host": "wexford77.hospital.org",
    "day": "2021-04-17", "birth": "1958-03-19", "stamp": "19580319",
}  # fmt: skip
# What each record must keep.
STAYS = {
    "openehr": ["OBSERVATION.blood_pressure.v1", ">142<", "mm[Hg]", ">Sitting<", "at1001"],
    "script": ["00093111098", "Lisinopril 10 mg oral tablet", "Take one tablet by mouth", ">30<"],
    "xds": ["34133-9", "LOINC", "Summarization of Episode Note", "en-us", "PID-8|F", "text/xml"],
    "odm": ["SE.SCREENING", "IT.SEX", 'Value="F"', 'Value="M"', "1.3.2"],
    "itk": ["verifyNHSNumber-v1-0", "PRPA_IN201301UV02", 'code="active"', 'code="F"', ">WI<"],
    "v2": ["<MSG.2>A01</MSG.2>", "<PID.8>F</PID.8>", "<PV1.2>I</PV1.2>", ">WI<", "8251-1"],
    "plain": ["<patients>", "<firstName>"],
}  # fmt: skip


@pytest.fixture(scope="module")
def scrubbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The scrubbed records; each is known by the name of its root element."""
    folder = tmp_path_factory.mktemp("xml")
    (folder / "in").mkdir()
    texts = {name: text.format(**PERSON) for name, text in RECORDS.items()}
    for name, text in texts.items():
        (folder / "in" / f"{name}.xml").write_text(text, "utf-8")
    finder = Finder.load(reference_date=DAY)
    run_job(Job((folder / "in",), folder / "out", read_policy("safe_harbor"), DAY), finder)
    left = [path.read_text("utf-8") for path in (folder / "out").glob("*.xml")]
    told = {_root(text): text for text in left}
    return {name: told[_root(text)] for name, text in texts.items()}


def _root(text: str) -> str:
    return str(etree.QName(etree.fromstring(text.encode())).localname)


@pytest.mark.parametrize("name", RECORDS)
def test_no_planted_identifier_survives(scrubbed: dict[str, str], name: str) -> None:
    left = scrubbed[name]
    spelled = [*PERSON.values(), "Lindqvist", "Ann", "0319", "03-19", "04-17", "Vanderquist"]
    assert [v for v in spelled if re.search(rf"(?<!\w){re.escape(v)}(?!\w)", left)] == []


@pytest.mark.parametrize("name", RECORDS)
def test_constants_codes_and_results_stay(scrubbed: dict[str, str], name: str) -> None:
    assert [kept for kept in STAYS[name] if kept not in scrubbed[name]] == []


def test_the_structure_stays(scrubbed: dict[str, str]) -> None:
    for name in ("openehr", "odm", "v2", "xds"):
        before, after = (
            [etree.QName(node).localname for node in etree.fromstring(text.encode()).iter()]
            for text in (RECORDS[name].format(**PERSON), scrubbed[name])
        )
        assert [one for one in before if one != "escape"] == after


def _record(folder: Path, text: str) -> Record | RecordFault:
    path = folder / "a.xml"
    path.write_text(text, "utf-8")
    return next(iter(open_source(path).records()))


@pytest.mark.parametrize(
    "inner",
    [
        "<PID><PID.5><XPN.1>Roe</XPN.1></PID.5></PID><Roe/>",
        "<PID><Roe>x</Roe></PID>",
        "<PID><PID.5>text<XPN.1>Roe</XPN.1></PID.5></PID>",
        "<PID><OBX.5>Roe</OBX.5></PID>",
    ],
)
def test_a_message_with_other_elements_is_withheld(tmp_path: Path, inner: str) -> None:
    found = _record(tmp_path, f"<ADT_A01><MSH><MSH.1>|</MSH.1></MSH>{inner}</ADT_A01>")
    assert isinstance(found, RecordFault)


def test_the_rules_of_hl7_v2_apply_by_the_name_of_the_field(tmp_path: Path) -> None:
    record = _record(tmp_path, RECORDS["v2"].format(**PERSON))
    path = tmp_path / "a.xml"
    told = dict(zip(open_source(path).columns, record.cells, strict=True))  # type: ignore[union-attr]
    assert told["PID-5.1.1"] == "Brzezicka" if "PID-5.1.1" in told else told["PID-5.1"]
    assert told["PID-3.1[SS]"] == PERSON["ssn"]
    assert told["OBX-5[text]"].splitlines()[0].startswith("Mrs. Brzezicka")


def test_text_between_elements_and_base64_are_left_out(tmp_path: Path) -> None:
    blob = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ" * 4
    record = _record(tmp_path, f"<a><b>Roe<c>1</c></b><d>{blob}</d></a>")
    assert isinstance(record, Record)
    assert record.cells == ("1",)
    found = format_of(tmp_path / "a.xml")
    assert found is not None
    assert found.left_behind(tmp_path / "a.xml") == {"unnamed-values": 2}  # type: ignore[attr-defined]


def _paths(tmp_path: Path, text: str) -> set[str]:
    _record(tmp_path, text)
    return set(open_source(tmp_path / "a.xml").columns)


@pytest.mark.parametrize("above", ["labReport", "order", "doc", "medication", "testDemographics"])
def test_an_identifier_keeps_its_sense_below_any_element(tmp_path: Path, above: str) -> None:
    inner = '<lastName>Pain</lastName><locationName>Reading</locationName><p surname="Normal"/>'
    told = {name.rpartition(".")[2] for name in _paths(tmp_path, f"<{above}>{inner}</{above}>")}
    assert all(name.endswith(("[PERSON]", "[FACILITY]")) for name in told)


def test_few_words_and_numbers_without_context_are_blanked(tmp_path: Path) -> None:
    inner = "<note>656A</note><comment>Rose Hill</comment><remark>10194</remark><text>Normal</text>"
    told = _paths(tmp_path, f"<labReport>{inner}</labReport>")
    assert [name.endswith("[unlisted]") for name in sorted(told)] == [True, True, True, False]


def test_the_name_of_a_drug_is_no_name_of_a_person(tmp_path: Path) -> None:
    told = _paths(tmp_path, "<order><medication><name>Aspirin</name></medication></order>")
    assert told == {"order.medication.name"}


def test_names_without_end_are_refused(tmp_path: Path) -> None:
    long = "B" * 5_000
    assert _paths(tmp_path, f"<r><{long}>1</{long}></r>") == {"r.element_1"}
    many = "".join(f"<brz{number}q>1</brz{number}q>" for number in range(2001))
    (tmp_path / "a.xml").write_text(f"<r>{many}</r>", "utf-8")
    with pytest.raises(DeidError, match="more than 2000 names"):
        open_source(tmp_path / "a.xml")


@pytest.mark.parametrize(
    "document",
    [
        "<order " + " ".join(f'code{n}="v{n}"' for n in range(60_000)) + "/>",
        "<order>" + "".join(f"<code{n}>v</code{n}>" for n in range(20_000)) + "</order>",
    ],
    ids=["attributes", "names of known words"],
)
def test_a_document_of_too_many_names_is_withheld_soon(
    document: str,
    tmp_path: Path,
    cpu_seconds_below: Callable[[float], AbstractContextManager[None]],
) -> None:
    path = tmp_path / "a.xml"
    path.write_text(document, "utf-8")
    with cpu_seconds_below(5), pytest.raises(DeidError, match=r"names|attributes"):
        open_source(path)


def test_equal_elements_below_the_root_are_records(tmp_path: Path) -> None:
    person = "<p><mrn>81{0}</mrn><sex>F</sex></p>"
    path = tmp_path / "a.xml"
    path.write_text(f"<x><y>{''.join(person.format(n) for n in range(3))}</y></x>", "utf-8")
    assert len(list(open_source(path).records())) == 4  # with the elements around them


def test_a_withheld_record_keeps_no_value(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text(RECORDS["plain"].format(**PERSON), "utf-8")
    source, found = open_source(path), format_of(path)
    assert found is not None
    list(source.records())
    found.create(tmp_path / "b.xml", source, {}).close()
    assert "Brzezicka" not in (tmp_path / "b.xml").read_text("utf-8")


def test_pages_and_schemas_are_not_records(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text('<svg xmlns="http://www.w3.org/2000/svg"><text>Roe</text></svg>', "utf-8")
    found = format_of(path)
    assert found is None or found.name != "xml_records"


def test_constants_hold_no_names_and_codes_need_their_system() -> None:
    assert is_constant("node", "openEHR-EHR-OBSERVATION.blood_pressure.v1")
    assert not is_constant("node", "openEHR-EHR-OBSERVATION.brzezicka.v1")
    assert not is_constant("slot_name", "brzezickaOriana")
    assert may_keep_value("code", "NDC", "00093111098")
    assert not may_keep_value("code", "", "00093111098")
    assert may_keep_value("number", "", "142")
    assert not may_keep_value("number", "", "6851681")
    assert not may_keep_value("text", "", "Brzezicka")
