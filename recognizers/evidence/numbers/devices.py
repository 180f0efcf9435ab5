# ruff: noqa: E501 -- a pattern reads best on one line
"""(M) Device identifiers: serial and lot numbers, UDI. A model is a product and stays."""

from __future__ import annotations

import re
from collections.abc import Iterator

from recognizers.evidence.rules import Hit, Label, Pattern, Rules, matches
from recognizers.text.normalized_text import NormalizedText
from recognizers.text.shapes import SPOKEN_ID, read_out

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
    # `RV` without its valences is the lead in the right ventricle.
    r"(?:D?Tap|DTaP|Tdap|TDAP|DTAP|Td|Hep ?[AB]|HEP ?[AB]|HepA-?HepB|Hib|HIB|IPV|OPV|MMR|MMRV|VAR|Varicella|PCV ?\d{0,2}|PPSV ?\d{0,2}|RV[15]|RSV|HPV ?9?|"
    r"MenACWY|MenB|MCV4|Flu|FLU|IIV4?|LAIV|COVID(?:-19)?|Zoster|RZV|JYNNEOS|Rabies|Typhoid|BCG|Shingrix|Prevnar(?: ?\d\d)?|Pneumovax|Vaxneuvance|Capvaxive|Pediarix|Pentacel|"
    r"Vaxelis|Kinrix|Quadracel|ProQuad|Menveo|MenQuadfi|Bexsero|Trumenba|Gardasil(?: ?9)?|Havrix|Vaqta|Engerix|Recombivax|Heplisav|Twinrix|Rota[Tt]eq|Rotarix|Infanrix|Daptacel|Boostrix|"
    r"Adacel|Tenivac|Fluzone|FluLaval|Fluarix|Flucelvax|Afluria|Flublok|FluMist|Varivax|ActHIB|PedvaxHIB|Hiberix|Comirnaty|Spikevax|Novavax|Beyfortus|Synagis|Arexvy|Abrysvo|Ixiaro)"
)
# Vaccine, perhaps site and dose, then the lot: a row of a table of shots has no word for it.
VACCINE_ROW = rf"\b{VACCINES}(?: ?#\d| \d)?(?:[ \t|,;:-]+(?:[LR]|[LR]T|left|right|thigh|arm|delt(?:oid)?|[LR][ ]?(?:thigh|arm|delt(?:oid)?|VL)|IM|SC|SQ|PO|0\.\d+ ?m[lL]|given|dose|\d|[LR]VL|[LR]D)){{0,4}}[ \t|,;:-]+([A-Z0-9]{{4,11}})\b"


def serial(value: str) -> bool:
    """Three characters at least; no visits of a nurse (`SN 3w4`), no hour and figure of a log."""
    if re.fullmatch(r"(?i)\d{1,2}x?(?:w|wk|mo?)\d{1,2}|(?:[01]\d|2[0-3])[0-5]\d \d{1,2}", value):
        return False
    return len(value) > 2


def lotlike(value: str) -> float:
    """Evidence in the mix of letters and digits; a year or a word is no lot."""
    if re.fullmatch(VACCINES, value):
        return -0.92
    digits = sum(c.isdigit() for c in value)
    mixed = 2 <= digits < len(value)
    return 0.0 if mixed else -0.92 if digits < 5 else -0.1


def mixed_serial(value: str) -> float:
    """Evidence against words and figures: a transmitter's number mixes letters and two digits."""
    digits = sum(map(str.isdigit, value))
    return 0.0 if 2 <= digits < len(value) and not re.fullmatch(r"\d+[A-Z]+", value) else -0.92


def long_serial(value: str) -> float:
    """Evidence against models and codes: a serial has six figures at least."""
    return 0.0 if sum(map(str.isdigit, value)) > 5 else -0.92


def coded(value: str) -> float:
    """Evidence against words: `code BLUE`, `sensor code UNKNOWN`."""
    return 0.0 if sum(map(str.isdigit, value)) > 1 else -0.92


class Devices(Rules):
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
        Pattern(
            "batch number",
            r"\bBN[ :#]{1,2}([A-Z0-9]*\d[A-Z0-9]*(?:-[A-Z0-9]+)*)\b",
            DEVICE,
            0.92,
            check=lambda v: 0.0 if len(v) > 3 else -0.9,
        ),
        Pattern(
            "tray of instruments",
            r"(?i)\btrays? #?((?-i:\d{3,}-?[A-Z0-9]*))\b",
            DEVICE,
            0.92,
            after="/.:",
        ),
        Pattern(
            "second tray",
            r"(?i)\btrays? #?\d{3,}-?[A-Z0-9]* ?(?:and|&|,|/) ?((?-i:\d{3,}-?[A-Z0-9]*))\b",
            DEVICE,
            0.92,
            after="/.:",
        ),
        Pattern(
            "serial in Spanish",
            r"\b(?:SERIE|[Ss]erie)[ :#.]{1,4}((?:[A-Z]{1,3} )?[A-Z0-9-]*\d[A-Z0-9-]{3,})\b",
            DEVICE,
            0.92,
        ),
        Pattern(
            "read out",
            rf"(?i)\b(?:lot|serial|batch)(?: (?:number|no|code|is|was|of))*[ ,:]+({SPOKEN_ID})\b",
            DEVICE,
            0.92,
            check=read_out,
        ),
        # Medtronic and others: three letters, six digits, a letter.
        Pattern("serial of an implant", r"\b([A-Z]{3} ?\d{6}[A-Z])\b", DEVICE, 0.92),
        # A model has fewer figures: `ICD D150-403318`, not `ICD D150`.
        Pattern(
            "serial beside an implant",
            r"\b(?:S-?ICD|ICD|AICD|PPM|CRT-?[DP]|ILR|IPG|VNS|DBS|SCS|LVAD|(?i:pacemaker|pacer|generator|loop recorder|neurostimulator|stimulator|defibrillator))[,:]? ([A-Z]{1,4}-?\d[A-Z0-9]*(?:-[A-Z0-9]+)*)\b",
            DEVICE,
            0.92,
            after="0-9/.%",
            check=long_serial,
        ),
        Pattern(
            "wearer's transmitter",
            r"\b(?i:dexcom|libre|cgm|guardian|omnipod|pod|transmitter|xmitter|sensor)(?: (?i:g[67]|g7|[23]|tx|xmitter|transmitter|sensor|code|id|no\.?))?[ :#]{1,2}([A-Z0-9]{6,14})\b",
            DEVICE,
            0.92,
            after="0-9A-Za-z/-",
            check=mixed_serial,
        ),
        # The code printed on a sensor that pairs it with its reader.
        Pattern(
            "code of a sensor",
            r"(?i)\b(?:sensor|transmitter|xmitter|applicator|pairing|pump|pdm|pod|receiver|dexcom|cgm|libre|g[67])(?:'s)?(?: (?:placed|applied|changed|inserted|on \w+))?,? ?\(?(?:access |pairing |pair |unlock |serial )?(?:code|pin|passcode)(?: (?:is|was|no\.?|number|#))?[ :#=]{1,3}((?-i:[A-Z0-9]{4,8}))\b",
            DEVICE,
            0.92,
            after="/.:%",
            check=coded,
        ),
        Pattern("imei", r"(?i)\bimei\b[ :#]*(\d{2}[- ]?\d{6}[- ]?\d{6}[- ]?\d)\b", DEVICE, 0.97),
    )
    labels = (Label("serial or lot", WORDS, DEVICE, 0.9, value=CODE, keep=serial),)

    def hits(self, page: NormalizedText) -> Iterator[Hit]:
        """Without the angles of a cephalogram: `U1-SN 108`."""
        for hit in super().hits(page):
            if not CEPHALOGRAM.search(page.left(hit.start, 8)):
                yield hit

    def more(self, page: NormalizedText) -> Iterator[Hit]:
        """Every one of `lots 4471A, 4471B and 4472`, not the first two alone."""
        for start, end in matches(LOTS_IN_A_ROW, page):
            for match in LOT.finditer(page.text, start, end):
                yield Hit(*match.span(), DEVICE, 0.92, "lot in a row")


CEPHALOGRAM = re.compile(r"[A-Z]\d?-SN[ :=]*$")
# Lots differ from counts and doses: four places at least, with digits among them.
LOT = re.compile(r"[A-Z0-9-]*\d[A-Z0-9-]*")
LOTS_IN_A_ROW = r"(?i:\b(?:lots?|serials?|s/?ns?)) ?#?:? ?((?:[A-Z0-9-]{4,14}(?: \([^)\n]{1,20}\))?(?:,? (?:and|&) |, ?| ?/ ?|; ?)){1,8}[A-Z]{0,4}-?\d[A-Z0-9-]{3,13})\b"
