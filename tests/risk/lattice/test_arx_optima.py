"""The optima that ARX's own tests expect on Adult with occupation as the sensitive column.

The figures are from arx-deidentifier/arx (commits 8cdf3db and c4bc9c3),
`TestAnonymizationTCloseness`, `...OrderedDistanceTCloseness`, `...LDiversity` and `...DPresence`
(its subset of 3,016 records must be beside Adult as `adult_subset.csv`): levels of sex, age, race,
marital status, education, country, work class and salary class. Where records are suppressed, ARX's
monotonic discernibility ignores their penalty, so only the node is compared.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from risk import (
    ClassSize,
    Closeness,
    Diversity,
    PlanRequest,
    Population,
    Presence,
    RiskError,
    plan,
)
from risk.hierarchies.hierarchy import Hierarchy
from risk.tables.coding import CodedColumn, CodedTable, encode
from risk.tables.reading import read_table

NAMES = (
    *("sex", "age", "race", "marital-status", "education", "native-country"),
    *("workclass", "salary-class"),
)
with (Path(__file__).parent / "arx_optima.csv").open(encoding="utf-8") as lines:
    CASES = list(csv.DictReader(lines))


def _limits(case: dict[str, str]) -> tuple[ClassSize, Closeness | Diversity]:
    number = float(case["limit"])
    if case["model"] == "entropy_diversity":
        return ClassSize(int(case["k"])), Diversity(number, "entropy")
    return ClassSize(int(case["k"])), Closeness(number, case["model"] == "t_closeness_ordered")


def _ranked(column: CodedColumn) -> CodedColumn:
    """The words as numbers in alphabetical order, because ordered distances need numbers."""
    order = {word: i for i, word in enumerate(sorted(map(str, column.values)))}
    ranks = [order[str(word)] for word in column.values[column.codes]]
    return encode({column.name: ranks}).column(column.name)


@pytest.fixture(scope="module")
def adult_table(adult: Path) -> tuple[CodedTable, dict[str, Hierarchy], CodedColumn]:
    hierarchies = {}
    for name in NAMES:
        with (adult.parent / "hierarchies" / f"{name}.csv").open(encoding="utf-8") as lines:
            rows = [row for row in csv.reader(lines, delimiter=";") if row]
        hierarchies[name] = Hierarchy.of_rows(name, rows)
    table = read_table(adult, [*NAMES, "occupation"])
    return table.select(NAMES), hierarchies, _ranked(table.column("occupation"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(list(case.values())[:4]))
def test_the_optimum_of_arx(
    case: dict[str, str], adult_table: tuple[CodedTable, dict[str, Hierarchy], CodedColumn]
) -> None:
    table, hierarchies, occupation = adult_table
    most = float(case["suppression"])
    request = PlanRequest(_limits(case), loss=case["loss"], max_suppression=most)
    if not case["node"]:
        with pytest.raises(RiskError):
            plan(table, hierarchies, request, sensitive=occupation)
        return
    found = plan(table, hierarchies, request, sensitive=occupation)
    assert found.optimal
    assert [found.levels[name] for name in NAMES] == [int(n) for n in case["node"].split()]
    if case["score"]:
        columns = len(NAMES) if case["loss"] == "non_uniform_entropy" else 1
        assert found.loss * columns == pytest.approx(float(case["score"]), rel=1e-9)


@pytest.mark.parametrize(
    ("loss", "suppression", "node", "score"),
    [
        ("average_class_size", 0.0, [1, 4, 1, 1, 0, 2, 2, 0], 52.0),
        ("non_uniform_entropy", 0.0, [0, 1, 1, 2, 3, 2, 2, 0], 30238.2081484441),
        ("average_class_size", 0.05, [0, 0, 1, 2, 1, 2, 2, 1], 8.02127659574468),
        ("non_uniform_entropy", 0.05, [1, 0, 1, 1, 2, 2, 2, 0], 20747.362350403302),
    ],
)
def test_the_delta_presence_optimum_of_arx(
    loss: str,
    suppression: float,
    node: list[int],
    score: float,
    adult: Path,
    adult_table: tuple[CodedTable, dict[str, Hierarchy], CodedColumn],
) -> None:
    """For no record of Adult is the probability of being among the 3,016 above one fifth."""
    subset = adult.parent / "adult_subset.csv"
    if not subset.exists():
        pytest.skip("no adult_subset.csv beside Adult")
    everyone, hierarchies, _ = adult_table
    people = Population("adult", "Adult", "1994", False, everyone, np.ones(everyone.rows))
    request = PlanRequest((Presence(0.2),), loss=loss, max_suppression=suppression)
    found = plan(read_table(subset, NAMES), hierarchies, request, population=people)
    assert [found.levels[name] for name in NAMES] == node
    columns = len(NAMES) if loss == "non_uniform_entropy" else 1
    assert found.loss * columns == pytest.approx(score, rel=1e-12)
