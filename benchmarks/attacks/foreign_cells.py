"""Attacks on closed columns: names, numbers, days and remarks in columns of grades and codes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.attacks.lab import Lab

ROWS, SHARE = 600, 0.03

FOREIGN = (
    *(
        "Rose Long",
        "May Grant",
        "Hope Young",
        "Will Power",
        "Long, Rose",
        "grant may",
        "Iris Banks",
    ),
    *(
        "Summer Rivers",
        "Christian Price",
        "Zebulon Quartermaine",
        "Quartermaine",
        "Okonkwo",
        "Grace",
    ),
    *("Hunter", "ROSE LONG", "R. Long", "Dr. Long", "J.Q.", "ZQ", "JQX", "JQ", "see Dr. X"),
    *("see Dr. Hunter", "call Hope Young re asthma", "pt moved to Troy", "lives with aunt Rose"),
    *("03/14/2021", "2021-03-14", "14-Mar-2021", "Mar 14", "20210314", "3/14", "5551234567"),
    *("555-123-4567", "(617) 555-0182", "617.555.0182", "00482913", "4829134", "MRN 482913"),
    *("A4829134", "123-45-6789", "02139", "10025-1234", "12 Elm Street", "Dunmorrow", "Troy, NY"),
    *("St. Agnes Hospital", "zq@example.org", "www.zquarter.example", "10.1.2.3", "94 years old"),
    *(
        "born 1931",
        "aged 97",
        "Apt 4B",
        "next to the old mill",
        "her brother Mark",
        "Mayor of Troy",
    ),
    *("rs429358", "c.68_69delAG", "A*02:01", "1EG4-TE5-MK73", "@zquarter", "1HGCM82633A004352"),
)


def closed_columns(random: Random, rows: int = ROWS) -> dict[str, list[str]]:
    """30 closed columns with legitimate values, each of `rows` cells."""

    def of(*values: str) -> list[str]:
        weights = [1 / (n + 1) for n in range(len(values))]
        return random.choices(values, weights, k=rows)

    def number(middle: float, spread: float, digits: int, least: float = 0) -> list[str]:
        found = (max(least, random.gauss(middle, spread)) for _ in range(rows))
        return [f"{value:.{digits}f}" for value in found]

    return {
        "severity": of("Mild", "Moderate", "Severe", "Moderate-to-severe", "Life-threatening"),
        "smoking_status": of(
            "Never smoker", "Former smoker", "Current every day smoker", "Unknown"
        ),
        "triage_level": of("3", "2", "4", "1", "5"),
        "result_unit": of("mg/dL", "mmol/L", "g/dL", "10*3/uL", "%", "U/L", "mEq/L", "ng/mL"),
        "pregnant_flag": of("N", "Y"),
        "icd10_code": of("I10", "E11.9", "J45.909", "N18.3", "F32.9", "Z00.00", "M54.5", "C50.911"),
        "loinc_code": of("2345-7", "718-7", "4548-4", "2160-0", "8480-6", "8462-4", "29463-7"),
        "snomed_code": of("44054006", "38341003", "195967001", "73211009", "22298006"),
        "heart_rate": number(78, 14, 0, 35),
        "blood_group": of("O+", "A+", "B+", "AB+", "O-", "A-"),
        "route": of("PO", "IV", "IM", "SC", "Topical", "Inhalation"),
        "specialty": of("Cardiology", "Internal Medicine", "Pediatrics", "Orthopedic Surgery"),
        "discharge_disposition": of(
            "Home", "Skilled Nursing Facility", "Rehab", "Expired", "Home Health", "Hospice - Home"
        ),
        "spo2_percent": [str(min(100, int(v))) for v in number(96, 2, 0, 80)],
        "bmi": number(28, 5, 1, 14),
        "apgar_5min": of("9", "8", "10", "7", "6"),
        "nyha_class": of("II", "I", "III", "IV"),
        "sex": of("F", "M"),
        "marital_status": of("Married", "Single", "Divorced", "Widowed"),
        "preferred_language": of("English", "Spanish", "Mandarin", "Vietnamese"),
        "race": of("White", "Black or African American", "Asian", "Other"),
        "hba1c_result": number(6.4, 1.2, 1, 4),
        "systolic_bp": number(128, 17, 0, 70),
        "total_charge": [f"{random.lognormvariate(6, 1):.2f}" for _ in range(rows)],
        "encounter_class": of("ambulatory", "emergency", "inpatient", "wellness", "urgentcare"),
        "admission_type": of("Emergency", "Elective", "Urgent", "Newborn"),
        "asa_grade": of("2", "3", "1", "4"),
        "tumor_stage": of("IIA", "IB", "IIIB", "IV", "I"),
        "drug_form": of("Tablet", "Capsule", "Injection", "Cream"),
        "diagnosis_description": of(
            *("Essential hypertension", "Type 2 diabetes mellitus", "Asthma", "Acute bronchitis"),
            *("Major depressive disorder, single episode", "Low back pain", "Preeclampsia"),
        ),
        "payer_class": of("Medicare", "Commercial", "Medicaid", "Self-pay"),
        "insulin_units": number(24, 9, 0, 2),
    }


def planted(
    random: Random, columns: Mapping[str, Sequence[str]], share: float = SHARE
) -> tuple[dict[str, list[str]], dict[str, dict[int, str]]]:
    """The columns with foreign cells added, and which cells these are."""
    mixed, places = {}, {}
    for header, cells in columns.items():
        rows = random.sample(range(len(cells)), round(share * len(cells)))
        foreign = random.sample(FOREIGN, len(rows)) if len(rows) <= len(FOREIGN) else []
        found = foreign or random.choices(FOREIGN, k=len(rows))
        places[header] = dict(zip(rows, found, strict=True))
        mixed[header] = [places[header].get(row, cell) for row, cell in enumerate(cells)]
    return mixed, places


def survivors(
    before: Mapping[str, Sequence[str]],
    after: Mapping[str, Sequence[str | None]],
    places: Mapping[str, Mapping[int, str]],
) -> tuple[list[tuple[str, str]], dict[str, float]]:
    """The foreign cells that were released, and the share of legitimate cells kept in each
    column.
    """
    left, stayed = [], {}
    for header, cells in before.items():
        out = after.get(header) or [None] * len(cells)
        pairs = list(enumerate(zip(cells, out, strict=True)))
        left += [
            (header, cell) for row, (cell, now) in pairs if row in places[header] and cell == now
        ]
        kept = [cell == now for row, (cell, now) in pairs if row not in places[header]]
        stayed[header] = sum(kept) / max(1, len(kept))
    return left, stayed


def _written(columns: Mapping[str, Sequence[str]], form: str) -> bytes:
    rows = len(next(iter(columns.values())))
    whole = {"patient_id": [f"P{number:05}" for number in range(rows)], **columns}
    if form == "csv":
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(whole)
        writer.writerows(zip(*whole.values(), strict=True))
        return text.getvalue().encode()
    if form == "json":
        records = [dict(zip(whole, row, strict=True)) for row in zip(*whole.values(), strict=True)]
        return json.dumps(records).encode()
    sink = io.BytesIO()
    pq.write_table(pa.table(whole), sink)
    return sink.getvalue()


def _read(content: bytes, form: str) -> dict[str, list[str | None]]:
    if form == "parquet":
        return dict(pq.read_table(io.BytesIO(content)).to_pydict())
    rows = (
        json.loads(content)
        if form == "json"
        else list(csv.DictReader(io.StringIO(content.decode("utf-8"))))
    )
    return {header: [row.get(header) for row in rows] for header in rows[0]}


def tried(
    lab: Lab, form: str, *options: str, seed: int = 18, share: float = SHARE
) -> tuple[list[tuple[str, str]], dict[str, float]]:
    """Scrub the columns with foreign cells: which were released, and what was kept of each
    column.
    """
    random = Random(seed)
    before, places = planted(random, closed_columns(random), share)
    path = lab.write(f"table.{form}", _written(before, form))
    run = lab.scrub(path, *options)
    if run.code not in (0, 4):
        return [("the run", str(run.code))], {}
    return survivors(before, _read((lab.here / "out" / path.name).read_bytes(), form), places)


def _holds(found: tuple[list[tuple[str, str]], dict[str, float]]) -> bool:
    left, stayed = found
    whole = sum(stayed.values()) / max(1, len(stayed))
    return not left and whole >= 0.98 and min(stayed.values(), default=0) >= 0.9


def attack_foreign_cells_in_a_csv(lab: Lab) -> bool:
    """Put names, days, numbers and remarks into 3 % of the cells of closed columns of a CSV."""
    return _holds(tried(lab, "csv"))


def attack_foreign_cells_in_parquet_by_workers(lab: Lab) -> bool:
    """Do the same in Parquet, with `--strict` and two workers."""
    return _holds(tried(lab, "parquet", "--strict", "--workers", "2", seed=19))


def attack_foreign_cells_in_json_records(lab: Lab) -> bool:
    """Do the same in JSON records."""
    return _holds(tried(lab, "json", seed=20))


def attack_name_of_common_words_among_severities(lab: Lab) -> bool:
    """Put a name of two everyday words once into a column of severities."""
    rows = "".join(f"P{number},Mild\n" for number in range(30))
    path = lab.write("d.csv", f"patient_id,severity\n{rows}P31,Rose Long\n")
    run = lab.scrub(path)
    return run.code == 0 and lab.absent("rose", "long", run=run)


def attack_genomic_columns_nobody_named(lab: Lab) -> bool:
    """Give genotypes, alleles, variants and sequences in columns that no policy names."""
    row = "A/G,A*02:01,c.68_69delAG,CT,ACGTTGCAACGTACGTTAGCACGT,Y"
    rows = "".join(f"P{number},{row}\n" for number in range(30))
    header = "patient_id,genotype,HLA_A,brca1_variant,rs429358,seq,flag"
    run = lab.scrub(lab.write("g.csv", f"{header}\n{rows}"))
    told = "genomic data may identify" in run.stderr
    return told and lab.absent("a/g", "a*02", "68_69", "acgttgca")
