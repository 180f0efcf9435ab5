"""The context of a release: who receives the data, and which risk threshold follows from that.

El Emam, "Concepts and methods for de-identifying clinical trial data" (2015), "Taking context into
account" and "How to choose an acceptable threshold". The text gives the three dimensions and the
ends of the scale (a cell size of 3 for trusted recipients, 20 for public release). The steps in
between are a convention of this package. Every report prints them, so that an expert can choose
others.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from risk.errors import RiskError
from risk.measures.decisions import MAXIMUM, STRICT_AVERAGE, DecisionLimits, strict_average
from risk.measures.risk_report import RiskReport
from risk.measures.scores import Score
from risk.measures.thresholds import Threshold
from risk.packaged import packaged_rows

DIMENSIONS = ("mitigating_controls", "invasion_of_privacy", "motives_and_capacity")
ACQUAINTANCES = 150
#: Share of health care organizations with a breach within a year (HIMSS Analytics 2010, 2012).
BREACHES = {2010: 0.19, 2012: 0.27}
PRECEDENT_SOURCES = {
    3: "CDC and HRSA 2004; de Waal and Willenborg 1996; US Department of Education 2003",
    5: "the most common: OMB 1994; Statistics Canada 2007; Cancer Care Ontario 2005; HHS 2000",
    11: "United States: CMS 2008, 2011; Baier et al. 2012; Erdem and Prada 2011",
    20: "Canada: El Emam et al. 2011, 2012; public release",
}
#: The total points of the three dimensions (0-6) and the resulting cell size.
CELL_SIZE_STEPS = ((1, 3), (2, 5), (4, 11), (6, 20))


@dataclass(frozen=True)
class ContextQuestion:
    """One yes-or-no question.

    Yes means strong controls in the first dimension, and more risk in the other two.
    """

    id: str
    dimension: str
    text: str


@dataclass(frozen=True)
class ReleaseContext:
    """The answers, and the probabilities of the three attacks on a non-public release.

    `attempt` is Pr(attempt), given controls and contract. `prevalence` is the share of people who
    have the condition that the table is about. `acquaintances` is the number of people whom an
    analyst knows. `breach` is Pr(breach) within a year. `answers` maps a question's id to yes or
    no; an unanswered question counts against the release.
    """

    public: bool
    answers: Mapping[str, bool]
    attempt: float = 1.0
    prevalence: float = 1.0
    acquaintances: int = ACQUAINTANCES
    breach: float = BREACHES[2012]

    def __post_init__(self) -> None:
        for name in ("attempt", "prevalence", "breach"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise RiskError(f"{name} must be a probability between 0 and 1", code="bad-context")
        if self.acquaintances < 0:
            raise RiskError("acquaintances must be at least 0", code="bad-context")
        known = {question.id for question in questions()}
        if unknown := sorted(set(self.answers) - known):
            raise RiskError(
                f"unknown questions: {', '.join(unknown)}",
                code="bad-context",
                hint=f"use one of the questions: {', '.join(sorted(known))}",
            )

    @property
    def acquaintance(self) -> float:
        """Pr(acquaintance) = 1 - (1-p)^m: the chance of knowing a person with the condition."""
        return float(1 - (1 - self.prevalence) ** self.acquaintances)

    @property
    def points(self) -> dict[str, int]:
        """0 (good), 1 or 2 (bad) for each dimension, by thirds of the unfavorable answers."""
        return {dimension: self._points(dimension) for dimension in DIMENSIONS}

    @property
    def cell_size(self) -> int:
        """The cell size that follows from the answers; always 20 for a public release."""
        if self.public:
            return 20
        total = sum(self.points.values())
        return next(size for limit, size in CELL_SIZE_STEPS if total <= limit)

    @property
    def threshold(self) -> Threshold:
        return Threshold.of_cell_size(self.cell_size)

    @property
    def likeliest_attack(self) -> float:
        """The probability of the likeliest attack; 1 for a public release."""
        if self.public:
            return 1.0
        return max(self.attempt, self.acquaintance, self.breach)

    @property
    def limits(self) -> DecisionLimits:
        """The decision that follows from the answers, with its threshold."""
        measure = MAXIMUM if self.public else STRICT_AVERAGE
        threshold = self.threshold
        return DecisionLimits(threshold, 0.0, threshold, measure, self.likeliest_attack)

    @property
    def unanswered(self) -> tuple[str, ...]:
        return tuple(q.id for q in questions() if q.id not in self.answers)

    def attacks(self, score: Score) -> dict[str, float | None]:
        """Return the risk of each attack, given the risk in the data.

        For a public release, this is the maximum risk. Otherwise it is the strict average (the
        maximum if a record is above 0.33) times the probability that the attack happens. `overall`
        is the largest of these risks.
        """
        if score.average is None or score.smallest is None:
            return {"overall": None}
        if self.public:
            return {"demonstration": score.maximum, "overall": score.maximum}
        inside = strict_average(score)
        found = {
            "attempt": self.attempt * inside,
            "acquaintance": self.acquaintance * inside,
            "breach": self.breach * inside,
        }
        return {**found, "overall": max(found.values())}

    def verdict(self, report: RiskReport) -> dict[str, Any]:
        """Return the threshold, its precedent, and the risks of the attacks.

        The result also says whether the overall risk is within the threshold.
        """
        score = report.scores[report.decided_on]
        attacks = self.attacks(score) if score is not None else {"overall": None}
        overall = attacks["overall"]
        decided = {} if score is None else self.limits.decide(score)
        risk = next((value for value in decided.values() if value is not None), None)
        return {
            "release": "public" if self.public else "non-public",
            "measure": "maximum risk" if self.public else "strict average risk",
            "points": self.points,
            "unanswered": list(self.unanswered),
            "cell_size": self.cell_size,
            "precedent": PRECEDENT_SOURCES[self.cell_size],
            "probabilities": {
                "attempt": self.attempt,
                "acquaintance": self.acquaintance,
                "breach": self.breach,
            },
            "attacks": attacks,
            "risk": None if overall is None else risk,
        }

    def _points(self, dimension: str) -> int:
        own = [q.id for q in questions() if q.dimension == dimension]
        good = dimension == DIMENSIONS[0]
        bad = sum(self.answers.get(id_, not good) != good for id_ in own)
        return 0 if 3 * bad <= len(own) else 1 if 3 * bad <= 2 * len(own) else 2


@cache
def questions() -> tuple[ContextQuestion, ...]:
    """The questionnaire, in order."""
    return tuple(
        ContextQuestion(row["id"], row["dimension"], row["question"])
        for row in packaged_rows("risk.measures", "questionnaire.csv")
    )


def questionnaire() -> str:
    """A TOML file to fill in with `true` or `false` for each question."""
    lines = [
        "# Answer true or false; an unanswered question counts as the unfavorable answer.",
        "public = false",
        "attempt = 1.0        # Pr(attempt): chance of a deliberate attempt, given the controls",
        "prevalence = 1.0     # share of people with the condition the table is about",
        f"acquaintances = {ACQUAINTANCES}",
        f"breach = {BREACHES[2012]}        # 0.19 in 2010, 0.27 in 2012 (HIMSS Analytics)",
        "",
        "[answers]",
    ]
    for dimension in DIMENSIONS:
        lines.append(f"# {dimension.replace('_', ' ')}")
        for question in questions():
            if question.dimension == dimension:
                lines += [f"# {question.text}", f"# {question.id} = "]
    return "\n".join(lines) + "\n"


def read_context(path: Path) -> ReleaseContext:
    """Read a completed questionnaire. Raises `RiskError` for any other file."""
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except OSError:
        raise RiskError(
            "the file does not exist",
            code="missing-file",
            place="--context",
            hint="`deid exposure --show questionnaire > answers.toml` makes one",
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        raise RiskError(
            "the questionnaire is not valid TOML", code="bad-context", place="--context"
        ) from None
    known = {"public", "answers", "attempt", "prevalence", "acquaintances", "breach"}
    if unknown := sorted(set(content) - known):
        raise RiskError(f"unknown keys: {', '.join(unknown)}", code="bad-context")
    answers = content.get("answers", {})
    if not isinstance(answers, dict) or not all(isinstance(a, bool) for a in answers.values()):
        raise RiskError("an answer must be true or false", code="bad-context", place="answers")
    content.setdefault("public", False)
    content["answers"] = answers
    try:
        return ReleaseContext(**content)
    except TypeError:
        raise RiskError("a probability must be a number", code="bad-context") from None


def kappa(one: Sequence[str], other: Sequence[str]) -> float | None:
    """Return Cohen's kappa of two raters who class the same variables as direct, quasi or neither.

    A value above 0.8 is usually taken as consensus. The result is None if the raters would always
    agree by chance.
    """
    if len(one) != len(other) or not one:
        raise ValueError("the two raters must judge the same variables")
    n = len(one)
    agreed = sum(a == b for a, b in zip(one, other, strict=True)) / n
    kinds = set(one) | set(other)
    chance = sum(one.count(k) * other.count(k) for k in kinds) / n**2
    return None if chance == 1 else (agreed - chance) / (1 - chance)


def kind_of_variable(
    *, replicable: bool, distinguishable: bool, knowable: bool, unique: bool, useful: bool
) -> str:
    """Return the kind of a variable: `direct`, `quasi` or `neither`.

    An identifier must be replicable, distinguishable and knowable; it is direct if unique or
    useless for analysis, else quasi.
    """
    if not (replicable and distinguishable and knowable):
        return "neither"
    return "direct" if unique or not useful else "quasi"
