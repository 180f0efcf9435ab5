"""Makes `omop.csv` from the field lists of the OMOP Common Data Model; run by hand.

    python -m deid.vocabularies.schemas.make_omop \\
        OMOP_CDMv5.3_Field_Level.csv OMOP_CDMv5.4_Field_Level.csv

The lists come from OHDSI/CommonDataModel, `inst/csv` (Apache-2.0). Names and types are taken; what
each field means for 164.514 is decided by the rules below.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from pathlib import Path

Meaning = tuple[str, str, str, str, str]
KEY: Meaning = ("identifier", "others", "OTHER_ID", "key", "")
PATIENT: Meaning = ("identifier", "others", "OTHER_ID", "patient_key", "")
ACCOUNT: Meaning = ("identifier", "accounts", "ACCOUNT_NUMBER", "account", "")
STAFF: Meaning = ("identifier", "others", "OTHER_ID", "key", "provider")
SITE: Meaning = ("identifier", "places", "FACILITY", "facility", "")
URL: Meaning = ("identifier", "urls", "URL", "url", "")
DATE: Meaning = ("quasi", "dates", "DATE_TIME", "date", "")
PART: Meaning = ("identifier", "dates", "DATE_TIME", "date_part", "")
DEVICE: Meaning = ("identifier", "devices", "DEVICE_ID", "device", "")
LICENSE: Meaning = ("identifier", "licenses", "LICENSE_NUMBER", "license", "provider")
TEXT: Meaning = ("text", "", "", "text", "")
CODED: Meaning = ("keep", "", "", "coded", "")
CODE: Meaning = ("keep", "", "", "code", "")
NUMBER: Meaning = ("keep", "", "", "number", "")
CONCEPT: Meaning = ("keep", "", "", "concept", "")

NAMED: dict[str, Meaning] = {
    "person_id": PATIENT,
    "subject_id": PATIENT,
    "person_source_value": PATIENT,
    "year_of_birth": ("quasi", "dates", "BIRTH_YEAR", "birth_year", ""),
    "birth_datetime": ("quasi", "dates", "BIRTH_DATE", "birth_date", ""),
    "month_of_birth": PART,
    "day_of_birth": PART,
    "measurement_time": PART,
    "address_1": ("identifier", "places", "STREET_ADDRESS", "street", ""),
    "address_2": ("identifier", "places", "STREET_ADDRESS", "street", ""),
    "city": ("identifier", "places", "CITY", "city", ""),
    "state": ("quasi", "places", "US_STATE", "state", ""),
    "zip": ("quasi", "places", "US_ZIP_CODE", "zip", ""),
    "county": ("identifier", "places", "COUNTY", "county", ""),
    "latitude": ("identifier", "places", "COORDINATES", "coordinates", ""),
    "longitude": ("identifier", "places", "COORDINATES", "coordinates", ""),
    "provider_name": ("identifier", "names", "PERSON", "name", "provider"),
    "npi": LICENSE,
    "dea": LICENSE,
    "provider_id": STAFF,
    "provider_source_value": STAFF,
    "location_id": KEY,
    "location_source_value": SITE,
    "care_site_id": KEY,
    "care_site_name": SITE,
    "care_site_source_value": SITE,
    "country_source_value": ("keep", "", "", "country", ""),
    "gender_source_value": ("keep", "", "", "sex", ""),
    "race_source_value": ("keep", "", "", "race", ""),
    "ethnicity_source_value": ("keep", "", "", "race", ""),
    "unit_source_value": ("keep", "", "", "unit", ""),
    "visit_source_value": ACCOUNT,
    "visit_detail_source_value": ACCOUNT,
    "note_source_value": KEY,
    "specimen_source_value": KEY,
    "family_source_value": ("identifier", "plans", "HEALTH_PLAN_NUMBER", "plan", ""),
    "sponsor_source_value": ("identifier", "names", "EMPLOYER", "organization", "employer"),
    "unique_device_id": DEVICE,
    "production_id": DEVICE,
    "lot_number": DEVICE,
    "note_text": TEXT,
    "note_title": TEXT,
    "snippet": TEXT,
    "lexical_variant": TEXT,
    "term_modifiers": TEXT,
    "sig": TEXT,
    "stop_reason": TEXT,
    "value_as_string": TEXT,
    "value_source_value": ("keep", "", "", "measure", ""),
    "offset": NUMBER,
    # What a cohort or a source is called, not whose it is; what is written of it is written freely.
    "cohort_definition_id": CODED,
    "cohort_definition_name": TEXT,
    "cohort_definition_description": TEXT,
    "cohort_definition_syntax": TEXT,
    "cohort_initiation_date": DATE,
    "attribute_description": TEXT,
    "attribute_syntax": TEXT,
    "cdm_source_name": SITE,
    "cdm_source_abbreviation": SITE,
    "cdm_holder": SITE,
    "source_description": TEXT,
    "source_documentation_reference": URL,
    "cdm_etl_reference": URL,
    "source_release_date": DATE,
    "cdm_release_date": DATE,
}
VOCABULARY = (
    "concept",
    "vocabulary",
    "domain",
    "concept_class",
    "concept_relationship",
    "relationship",
    "concept_synonym",
    "concept_ancestor",
    "source_to_concept_map",
    "drug_strength",
    "cohort_definition",
    "attribute_definition",
    "cdm_source",
)


def meaning_of(table: str, field: str, datatype: str) -> Meaning:
    """What a field is: by its own name, else by how its name ends and its type."""
    if table == "provider" and field == "year_of_birth":
        return ("quasi", "dates", "BIRTH_YEAR", "birth_year", "provider")
    if field in NAMED:
        return NAMED[field]
    if table in VOCABULARY:
        return NUMBER if datatype == "float" else CODED
    if "concept_id" in field:
        return CONCEPT
    if datatype in ("date", "datetime") or field.endswith(("_date", "_datetime")):
        return DATE
    if field.startswith(("visit_occurrence_id", "visit_detail_id", "preceding_", "parent_visit")):
        return ACCOUNT
    if field.endswith("_source_value"):
        return CODE
    if field.endswith("_id") or field.startswith("fact_id"):
        return KEY
    return NUMBER if datatype in ("float", "integer") else CODED


def main(paths: list[str]) -> None:
    """Write `omop.csv` beside this file."""
    fields: dict[tuple[str, Meaning], dict[str, None]] = defaultdict(dict)
    for path in paths:
        with Path(path).open(encoding="utf-8", errors="replace", newline="") as file:
            for row in csv.DictReader(file):
                table, field = row["cdmTableName"].lower(), row["cdmFieldName"].lower().strip('"')
                meaning = meaning_of(table, field, row["cdmDatatype"].lower().split("(")[0])
                fields[table, meaning][field] = None
    with (Path(__file__).parent / "omop.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["table", "column", "kind", "identifier", "entity", "shape", "role"])
        for (table, meaning), names in sorted(fields.items()):
            writer.writerow([table, "|".join(names), *meaning])


if __name__ == "__main__":
    main(sys.argv[1:])
