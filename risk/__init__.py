"""How risky is what is left? Re-identification risk of a table. Knows nothing of HIPAA."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from risk.assessment import Question, assess
    from risk.attackers import (
        Attacker,
        Policy,
        Scenario,
        read_scenario,
        scenario_names,
        scenario_text,
    )
    from risk.classes import Classes
    from risk.coding import CodedColumn, CodedTable, encode
    from risk.disclosure import Disclosure
    from risk.errors import RiskError
    from risk.estimators import estimate
    from risk.exposure import Differential, Exposure, compare, expose
    from risk.linkage import Linkage
    from risk.longitudinal import persons
    from risk.population.fetching import SOURCES, built, fetch
    from risk.population.matching import match
    from risk.population.named import cards, keep, open_population, store
    from risk.population.table import Population, read_population
    from risk.reading import read_header, read_table
    from risk.report import RiskReport
    from risk.score import Score
    from risk.thresholds import Threshold

#: Where each public name stands; a room is opened when a name in it is first asked for, so that a
#: command pays for what it uses.
_ROOMS = {
    "Attacker": "attackers",
    "Classes": "classes",
    "CodedColumn": "coding",
    "CodedTable": "coding",
    "Differential": "exposure",
    "Disclosure": "disclosure",
    "Exposure": "exposure",
    "Linkage": "linkage",
    "Policy": "attackers",
    "Population": "population.table",
    "Question": "assessment",
    "RiskError": "errors",
    "RiskReport": "report",
    "SOURCES": "population.fetching",
    "Scenario": "attackers",
    "Score": "score",
    "Threshold": "thresholds",
    "assess": "assessment",
    "built": "population.fetching",
    "cards": "population.named",
    "compare": "exposure",
    "encode": "coding",
    "estimate": "estimators",
    "expose": "exposure",
    "fetch": "population.fetching",
    "keep": "population.named",
    "match": "population.matching",
    "open_population": "population.named",
    "persons": "longitudinal",
    "read_header": "reading",
    "read_population": "population.table",
    "read_scenario": "attackers",
    "read_table": "reading",
    "scenario_names": "attackers",
    "scenario_text": "attackers",
    "store": "population.named",
}

__all__ = [
    "SOURCES",
    "Attacker",
    "Classes",
    "CodedColumn",
    "CodedTable",
    "Differential",
    "Disclosure",
    "Exposure",
    "Linkage",
    "Policy",
    "Population",
    "Question",
    "RiskError",
    "RiskReport",
    "Scenario",
    "Score",
    "Threshold",
    "assess",
    "built",
    "cards",
    "compare",
    "encode",
    "estimate",
    "expose",
    "fetch",
    "keep",
    "match",
    "open_population",
    "persons",
    "read_header",
    "read_population",
    "read_scenario",
    "read_table",
    "scenario_names",
    "scenario_text",
    "store",
]


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"risk has no {name}")
    return getattr(import_module(f"risk.{_ROOMS[name]}"), name)
