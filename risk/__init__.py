"""Re-identification risk: measure a table, plan a release, measure what a policy exposes.

Everything public is imported from here: `from risk import assess, plan, open_population`. The
package imports no other folder of the project and holds no term of HIPAA.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from risk.cohort_counts import Desk, Rules
    from risk.errors import RiskError
    from risk.estimators.estimation import estimate
    from risk.exposure.attackers import (
        Attacker,
        Policy,
        Scenario,
        read_scenario,
        scenario_names,
        scenario_text,
    )
    from risk.exposure.policy_exposure import Differential, Exposure, compare, expose
    from risk.hierarchies.hierarchy import Hierarchy
    from risk.hierarchies.level_maps import missing_lines
    from risk.hierarchies.register import KINDS, build_hierarchy, guess_hierarchy, read_hierarchies
    from risk.hierarchies.rules import Rule
    from risk.lattice.frontier import draw, every_node
    from risk.lattice.limits import (
        AverageRisk,
        ClassSize,
        Diversity,
        KMap,
        PopulationRisk,
        ShareAtRisk,
    )
    from risk.lattice.losses import LOSSES
    from risk.lattice.search import LevelRange
    from risk.measures.assessment import Question, assess
    from risk.measures.attribute_disclosure import Disclosure
    from risk.measures.record_linkage import Linkage
    from risk.measures.release_context import Context, kappa, questionnaire, read_context
    from risk.measures.risk_report import RiskReport
    from risk.measures.scores import Score
    from risk.measures.thresholds import Threshold
    from risk.plans.alternatives import Alternative, Comparison, compare_policies, policy_risk
    from risk.plans.detail_levels import Knob, knobs_for
    from risk.plans.full_domain import frontier_of, plan
    from risk.plans.person_histories import to_intervals
    from risk.plans.plan import Plan, PlanRequest, changed_cells
    from risk.plans.record_level import plan_cells, plan_locally
    from risk.plans.saved_plans import SavedPlan, compare_releases, load_plan, save_plan
    from risk.population.catalog import cards, keep, open_population, store
    from risk.population.fetching import built, fetch
    from risk.population.matching import match
    from risk.population.sources import SOURCES
    from risk.population.table import Population, read_population, shared_columns
    from risk.recoding.code_sets import CodeSets, clusters, protect_sets, rare_sets
    from risk.recoding.suppression import fewest_columns, subsample
    from risk.reports.pdf import print_pdf
    from risk.reports.rendering import render, render_exposure
    from risk.tables.classes import Classes
    from risk.tables.coding import CodedColumn, CodedTable, encode
    from risk.tables.longitudinal import persons
    from risk.tables.reading import read_header, read_table

#: The public names of each module. A module is imported when one of its names is first used, so
#: that a command loads only what it needs.
_MODULES: dict[str, tuple[str, ...]] = {
    "risk.cohort_counts": (
        "Desk",
        "Rules",
    ),
    "risk.errors": ("RiskError",),
    "risk.estimators.estimation": ("estimate",),
    "risk.exposure.attackers": (
        "Attacker",
        "Policy",
        "Scenario",
        "read_scenario",
        "scenario_names",
        "scenario_text",
    ),
    "risk.exposure.policy_exposure": (
        "Differential",
        "Exposure",
        "compare",
        "expose",
    ),
    "risk.hierarchies.hierarchy": ("Hierarchy",),
    "risk.hierarchies.level_maps": ("missing_lines",),
    "risk.hierarchies.register": (
        "KINDS",
        "build_hierarchy",
        "guess_hierarchy",
        "read_hierarchies",
    ),
    "risk.hierarchies.rules": ("Rule",),
    "risk.lattice.frontier": (
        "draw",
        "every_node",
    ),
    "risk.lattice.limits": (
        "AverageRisk",
        "ClassSize",
        "Diversity",
        "KMap",
        "PopulationRisk",
        "ShareAtRisk",
    ),
    "risk.lattice.losses": ("LOSSES",),
    "risk.lattice.search": ("LevelRange",),
    "risk.measures.assessment": (
        "Question",
        "assess",
    ),
    "risk.measures.attribute_disclosure": ("Disclosure",),
    "risk.measures.record_linkage": ("Linkage",),
    "risk.measures.release_context": (
        "Context",
        "kappa",
        "questionnaire",
        "read_context",
    ),
    "risk.measures.risk_report": ("RiskReport",),
    "risk.measures.scores": ("Score",),
    "risk.measures.thresholds": ("Threshold",),
    "risk.plans.alternatives": (
        "Alternative",
        "Comparison",
        "compare_policies",
        "policy_risk",
    ),
    "risk.plans.detail_levels": (
        "Knob",
        "knobs_for",
    ),
    "risk.plans.full_domain": (
        "frontier_of",
        "plan",
    ),
    "risk.plans.person_histories": ("to_intervals",),
    "risk.plans.plan": (
        "Plan",
        "PlanRequest",
        "changed_cells",
    ),
    "risk.plans.record_level": (
        "plan_cells",
        "plan_locally",
    ),
    "risk.plans.saved_plans": (
        "SavedPlan",
        "compare_releases",
        "load_plan",
        "save_plan",
    ),
    "risk.population.catalog": (
        "cards",
        "keep",
        "open_population",
        "store",
    ),
    "risk.population.fetching": (
        "built",
        "fetch",
    ),
    "risk.population.matching": ("match",),
    "risk.population.sources": ("SOURCES",),
    "risk.population.table": (
        "Population",
        "read_population",
        "shared_columns",
    ),
    "risk.recoding.code_sets": (
        "CodeSets",
        "clusters",
        "protect_sets",
        "rare_sets",
    ),
    "risk.recoding.suppression": (
        "fewest_columns",
        "subsample",
    ),
    "risk.reports.pdf": ("print_pdf",),
    "risk.reports.rendering": (
        "render",
        "render_exposure",
    ),
    "risk.tables.classes": ("Classes",),
    "risk.tables.coding": (
        "CodedColumn",
        "CodedTable",
        "encode",
    ),
    "risk.tables.longitudinal": ("persons",),
    "risk.tables.reading": (
        "read_header",
        "read_table",
    ),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}

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
    "Desk",
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
    if name not in _MODULE_OF:
        raise AttributeError(f"risk has no {name}")
    return getattr(import_module(_MODULE_OF[name]), name)
