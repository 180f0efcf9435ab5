# ruff: noqa: E501 -- a pattern reads best on one line
"""(M) Device identifiers: serial and lot numbers, UDI. A model is a product and stays."""

from __future__ import annotations

from recognizers.rules import Label, Pattern, RuleRecognizer

DEVICE = "DEVICE_ID"
CODE = (
    r"(?:[A-Z]{1,5}[-/ ])?[A-Za-z0-9]*\d[A-Za-z0-9]*(?:[-/._ ][A-Z0-9]*\d[A-Z0-9]*)*(?:-[A-Z0-9]+)*"
)
WORDS = (
    r"(?-i:S/?N)|(?-i:s/n)|sn(?:[:#=])|ser(?:ial)?\.?(?: ?(?:no|number|#|num)\.?)?|lots?(?: ?(?:no|number|#|code)\.?)?|batch(?: (?:no|#))?|udi(?:-[dp]i)?|"
    r"ref/lot|gtin|imei|device (?:id|no|number|serial)|implant (?:id|no|serial)|pump (?:id|no|serial|sn)|unit s/?n|"
    r"asset(?: (?:tag|id|no|#))?|equip(?:ment)? (?:id|no|#)|generator sn|pg sn|ipg sn|lead sn|sensor (?:sn|id)|transmitter(?: (?:sn|id))?|cylinder (?:no|#)|"
    r"concentrator (?:no|#|sn)|vent(?:ilator)? (?:no|sn)|machine (?:no|#|id|sn)|ae title|mfr (?:sn|lot)|exp/lot|lot/exp|lot/serial|serial/lot|numero de serie|pump_sn|pod lot|controller(?: primary)?|backup|rental ?#?|tracker"
)


VACCINES = (
    r"(?:D?Tap|DTaP|Tdap|TDAP|DTAP|Td|Hep ?[AB]|HEP ?[AB]|HepA-?HepB|Hib|HIB|IPV|OPV|MMR|MMRV|VAR|Varicella|PCV ?\d{0,2}|PPSV ?\d{0,2}|RV[15]?|RSV|HPV ?9?|"
    r"MenACWY|MenB|MCV4|Flu|FLU|IIV4?|LAIV|COVID(?:-19)?|Zoster|RZV|JYNNEOS|Rabies|Typhoid|BCG|Shingrix|Prevnar(?: ?\d\d)?|Pneumovax|Vaxneuvance|Capvaxive|Pediarix|Pentacel|"
    r"Vaxelis|Kinrix|Quadracel|ProQuad|Menveo|MenQuadfi|Bexsero|Trumenba|Gardasil(?: ?9)?|Havrix|Vaqta|Engerix|Recombivax|Heplisav|Twinrix|Rota[Tt]eq|Rotarix|Infanrix|Daptacel|Boostrix|"
    r"Adacel|Tenivac|Fluzone|FluLaval|Fluarix|Flucelvax|Afluria|Flublok|FluMist|Varivax|ActHIB|PedvaxHIB|Hiberix|Comirnaty|Spikevax|Novavax|Beyfortus|Synagis|Arexvy|Abrysvo|Ixiaro)"
)
# Vaccine, perhaps site and dose, then the lot: a row of a table of shots has no word for it.
VACCINE_ROW = rf"\b{VACCINES}(?: ?#\d| \d)?(?:[ \t|,;:-]+(?:[LR]|[LR]T|left|right|thigh|arm|delt(?:oid)?|[LR][ ]?(?:thigh|arm|delt(?:oid)?|VL)|IM|SC|SQ|PO|0\.\d+ ?m[lL]|given|dose|\d|[LR]VL|[LR]D)){{0,4}}[ \t|,;:-]+([A-Z0-9]{{4,11}})\b"


def lotlike(value: str) -> float:
    """Evidence in the mix of letters and digits; a year or a word is no lot."""
    digits = sum(c.isdigit() for c in value)
    mixed = 2 <= digits < len(value)
    return 0.0 if mixed else -0.92 if digits < 5 else -0.1


class Devices(RuleRecognizer):
    word = "devices"
    patterns = (
        # GS1 application identifiers: 01 GTIN, 11/17 dates, 10 lot, 21 serial; HIBCC begins with +.
        Pattern(
            "udi", r"(\(01\)[ ]?\d{14}(?:[ ]?\(\d{2}\)[ ]?[A-Za-z0-9.-]{1,20})*)", DEVICE, 0.97
        ),
        Pattern(
            "udi without brackets",
            r"\b(01\d{14}(?:1[17]\d{6})(?:(?:10|21)[A-Za-z0-9]{2,20})*)\b",
            DEVICE,
            0.8,
        ),
        Pattern(
            "hibcc",
            r"(\+[A-Z]\d{3}[A-Z0-9]{2,18}(?:/\$*\+?[A-Z0-9]{4,}(?:/[A-Z0-9]+)*)?)",
            DEVICE,
            0.7,
        ),
        Pattern(
            "second of a pair",
            r"(?i:\b(?:lots?|serials?|sn)) ?#?[A-Z0-9-]*\d[A-Z0-9-]* ?(?:and|&|,|/|\+) ?((?-i:[A-Z]{0,3}-?\d[A-Z0-9-]{3,}))\b",
            DEVICE,
            0.7,
        ),
        Pattern("lot of a vaccine's row", VACCINE_ROW, DEVICE, 0.92, check=lotlike),
        Pattern("imei", r"(?i)\bimei\b[ :#]*(\d{2}[- ]?\d{6}[- ]?\d{6}[- ]?\d)\b", DEVICE, 0.97),
    )
    labels = (Label("serial or lot", WORDS, DEVICE, 0.9, value=CODE, keep=lambda v: len(v) > 2),)
