"""How risky is what is left? Re-identification risk of a table. Knows nothing of HIPAA."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from risk.alternatives import Alternative, Comparison, compare_policies, policy_risk
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
    from risk.context import Context, kappa, questionnaire, read_context
    from risk.counts import CountingService, Rules
    from risk.disclosure import Disclosure
    from risk.errors import RiskError
    from risk.estimators.estimation import estimate
    from risk.exposure import Differential, Exposure, compare, expose
    from risk.frontier import draw, every_node
    from risk.hierarchies.hierarchy import Hierarchy
    from risk.hierarchies.register import KINDS, build_hierarchy, guess_hierarchy, read_hierarchies
    from risk.hierarchies.rules import Rule
    from risk.histories import to_intervals
    from risk.knobs import Knob, knobs_for
    from risk.ladders import missing_lines
    from risk.limits import AverageRisk, ClassSize, Diversity, KMap, PopulationRisk, ShareAtRisk
    from risk.linkage import Linkage
    from risk.longitudinal import persons
    from risk.losses import LOSSES
    from risk.planning import frontier_of, plan
    from risk.planning_local import plan_cells, plan_locally
    from risk.plans import Plan, PlanRequest, changed_cells
    from risk.population.fetching import built, fetch
    from risk.population.matching import match
    from risk.population.named import cards, keep, open_population, store
    from risk.population.sources import SOURCES
    from risk.population.table import Population, read_population, shared_columns
    from risk.printing import print_pdf
    from risk.reading import read_header, read_table
    from risk.rendering import render, render_exposure
    from risk.report import RiskReport
    from risk.saved import SavedPlan, compare_releases, load_plan, save_plan
    from risk.scoring import Score
    from risk.search import LevelRange
    from risk.suppression import fewest_columns, subsample
    from risk.thresholds import Threshold
    from risk.transactions import CodeSets, clusters, protect_sets, rare_sets

#: Where each public name stands; a room is opened when a name in it is first asked for, so that a
#: command pays for what it uses.
_ROOMS = {
    "Alternative": "alternatives",
    "Attacker": "attackers",
    "AverageRisk": "limits",
    "ClassSize": "limits",
    "Classes": "classes",
    "CodeSets": "transactions",
    "CodedColumn": "coding",
    "CodedTable": "coding",
    "Comparison": "alternatives",
    "Context": "context",
    "CountingService": "counts",
    "Differential": "exposure",
    "Disclosure": "disclosure",
    "Diversity": "limits",
    "Exposure": "exposure",
    "Hierarchy": "hierarchies.hierarchy",
    "KINDS": "hierarchies.register",
    "KMap": "limits",
    "Knob": "knobs",
    "LOSSES": "losses",
    "LevelRange": "search",
    "Linkage": "linkage",
    "Plan": "plans",
    "PlanRequest": "plans",
    "Policy": "attackers",
    "Population": "population.table",
    "PopulationRisk": "limits",
    "Question": "assessment",
    "RiskError": "errors",
    "RiskReport": "report",
    "Rule": "hierarchies.rules",
    "Rules": "counts",
    "SOURCES": "population.sources",
    "SavedPlan": "saved",
    "Scenario": "attackers",
    "Score": "scoring",
    "ShareAtRisk": "limits",
    "Threshold": "thresholds",
    "assess": "assessment",
    "build_hierarchy": "hierarchies.register",
    "built": "population.fetching",
    "cards": "population.named",
    "changed_cells": "plans",
    "clusters": "transactions",
    "compare": "exposure",
    "compare_policies": "alternatives",
    "compare_releases": "saved",
    "draw": "frontier",
    "encode": "coding",
    "estimate": "estimators.estimation",
    "every_node": "frontier",
    "expose": "exposure",
    "fetch": "population.fetching",
    "fewest_columns": "suppression",
    "frontier_of": "planning",
    "guess_hierarchy": "hierarchies.register",
    "keep": "population.named",
    "knobs_for": "knobs",
    "load_plan": "saved",
    "match": "population.matching",
    "missing_lines": "ladders",
    "open_population": "population.named",
    "persons": "longitudinal",
    "plan": "planning",
    "plan_cells": "planning_local",
    "plan_locally": "planning_local",
    "policy_risk": "alternatives",
    "print_pdf": "printing",
    "protect_sets": "transactions",
    "kappa": "context",
    "questionnaire": "context",
    "rare_sets": "transactions",
    "read_context": "context",
    "read_header": "reading",
    "read_hierarchies": "hierarchies.register",
    "read_population": "population.table",
    "read_scenario": "attackers",
    "read_table": "reading",
    "render": "rendering",
    "render_exposure": "rendering",
    "save_plan": "saved",
    "scenario_names": "attackers",
    "scenario_text": "attackers",
    "shared_columns": "population.table",
    "store": "population.named",
    "subsample": "suppression",
    "to_intervals": "histories",
}

__all__ = [
    "KINDS",
    "LOSSES",
    "SOURCES",
    "Alternative",
    "Attacker",
    "AverageRisk",
    "ClassSize",
    "Classes",
    "CodeSets",
    "CodedColumn",
    "CodedTable",
    "Comparison",
    "Context",
    "CountingService",
    "Differential",
    "Disclosure",
    "Diversity",
    "Exposure",
    "Hierarchy",
    "KMap",
    "Knob",
    "LevelRange",
    "Linkage",
    "Plan",
    "PlanRequest",
    "Policy",
    "Population",
    "PopulationRisk",
    "Question",
    "RiskError",
    "RiskReport",
    "Rule",
    "Rules",
    "SavedPlan",
    "Scenario",
    "Score",
    "ShareAtRisk",
    "Threshold",
    "assess",
    "build_hierarchy",
    "built",
    "cards",
    "changed_cells",
    "clusters",
    "compare",
    "compare_policies",
    "compare_releases",
    "draw",
    "encode",
    "estimate",
    "every_node",
    "expose",
    "fetch",
    "fewest_columns",
    "frontier_of",
    "guess_hierarchy",
    "kappa",
    "keep",
    "knobs_for",
    "load_plan",
    "match",
    "missing_lines",
    "open_population",
    "persons",
    "plan",
    "plan_cells",
    "plan_locally",
    "policy_risk",
    "print_pdf",
    "protect_sets",
    "questionnaire",
    "rare_sets",
    "read_context",
    "read_header",
    "read_hierarchies",
    "read_population",
    "read_scenario",
    "read_table",
    "render",
    "render_exposure",
    "save_plan",
    "scenario_names",
    "scenario_text",
    "shared_columns",
    "store",
    "subsample",
    "to_intervals",
]


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"risk has no {name}")
    return getattr(import_module(f"risk.{_ROOMS[name]}"), name)
