"""Attacks with years, ages and events that show a person over 89: 164.514(b)(2)(i)(C)."""

from __future__ import annotations

import json

from benchmarks.attacks.lab import Lab

TODAY = ("--reference-date", "2026-11-23")
_AGE = {"system": "http://unitsofmeasure.org", "code": "a", "unit": "years"}
_LOINC = "http://loinc.org"


def attack_an_age_beside_its_year_in_a_table(lab: Lab) -> bool:
    """Keep a year beside the age in that year, or the year of an event whose age is known."""
    tables = {
        "visits.csv": "visit_year,age\n1950,22\n2015,40\n",
        "onsets.csv": "onset_year,onset_age\n1950,22\n1990,40\n",
        "school.csv": "hs_grad_yr,sex\n1946,F\n1993,M\n",
        "told.csv": "birth_year,marriage_year,age_at_visit\n1931,1952,84\n1970,1999,41\n",
        "kin.csv": "mother_age,visit_year,birth_date\n81,2011,1960-01-01\n60,2012,1985-01-01\n",
    }
    for name, text in tables.items():
        lab.write(f"in/{name}", text)
    run = lab.scrub(lab.here / "in", *TODAY)
    left = {name: (lab.here / "out" / name).read_text().split("\n")[1:3] for name in tables}
    return run.code == 0 and left == {
        "visits.csv": ["1950,90+", "2015,40"],
        "onsets.csv": ["1950,90+", "1990,40"],
        "school.csv": ["90+,F", "1993,M"],
        "told.csv": ["90+,90+,90+", "1970,1999,41"],
        "kin.csv": ["90+,2011,1960", "60,2012,1985"],
    }


def attack_an_age_in_other_words_in_a_text(lab: Lab) -> bool:
    """State an age over 89 beside a sex, in months, or by a year, a war or a marriage."""
    shown = (
        "94/F admitted. M/94 seen. Sex/Age: F/94. 94y3m old. 93½ y/o. A 1128-month-old. "
        "A 4,900-week-old. 34,000 days old. At age 20 in 1950 she moved. 4 yo in 1934. "
        "HS grad 1946. Served in WWII. Married in 1948. Widow since 1951. Retired in 1985. "
        "Born during the Great Depression. Smoked for 75 years."
    )
    kept = "4 yo in 2015. Married in 1975. Protocol of 1946. BP 94/62. A 24-month-old."
    lab.write("notes/a.txt", shown)
    lab.write("notes/b.txt", kept)
    run = lab.scrub(lab.here / "notes", *TODAY)
    left = (lab.here / "out" / "a.txt").read_text()
    gone = ["94", "93", "1128", "4,900", "34,000", "1950", "1934", "1946", "WWII", "1948", "1951"]
    gone += ["1985", "Depression", "75"]
    stays = (lab.here / "out" / "b.txt").read_text() == kept
    return run.code == 0 and stays and not any(value in left for value in gone)


def attack_an_age_beside_its_year_in_fhir(lab: Lab) -> bool:
    """Keep `onsetAge` 22 beside a `recordedDate` of 1950, and the like."""
    person = {"subject": {"reference": "Patient/9"}}
    age = {"value": 22} | _AGE
    conditions = [
        {"onsetAge": age, "recordedDate": "1950"},
        {"onsetAge": age, "recordedDate": "1950-04"},
        {"abatementAge": age, "recordedDate": "1950-04-03"},
        {"onsetRange": {"low": age, "high": {"value": 24} | _AGE}, "recordedDate": "1950"},
        {"onsetAge": {"value": 264, "unit": "months", "code": "mo"}, "recordedDate": "1950"},
        {"onsetString": "at age 22 in 1950"},
    ]
    resources = [{"resourceType": "Condition"} | person | c for c in conditions]
    resources += [
        {"resourceType": "Procedure", "status": "completed", "performedAge": age}
        | person
        | {"note": [{"time": "1950", "text": "done"}]},
        {"resourceType": "Observation", "status": "final", "effectiveDateTime": "2010"}
        | person
        | {"code": {"coding": [{"system": _LOINC, "code": "30525-0"}]}}
        | {"valueQuantity": {"value": 82} | _AGE},
        {"resourceType": "FamilyMemberHistory", "status": "completed", "date": "2010"}
        | {"patient": person["subject"], "ageAge": {"value": 82} | _AGE},
        {"resourceType": "FamilyMemberHistory", "status": "completed", "date": "2012"}
        | {"patient": person["subject"], "bornDate": "1931", "deceasedAge": {"value": 82} | _AGE},
        {"resourceType": "Patient", "birthDate": "1931"},
    ]
    young = {"resourceType": "Condition", "onsetAge": {"value": 31} | _AGE} | person
    resources.append(young | {"recordedDate": "2015"})
    lab.write("a.ndjson", "".join(json.dumps(resource) + "\n" for resource in resources))
    run = lab.scrub(lab.here / "a.ndjson", *TODAY)
    left = (lab.here / "out" / "a.ndjson").read_text()
    gone = ('"value": 22', '"value": 264', '"value": 82', '"value": 24', "1931", "age 22", "] 1950")
    return run.code == 0 and '"value": 31' in left and not any(value in left for value in gone)


def attack_an_age_beside_its_year_in_hl7(lab: Lab) -> bool:
    """Keep an age beside the year of its segment, or after a birth in 1931."""
    cases = {
        "||OBX|1|NM|30525-0^Age^LN||22|a|||||F|||1950": "1950",
        "||OBX|1|NM|21612-7^Age reported^LN||23|a|||||F|||195006": "1950",
        "||OBX|1|NM|29553-5^Age calculated^LN||24|a|||||F|||19500607": "1950",
        "||OBX|1|NM|30525-0^Age^LN||252|mo|||||F|||1950": "1950",
        "||OBX|1|NM|30525-0^Age^LN||82|a|||||F|||2010": "2010",
        "19310304||OBX|1|NM|39016-1^Age at death^LN||83|a|||||F|||2014": "2023",
        "1931||OBX|1|NM|30525-0^Age^LN||84|a|||||F|||2015": "2023",
        "||OBX|1|TX|N^Note^L||M/94 admitted||||||F": "2023",
        "||OBX|1|TX|N^Note^L||at age 26 in 1950||||||F": "2023",
        "||OBX|1|TX|N^Note^L||27 yo in 1950||||||F": "2023",
        "||OBX|1|NM|30525-0^Age^LN||41|a|||||F|||2015": "2015",
    }
    messages = []
    for number, (case, year) in enumerate(cases.items(), 1):
        birth, _, rest = case.partition("||")
        head = f"MSH|^~\\&|A|B|C|D|{year}0203||ORU^R01|{number}|P|2.5"
        messages.append(f"{head}\rPID|1||{number}^^^X^MR||DOE^JANE||{birth}|F\r{rest}\r")
    lab.write("a.hl7", "".join(messages))
    run = lab.scrub(lab.here / "a.hl7", *TODAY)
    left = (lab.here / "out" / "a.hl7").read_text()
    gone = [
        "|22|",
        "|23|",
        "|24|",
        "|252|",
        "|82|",
        "|83|",
        "|84|",
        "94",
        "26 in",
        "27 yo",
        "1931",
        "] 1950",
    ]
    return run.code == 0 and "|41|" in left and not any(value in left for value in gone)


def attack_an_age_beside_its_year_in_cda(lab: Lab) -> bool:
    """Keep the age at an observation beside the year of the observation (C-CDA)."""
    inner = {
        "a": _observed("22", "a", "1950"),
        "b": _observed("23", "a", "195004"),
        "c": _observed("24", "a", "19500403"),
        "d": _observed("252", "mo", "1950"),
        "e": _observed("82", "a", "2010"),
        "f": _kin(_observed("83", "a", "2010")),
        "g": _observed("84", "a", "2015"),
        "h": _observed("79", "a", "2010"),
        "i": "<text>At age 26 in 1950 she moved.</text>",
        "j": "<text>M/94 admitted.</text>",
        "k": _observed("41", "a", "2015"),
    }
    births = {"g": _patient("1931"), "h": _patient("19310203")}
    for name, body in inner.items():
        lab.write(f"in/{name}.xml", _document(births.get(name, "") + _section(body)))
    run = lab.scrub(lab.here / "in", *TODAY)
    left = {name: (lab.here / "out" / f"{name}.xml").read_text() for name in inner}
    gone = ('"22"', '"23"', '"24"', '"252"', '"82"', '"83"', '"84"', '"79"', "1931", "26 in", "94")
    held = not any(value in text for text in left.values() for value in gone)
    return run.code == 0 and held and 'value="41"' in left["k"]


def attack_a_reference_date_before_the_records(lab: Lab) -> bool:
    """Set a reference date before the records' dates, so that a person of 92 seems to be 79."""
    lab.write("in/t.csv", "birth_date,visit_date,result\n1931-03-04,2023-02-03,5.1\n")
    lab.write("in/n.txt", "Seen 3/4/2023. Born in 1931. DOB 3/4/1931.")
    head = "MSH|^~\\&|A|B|C|D|20230203||ADT^A01|1|P|2.5"
    lab.write("in/m.hl7", f"{head}\rPID|1||1||DOE^J||19310304|F\r")
    patient = {"resourceType": "Patient", "birthDate": "1931-03-04", "deceasedDateTime": "2023"}
    lab.write("in/p.ndjson", json.dumps(patient) + "\n")
    run = lab.scrub(lab.here / "in", "--reference-date", "2010-01-01")
    told = "[records-after-reference]" in run.stderr
    manifest = json.loads((lab.here / "out" / "_release" / "manifest.json").read_text())
    counted = manifest["records_after_reference"] == 4
    return run.code == 0 and told and counted and b"1931" not in lab.released(account=False)


def attack_a_birth_year_left_in_a_release(lab: Lab) -> bool:
    """Write `born in 1931` back into a released note; `deid check` must find it."""
    known = lab.write("known.csv", "patient_id,birth_date\nP1,1931-03-04\n")
    note = json.dumps({"id": "1", "patient": "P1", "text": "Born in 1931, 95 yo. Seen well."})
    lab.write("n.jsonl", note + "\n")
    known_as = ("--known", known, "--patient-key", "patient_id")
    run = lab.scrub(lab.here / "n.jsonl", *known_as, *TODAY)
    out = lab.here / "out" / "n.jsonl"
    clean = lab.deid("check", lab.here / "out", *known_as, "--json")
    out.write_text(note + "\n")
    planted = lab.deid("check", lab.here / "out", *known_as, "--json")
    before, after = json.loads(clean.stdout), json.loads(planted.stdout)
    return run.code == 0 and before["hits"] == 0 and after["by_word"].get("dates", 0) > 0


def _observed(value: str, unit: str, when: str) -> str:
    code = '<code code="30525-0" codeSystem="2.16.840.1.113883.6.1"/>'
    result = f'<value xsi:type="PQ" value="{value}" unit="{unit}"/>'
    time = f'<effectiveTime value="{when}"/>'
    return f"<entry><observation>{code}{time}{result}</observation></entry>"


def _kin(entry: str) -> str:
    return f"<organizer><subject/><component>{entry}</component></organizer>"


def _section(body: str) -> str:
    inner = f"<component><section>{body}</section></component>"
    return f"<component><structuredBody>{inner}</structuredBody></component>"


def _document(body: str) -> str:
    spaces = 'xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    return f"<ClinicalDocument {spaces}>{body}</ClinicalDocument>"


def _patient(birth: str) -> str:
    patient = f'<patient><birthTime value="{birth}"/></patient>'
    return f"<recordTarget><patientRole>{patient}</patientRole></recordTarget>"
