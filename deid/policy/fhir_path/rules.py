"""Read a `fhirPathRules` configuration as the content of a policy, with a line for each rule.

The policy that the result extends decides about elements that no rule names. A configuration that
keeps such elements therefore releases no more than Safe Harbor allows. The keys in a configuration
are not used.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from deid.errors import DeidError
from deid.formats.fhir.definitions.element_types import resource_types
from deid.policy.fhir_path.element_paths import SelectedPath, selected_paths
from deid.policy.fhir_path.selectors import Selector, parse_selector
from deid.policy.inheritance import Content
from deid.vocabularies.locus import Locus
from safe_harbor import Identifier

FHIR_PATH_RULES = "fhirPathRules"
_REASON = "fhirPathRules, rule {}"
_MadeRule = dict[str, Any]

_CASE_LIST = re.compile(r"\$this\s+in\s+\((?P<in>.+)\)|\((?P<contains>.+)\)\s+contains\s+\$this")
_EQUAL = re.compile(r"\$this\s*=\s*(?P<equal>'[^']*')")
_CASE_TEXT = re.compile(r"'([^']*)'")


@dataclass(frozen=True, slots=True)
class ReadRule:
    """One rule as it was read: what it does, and the number of element paths that it decides."""

    number: int
    path: str = field(repr=False)
    method: str
    becomes: str
    paths: int = 0


@dataclass(frozen=True, slots=True)
class ReadConfiguration:
    """The policy content of a configuration, and its rules one by one."""

    content: dict[str, Any] = field(repr=False)
    rules: tuple[ReadRule, ...]


def read_configuration(config: Content) -> ReadConfiguration:
    """Read a configuration.

    Raises:
        DeidError: `fhir-path-unread`, with every rule that cannot be read, by number.
    """
    given = config.get(FHIR_PATH_RULES)
    if not isinstance(given, list) or not all(_is_rule(rule) for rule in given):
        raise DeidError(
            "fhir-path-unread", "`fhirPathRules` must be a list of rules with `path` and `method`"
        )
    parameters = config.get("parameters")
    partial = _Partial.of(parameters if isinstance(parameters, Mapping) else {})
    selectors, makers, faults = [], [], []
    for number, rule in enumerate(given, 1):
        try:
            selectors.append(_selector(rule))
            makers.append(_maker(rule, partial))
        except _Unread as unread:
            faults.append(f"rule {number}: {unread}")
    if faults:
        raise DeidError(
            "fhir-path-unread",
            f"some rules cannot be read: {'; '.join(faults)}",
            hint="change or remove them; the FHIR guide lists the rules that can be read",
        )
    columns, counts = _column_rules(list(selected_paths(selectors)), makers)
    rules = tuple(
        ReadRule(n, rule["path"], rule["method"], makers[n - 1].becomes, counts[n - 1])
        for n, rule in enumerate(given, 1)
    )
    if any(_is_extension(selector) for selector in selectors):
        columns.insert(0, {"pattern": "*.extension*", "action": "drop", "reason": "fhirPathRules"})
    content = {"name": "fhirPathRules", "extends": "safe_harbor", "columns": columns}
    return ReadConfiguration(content, rules)


class _Unread(Exception):
    """A rule that cannot be read. Its text is the reason, without content of the rule."""


def _is_rule(rule: Any) -> bool:
    return isinstance(rule, Mapping) and all(
        isinstance(rule.get(key), str) for key in ("path", "method")
    )


def _selector(rule: Content) -> Selector | None:
    selector = parse_selector(rule["path"], resource_types())
    if selector is None:
        raise _Unread("a path may have only element names, nodesByType, nodesByName and `as`")
    return selector


def _is_extension(selector: Selector | None) -> bool:
    return selector is not None and [(s.kind, s.word) for s in selector.steps] == [
        ("type", "Extension")
    ]


def _column_rules(
    selected: Sequence[SelectedPath], makers: Sequence[_Method]
) -> tuple[list[_MadeRule], Counter[int]]:
    """The column rules: exact paths first, then patterns for qualified paths that no table has."""
    exact: dict[str, _MadeRule] = {}
    rest: dict[str, _MadeRule] = {}
    counts: Counter[int] = Counter()
    for one in selected:
        counts[one.rule] += 1
        reason = _REASON.format(one.rule + 1)
        for locus in one.loci:
            made = makers[one.rule].make(locus)
            if made is not None:
                exact.setdefault(locus.path, {"name": locus.path, **made, "reason": reason})
        made = makers[one.rule].make(one.loci[0])
        if made is not None and len(one.loci) > 1:
            pattern = f"{one.loci[0].path}[[]*"
            rest.setdefault(pattern, {"pattern": pattern, **made, "reason": reason})
    return [*exact.values(), *rest.values()], counts


# -- methods ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Partial:
    """What `redact` leaves in place: the parameters `enablePartial...ForRedact`."""

    dates: bool = False
    ages: bool = False
    zips: bool = False

    @classmethod
    def of(cls, parameters: Content) -> _Partial:
        names = ("Dates", "Ages", "ZipCodes")
        return cls(*(parameters.get(f"enablePartial{name}ForRedact") is True for name in names))


@dataclass(frozen=True, slots=True)
class _Method:
    """What the policy does for a method: in words, and as a rule for a locus."""

    becomes: str
    make: Callable[[Locus], _MadeRule | None]


def _maker(rule: Content, partial: _Partial) -> _Method:
    known: Mapping[str, Callable[[Content], _Method]] = {
        "redact": lambda rule: _Method(_redact_words(partial), lambda at: _redact(at, partial)),
        "keep": lambda rule: _Method("kept, but texts are still searched", _keep_locus),
        "dateshift": lambda rule: _Method(
            "shift: a random number of days per patient", _date_shift
        ),
        "cryptohash": lambda rule: _Method("code: random, not derived from the value", _code_locus),
        "substitute": _substitute,
        "generalize": _generalize,
        "encrypt": lambda rule: _refuse_method(
            "`encrypt` is not supported; `cryptoHash` gives random codes"
        ),
        "perturb": lambda rule: _refuse_method(
            "`perturb` is not supported; name the column with `round(N)`"
        ),
    }
    method = known.get(rule["method"].casefold())
    if method is None:
        raise _Unread("unknown method")
    return method(rule)


def _refuse_method(why: str) -> _Method:
    raise _Unread(why)


def _redact_words(partial: _Partial) -> str:
    kept = [
        word
        for word, on in (
            ("years", partial.dates),
            ("ages under 90", partial.ages),
            ("3 ZIP digits", partial.zips),
        )
        if on
    ]
    return f"removed, but {', '.join(kept)} remain" if kept else "removed"


def _rule_for(locus: Locus, action: str) -> _MadeRule | None:
    """Return a rule for the locus; None if nothing there is ever released."""
    seen = locus.profile
    if seen.kind == "unsure":
        return None
    if seen.identifier is None:
        return {"action": action}
    return {"identifier": seen.identifier.value, "entity": seen.entity, "action": action}


def _redact(locus: Locus, partial: _Partial) -> _MadeRule | None:
    seen = locus.profile
    if seen.identifier is None:
        return _rule_for(locus, "drop")
    if seen.entity == "AGE":
        return _rule_for(locus, "age_cap" if partial.ages else "remove")
    if seen.entity == "US_ZIP_CODE":
        return _rule_for(locus, "zip3" if partial.zips else "remove")
    if seen.identifier is Identifier.DATES:
        return _rule_for(locus, "year" if partial.dates else "remove")
    return _rule_for(locus, "remove")


def _keep_locus(locus: Locus) -> _MadeRule | None:
    """Return the rule that keeps a locus.

    It is None for states and for elements without an identifier, which the extended policy keeps.
    """
    seen = locus.profile
    return (
        None if seen.identifier is None or seen.entity == "US_STATE" else _rule_for(locus, "keep")
    )


def _date_shift(locus: Locus) -> _MadeRule | None:
    seen = locus.profile
    shifts = seen.identifier is Identifier.DATES and seen.entity != "AGE"
    return _rule_for(locus, "shift") if shifts else None


def _code_locus(locus: Locus) -> _MadeRule | None:
    """Return the rule that replaces a locus by a code.

    Text is removed, as hashing it has no use.
    """
    return _rule_for(locus, "drop" if locus.profile.identifier is None else "code")


def _substitute(rule: Content) -> _Method:
    word = rule.get("replaceWith")
    if not isinstance(word, str) or not word:
        raise _Unread("`substitute` is read with a text in `replaceWith`")
    return _Method("dictionary: always the same text", lambda at: _mapped(at, {"*": word}))


def _generalize(rule: Content) -> _Method:
    cases = rule.get("cases")
    if not isinstance(cases, Mapping) or not cases:
        raise _Unread("`generalize` needs `cases`")
    if str(rule.get("otherValues", "redact")).casefold() != "redact":
        raise _Unread("`generalize` is read with `otherValues: redact`")
    words: dict[str, str] = {}
    for case, result in cases.items():
        for value in _case_values(str(case)):
            words.setdefault(value, _case_result(str(result)))
    return _Method(
        "dictionary: the values of the cases, others removed", lambda at: _mapped(at, words)
    )


def _case_values(case: str) -> list[str]:
    found = _CASE_LIST.fullmatch(case.strip())
    listed = (found["in"] or found["contains"]) if found else None
    equal = _EQUAL.fullmatch(case.strip())
    if listed is None and equal is None:
        raise _Unread("cases of `generalize` are read as `$this = 'a'` and `$this in ('a' | 'b')`")
    return _CASE_TEXT.findall(listed or (equal["equal"] if equal else ""))


def _case_result(result: str) -> str:
    literal = _CASE_TEXT.fullmatch(result.strip())
    if literal is None:
        raise _Unread("the result of a case of `generalize` is read as a text in quotes")
    return literal[1]


def _mapped(locus: Locus, words: Mapping[str, str]) -> _MadeRule | None:
    made = _rule_for(locus, "dictionary")
    return None if made is None else {**made, "map": dict(words)}
