"""How risky is what is left? Re-identification risk of a table. Knows nothing of HIPAA."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from risk.assessment import Question, assess
    from risk.classes import Classes
    from risk.coding import CodedColumn, CodedTable, encode
    from risk.disclosure import Disclosure
    from risk.errors import RiskError
    from risk.estimators import estimate
    from risk.linkage import Linkage
    from risk.longitudinal import persons
    from risk.population.matching import match
    from risk.population.named import open_population
    from risk.population.table import Population, read_population
    from risk.reading import read_header, read_table
    from risk.report import RiskReport
    from risk.score import Score
    from risk.thresholds import Threshold

#: Where each public name stands; a room is opened when a name in it is first asked for, so that a
#: command pays for what it uses.
_ROOMS = {
    "Classes": "classes",
    "CodedColumn": "coding",
    "CodedTable": "coding",
    "Disclosure": "disclosure",
    "Linkage": "linkage",
    "Population": "population.table",
    "Question": "assessment",
    "RiskError": "errors",
    "RiskReport": "report",
    "Score": "score",
    "Threshold": "thresholds",
    "assess": "assessment",
    "encode": "coding",
    "estimate": "estimators",
    "match": "population.matching",
    "open_population": "population.named",
    "persons": "longitudinal",
    "read_header": "reading",
    "read_population": "population.table",
    "read_table": "reading",
}

__all__ = [
    "Classes",
    "CodedColumn",
    "CodedTable",
    "Disclosure",
    "Linkage",
    "Population",
    "Question",
    "RiskError",
    "RiskReport",
    "Score",
    "Threshold",
    "assess",
    "encode",
    "estimate",
    "match",
    "open_population",
    "persons",
    "read_header",
    "read_population",
    "read_table",
]


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"risk has no {name}")
    return getattr(import_module(f"risk.{_ROOMS[name]}"), name)
