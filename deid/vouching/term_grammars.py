"""Terms that terminologies build by a grammar; words of the grammar need not be on a list.

LOINC: component, property in brackets, system, method. RxNorm: ingredients with strengths, and a
dose form. All other words must be on a list and must not be a person's name.
"""

from __future__ import annotations

import re

from deid.vocabularies.wording import TERM, names_nobody

_PROPERTY = re.compile(
    r"\[(?:(?:Log )?(?:Mass|Moles|#|Entitic \w+|Enzymatic activity|Catalytic activity|Units|Volume|"
    r"Arbitrary|Osmolality|Pressure|Presence|Ratio|Time|Titer|Type|Identifier|Interpretation|"
    r"Threshold|Partial pressure|Susceptibility|Length|Area|Velocity|Number|Score|Mass Ratio|"
    r"Molar ratio|Morphology|Appearance|Color|Finding|Likelihood|Percentile|Temperature|"
    r"Volume Rate)"
    r"(?:[/ ](?:volume|mass|time|area|Time|volume|units?|moles|creatinine|[a-z]+))*)\]"
)
_SYSTEM = re.compile(
    r" (?:in|of) (?:(?:Arterial|Venous|Capillary|Mixed venous|Cord|Whole) )?"
    r"(?:blood|serum(?:,? (?:or )?plasma(?: or blood)?)?|plasma|urine(?: sediment)?|stool|"
    r"cerebral spinal fluid|body fluid|specimen|red blood cells|leukocytes|sputum|saliva|tissue)\b",
    re.IGNORECASE,
)
_STRENGTH = re.compile(
    r"\d+(?:\.\d+)? ?(?:MG|MCG|UG|G|ML|MEQ|UNT|IU|MMOL|ACTUAT|HR|%)(?:/(?:ML|HR|ACTUAT|MG|L))?\b"
)
_DOSE_FORM = re.compile(
    r"(?:Oral|Topical|Injectable|Nasal|Ophthalmic|Otic|Rectal|Vaginal|Buccal|Sublingual|"
    r"Inhalation|Transdermal|Metered Dose|Dry Powder|Prefilled|Delayed Release|Extended Release|"
    r"Chewable)\b.*\b"
    r"(?:Tablet|Capsule|Solution|Suspension|Cream|Ointment|Gel|Lotion|Foam|Spray|Inhaler|Powder|"
    r"System|Patch|Syringe|Suppository|Product|Granules|Drops|Lozenge|Film)\b|\bInjection\b|\bPack\b"
)


def is_term_by_grammar(text: str) -> bool:
    """Whether a text has the form of a LOINC or RxNorm term and no word that may be a name."""
    loinc = _PROPERTY.search(text) or (_SYSTEM.search(text) and " " in text)
    formed = loinc or (_STRENGTH.search(text) and _DOSE_FORM.search(text))
    return bool(formed) and names_nobody(text, TERM)
