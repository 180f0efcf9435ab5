"""The `Examples:` in the help of each command, by the command path."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

EXAMPLES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "scrub": (
            "deid scrub notes/ -o release",
            "deid scrub extract/ -o release --known extract/patients.csv --patient-key patient_id",
            "deid scrub notes.jsonl -o release --diff review.html",
            "deid scrub extract/ --dry-run",
            "cat note.txt | deid scrub - -o release",
        ),
        "find": (
            "deid find notes.jsonl",
            "cat note.txt | deid find -",
            "deid find notes/ --annotations label_studio -o tasks.json",
        ),
        "profile": ("deid profile patients.csv -o my-policy.yaml",),
        "policy": ("deid policy list", "deid policy show safe_harbor > my-policy.yaml"),
        "policy check": ("deid policy check my-policy.yaml",),
        "policy rules": ("deid policy rules config.json",),
        "policy compare": ("deid policy compare by-ann.yaml by-ben.yaml",),
        "check": ("deid check release --known patients.csv --patient-key patient_id",),
        "load": (
            "deid load release --to research.duckdb",
            "deid load release --to by-sex --partition-by sex",
            "deid load release --to 'postgresql://loader@db.example/research?schema=clinic'",
        ),
        "review": (
            "deid review release --originals notes/",
            "deid review release --originals notes/ --plan --rate 0.05",
            "deid review release --originals notes/ --reviewer ann --reviewer ben",
        ),
        "risk": (
            "deid risk release/patients.csv --quasi birthDate,sex,postalCode",
            "deid risk people.csv --quasi age,sex,zip3 --population zip3-acs2022-demographics",
            "deid risk people.csv --quasi age,sex --html report.html --fail-over",
        ),
        "exposure": (
            "deid exposure --population state-acs2022",
            "deid exposure --population state-acs2022 --where state=DE --html exposure.html",
        ),
        "reproduce": ("deid reproduce", "deid reproduce benitez-malin-2010-table-1"),
        "plan": (
            "deid plan people.csv --quasi age,zip,sex --k 11 -o plan",
            "deid plan people.csv --quasi age,zip,sex --k 11 --max-suppression 0.05 --json",
            "deid plan people.csv --quasi age,zip3,sex --no-worse-than safe_harbor \\",
            "    --population zip3-acs2022-demographics",
        ),
        "population": ("deid population list", "deid population show zip3-acs2022"),
        "population fetch": ("deid population fetch pep2024",),
        "population build": ("deid population build people.csv",),
        "counts": ("deid counts release/people.csv --user ann --trail trail.jsonl --where sex=F",),
        "crosswalk": (
            "deid crosswalk init book.db --key-file book.key",
            "deid scrub notes/ -o release --policy coded.yaml \\",
            "    --crosswalk book.db --key-file book.key",
        ),
        "crosswalk init": ("deid crosswalk init book.db --key-file book.key",),
        "crosswalk reveal": (
            'deid crosswalk reveal book.db CODE --reason "recall 2026-14" --key-file book.key',
        ),
        "crosswalk verify": (
            "deid crosswalk verify book.db --manifest release/_release/manifest.json \\",
            "    --key-file book.key",
        ),
        "crosswalk backup": ("deid crosswalk backup book.db -o book.bak --key-file book.key",),
        "crosswalk restore": ("deid crosswalk restore book.bak new.db --key-file book.key",),
        "evaluate": ("deid evaluate gold.jsonl", "deid evaluate gold.jsonl --json --by-note"),
        "serve": (
            "deid serve --port 3000",
            'curl localhost:3000/analyze --json \'{"text": "Seen by Dr. Ames", "language": "en"}\'',
        ),
        "doctor": ("deid doctor",),
    }
)


def epilog(path: str) -> str | None:
    """The examples of a command as its help shows them, one per line; None if it has none."""
    lines = EXAMPLES.get(path)
    return None if lines is None else "\b\n" + "\n".join(("Examples:", *(f"  {x}" for x in lines)))
