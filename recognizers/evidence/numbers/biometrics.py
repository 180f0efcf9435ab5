# ruff: noqa: E501 -- a pattern reads best on one line
"""(P) Biometric identifiers: the numbers and hashes of finger, palm, iris, voice and face prints."""

from __future__ import annotations

from recognizers.evidence.rules import ID, Label, Pattern, Rules

BIOMETRIC = "BIOMETRIC_ID"
KINDS = (
    r"finger ?-?prints?|fp|thumb ?-?prints?|thumb|palm(?:[- ]?(?:vein|print))?|hand[- ]geometry|iris|retina(?:l)?(?: (?:scan|reader))?|voice ?-?prints?|voiceprint|"
    r"face ?-?print|facial recognition|face ?id|faceid|gait|biometric|afis|bioid|dna profile|codis|earprint|footprint"
)
THINGS = r"template|tmpl|hash|enrol(?:l?ment|led)?\.?|id|card|class|ref(?:erence)?|tcn|no|number|scan|file|profile|record|key|token|print|login by thumb|at kiosk|unlock|sample|hash|specimen"


class Biometrics(Rules):
    word = "biometrics"
    patterns = (
        Pattern(
            "print and number",
            rf"(?i:\b(?:{KINDS}))(?:[ ,;:(#-]+(?i:{THINGS}|[LR][0-9]?|left|right|index|filed|stored|as|on|for|the|vein|held|is|was|scan|reader|finger))*[ :#(=-]+({ID})",
            BIOMETRIC,
            0.85,
        ),
        Pattern(
            "print file",
            r"\b([\w.-]{2,40}\.(?:wsq|wavprint|iso-fmr|fmd|ansi378|nist|an2|voiceprint|tmpl))\b",
            BIOMETRIC,
            0.95,
        ),
        Pattern(
            "prefixed template",
            r"\b((?:FP|PV|VP|IR|IRX|FPT|FPC|RET|VPR|THB|PALM|IRIS|FACE|LS)[-/_](?:[A-Z]{1,3}[-/_])?[A-Z0-9]*\d[A-Z0-9]*(?:[-/_][A-Za-z0-9]+)*)\b",
            BIOMETRIC,
            0.6,
        ),
        Pattern("dotted hash", r"\b([0-9a-f]{4}(?:-[0-9a-f]{4}){2,7})\b", BIOMETRIC, 0.35),
        Pattern(
            "prefixed words",
            r"\b((?:voiceprint|faceprint|fingerprint|iris|palm|retina)[-_][A-Za-z0-9][A-Za-z0-9_.-]*)\b",
            BIOMETRIC,
            0.85,
        ),
    )
    labels = (
        Label(
            "template",
            r"(?:enrol(?:l?ment)? )?(?:template|tmpl)|afis(?: (?:tcn|ref|no|#))?|biometric(?: id)?",
            BIOMETRIC,
            0.8,
            value=ID,
        ),
    )
