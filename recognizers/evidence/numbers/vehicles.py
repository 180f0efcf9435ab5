# ruff: noqa: E501 -- a pattern reads best on one line
"""(L) Vehicle identifiers: VIN, licence plates, tail and hull numbers."""

from __future__ import annotations

import re

from recognizers.evidence.context import Context
from recognizers.evidence.numbers.licenses import STATES
from recognizers.evidence.rules import Label, Pattern, Rules
from recognizers.words import gazetteers

VEHICLE = "VEHICLE_ID"
VALUES = dict(
    zip(
        "ABCDEFGHJKLMNPRSTUVWXYZ",
        [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9],
        strict=True,
    )
)
WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
CARS = (
    r"car|truck|van|suv|pickup|sedan|tractor|trailer|motorcycle|bike|vehicle|jeep|camry|corolla|civic|accord|silverado|f-?[123]50|"
    r"ram|tacoma|tahoe|explorer|escape|highlander|rav4|cr-?v|outback|forester|subaru|toyota|honda|ford|chevy|chevrolet|gmc|kia|hyundai|"
    r"nissan|altima|sentra|malibu|impala|dodge|chrysler|buick|bmw|audi|tesla|mazda|vw|volkswagen|jetta|prius|equinox|sienna|odyssey|wrangler"
)


def vin(value: str) -> float:
    """49 CFR 565.15(c): the ninth place is the weighted sum of the others modulo 11."""
    code = value.upper()
    if len(code) != 17:
        return 0.0
    total = sum(
        w * (int(c) if c.isdigit() else VALUES.get(c, 0))
        for w, c in zip(WEIGHTS, code, strict=True)
    )
    return 0.3 if "0123456789X"[total % 11] == code[8] else 0.0


# What stands behind an hour or a sharpness of sight: `OR 0730 AM`, `VA 2025 OS`.
NO_HULL = ("AM", "PM", "OD", "OS", "OU", "GI", "GU", "HR")
# Levels of the spine that a plate holds, hours that a culture plate stands.
BONES = re.compile(r"[CTLS]?\d{1,2}[ -][CTLS]?\d{1,2}")


def mixed(value: str) -> bool:
    return any(c.isdigit() for c in value)


def plated(value: str) -> bool:
    """Digits, and neither a length of a bone plate nor a level of the spine."""
    return mixed(value) and not re.fullmatch(r"\d{1,2}(?:\.\d)?|[CTLS]\d{1,2}", value)


LABELS_LISTED = "ref lot mrn dob ssn acc npi dea ndc icd cpt bop exp ser rev qty mod fig vol rxn"
LABELS = frozenset(LABELS_LISTED.split())


def platelike(value: str) -> float:
    """Letters that are a field's label or a short form of the clinic speak against a plate."""
    letters = re.sub(r"[^a-z]", "", value.lower())
    return -0.6 if letters in LABELS or gazetteers.clinical_word(letters) else 0.0


PLATE = r"(?:[A-Z]{2} )?[A-Z0-9]{1,4}(?:[ .-]{1,3}[A-Z0-9]{1,5}){0,2}"


class Vehicles(Rules):
    word = "vehicles"
    around = Context(left=r"\bvin\b|plate|\btag\b|vehicle")
    patterns = (
        Pattern(
            "vin",
            r"\b([A-HJ-NPR-Z0-9]{8}[0-9X][A-HJ-NPR-Z0-9]{2}\d{2}[0-9A-Z]{1}\d{3})\b",
            VEHICLE,
            0.6,
            check=vin,
        ),
        Pattern(
            "shape of a plate",
            r"\b([A-Z]{3}[ -]?\d{3,4}|\d{3}[ -]?[A-Z]{3})\b",
            VEHICLE,
            0.3,
            check=platelike,
            context=Context(
                left=rf"\b(?:his|her|their|{CARS})\b[^.\n]{{0,14}}$",
                right=rf"[ ,(]{{1,3}}(?:\w+ )?(?:{CARS}|wagon|still|goes|parked)\b",
                width=24,
            ),
        ),
        Pattern(
            "tail number",
            r"\b(?:tail|aircraft|helo|helicopter|a/c)\b[^\n]{0,20}\b(N\d{1,5}[A-Z]{0,2})\b",
            VEHICLE,
            0.9,
        ),
        Pattern(
            "tail number beside an aircraft",
            r"(?i:\b(?:lear(?:jet)?|charter|king ?air|pilatus|pc-?12|cessna|caravan|citation|beech(?:craft)?|bell ?\d{3}|ec-?\d{3}|aw ?\d{3}|fixed[- ]wing|rotor|aircraft|jet|plane|tail|ship)[ ,:#]{1,3})(N ?\d{1,4} ?[A-Z]{1,2}|N\d{3,5})\b",
            VEHICLE,
            0.92,
        ),
        Pattern(
            "tail number before a pilot",
            r"\b(N\d{1,4}[A-Z]{1,2}|N\d{4,5}),? (?i:pilot|capt\b|captain|eta|lands?|wheels)",
            VEHICLE,
            0.92,
        ),
        Pattern(
            "short label, state and plate",
            rf"\b(?i:pl|plt|lp|plate|tag|van|truck|car|bus)[.:#]? ((?:STATE|{STATES}) (?:[A-Z0-9]{{2,4}}[ -][A-Z0-9]{{2,4}}(?: [A-Z0-9]{{1,2}})?|\d{{1,2}} \d{{4}} ?[A-Z]{{0,2}}))\b",
            VEHICLE,
            0.92,
            check=lambda v: 0.0 if mixed(v) else -0.9,
        ),
        Pattern(
            "car, state and plate",
            rf"(?i)\b(?:{CARS}|boat|skiff|sled|hearse|moped|scooter|charger|kenworth|rv|camper|bus|cab|taxi|rig|snowmobile|atv|utv|bronco|plates?|tag|placa)(?: reg)?[,:.]? {{1,2}}((?-i:(?:{STATES}) {{1,2}}[A-Z0-9]{{1,4}}[ -]?[A-Z0-9]{{1,5}}(?: [A-Z]{{1,2}})?))\b",
            VEHICLE,
            0.92,
            check=lambda v: 0.0 if mixed(v) else -0.95,
        ),
        Pattern(
            "number of a boat",
            rf"\b((?:{STATES})[ -]?(?:0\d|1[0-8]|[2-9]\d)\d\d[ -]?[A-Z]{{2}})\b",
            VEHICLE,
            0.92,
            check=lambda v: -0.5 if v.endswith(NO_HULL) else 0.0,
        ),
        Pattern(
            "plate of somebody's car",
            r"(?i)\b(?:placas?|tablilla|plates?|tag)(?: (?:del?|of|on|for|la|el|his|her|their|the|hijo|hija|carro|car|truck|coche|auto|camioneta|son'?s?|daughter'?s?)\b){1,6}[ :]{1,2}((?-i:[A-Z0-9]{2,4}[ -][A-Z0-9]{2,4}|[A-Z]{2,4}\d{2,4}|\d{1,3}[A-Z]{2,3}\d{0,3}))\b",
            VEHICLE,
            0.92,
            check=lambda v: 0.0 if mixed(v) and not BONES.fullmatch(v) else -0.95,
        ),
        Pattern(
            "tail number of a helicopter",
            r"(?i)\b(?:helo|helicopter|heli|life ?flight|air ?med|medevac) ((?-i:N\d{1,5}[A-Z]{0,2}))\b",
            VEHICLE,
            0.92,
        ),
        Pattern(
            "car, then plate in brackets",
            rf"(?i:\b(?:{CARS}))[ ]?\((?:(?i:plate|tag|lic)[ #:]*)?((?-i:{PLATE}))[,)]",
            VEHICLE,
            0.6,
            check=lambda v: 0.2 if mixed(v) and len(v) > 4 else -0.6,
        ),
        Pattern(
            "car and plate",
            rf"(?i:\b(?:{CARS}))[, ]+((?-i:[A-Z]{{2,3}}[ -]?\d{{3,4}}|\d[A-Z]{{3}}\d{{3}}|\d{{3,4}}[ -]?[A-Z]{{2,3}}))\b",
            VEHICLE,
            0.7,
        ),
    )
    labels = (
        Label(
            "plate",
            r"(?:lic(?:en[cs]e)?\.? |temp(?:orary)? |trlr |trailer |truck |van |car )?plates?(?: (?:no|number|#|reads))?|lic plate|placas?|"
            r"(?:his |her |vanity |truck |boat |car )?tag(?: (?:no|number|#))?|placard(?: (?:no|#))?|medallion|registration plate|hull(?: (?:no|id))?|hin|vessel doc(?: no)?|usdot",
            VEHICLE,
            0.9,
            value=PLATE,
            keep=plated,
        ),
        Label(
            "vin",
            r"vin(?: (?:no|number|#|ends|ending))?|vehicle id(?:entification)?(?: (?:no|number))?",
            VEHICLE,
            0.95,
            value=r"[A-HJ-NPR-Za-z0-9][A-HJ-NPR-Za-z0-9 -]{4,20}[A-Za-z0-9]",
            keep=mixed,
        ),
        Label(
            "vehicle",
            r"veh(?:icle)?(?: (?:no|number|#))?|unit veh|fleet (?:no|#)|tail(?: (?:no|number|#))?\.?|hull id|rig (?:no|#)",
            VEHICLE,
            0.8,
            value=r"[A-Z]{0,3}-?\d[A-Z0-9-]{2,}",
            keep=mixed,
        ),
    )
