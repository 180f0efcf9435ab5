"""Re-identification risk: measure a table, plan a release, measure what a policy exposes.

Everything public is imported from here: `from risk import assess, plan, open_population`. The
package imports no other folder of the project and uses no terms of HIPAA.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from risk.cohort_counts import CohortCounter, CountRules
    from risk.errors import RiskError
    from risk.estimators.estimation import estimate
    from risk.exposure.attackers import (
        Attacker,
        ReleasePolicy,
        Scenario,
        read_scenario,
        scenario_names,
        scenario_text,
    )
    from risk.exposure.policy_exposure import Differential, Exposure, compare_exposures, expose
    from risk.hierarchies.hierarchy import Hierarchy
    from risk.hierarchies.level_maps import missing_lines
    from risk.hierarchies.register import (
        HIERARCHY_KINDS,
        build_hierarchy,
        guess_hierarchy,
        outlying_values,
        read_hierarchies,
    )
    from risk.hierarchies.rules import HierarchyRule
    from risk.hierarchies.wording import level_words
    from risk.lattice.closeness import Closeness, Presence
    from risk.lattice.frontier import FrontierPoint, evaluate_nodes
    from risk.lattice.limits import (
        AverageRisk,
        ClassSize,
        Diversity,
        KMap,
        PopulationRisk,
        ShareAtRisk,
    )
    from risk.lattice.losses import LOSSES
    from risk.lattice.population_uniques import PopulationUniques
    from risk.lattice.search import LevelRange
    from risk.measures.assessment import RiskRequest, assess
    from risk.measures.attribute_disclosure import Disclosure
    from risk.measures.counted_nouns import counted_noun
    from risk.measures.record_linkage import Linkage
    from risk.measures.release_context import ReleaseContext, kappa, questionnaire, read_context
    from risk.measures.risk_report import RiskReport
    from risk.measures.scores import Score
    from risk.measures.thresholds import Threshold
    from risk.papers.reproductions import (
        PAPER_TABLES,
        ReproducedFigure,
        Reproduction,
        reproduce,
    )
    from risk.perturbation.register import Perturbation, parse_perturbations, perturb
    from risk.plans.alternatives import Alternative, Comparison, compare_policies, policy_risk
    from risk.plans.detail_levels import ColumnDetail, column_details
    from risk.plans.full_domain import frontier_of, plan
    from risk.plans.person_histories import to_intervals
    from risk.plans.plan import Plan, PlanRequest, changed_cells
    from risk.plans.record_level import plan_cells, plan_locally
    from risk.plans.release_series import Remedy, compare_releases, find_remedy
    from risk.plans.saved_plans import SavedPlan, load_plan, save_plan
    from risk.population.catalog import (
        open_population,
        population_cards,
        population_folder,
        save_population,
    )
    from risk.population.fetching import build_population, fetch_population
    from risk.population.matching import match_population
    from risk.population.sources import SOURCES
    from risk.population.table import (
        Population,
        file_sha256,
        population_mapping,
        read_population,
    )
    from risk.recoding.code_sets import CodeSets, cluster_codes, protect_sets, rare_sets
    from risk.recoding.sampling_privacy import SamplingPrivacy
    from risk.recoding.suppression import fewest_columns, subsample
    from risk.reports.document_facts import DocumentFacts, JudgedVariable, read_variables
    from risk.reports.pdf import print_pdf
    from risk.reports.plan_page import ColumnChange, PlanPage, frontier_page, render_plan
    from risk.reports.policies_page import render_policies
    from risk.reports.rendering import records_by_size, render_exposure, render_report
    from risk.spellings.words import spelling_variants
    from risk.tables.classes import Classes
    from risk.tables.coding import CodedColumn, CodedTable, encode, unknown_column
    from risk.tables.longitudinal import group_by_person
    from risk.tables.reading import read_classes, read_delimiter, read_header, read_table
    from risk.tables.spark_classes import read_classes_by_spark
    from risk.utility.analysis_columns import numbers_rows
    from risk.utility.release_utility import ReleaseUtility, compare_release

#: The public names of each module. A module is imported when one of its names is first used, so
#: that a command loads only what it needs.
_MODULES: dict[str, tuple[str, ...]] = {
    "risk.cohort_counts": (
        "CohortCounter",
        "CountRules",
    ),
    "risk.errors": ("RiskError",),
    "risk.estimators.estimation": ("estimate",),
    "risk.exposure.attackers": (
        "Attacker",
        "ReleasePolicy",
        "Remedy",
        "Scenario",
        "read_scenario",
        "scenario_names",
        "scenario_text",
    ),
    "risk.exposure.policy_exposure": (
        "Differential",
        "Exposure",
        "compare_exposures",
        "expose",
    ),
    "risk.hierarchies.hierarchy": ("Hierarchy",),
    "risk.hierarchies.level_maps": ("missing_lines",),
    "risk.hierarchies.register": (
        "HIERARCHY_KINDS",
        "build_hierarchy",
        "guess_hierarchy",
        "outlying_values",
        "read_hierarchies",
    ),
    "risk.hierarchies.rules": ("HierarchyRule",),
    "risk.utility.analysis_columns": ("numbers_rows",),
    "risk.utility.release_utility": ("ReleaseUtility", "compare_release"),
    "risk.hierarchies.wording": ("level_words",),
    "risk.lattice.closeness": ("Closeness", "Presence"),
    "risk.lattice.population_uniques": ("PopulationUniques",),
    "risk.perturbation.register": ("Perturbation", "parse_perturbations", "perturb"),
    "risk.recoding.sampling_privacy": ("SamplingPrivacy",),
    "risk.lattice.frontier": ("FrontierPoint", "evaluate_nodes"),
    "risk.lattice.limits": (
        "AverageRisk",
        "ClassSize",
        "Diversity",
        "JudgedVariable",
        "KMap",
        "PopulationRisk",
        "ShareAtRisk",
    ),
    "risk.lattice.losses": ("LOSSES",),
    "risk.lattice.search": ("LevelRange",),
    "risk.measures.assessment": (
        "RiskRequest",
        "assess",
    ),
    "risk.measures.attribute_disclosure": ("Disclosure",),
    "risk.measures.counted_nouns": ("counted_noun",),
    "risk.measures.record_linkage": ("Linkage",),
    "risk.measures.release_context": (
        "ReleaseContext",
        "kappa",
        "questionnaire",
        "read_context",
    ),
    "risk.measures.risk_report": ("RiskReport",),
    "risk.measures.scores": ("Score",),
    "risk.measures.thresholds": ("Threshold",),
    "risk.papers.reproductions": (
        "PAPER_TABLES",
        "ReproducedFigure",
        "Reproduction",
        "reproduce",
    ),
    "risk.plans.alternatives": (
        "Alternative",
        "Comparison",
        "compare_policies",
        "policy_risk",
    ),
    "risk.plans.detail_levels": (
        "ColumnDetail",
        "column_details",
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
    "risk.plans.release_series": (
        "Remedy",
        "compare_releases",
        "find_remedy",
    ),
    "risk.plans.saved_plans": (
        "SavedPlan",
        "load_plan",
        "save_plan",
    ),
    "risk.population.catalog": (
        "open_population",
        "population_cards",
        "population_folder",
        "save_population",
    ),
    "risk.population.fetching": (
        "build_population",
        "fetch_population",
    ),
    "risk.population.matching": ("match_population",),
    "risk.population.sources": ("SOURCES",),
    "risk.population.table": (
        "Population",
        "file_sha256",
        "population_mapping",
        "read_population",
    ),
    "risk.recoding.code_sets": (
        "CodeSets",
        "cluster_codes",
        "protect_sets",
        "rare_sets",
    ),
    "risk.recoding.suppression": (
        "fewest_columns",
        "subsample",
    ),
    "risk.reports.document_facts": (
        "DocumentFacts",
        "JudgedVariable",
        "read_variables",
    ),
    "risk.reports.pdf": ("print_pdf",),
    "risk.reports.plan_page": (
        "ColumnChange",
        "PlanPage",
        "frontier_page",
        "render_plan",
    ),
    "risk.reports.policies_page": ("render_policies",),
    "risk.reports.rendering": (
        "records_by_size",
        "render_exposure",
        "render_report",
    ),
    "risk.spellings.words": ("spelling_variants",),
    "risk.tables.classes": ("Classes",),
    "risk.tables.coding": (
        "CodedColumn",
        "CodedTable",
        "encode",
        "unknown_column",
    ),
    "risk.tables.longitudinal": ("group_by_person",),
    "risk.tables.spark_classes": ("read_classes_by_spark",),
    "risk.tables.reading": (
        "read_classes",
        "read_delimiter",
        "read_header",
        "read_table",
    ),
}
#: Names that earlier versions exported, and what they are called now.
_FORMER_NAMES = {
    "Context": "ReleaseContext",
    "Desk": "CohortCounter",
    "KINDS": "HIERARCHY_KINDS",
    "Knob": "ColumnDetail",
    "Policy": "ReleasePolicy",
    "Question": "RiskRequest",
    "Rule": "HierarchyRule",
    "Rules": "CountRules",
    "built": "build_population",
    "cards": "population_cards",
    "clusters": "cluster_codes",
    "compare": "compare_exposures",
    "draw": "frontier_page",
    "every_node": "evaluate_nodes",
    "fetch": "fetch_population",
    "keep": "save_population",
    "knobs_for": "column_details",
    "match": "match_population",
    "persons": "group_by_person",
    "render": "render_report",
    "shared_columns": "population_mapping",
    "store": "population_folder",
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "HIERARCHY_KINDS",
    "LOSSES",
    "PAPER_TABLES",
    "SOURCES",
    "Alternative",
    "Attacker",
    "AverageRisk",
    "ClassSize",
    "Classes",
    "Closeness",
    "CodeSets",
    "CodedColumn",
    "CodedTable",
    "CohortCounter",
    "ColumnChange",
    "ColumnDetail",
    "Comparison",
    "CountRules",
    "Differential",
    "Disclosure",
    "Diversity",
    "DocumentFacts",
    "Exposure",
    "FrontierPoint",
    "Hierarchy",
    "HierarchyRule",
    "JudgedVariable",
    "KMap",
    "LevelRange",
    "Linkage",
    "Perturbation",
    "Plan",
    "PlanPage",
    "PlanRequest",
    "Population",
    "PopulationRisk",
    "PopulationUniques",
    "Presence",
    "ReleaseContext",
    "ReleasePolicy",
    "ReleaseUtility",
    "Remedy",
    "ReproducedFigure",
    "Reproduction",
    "RiskError",
    "RiskReport",
    "RiskRequest",
    "SamplingPrivacy",
    "SavedPlan",
    "Scenario",
    "Score",
    "ShareAtRisk",
    "Threshold",
    "assess",
    "build_hierarchy",
    "build_population",
    "changed_cells",
    "cluster_codes",
    "column_details",
    "compare_exposures",
    "compare_policies",
    "compare_release",
    "compare_releases",
    "counted_noun",
    "encode",
    "estimate",
    "evaluate_nodes",
    "expose",
    "fetch_population",
    "fewest_columns",
    "file_sha256",
    "find_remedy",
    "frontier_of",
    "frontier_page",
    "group_by_person",
    "guess_hierarchy",
    "kappa",
    "level_words",
    "load_plan",
    "match_population",
    "missing_lines",
    "numbers_rows",
    "open_population",
    "outlying_values",
    "parse_perturbations",
    "perturb",
    "plan",
    "plan_cells",
    "plan_locally",
    "policy_risk",
    "population_cards",
    "population_folder",
    "population_mapping",
    "print_pdf",
    "protect_sets",
    "questionnaire",
    "rare_sets",
    "read_classes",
    "read_classes_by_spark",
    "read_context",
    "read_delimiter",
    "read_header",
    "read_hierarchies",
    "read_population",
    "read_scenario",
    "read_table",
    "read_variables",
    "records_by_size",
    "render_exposure",
    "render_plan",
    "render_policies",
    "render_report",
    "reproduce",
    "save_plan",
    "save_population",
    "scenario_names",
    "scenario_text",
    "spelling_variants",
    "subsample",
    "to_intervals",
    "unknown_column",
]


def __getattr__(name: str) -> Any:
    name = _FORMER_NAMES.get(name, name)
    if name not in _MODULE_OF:
        raise AttributeError(f"risk has no {name}")
    return getattr(import_module(_MODULE_OF[name]), name)
