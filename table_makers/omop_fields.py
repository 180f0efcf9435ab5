"""Makes `omop.csv` from the field lists of the OMOP Common Data Model; run by hand.

    python -m table_makers.omop_fields \\
        OMOP_CDMv5.3_Field_Level.csv OMOP_CDMv5.4_Field_Level.csv

The lists come from OHDSI/CommonDataModel, `inst/csv` (Apache-2.0). The script takes names and
types; the rules below decide what each field means under 164.514.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from pathlib import Path

from table_makers import PACKAGES

Meaning = tuple[str, str, str, str, str]
KEY_FIELD: Meaning = ("identifier", "others", "OTHER_ID", "key", "")
PATIENT_FIELD: Meaning = ("identifier", "others", "OTHER_ID", "patient_key", "")
ACCOUNT_FIELD: Meaning = ("identifier", "accounts", "ACCOUNT_NUMBER", "account", "")
STAFF_FIELD: Meaning = ("identifier", "others", "OTHER_ID", "key", "provider")
SITE_FIELD: Meaning = ("identifier", "places", "FACILITY", "facility", "")
URL_FIELD: Meaning = ("identifier", "urls", "URL", "url", "")
DATE_FIELD: Meaning = ("quasi", "dates", "DATE_TIME", "date", "")
DATE_PART_FIELD: Meaning = ("identifier", "dates", "DATE_TIME", "date_part", "")
DEVICE_FIELD: Meaning = ("identifier", "devices", "DEVICE_ID", "device", "")
LICENSE_FIELD: Meaning = ("identifier", "licenses", "LICENSE_NUMBER", "license", "provider")
TEXT_FIELD: Meaning = ("text", "", "", "text", "")
CODED_FIELD: Meaning = ("keep", "", "", "coded", "")
CODE_FIELD: Meaning = ("keep", "", "", "code", "")
NUMBER_FIELD: Meaning = ("keep", "", "", "number", "")
CONCEPT_FIELD: Meaning = ("keep", "", "", "concept", "")
# The first and last day on which a row of a vocabulary is valid, which are not a person's dates.
VALIDITY_FIELD: Meaning = ("keep", "", "", "validity", "")

FIELDS_BY_NAME: dict[str, Meaning] = {
    "person_id": PATIENT_FIELD,
    "subject_id": PATIENT_FIELD,
    "person_source_value": PATIENT_FIELD,
    "year_of_birth": ("quasi", "dates", "BIRTH_YEAR", "birth_year", ""),
    "birth_datetime": ("quasi", "dates", "BIRTH_DATE", "birth_date", ""),
    "month_of_birth": DATE_PART_FIELD,
    "day_of_birth": DATE_PART_FIELD,
    "measurement_time": DATE_PART_FIELD,
    "address_1": ("identifier", "places", "STREET_ADDRESS", "street", ""),
    "address_2": ("identifier", "places", "STREET_ADDRESS", "street", ""),
    "city": ("identifier", "places", "CITY", "city", ""),
    "state": ("quasi", "places", "US_STATE", "state", ""),
    "zip": ("quasi", "places", "US_ZIP_CODE", "zip", ""),
    "county": ("identifier", "places", "COUNTY", "county", ""),
    "latitude": ("identifier", "places", "COORDINATES", "coordinates", ""),
    "longitude": ("identifier", "places", "COORDINATES", "coordinates", ""),
    "provider_name": ("identifier", "names", "PERSON", "name", "provider"),
    "npi": LICENSE_FIELD,
    "dea": LICENSE_FIELD,
    "provider_id": STAFF_FIELD,
    "provider_source_value": STAFF_FIELD,
    "location_id": KEY_FIELD,
    "location_source_value": SITE_FIELD,
    "care_site_id": KEY_FIELD,
    "care_site_name": SITE_FIELD,
    "care_site_source_value": SITE_FIELD,
    "country_source_value": ("keep", "", "", "country", ""),
    "gender_source_value": ("keep", "", "", "sex", ""),
    "race_source_value": ("keep", "", "", "race", ""),
    "ethnicity_source_value": ("keep", "", "", "race", ""),
    "unit_source_value": ("keep", "", "", "unit", ""),
    "visit_source_value": ACCOUNT_FIELD,
    "visit_detail_source_value": ACCOUNT_FIELD,
    "note_source_value": KEY_FIELD,
    "specimen_source_value": KEY_FIELD,
    "family_source_value": ("identifier", "plans", "HEALTH_PLAN_NUMBER", "plan", ""),
    "sponsor_source_value": ("identifier", "names", "EMPLOYER", "organization", "employer"),
    "unique_device_id": DEVICE_FIELD,
    "production_id": DEVICE_FIELD,
    "lot_number": DEVICE_FIELD,
    "note_text": TEXT_FIELD,
    "note_title": TEXT_FIELD,
    "snippet": TEXT_FIELD,
    "lexical_variant": TEXT_FIELD,
    "term_modifiers": TEXT_FIELD,
    "sig": TEXT_FIELD,
    "stop_reason": TEXT_FIELD,
    "value_as_string": TEXT_FIELD,
    "value_source_value": ("keep", "", "", "measure", ""),
    "offset": NUMBER_FIELD,
    "valid_start_date": VALIDITY_FIELD,
    "valid_end_date": VALIDITY_FIELD,
    # Keys of cohort definitions identify no person; names and descriptions are free text.
    "cohort_definition_id": CODED_FIELD,
    "cohort_definition_name": TEXT_FIELD,
    "cohort_definition_description": TEXT_FIELD,
    "cohort_definition_syntax": TEXT_FIELD,
    "cohort_initiation_date": DATE_FIELD,
    "attribute_description": TEXT_FIELD,
    "attribute_syntax": TEXT_FIELD,
    "cdm_source_name": SITE_FIELD,
    "cdm_source_abbreviation": SITE_FIELD,
    "cdm_holder": SITE_FIELD,
    "source_description": TEXT_FIELD,
    "source_documentation_reference": URL_FIELD,
    "cdm_etl_reference": URL_FIELD,
    "source_release_date": DATE_FIELD,
    "cdm_release_date": DATE_FIELD,
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
    """The meaning of a field, by its name or else by its suffix and type."""
    if table == "provider" and field == "year_of_birth":
        return ("quasi", "dates", "BIRTH_YEAR", "birth_year", "provider")
    if field in FIELDS_BY_NAME:
        return FIELDS_BY_NAME[field]
    if table in VOCABULARY:
        return NUMBER_FIELD if datatype == "float" else CODED_FIELD
    if "concept_id" in field:
        return CONCEPT_FIELD
    if datatype in ("date", "datetime") or field.endswith(("_date", "_datetime")):
        return DATE_FIELD
    if field.startswith(("visit_occurrence_id", "visit_detail_id", "preceding_", "parent_visit")):
        return ACCOUNT_FIELD
    if field.endswith("_source_value"):
        return CODE_FIELD
    if field.endswith("_id") or field.startswith("fact_id"):
        return KEY_FIELD
    return NUMBER_FIELD if datatype in ("float", "integer") else CODED_FIELD


def write_omop(paths: list[str]) -> None:
    """Write `omop.csv` into the folder of schemas."""
    fields: dict[tuple[str, Meaning], dict[str, None]] = defaultdict(dict)
    for path in paths:
        with Path(path).open(encoding="utf-8", errors="replace", newline="") as file:
            for row in csv.DictReader(file):
                table, field = row["cdmTableName"].lower(), row["cdmFieldName"].lower().strip('"')
                meaning = meaning_of(table, field, row["cdmDatatype"].lower().split("(")[0])
                fields[table, meaning][field] = None
    with (PACKAGES / "deid/vocabularies/schemas/omop.csv").open(
        "w", encoding="utf-8", newline=""
    ) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["table", "column", "kind", "identifier", "entity", "shape", "role"])
        for (table, meaning), names in sorted(fields.items()):
            writer.writerow([table, "|".join(names), *meaning])


if __name__ == "__main__":
    write_omop(sys.argv[1:])
