"""Makes `elements.csv`: the elements of each FHIR type and their types, in R4 and in R5.

Run by hand with the development packages installed: `python -m table_makers.fhir_elements`.
Source: the element definitions of HL7 FHIR R4 and R5 (CC0), read from the parser `fhir.resources`
(R4B and R5); the resources below are the same in R4 and R4B. A row of release R5 is an element that
R4 does not have, or has with another type or cardinality.
The parser takes the codes of an element from its short description. A description that ends with
`+` names only the first codes. The others are those of the code system to which the element is
bound, from `lists.csv` (HL7 FHIR R4, 4.0.1).
Conformance resources, which are not about patients, are left out, so files of them are withheld.
"""

from __future__ import annotations

import csv
import importlib
import typing
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from table_makers import PACKAGES

TABLE = PACKAGES / "deid/formats/fhir/definitions/elements.csv"
LISTS = PACKAGES / "deid/vocabularies/lists.csv"
ELEMENTS_HEADER = (
    "type", "element", "is", "many", "required", "choice", "targets", "codes", "release"
)  # fmt: skip
RESOURCES = """
    Account AdverseEvent AllergyIntolerance Appointment AppointmentResponse Basic Binary
    BodyStructure Bundle CarePlan CareTeam ChargeItem Claim ClaimResponse ClinicalImpression
    Communication CommunicationRequest Composition Condition Consent Coverage
    CoverageEligibilityRequest CoverageEligibilityResponse DetectedIssue Device DeviceMetric
    DeviceRequest DeviceUseStatement DiagnosticReport DocumentManifest DocumentReference Encounter
    Endpoint EpisodeOfCare ExplanationOfBenefit FamilyMemberHistory Flag Goal Group
    HealthcareService ImagingStudy Immunization ImmunizationEvaluation ImmunizationRecommendation
    InsurancePlan Invoice List Location MeasureReport Media Medication MedicationAdministration
    MedicationDispense MedicationRequest MedicationStatement MessageHeader MolecularSequence
    NutritionOrder Observation OperationOutcome Organization OrganizationAffiliation Parameters
    Patient PaymentNotice PaymentReconciliation Person Practitioner PractitionerRole Procedure
    Provenance QuestionnaireResponse RelatedPerson RequestGroup ResearchStudy ResearchSubject
    RiskAssessment Schedule ServiceRequest Slot Specimen Substance SupplyDelivery SupplyRequest Task
    VisionPrescription
"""
# Resources that R5 added. R5 also dropped four of those above: `DROPPED_BY_R5`.
RESOURCES_OF_R5 = """
    DeviceAssociation DeviceDispense DeviceUsage EncounterHistory GenomicStudy ImagingSelection
    NutritionIntake RequestOrchestration Transport
"""
DATA_TYPES_OF_R5 = """
    Availability ExtendedContactDetail MonetaryComponent VirtualServiceDetail
"""
DROPPED_BY_R5 = frozenset(["DeviceUseStatement", "DocumentManifest", "Media", "RequestGroup"])
# The log of a bulk export (bulk-data-client), which is not a resource and has no definition.
LOG = """
    exportId=id timestamp=dateTime eventId=code eventDetail=BulkLog.eventDetail
"""
LOG_DETAIL = """
    exportUrl=url transactionTime=dateTime code=integer softwareName=string softwareVersion=string
    fhirVersion=code resourceType=code resourceCount=integer itemType=code fileSize=integer
    fileUrl=url files=integer resources=integer bytes=integer attachments=integer duration=integer
    totalOutputFileCount=integer totalDeletedFileCount=integer totalErrorFileCount=integer
    totalManifests=integer
"""
DATA_TYPES = """
    Address Age Annotation Attachment CodeableConcept CodeableReference Coding ContactDetail
    ContactPoint Count Distance Dosage Duration Extension HumanName Identifier Meta Money Narrative
    Period Quantity Range Ratio RatioRange Reference RelatedArtifact SampledData Signature Timing
    UsageContext
"""
# The code systems of the elements whose short description is cut, in R4 or in R5. The value sets of
# these elements have all codes of the system.
BOUND = {
    "DetectedIssue.status": "observation-status",
    "Device.udiCarrier.entryType": "udi-entry-type",
    "DeviceUsage.status": "device-statement-status",
    "DeviceUseStatement.status": "device-statement-status",
    "DiagnosticReport.status": "diagnostic-report-status",
    "Encounter.status": "encounter-status",
    "Encounter.statusHistory.status": "encounter-status",
    "Observation.status": "observation-status",
    "RiskAssessment.status": "observation-status",
    "ServiceRequest.intent": "request-intent",
    "SupplyRequest.status": "supplyrequest-status",
    "Task.status": "task-status",
}
MORE = "+"
# Elements of every type, or of every resource, which the code handles.
COMMON = frozenset(["id", "extension", "modifierExtension"])
OF_RESOURCES = frozenset(["implicitRules", "language", "meta", "contained", "text"])
PARSER_PRIMITIVES = {
    "bool": "boolean",
    "encodedBytes": "base64Binary",
    "uuidVersion": "uuid",
    "integer64": "unsignedInt",  # sizes of attachments, which are never released
}
# Types that differ only in the permitted length of a text, which does not matter here.
ALIKE = {"markdown": "string"}
Row = tuple[str, ...]


def element_rows() -> Iterator[Row]:
    """Every row of the table: elements of R4, then those that differ in R5, then the log's."""
    old = {row[:2]: row for row in _rows_of("R4B", DATA_TYPES.split(), RESOURCES.split())}
    names = [name for name in RESOURCES.split() if name not in DROPPED_BY_R5]
    new = {
        row[:2]: row
        for row in _rows_of(
            "", [*DATA_TYPES.split(), *DATA_TYPES_OF_R5.split()], names + RESOURCES_OF_R5.split()
        )
    }
    for key, row in old.items():
        yield (*_completed(_for_both(row, new.get(key, row))), "")
    for key, row in new.items():
        if key not in old or _shape(row) != _shape(old[key]):
            yield (*_completed(row), "R5")
    for name, elements in (("BulkLog", LOG), ("BulkLog.eventDetail", LOG_DETAIL)):
        for pair in elements.split():
            element, _, kind = pair.partition("=")
            yield name, element, kind, "", "", "", "", "", ""


def _rows_of(release: str, data_types: Sequence[str], resources: Sequence[str]) -> Iterator[Row]:
    for name in (*data_types, *resources):
        yield from _Walk(release, name, frozenset(data_types)).rows(name, name)


def _shape(row: Row) -> Row:
    return ALIKE.get(row[2], row[2]), row[3]


def _for_both(old: Row, new: Row) -> Row:
    """A row of R4 that also serves R5: required if either says so, with the targets of both."""
    required = old[4] or new[4]
    targets = "|".join(dict.fromkeys(f"{old[6]}|{new[6]}".strip("|").split("|"))) if old[6] else ""
    codes = "|".join(dict.fromkeys(f"{old[7]}|{new[7]}".strip("|").split("|"))) if old[7] else ""
    return (*old[:4], required, old[5], targets, codes)


def _completed(row: Row) -> Row:
    """A row with all codes of its code system, if its short description does not have them."""
    codes = row[7].split("|")
    if MORE not in codes:
        return row
    every = (*codes, *_codes_of(BOUND[f"{row[0]}.{row[1]}"]))
    return (*row[:7], "|".join(dict.fromkeys(code for code in every if code != MORE)))


@cache
def _codes_of(system: str) -> tuple[str, ...]:
    rows = csv.DictReader(LISTS.read_text("utf-8").splitlines())
    (codes,) = (row["codes"] for row in rows if row["list"] == f"http://hl7.org/fhir/{system}")
    return tuple(codes.split("|"))


class _Walk:
    """One type and the backbone elements below it, each of which is named by its first path."""

    def __init__(self, release: str, name: str, data_types: frozenset[str]) -> None:
        package = ".".join(filter(None, ("fhir.resources", release)))
        self._module = importlib.import_module(f"{package}.{name.lower()}")
        self._data_types = data_types
        self._named = {name: name}

    def rows(self, class_name: str, path: str) -> Iterator[Row]:
        below: list[tuple[str, str]] = []
        for name, field in getattr(self._module, class_name).model_fields.items():
            element = field.alias or name
            if _is_common(element, path) or element.startswith("_"):
                continue
            says = field.json_schema_extra or {}
            kind, many = _field_type(field.annotation)
            if hasattr(self._module, kind) and kind not in self._data_types and kind[0].isupper():
                if kind not in self._named:
                    self._named[kind] = f"{path}.{element}"
                    below.append((kind, self._named[kind]))
                kind = self._named[kind]
            required = says.get("element_required") or says.get("one_of_many_required")
            required = required or (field.is_required() and element != "resourceType")
            targets = "|".join(says.get("enum_reference_types", ()))
            flags = ("1" if many else "", "1" if required else "")
            codes = "|".join(says.get("enum_values", ())) if kind == "code" else ""
            yield path, element, kind, *flags, says.get("one_of_many", ""), targets, codes
        for class_below, path_below in below:
            yield from self.rows(class_below, path_below)


def _is_common(element: str, path: str) -> bool:
    if element in ("fhir_comments", "resourceType", "resource_type") or element in COMMON:
        return True
    return element in OF_RESOURCES and path in f"{RESOURCES}{RESOURCES_OF_R5}".split()


def _field_type(annotation: Any) -> tuple[str, bool]:
    """The FHIR type of a field, and whether it is a list of them."""
    many = False
    while True:
        inner = [a for a in typing.get_args(annotation) if a is not type(None)]
        if typing.get_origin(annotation) is list:
            many, annotation = True, inner[0]
        elif hasattr(annotation, "__metadata__"):
            marks = [type(m).__name__ for m in annotation.__metadata__]
            return _primitive(marks, annotation), many
        elif inner:
            annotation = inner[0]
        else:
            name = annotation.__name__
            return PARSER_PRIMITIVES.get(name, name.removesuffix("Type")), many


def _primitive(marks: list[str], annotation: Any) -> str:
    known = [mark for mark in marks if mark[0].isupper() and mark != "FieldInfo"]
    name = known[0] if known else annotation.__origin__.__name__
    name = name[0].lower() + name[1:]
    return PARSER_PRIMITIVES.get(name, name)


def write_elements() -> None:
    """Write the table to `TABLE`."""
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(ELEMENTS_HEADER)
        writer.writerows(element_rows())


if __name__ == "__main__":
    write_elements()
