"""The profile of a column (what it seems to be), and the profile for each value shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from recognizers.columns.cells.conformance import conforms
from recognizers.columns.headers import Rule
from recognizers.finding import ENTITIES
from safe_harbor import Identifier

ColumnKind = Literal["identifier", "quasi", "keep", "text", "unsure"]
# What a column is by the shape of most values, if its header does not explain it.
BY_SHAPE: dict[str, tuple[ColumnKind, str, str]] = {
    "email": ("identifier", "EMAIL_ADDRESS", "email"),
    "url": ("identifier", "URL", "url"),
    "ssn": ("identifier", "US_SSN", "ssn"),
    "phone": ("identifier", "PHONE_NUMBER", "phone"),
    "ip": ("identifier", "IP_ADDRESS", "ip"),
    "mac": ("identifier", "MAC_ADDRESS", "ip"),
    "uuid": ("identifier", "OTHER_ID", "key"),
    "oid": ("identifier", "OTHER_ID", "key"),
    "udi": ("identifier", "DEVICE_ID", "device"),
    "coordinates": ("identifier", "COORDINATES", "coordinates"),
    "file": ("identifier", "PHOTO", "file"),
    "zip9": ("quasi", "US_ZIP_CODE", "zip"),
    "date": ("quasi", "DATE_TIME", "date"),
    "state": ("quasi", "US_STATE", "state"),
    "person": ("identifier", "PERSON", "name"),
    "code": ("keep", "", "code"),
}
# Why a column is `unsure` although nothing suggests an identifier.
ANYTHING, MISFITS = "the values are of no known kind", "the values do not fit it"
UNEXPLAINED = "the header is not recognized"
_ENTITY_WORD = {
    "US_STATE": Identifier.PLACES,
    "AGE": Identifier.DATES,
    "BIRTH_DATE": Identifier.DATES,
    "BIRTH_YEAR": Identifier.DATES,
}
_TRANSFORMS = {
    "zip": "zip3",
    "age": "age_cap",
    "age_months": "age_cap",
    "age_weeks": "age_cap",
    "age_days": "age_cap",
    "age_hours": "age_cap",
    "state": "keep_state",
    "date": "year",
    "birth_date": "year",
    "birth_year": "year",
    "year": "year",
    "date_part": "year",
}


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """What a column seems to be. Holds none of its values, so it is safe to print.

    `kind` is `identifier` (removed), `quasi` (generalized), `keep` (identifies no person), `text`
    (searched) or `unsure`. `shape` is more specific: in a kept column, the shape that each cell
    must fit (`may_stay`); otherwise the form (`zip`, `birth_date`, `patient_key`, ...). `role` is
    the role of the person who has the values: "" for the patient. `confidence` is from 0 to 1.
    """

    kind: ColumnKind
    identifier: Identifier | None
    entity: str
    shape: str
    role: str
    confidence: float
    reasons: tuple[str, ...]

    @property
    def transform(self) -> str:
        """The transform for the column in a draft policy; `drop` if the column is `unsure`."""
        if self.kind in ("keep", "text"):
            return self.kind
        if self.kind == "unsure":
            return "drop"
        return _TRANSFORMS.get(self.shape, "tag")

    def may_stay(self, value: str) -> bool:
        """Whether this cell of a kept column may be released unchanged; every cell is
        checked so.
        """
        return self.kind == "keep" and conforms(self.shape, value)


def of_rule(rule: Rule, role: str, confidence: float, *reasons: str) -> ColumnProfile:
    """The profile that the header's rule gives."""
    kind: ColumnKind = rule.kind  # type: ignore[assignment]
    return ColumnProfile(kind, rule.identifier, rule.entity, rule.shape, role, confidence, reasons)


def of_kind(
    kind: ColumnKind, entity: str, shape: str, confidence: float, *reasons: str
) -> ColumnProfile:
    word = None if not entity else ENTITIES.get(entity) or _ENTITY_WORD[entity]
    return ColumnProfile(kind, word, entity, shape, "", confidence, reasons)


def of_shape(shape: str, confidence: float, *reasons: str) -> ColumnProfile:
    """The profile of values of this shape that no header explains."""
    kind, entity, form = BY_SHAPE[shape]
    return of_kind(kind, entity, form, confidence, *reasons, f"the values are of shape {shape}")


def kept_profile(shape: str, confidence: float, *reasons: str) -> ColumnProfile:
    return of_kind("keep", "", shape, confidence, *reasons)


def unsure(*reasons: str) -> ColumnProfile:
    return ColumnProfile("unsure", None, "", "", "", 0.0, reasons)
