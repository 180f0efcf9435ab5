"""The files that the examples of the documentation name. All are invented and small."""

from __future__ import annotations

import csv
import json
import shutil
import sqlite3
from pathlib import Path
from random import Random

CLINIC = Path(__file__).resolve().parents[2] / "corpora" / "clinic"
PATIENTS = "patient_id,last_name,first_name,birthDate,sex,postalCode,mrn\n" + "".join(
    f"{n},{last},{first},{born},{sex},05301,004821{n}\n"
    for n, last, first, born, sex in (
        (1, "Quispe", "Maria", "1931-05-02", "F"),
        (2, "Okonkwo", "Chidi", "1988-11-20", "M"),
        (3, "Lindqvist", "Astrid", "1975-02-11", "F"),
    )
)
NOTES = (
    "Mrs. Quispe was seen on 03/14/2023, MRN 0048211. Aspirin 81 mg daily.",
    "Chidi Okonkwo, seen by Dr. Okafor. Follow up in 3 days.",
    "Astrid Lindqvist called (802) 555-0143 about her wound.",
)
HIERARCHIES = {
    "age": "30;30-31;*\n31;30-31;*\n32;32-33;*\n33;32-33;*\n",
    "sex": "F;*\nM;*\n",
    "zip": "05300;053;*\n05301;053;*\n",
}


def stage(folder: Path) -> None:
    """Write every file that an example names."""
    (folder / "note.txt").write_text(NOTES[0])
    for place in ("notes", "extract", "omop", "fhir", "hl7"):
        (folder / place).mkdir()
    for number, text in enumerate(NOTES, 1):
        (folder / "notes" / f"note-{number}.txt").write_text(text)
    lines = [json.dumps({"id": str(n), "text": text}) for n, text in enumerate(NOTES, 1)]
    (folder / "notes.jsonl").write_text("\n".join(lines) + "\n")
    gold = {"id": "1", "text": NOTES[0], "spans": [{"start": 5, "end": 11, "label": "NAME"}]}
    (folder / "gold.jsonl").write_text(json.dumps(gold) + "\n")
    (folder / "extract" / "patients.csv").write_text(PATIENTS)
    rows = "".join(f'{n},{n},"{text}"\n' for n, text in enumerate(NOTES, 1))
    (folder / "extract" / "notes.csv").write_text("note_id,patient_id,note_text\n" + rows)
    for name in ("my-policy", "by-ann", "by-ben"):
        (folder / f"{name}.yaml").write_text(f"name: {name}\nextends: safe_harbor\n")
    config = {"fhirPathRules": [{"path": "nodesByType('HumanName')", "method": "redact"}]}
    (folder / "config.json").write_text(json.dumps(config))
    coded = "name: coded\nextends: safe_harbor\ntransforms: {mrns: code}\n"
    (folder / "coded.yaml").write_text(coded)
    _write_note_lines(folder / "hno_note_text.csv")
    _write_omop(folder / "omop")
    shutil.copy(CLINIC / "patients.ndjson", folder / "fhir")
    shutil.copy(CLINIC / "messages.hl7", folder / "hl7")
    _write_databases(folder)
    _write_people(folder)
    _write_month(folder / "june", 0)
    _write_month(folder / "july", 600)


def _write_note_lines(path: Path) -> None:
    path.write_text(
        "NOTE_ID,LINE,NOTE_TEXT\n7,1,Mrs. Maria\n7,2,Quispe was seen.\n8,1,No change.\n"
    )


def _write_omop(folder: Path) -> None:
    (folder / "person.csv").write_text(
        "person_id,gender_concept_id,year_of_birth,month_of_birth,day_of_birth,person_source_value\n"
        "1,8532,1931,5,2,MRN-0048211\n2,8507,1988,11,20,MRN-0048212\n"
    )
    (folder / "note.csv").write_text(
        "note_id,person_id,note_date,note_type_concept_id,note_title,note_text\n"
        f'10,1,2023-03-14,32831,Progress note,"{NOTES[0]}"\n'
    )


def _write_month(folder: Path, first: int) -> None:
    """Six hundred people with two visits each, numbered from `first`. Each month has other
    people.
    """
    chance = Random(7)
    folder.mkdir()
    people = [["patient_id", "last_name", "birth_date", "sex", "zip"]]
    visits = [["visit_id", "patient_id", "visit_date", "ward"]]
    for n in range(first, first + 600):
        born = f"{1930 + chance.randrange(70)}-{1 + n % 12:02}-{1 + n % 28:02}"
        place = chance.choice(["05301", "05302", "02139", "02140", "10001"])
        people.append([str(n), f"Qv{n}ent", born, chance.choice("FM"), place])
        for k in range(2):
            day = f"2026-06-{1 + n % 28:02}"
            visits.append([str(2 * n + k), str(n), day, "ABC"[n % 3]])
    for name, rows in (("patients.csv", people), ("visits.csv", visits)):
        with (folder / name).open("w", newline="") as file:
            csv.writer(file).writerows(rows)


def _write_databases(folder: Path) -> None:
    import duckdb

    base = sqlite3.connect(folder / "clinic.sqlite")
    base.execute("create table patients (patient_id, last_name, birth_date)")
    base.execute("insert into patients values (1, 'Quispe', '1931-05-02')")
    base.commit()
    base.close()
    with duckdb.connect(str(folder / "clinic.duckdb")) as duck:
        duck.execute("create table patients (patient_id int, last_name text)")
        duck.execute("insert into patients values (1, 'Quispe')")
    (folder / "dump.sql").write_text(
        "INSERT INTO patients (patient_id, last_name) VALUES (1, 'Quispe');\n"
    )


def _write_people(folder: Path) -> None:
    """Sixty people in groups of fifteen, with their visits."""
    header = ["age", "sex", "zip", "birth_year", "race", "state", "zip3", "diagnoses"]
    rows = [
        [30 + n % 4, "FM"[n % 2], f"0530{n % 2}", 1990 - n % 4, "white", "VT", "053", "I21"]
        for n in range(60)
    ]
    own = ["patient_id", "person_id", "last_name", "birthDate", "postalCode", "mrn"]
    with (folder / "patients.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow([*own, *header[:3]])
        for n, row in enumerate(rows):
            table.writerow([n, n, f"Qv{n}ent", "1990-01-02", "05301", f"00482{n:03}", *row[:3]])
    for name in ("visits.csv", "labs.csv"):
        (folder / name).write_text("person_id,value\n" + "".join(f"{n},1\n" for n in range(60)))
    (folder / "folder").mkdir()
    for name, levels in HIERARCHIES.items():
        (folder / "folder" / f"{name}.csv").write_text(levels)
    for name in ("people.csv", "table.csv", "released.csv", "cohort.csv", "july.csv"):
        with (folder / name).open("w", newline="") as file:
            csv.writer(file).writerows([header, *rows])
