"""Ages over 89, in figures or words, that follow from known birth dates."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from recognizers.known.dates.calendar import number_words, ordinal_words
from recognizers.words.expressions import SHARED

AgeHit = tuple[int, int, str, float]
"""Start and end in the folded text, entity, score."""

_AGE_ORDINALS = ordinal_words()
_AGE_NUMBER_WORDS = number_words()
_NINE_ORDINALS = "|".join(SHARED.texts["ORDINALS"].split("|")[:9])
_AGE = re.compile(
    r"(?<![\w./$-])(?P<n>9\d|1[0-2]\d)(?![\d%/]|\.\d)"
    rf"|\b(?P<w>ninet(?:y|ieth)(?:[\s-]+(?:{SHARED.texts['UNITS']}|{_NINE_ORDINALS}))?"
    rf"|(?:one\s+|a\s+)?hundred(?:th)?(?:\s+and)?(?:[\s-]+(?:{SHARED.texts['UNITS']}|ten|eleven|twelve))?)\b"
    r"|\b(?P<k>nonagenarian|centenarian|nonogenarian)s?\b"
)
_AGE_BEFORE = re.compile(
    r"\b(?:aged?|turn(?:s|ed|ing)?|reach(?:ed|es|ing)?|birthday|years?|banner reads)\W{0,3}"
    r"(?:(?:of|today|now|is|was|at|about|nearly|almost|the)\W{1,2}){0,2}$"
)
_AGE_AFTER = re.compile(
    r"\s?-?\s?(?:y\b|y\.|y/|yo\b|yrs?\b|years?|yr\b|[fm]\b|as of|today|on (?:her|his|their)"
    r"|last (?!dose)|this (?:month|year|week)|next)|(?:st|nd|rd|th)\s+birthday"
)
_QUANTITY_AFTER = re.compile(
    r"[\s-]?(?:%|percent|deg|mg|mcg|min|sec|day|hour|week|month|ml|cc|units?|beats|bpm|pounds?|lbs?|kg|feet|ft|miles?|mm|cm|over|systolic|dollars|times|pills|tab|meq|iu|second|cigar|pack)"
)


def ages_over_89(folded: str, ages: Container[int]) -> Iterator[AgeHit]:
    """Yield the spans of the given ages, where words beside the number mark it as an age."""
    for match in _AGE.finditer(folded):
        after = folded[match.end() : match.end() + 16]
        before = folded[max(0, match.start() - 40) : match.start()]
        if match["k"]:
            yield *match.span(), "AGE_OVER_89", 0.9
            continue
        number = int(match["n"]) if match["n"] else _age_number(match["w"])
        if number not in ages or _QUANTITY_AFTER.match(after):
            continue
        said = _AGE_BEFORE.search(before) or _AGE_AFTER.match(after)
        bracket = before.endswith("(") and after[:1] in {")", ","}
        if match["w"] or said or bracket:
            yield *match.span(), "AGE_OVER_89", 0.9


def _age_number(word: str) -> int:
    words = re.sub(r"[\s-]+", " ", word)
    last = words.split()[-1]
    unit = _AGE_ORDINALS.get(last, _AGE_NUMBER_WORDS.get(last, 0))
    if "hundred" in words:
        return 100 + (0 if last.startswith("hundred") else unit)
    return 90 if last in {"ninety", "ninetieth"} else 90 + unit
