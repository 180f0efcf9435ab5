"""Terms that terminologies build by a grammar; words of the grammar need not be on a list.

LOINC: component, property in brackets, system, method. RxNorm: ingredients with strengths, and a
dose form. All other words must be on a list and must not be a person's name.
"""

from __future__ import annotations

import re
from functools import lru_cache

from deid.vocabularies import is_known_word
from recognizers import is_listed, is_told_of_somebody, may_be_somebody

_TERM_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LONGEST_TERM = 200
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


@lru_cache(maxsize=1 << 14)
def is_term_by_grammar(text: str) -> bool:
    """Whether a text has the form of a LOINC or RxNorm term and no word that may be a name."""
    if len(text) > _LONGEST_TERM or may_be_somebody(text) or is_told_of_somebody(text):
        return False
    loinc = _PROPERTY.search(text) or (_SYSTEM.search(text) and " " in text)
    if not loinc and not (_STRENGTH.search(text) and _DOSE_FORM.search(text)):
        return False
    words = _TERM_WORD.findall(text)
    long = [word for word in words if len(word) > 2]
    known = all(is_known_word(word) or is_listed("form", word) for word in long)
    return known and not any(map(may_be_somebody, (w for w in words if w in long or w.istitle())))
