"""The request of /analyze: entity types, a threshold, allowed words and the caller's patterns.

The keys are Presidio's: `entities`, `score_threshold`, `allow_list`, `allow_list_match`,
`ad_hoc_recognizers`, `return_decision_process`. `context`, `correlation_id` and `regex_flags` are
ignored: the recognizers weigh context themselves, and nothing is logged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from deid.serving.bounds import (
    LETTERS_PER_WORD,
    STEPS_PER_MATCH,
    BadRequest,
    PatternBudget,
    RequestLimits,
)
from deid.serving.presidio_entities import name_asked_for, supported_entities, with_states
from recognizers import AdHocPattern, Finding

_LARGEST_SCORE = 1e9
_PATTERN_KEYS = frozenset({"name", "regex", "score"})
_OTHER_KEYS = frozenset({"type", "entity_type", "text", "start", "end", "language", "context"})
PatternMatch = tuple[int, int, str, float, str, str | None]
"""Start, end, entity, score, recognizer and the name of its pattern."""


@dataclass(frozen=True, slots=True)
class AnalyzeRequest:
    """One request. Allowed words are values, so no `repr` shows them.

    Raises:
        BadRequest: `...-invalid` for a key with an invalid value, `entities-unknown` for a type
            that no recognizer finds, `...-too-many` and `...-too-long` beyond the limits.
    """

    entities: frozenset[str]
    threshold: float
    allowed: frozenset[str] = field(repr=False)
    allowing: tuple[AdHocPattern, ...] = field(repr=False)
    patterns: tuple[AdHocPattern, ...] = field(repr=False)
    explained: bool

    @classmethod
    def of(cls, body: Mapping[str, Any], bounds: RequestLimits) -> AnalyzeRequest:
        words, match = words_listed(body, "allow_list"), body.get("allow_list_match") or "exact"
        asked = frozenset(words_listed(body, "entities"))
        if match not in ("exact", "regex"):
            raise BadRequest("allow-list-match-invalid")
        given = body.get("ad_hoc_recognizers") or []
        if not isinstance(given, list):
            raise BadRequest("ad-hoc-recognizers-invalid")
        _check_pattern_limits(given, words if match == "regex" else (), bounds)
        _check_names(given, bounds)
        listed_words = [words, *(_list_under(one, "deny_list") for one in given)]
        bounds.check(sum(map(len, listed_words)), bounds.words, "words")
        letters = sum(len(word) for one in listed_words for word in one if isinstance(word, str))
        bounds.check(letters, bounds.words * LETTERS_PER_WORD, "words")
        patterns = tuple(pattern for one in given for pattern in _patterns(one))
        if asked - {*supported_entities(), *(pattern.entity for pattern in patterns)}:
            raise BadRequest("entities-unknown")
        return cls(
            asked,
            _score_threshold(body),
            frozenset(words if match == "exact" else ()),
            tuple(_allowing(words) if match == "regex" else ()),
            patterns,
            bool(body.get("return_decision_process")),
        )

    def matches(self, text: str, budget: PatternBudget) -> list[PatternMatch]:
        """The matches of the request's own patterns.

        Raises:
            BadRequest: `patterns-too-costly`.
        """
        return [
            (start, end, p.entity, p.score, p.source, p.name)
            for p in self.patterns
            for start, end in _pattern_spans(p, text, budget)
        ]

    def results(
        self,
        text: str,
        findings: Sequence[Finding],
        own: Sequence[PatternMatch],
        budget: PatternBudget,
    ) -> list[dict[str, Any]]:
        """The results for one text, in order."""
        named = ((f, name_asked_for(f, text, self.entities)) for f in self._located(text, findings))
        found = [*((f.start, f.end, name, f.score, f.source, None) for f, name in named), *own]
        taken = (one for one in found if self._takes(text[one[0] : one[1]], *one[2:4], budget))
        return [self._result(*one) for one in sorted(taken, key=lambda one: (one[0], -one[1]))]

    def _located(self, text: str, findings: Sequence[Finding]) -> Iterator[Finding]:
        """The findings, with names of states if locations or all types are requested."""
        wanted = not self.entities or "LOCATION" in self.entities
        return with_states(text, findings) if wanted else iter(findings)

    def _takes(self, value: str, entity: str, score: float, budget: PatternBudget) -> bool:
        if not entity or (self.entities and entity not in self.entities):
            return False
        if score < self.threshold:
            return False
        if value in self.allowed:
            return False
        return not any((0, len(value)) in _pattern_spans(p, value, budget) for p in self.allowing)

    def _result(
        self, start: int, end: int, entity: str, score: float, source: str, pattern: str | None
    ) -> dict[str, Any]:
        explained = _explanation(source, pattern, round(score, 4)) if self.explained else None
        return {
            "analysis_explanation": explained,
            "end": end,
            "entity_type": entity,
            "recognition_metadata": {"recognizer_name": source},
            "score": round(score, 4),
            "start": start,
        }


def _pattern_spans(
    pattern: AdHocPattern, text: str, budget: PatternBudget
) -> list[tuple[int, int]]:
    budget.spend(STEPS_PER_MATCH + pattern.steps * len(text))
    return pattern.find(text, lambda: budget.spend(STEPS_PER_MATCH))


def _check_pattern_limits(
    given: Sequence[Any], allowing: Sequence[str], bounds: RequestLimits
) -> None:
    """Check the limits on patterns before any is compiled."""
    patterns = [p for one in given for p in _list_under(one, "patterns")]
    bounds.check(len(given) + len(patterns) + len(allowing), bounds.patterns, "patterns")
    expressions = [*(p.get("regex") for p in patterns if isinstance(p, dict)), *allowing]
    longest = max((len(one) for one in expressions if isinstance(one, str)), default=0)
    bounds.check(longest, bounds.expression, "expression")


def _check_names(given: Sequence[Any], bounds: RequestLimits) -> None:
    """Check the limits on the names that every result repeats."""
    patterns = [pattern for one in given for pattern in _list_under(one, "patterns")]
    named = [one for one in (*given, *patterns) if isinstance(one, dict)]
    names = [one.get(key) for one in named for key in ("supported_entity", "name")]
    longest = max((len(name) for name in names if isinstance(name, str)), default=0)
    bounds.check(longest, bounds.name, "name")


def _list_under(one: Any, key: str) -> Sequence[Any]:
    found = one.get(key) if isinstance(one, dict) else None
    return found if isinstance(found, list) else ()


def _explanation(source: str, pattern: str | None, score: float) -> dict[str, Any]:
    """The recognizer of a finding. Its context words are patient data and are not shown."""
    return {
        "original_score": score,
        "pattern": None,
        "pattern_name": pattern,
        "recognizer": source,
        "regex_flags": None,
        "score": score,
        "score_context_improvement": 0,
        "supportive_context_word": "",
        "textual_explanation": None,
        "validation_result": None,
    }


def _score_threshold(body: Mapping[str, Any]) -> float:
    threshold = body.get("score_threshold") or 0.0
    if isinstance(threshold, bool) or not isinstance(threshold, int | float):
        raise BadRequest("score-threshold-invalid")
    # Python's JSON accepts NaN, and integers too large for a float. No score is below NaN.
    if not abs(threshold) <= _LARGEST_SCORE:
        raise BadRequest("score-threshold-invalid")
    return float(threshold)


def words_listed(body: Mapping[str, Any], key: str) -> Sequence[str]:
    """The words of a list; none if the key is absent."""
    words = body.get(key) or []
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise BadRequest(f"{key.replace('_', '-')}-invalid")
    return words


def _allowing(words: Sequence[str]) -> list[AdHocPattern]:
    try:
        return [AdHocPattern("", "", word, 1.0) for word in words]
    except ValueError:
        raise BadRequest("allow-list-invalid") from None


def _patterns(one: Any) -> list[AdHocPattern]:
    """A recognizer in the form of Presidio's `PatternRecognizer.from_dict`."""
    try:
        entity, source = one["supported_entity"], one.get("name") or "ad_hoc"
        if one.get("supported_language", "en") != "en" or not _all_text(entity, source):
            raise ValueError
        found = [
            AdHocPattern(entity, source, p["regex"], _score(p["score"]), p.get("name") or "")
            for p in one.get("patterns") or []
        ]
        words = words_listed(one, "deny_list")
        if words:
            score = _score(one.get("deny_list_score", 1.0))
            found.append(AdHocPattern.of_words(entity, source, words, score))
    except (ValueError, TypeError, KeyError, AttributeError, BadRequest):
        raise BadRequest("ad-hoc-recognizers-invalid", key=_misplaced_key(one)) from None
    if not found:
        raise BadRequest("ad-hoc-recognizers-invalid")
    return found


def _misplaced_key(one: Any) -> str:
    """The first key of a pattern that belongs elsewhere in this interface; "" without one."""
    patterns = [pattern for pattern in _list_under(one, "patterns") if isinstance(pattern, dict)]
    keys = (key for pattern in patterns for key in pattern if key not in _PATTERN_KEYS)
    return next((key for key in keys if key in _OTHER_KEYS), "")


def _score(value: Any) -> float:
    if isinstance(value, bool) or not 0 <= value <= 1:
        raise ValueError
    return float(value)


def _all_text(*values: Any) -> bool:
    return all(isinstance(value, str) and value for value in values)
