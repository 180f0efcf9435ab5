"""Re-identification risk: measure a table, plan a release, measure what a policy exposes.

Everything public is imported from here: `from risk import assess, plan, open_population`. The
package imports no other folder of the project and uses no terms of HIPAA.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from risk.cohort_counts import CohortCounter as CohortCounter
    from risk.cohort_counts import CountRules as CountRules
    from risk.errors import RiskError as RiskError
    from risk.estimators.estimation import estimate as estimate
    from risk.exposure.attackers import Attacker as Attacker
    from risk.exposure.attackers import ReleasePolicy as ReleasePolicy
    from risk.exposure.attackers import Scenario as Scenario
    from risk.exposure.attackers import read_scenario as read_scenario
    from risk.exposure.attackers import scenario_names as scenario_names
    from risk.exposure.attackers import scenario_text as scenario_text
    from risk.exposure.policy_exposure import Differential as Differential
    from risk.exposure.policy_exposure import Exposure as Exposure
    from risk.exposure.policy_exposure import compare_exposures as compare_exposures
    from risk.exposure.policy_exposure import expose as expose
    from risk.hierarchies.hierarchy import Hierarchy as Hierarchy
    from risk.hierarchies.level_maps import missing_lines as missing_lines
    from risk.hierarchies.register import HIERARCHY_KINDS as HIERARCHY_KINDS
    from risk.hierarchies.register import build_hierarchy as build_hierarchy
    from risk.hierarchies.register import guess_hierarchy as guess_hierarchy
    from risk.hierarchies.register import outlying_values as outlying_values
    from risk.hierarchies.register import read_hierarchies as read_hierarchies
    from risk.hierarchies.rules import HierarchyRule as HierarchyRule
    from risk.hierarchies.wording import level_words as level_words
    from risk.lattice.closeness import Closeness as Closeness
    from risk.lattice.closeness import Presence as Presence
    from risk.lattice.frontier import FrontierPoint as FrontierPoint
    from risk.lattice.frontier import evaluate_nodes as evaluate_nodes
    from risk.lattice.limits import AverageRisk as AverageRisk
    from risk.lattice.limits import ClassSize as ClassSize
    from risk.lattice.limits import Diversity as Diversity
    from risk.lattice.limits import KMap as KMap
    from risk.lattice.limits import PopulationRisk as PopulationRisk
    from risk.lattice.limits import ShareAtRisk as ShareAtRisk
    from risk.lattice.losses import LOSSES as LOSSES
    from risk.lattice.population_uniques import PopulationUniques as PopulationUniques
    from risk.lattice.search import LevelRange as LevelRange
    from risk.measures.assessment import RiskRequest as RiskRequest
    from risk.measures.assessment import assess as assess
    from risk.measures.attribute_disclosure import Disclosure as Disclosure
    from risk.measures.counted_nouns import counted_noun as counted_noun
    from risk.measures.record_linkage import Linkage as Linkage
    from risk.measures.release_context import ReleaseContext as ReleaseContext
    from risk.measures.release_context import kappa as kappa
    from risk.measures.release_context import questionnaire as questionnaire
    from risk.measures.release_context import read_context as read_context
    from risk.measures.risk_report import RiskReport as RiskReport
    from risk.measures.scores import Score as Score
    from risk.measures.thresholds import Threshold as Threshold
    from risk.papers.reproductions import PAPER_TABLES as PAPER_TABLES
    from risk.papers.reproductions import ReproducedFigure as ReproducedFigure
    from risk.papers.reproductions import Reproduction as Reproduction
    from risk.papers.reproductions import reproduce as reproduce
    from risk.perturbation.register import Perturbation as Perturbation
    from risk.perturbation.register import parse_perturbations as parse_perturbations
    from risk.perturbation.register import perturb as perturb
    from risk.plans.alternatives import Alternative as Alternative
    from risk.plans.alternatives import Comparison as Comparison
    from risk.plans.alternatives import compare_policies as compare_policies
    from risk.plans.alternatives import policy_risk as policy_risk
    from risk.plans.detail_levels import ColumnDetail as ColumnDetail
    from risk.plans.detail_levels import column_details as column_details
    from risk.plans.full_domain import frontier_of as frontier_of
    from risk.plans.full_domain import plan as plan
    from risk.plans.person_histories import to_intervals as to_intervals
    from risk.plans.plan import Plan as Plan
    from risk.plans.plan import PlanRequest as PlanRequest
    from risk.plans.plan import changed_cells as changed_cells
    from risk.plans.record_level import plan_cells as plan_cells
    from risk.plans.record_level import plan_locally as plan_locally
    from risk.plans.release_series import Remedy as Remedy
    from risk.plans.release_series import compare_releases as compare_releases
    from risk.plans.release_series import find_remedy as find_remedy
    from risk.plans.saved_plans import SavedPlan as SavedPlan
    from risk.plans.saved_plans import load_plan as load_plan
    from risk.plans.saved_plans import save_plan as save_plan
    from risk.population.catalog import open_population as open_population
    from risk.population.catalog import population_cards as population_cards
    from risk.population.catalog import population_folder as population_folder
    from risk.population.catalog import save_population as save_population
    from risk.population.fetching import build_population as build_population
    from risk.population.fetching import fetch_population as fetch_population
    from risk.population.matching import match_population as match_population
    from risk.population.sources import SOURCES as SOURCES
    from risk.population.table import Population as Population
    from risk.population.table import file_sha256 as file_sha256
    from risk.population.table import population_mapping as population_mapping
    from risk.population.table import read_population as read_population
    from risk.recoding.code_sets import CodeSets as CodeSets
    from risk.recoding.code_sets import cluster_codes as cluster_codes
    from risk.recoding.code_sets import protect_sets as protect_sets
    from risk.recoding.code_sets import rare_sets as rare_sets
    from risk.recoding.sampling_privacy import SamplingPrivacy as SamplingPrivacy
    from risk.recoding.suppression import fewest_columns as fewest_columns
    from risk.recoding.suppression import subsample as subsample
    from risk.reports.document_facts import DocumentFacts as DocumentFacts
    from risk.reports.document_facts import JudgedVariable as JudgedVariable
    from risk.reports.document_facts import read_variables as read_variables
    from risk.reports.pdf import print_pdf as print_pdf
    from risk.reports.plan_page import ColumnChange as ColumnChange
    from risk.reports.plan_page import PlanPage as PlanPage
    from risk.reports.plan_page import frontier_page as frontier_page
    from risk.reports.plan_page import render_plan as render_plan
    from risk.reports.policies_page import render_policies as render_policies
    from risk.reports.rendering import records_by_size as records_by_size
    from risk.reports.rendering import render_exposure as render_exposure
    from risk.reports.rendering import render_report as render_report
    from risk.spellings.words import spelling_variants as spelling_variants
    from risk.tables.classes import Classes as Classes
    from risk.tables.coding import CodedColumn as CodedColumn
    from risk.tables.coding import CodedTable as CodedTable
    from risk.tables.coding import encode as encode
    from risk.tables.coding import unknown_column as unknown_column
    from risk.tables.longitudinal import group_by_person as group_by_person
    from risk.tables.reading import read_classes as read_classes
    from risk.tables.reading import read_delimiter as read_delimiter
    from risk.tables.reading import read_header as read_header
    from risk.tables.reading import read_table as read_table
    from risk.tables.spark_classes import read_classes_by_spark as read_classes_by_spark
    from risk.utility.analysis_columns import numbers_rows as numbers_rows
    from risk.utility.release_utility import ReleaseUtility as ReleaseUtility
    from risk.utility.release_utility import compare_release as compare_release

#: The public names of each module. A module is imported when one of its names is first used, so
#: that a command loads only what it needs.
_MODULES: dict[str, tuple[str, ...]] = {
    "risk.cohort_counts": ("CohortCounter", "CountRules"),
    "risk.errors": ("RiskError",),
    "risk.estimators.estimation": ("estimate",),
    "risk.exposure.attackers": (
        "Attacker",
        "ReleasePolicy",
        "Scenario",
        "read_scenario",
        "scenario_names",
        "scenario_text",
    ),
    "risk.exposure.policy_exposure": ("Differential", "Exposure", "compare_exposures", "expose"),
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
    "risk.hierarchies.wording": ("level_words",),
    "risk.lattice.closeness": ("Closeness", "Presence"),
    "risk.lattice.frontier": ("FrontierPoint", "evaluate_nodes"),
    "risk.lattice.limits": (
        "AverageRisk",
        "ClassSize",
        "Diversity",
        "KMap",
        "PopulationRisk",
        "ShareAtRisk",
    ),
    "risk.lattice.losses": ("LOSSES",),
    "risk.lattice.population_uniques": ("PopulationUniques",),
    "risk.lattice.search": ("LevelRange",),
    "risk.measures.assessment": ("RiskRequest", "assess"),
    "risk.measures.attribute_disclosure": ("Disclosure",),
    "risk.measures.counted_nouns": ("counted_noun",),
    "risk.measures.record_linkage": ("Linkage",),
    "risk.measures.release_context": ("ReleaseContext", "kappa", "questionnaire", "read_context"),
    "risk.measures.risk_report": ("RiskReport",),
    "risk.measures.scores": ("Score",),
    "risk.measures.thresholds": ("Threshold",),
    "risk.papers.reproductions": ("PAPER_TABLES", "ReproducedFigure", "Reproduction", "reproduce"),
    "risk.perturbation.register": ("Perturbation", "parse_perturbations", "perturb"),
    "risk.plans.alternatives": ("Alternative", "Comparison", "compare_policies", "policy_risk"),
    "risk.plans.detail_levels": ("ColumnDetail", "column_details"),
    "risk.plans.full_domain": ("frontier_of", "plan"),
    "risk.plans.person_histories": ("to_intervals",),
    "risk.plans.plan": ("Plan", "PlanRequest", "changed_cells"),
    "risk.plans.record_level": ("plan_cells", "plan_locally"),
    "risk.plans.release_series": ("Remedy", "compare_releases", "find_remedy"),
    "risk.plans.saved_plans": ("SavedPlan", "load_plan", "save_plan"),
    "risk.population.catalog": (
        "open_population",
        "population_cards",
        "population_folder",
        "save_population",
    ),
    "risk.population.fetching": ("build_population", "fetch_population"),
    "risk.population.matching": ("match_population",),
    "risk.population.sources": ("SOURCES",),
    "risk.population.table": ("Population", "file_sha256", "population_mapping", "read_population"),
    "risk.recoding.code_sets": ("CodeSets", "cluster_codes", "protect_sets", "rare_sets"),
    "risk.recoding.sampling_privacy": ("SamplingPrivacy",),
    "risk.recoding.suppression": ("fewest_columns", "subsample"),
    "risk.reports.document_facts": ("DocumentFacts", "JudgedVariable", "read_variables"),
    "risk.reports.pdf": ("print_pdf",),
    "risk.reports.plan_page": ("ColumnChange", "PlanPage", "frontier_page", "render_plan"),
    "risk.reports.policies_page": ("render_policies",),
    "risk.reports.rendering": ("records_by_size", "render_exposure", "render_report"),
    "risk.spellings.words": ("spelling_variants",),
    "risk.tables.classes": ("Classes",),
    "risk.tables.coding": ("CodedColumn", "CodedTable", "encode", "unknown_column"),
    "risk.tables.longitudinal": ("group_by_person",),
    "risk.tables.reading": ("read_classes", "read_delimiter", "read_header", "read_table"),
    "risk.tables.spark_classes": ("read_classes_by_spark",),
    "risk.utility.analysis_columns": ("numbers_rows",),
    "risk.utility.release_utility": ("ReleaseUtility", "compare_release"),
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
__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> Any:
    name = _FORMER_NAMES.get(name, name)
    if name not in _MODULE_OF:
        raise AttributeError(f"risk has no {name}")
    return getattr(import_module(_MODULE_OF[name]), name)
