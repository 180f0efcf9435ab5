"""Cohort counts: noise that grows as counts fall, an audit trail, and a lock that survives a
restart.
"""

from __future__ import annotations

import json
import random
import stat
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from risk.cohort_counts import CohortCounter, CountRules
from risk.errors import RiskError
from risk.tables.coding import encode

NOW = datetime(2026, 1, 5, 9, tzinfo=UTC)


class NoNoise:
    """Random numbers without noise, which record the requested deviation."""

    def __init__(self) -> None:
        self.sigmas: list[float] = []

    def gauss(self, mu: float, sigma: float) -> float:
        self.sigmas.append(sigma)
        return mu


def counter(tmp_path, **rules: object) -> CohortCounter:
    table = encode(
        {
            "sex": ["M"] * 60 + ["F"] * 40,
            "age": list(range(100)),
            "id": [i // 2 for i in range(100)],
        }
    )
    return CohortCounter(table, tmp_path / "trail.jsonl", CountRules(**rules))  # type: ignore[arg-type]


def ask(
    at: CohortCounter, query: dict[str, list[str]], user: str = "ann", now=NOW, chance=None
) -> object:
    return at.count(user, query, now=now, chance=chance or NoNoise())


def test_rows_and_persons_are_counted(tmp_path) -> None:
    at = counter(tmp_path)
    assert ask(at, {"sex": ["M"]}).count == 60
    assert ask(at, {}).count == 100
    persons = CohortCounter(at.table, tmp_path / "other.jsonl", at.rules, person="id")
    assert ask(persons, {"sex": ["M"]}).count == 30


def test_noise_grows_as_counts_fall() -> None:
    rules = CountRules()
    deviations = [rules.deviation(count) for count in (0, 1, 5, 20, 100, 10_000)]
    assert deviations == sorted(deviations, reverse=True)
    assert deviations[0] == 12 and deviations[-1] == pytest.approx(2, abs=0.1)


def test_the_noise_has_the_deviation_of_the_rules(tmp_path) -> None:
    at = counter(tmp_path, repeats=10_000)
    chance = random.Random(1)
    counts = [ask(at, {"sex": ["M"]}, chance=chance, user=f"u{i}").count for i in range(400)]
    assert np.std(counts) == pytest.approx(at.rules.deviation(60), rel=0.15)
    assert np.mean(counts) == pytest.approx(60, abs=1)


def test_small_and_empty_cohorts_look_alike(tmp_path) -> None:
    at = counter(tmp_path)
    for query in ({"age": ["1", "2"]}, {"age": ["1000"]}):
        answer = ask(at, query)
        assert answer.count is None and answer.below == 11


def test_repeated_and_nearly_equal_queries_lock_the_user_out(tmp_path) -> None:
    at = counter(tmp_path, repeats=3)
    everyone = [str(age) for age in range(100)]
    for i in range(3):
        assert ask(at, {"age": everyone[i:]}).related == i
    with pytest.raises(RiskError) as caught:
        ask(at, {"age": everyone})
    assert (caught.value.code, caught.value.exit_code) == ("locked-out", 3)
    with pytest.raises(RiskError):
        ask(counter(tmp_path, repeats=3), {"sex": ["F"]})
    assert ask(at, {"age": everyone}, user="bob").count == 100
    at.unlock("ann", by="steward", now=NOW)
    assert ask(at, {"age": everyone}).related == 0


def test_other_cohorts_and_old_queries_do_not_count_as_related(tmp_path) -> None:
    at = counter(tmp_path, repeats=2)
    ask(at, {"sex": ["M"]})
    assert ask(at, {"sex": ["F"]}).related == 0
    assert ask(at, {"sex": ["M"]}, now=NOW + timedelta(hours=30)).related == 0


def test_the_audit_trail_is_private_and_contains_no_value(tmp_path) -> None:
    at = counter(tmp_path)
    ask(at, {"sex": ["Male", "M"], "age": ["77"]})
    assert stat.S_IMODE(at.trail.stat().st_mode) == 0o600
    (entry,) = [json.loads(line) for line in at.trail.read_text().splitlines()]
    assert entry["user"] == "ann" and entry["columns"] == ["age", "sex"]
    assert "Male" not in at.trail.read_text() and "77" not in str(entry["answer"])
    assert entry["answer"] == {"count": None, "below": 11, "related_queries": 0}


def test_an_unknown_column_is_refused_before_it_is_recorded(tmp_path) -> None:
    with pytest.raises(RiskError):
        ask(counter(tmp_path), {"name": ["x"]})
    with pytest.raises(RiskError):
        ask(counter(tmp_path), {}, user="")
