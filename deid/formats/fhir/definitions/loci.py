"""Finds the locus of a path: by the path, its data type or its primitive type."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from deid.formats.fhir.definitions.element_types import Element
from deid.vocabularies.locus import Locus, LocusTable
from recognizers import ColumnProfile

# The person or party that a resource or part is about. A part that is not listed here has the role
# of the part around it; a resource that is not listed is about the patient.
_RESOURCE_ROLES = {
    "RelatedPerson": "relative",
    "Patient.contact": "contact",
    "Practitioner": "provider",
    "PractitionerRole": "provider",
    "Organization": "provider",
    "OrganizationAffiliation": "provider",
    "Location": "provider",
    "HealthcareService": "provider",
    "InsurancePlan": "provider",
    "Endpoint": "provider",
    "MessageHeader": "provider",
    "Account.guarantor": "guarantor",
}
_OWNERS = ("Patient.", "Person.")
_UNSURE_PROFILE = ColumnProfile(
    "unsure", None, "", "", "", 0.0, ("this part of FHIR is never released",)
)


@cache
def table() -> LocusTable:
    """The locus table of the format."""
    return LocusTable.read("deid.formats.fhir.definitions")


def role_below(path: str, above: str) -> str:
    """The role of the values below this path, given the role above."""
    return _RESOURCE_ROLES.get(path, above)


@cache
def locus_of(path: str, owner: str, element: Element, qualifier: str, role: str) -> Locus:
    """The locus in the table of a primitive element at `path` of a type `owner`.

    `qualifier` comes from neighboring values: the kind of an identifier, the target of a reference,
    or `published` for a code of a published system.
    """
    names = (path, f"{owner}.{element.name}", element.kind)
    candidates = (*(f"{name}[{qualifier}]" for name in names if qualifier), *names)
    locus = next((hit for c in candidates if (hit := table().find(c)) is not None), None)
    shown = f"{path}[{qualifier}]" if qualifier else path
    if locus is None:
        return withheld(shown)
    return Locus(shown, _whose(locus.profile, path, qualifier, role), locus.part)


@cache
def locus_named(path: str, name: str, role: str = "") -> Locus:
    """The locus of `path`, from the table row `name`."""
    locus = table().find(name)
    if locus is None:
        return withheld(path)
    return Locus(path, _whose(locus.profile, path, "own", role), locus.part)


@cache
def withheld(path: str) -> Locus:
    """The locus of content that is never released; its path holds no value."""
    return Locus(path, _UNSURE_PROFILE)


def _whose(profile: ColumnProfile, path: str, qualifier: str, role: str) -> ColumnProfile:
    if profile.shape == "patient_key" and qualifier != "own" and not path.startswith(_OWNERS):
        profile = replace(profile, shape="key")
    if not profile.role and qualifier != "own" and profile.kind in ("identifier", "quasi"):
        return replace(profile, role=role)
    return profile
