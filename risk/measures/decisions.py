"""The decisions: which measured risk is compared with which limit.

El Emam 2011 compares three measures with three thresholds. A release context (review of 2015)
chooses one measure and its limit; the decision is then about that measure alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from risk.measures.scores import Score
from risk.measures.thresholds import Threshold

HIGH, LOW = "HIGH", "LOW"
#: The measure that a context decides on: the maximum risk for a public release, otherwise the
#: strict average.
MAXIMUM, STRICT_AVERAGE = "maximum", "strict_average"


@dataclass(frozen=True)
class DecisionLimits:
    """The thresholds of the three decisions: tau as a cell size, alpha and lambda as shares.

    With a context, the decision uses `measure` only, and `attack` is the probability of the
    likeliest attack, by which the risk in the data is multiplied.
    """

    threshold: Threshold
    alpha: float
    average: Threshold
    measure: str | None = None
    attack: float = 1.0

    def as_json(self) -> dict[str, Any]:
        return {
            "cell_size": self.threshold.cell_size,
            "tau": float(self.threshold.tau),
            "tau_as_stated": self.threshold.stated,
            "alpha": self.alpha,
            "lambda": float(self.average.tau),
            "lambda_as_stated": self.average.stated,
            "set_by": "thresholds" if self.measure is None else "context",
        }

    def decide(self, score: Score) -> dict[str, str | None]:
        """Return the decisions D_a, D_b, D_c (El Emam 2011, appendix, equations 2, 4, 6).

        A decision is None if nothing was measured, or if the context decides on another measure.
        """
        if score.smallest is None or score.at_risk is None or score.average is None:
            return {"at_risk": None, "maximum": None, "average": None}
        maximum = HIGH if self.threshold.is_above(np.array(score.smallest)).any() else LOW
        if self.measure == MAXIMUM:
            return {"at_risk": None, "maximum": maximum, "average": None}
        if self.measure == STRICT_AVERAGE:
            risk = self.attack * strict_average(score)
            average = HIGH if self.threshold.exceeded_by(risk) else LOW
            return {"at_risk": None, "maximum": None, "average": average}
        return {
            "at_risk": HIGH if score.at_risk > self.alpha else LOW,
            "maximum": maximum,
            "average": HIGH if self.average.exceeded_by(score.average) else LOW,
        }

    def compared(self, score: Score | None) -> dict[str, Any]:
        """Return what the headline compares.

        This is the measure, its value, its limit, and whether thresholds or a context set the
        limit.
        """
        limit = float(self.threshold.tau)
        if self.measure is None:
            value = None if score is None else score.maximum
            return {"measure": MAXIMUM, "value": value, "limit": limit, "set_by": "thresholds"}
        value = None
        if score is not None and score.average is not None:
            value = score.maximum if self.measure == MAXIMUM else strict_average(score)
            value = self.attack * (value or 0.0)
        return {"measure": self.measure, "value": value, "limit": limit, "set_by": "context"}


def strict_average(score: Score) -> float:
    """Return the average risk; if a class has fewer than three records, the maximum risk.

    Source: review of 2015, "Which risk metric to use".
    """
    found = score.average if (score.smallest or 0) >= 3 else score.maximum
    assert found is not None
    return found
