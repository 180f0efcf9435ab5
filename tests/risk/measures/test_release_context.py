"""Three attacks, a questionnaire that determines a cell size, and public and non-public
releases.
"""

from __future__ import annotations

import pytest

from risk.errors import RiskError
from risk.measures.assessment import assess
from risk.measures.release_context import (
    BREACHES,
    PRECEDENT_SOURCES,
    ReleaseContext,
    kappa,
    kind_of_variable,
    questionnaire,
    questions,
    read_context,
)
from risk.measures.scores import Score

BEST = {q.id: q.dimension == "mitigating_controls" for q in questions()}
WORST = {id_: not answer for id_, answer in BEST.items()}
SAFE = Score(0.0, 1 / 11, 0.04, 11.0)


def test_acquaintances_of_a_prevalent_condition() -> None:
    """Pr(acquaintance) = 1 - (1-p)^m with 150 acquaintances by default."""
    context = ReleaseContext(False, BEST, prevalence=0.01)
    assert context.acquaintance == pytest.approx(1 - 0.99**150)
    assert ReleaseContext(False, BEST, prevalence=0.0).acquaintance == 0.0


def test_the_overall_risk_is_the_largest_of_three_attacks() -> None:
    context = ReleaseContext(False, BEST, attempt=0.4, prevalence=0.001, breach=BREACHES[2010])
    attacks = context.attacks(SAFE)
    assert attacks["attempt"] == pytest.approx(0.4 * 0.04)
    assert attacks["breach"] == pytest.approx(0.19 * 0.04)
    assert attacks["acquaintance"] == pytest.approx((1 - 0.999**150) * 0.04)
    assert attacks["overall"] == attacks["attempt"]


def test_uniques_and_doubles_rule_out_the_average() -> None:
    context = ReleaseContext(False, BEST)
    assert context.attacks(Score(0.1, 0.5, 0.04, 2.0))["overall"] == 0.5


def test_a_public_release_is_judged_by_its_maximum() -> None:
    context = ReleaseContext(True, BEST, attempt=0.0)
    assert context.cell_size == 20
    assert context.attacks(SAFE)["overall"] == 1 / 11


def test_answers_lead_to_the_cell_sizes_of_the_precedents() -> None:
    assert ReleaseContext(False, BEST).cell_size == 3
    assert ReleaseContext(False, WORST).cell_size == 20
    sizes = set()
    answers = dict(BEST)
    for id_ in BEST:
        answers[id_] = WORST[id_]
        sizes.add(ReleaseContext(False, dict(answers)).cell_size)
    assert sizes == set(PRECEDENT_SOURCES)


def test_unanswered_questions_count_against_the_release() -> None:
    assert ReleaseContext(False, {}).cell_size == 20
    assert len(ReleaseContext(False, {}).unanswered) == len(questions())


def test_the_verdict_compares_with_its_own_threshold() -> None:
    report = assess({"a": [1] * 20}, ["a"])
    assert ReleaseContext(True, {}).verdict(report)["risk"] == "LOW"
    report = assess({"a": [1] * 19}, ["a"])
    assert ReleaseContext(True, {}).verdict(report)["risk"] == "HIGH"
    assert ReleaseContext(True, {}).verdict(assess({"a": []}, ["a"]))["risk"] is None


def test_the_questionnaire_can_be_filled_in(tmp_path) -> None:
    path = tmp_path / "answers.toml"
    path.write_text(questionnaire())
    assert read_context(path).unanswered
    path.write_text(questionnaire().replace("# audit = ", "audit = true"))
    assert read_context(path).answers == {"audit": True}


FAULTY = [
    "answers = 3",
    "[answers]\naudit = 1",
    "breach = 'x'",
    "publik = true",
    "[answers",
    "breach = 2.0",
    "[answers]\nnoquestion = true",
]


@pytest.mark.parametrize("text", FAULTY)
def test_faulty_answers_are_refused(tmp_path, text: str) -> None:
    path = tmp_path / "answers.toml"
    path.write_text(text)
    with pytest.raises(RiskError):
        read_context(path)


def test_kappa_of_two_raters() -> None:
    """Cohen 1960: 20 yes-yes, 15 no-no, 15 disagreements of 50: agreement 0.7, chance agreement
    0.5.
    """
    one = ["yes"] * 25 + ["no"] * 25
    other = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert kappa(one, other) == pytest.approx(0.4)
    assert kappa(["a"], ["a"]) is None
    with pytest.raises(ValueError):
        kappa(["a"], [])


def test_three_criteria_make_a_quasi_identifier() -> None:
    every = {"replicable": True, "distinguishable": True, "knowable": True}
    assert kind_of_variable(**every, unique=False, useful=True) == "quasi"
    assert kind_of_variable(**every, unique=True, useful=True) == "direct"
    assert kind_of_variable(**every, unique=False, useful=False) == "direct"
    lab = {**every, "knowable": False}
    assert kind_of_variable(**lab, unique=True, useful=True) == "neither"
