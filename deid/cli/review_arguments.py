"""The options of `deid review`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from deid.cli.arguments import Certificate, CertificateKey, CsvDelimiter


@dataclass(frozen=True, kw_only=True)
class ReviewOptions:
    """The options of `deid review`, as given."""

    out: Path
    originals: list[Path] | None = None
    port: int = 0
    no_browser: bool = False
    plan: bool = False
    export: Path | None = None
    learn: Path | None = None
    reviewer: list[str] | None = None
    adjudicator: str | None = None
    overlap: float | None = None
    share: bool = False
    rate: float = 0.01
    confidence: float = 0.95
    leaks: int = 0
    stratify: str = ""
    stratum_minimum: int = 0
    per_patient: int = 1
    correlation: float = 1.0
    patient_column: str = ""
    known: list[Path] | None = None
    patient_key: str | None = None
    two_stage: bool = False
    seeded_leaks: int = 0
    sensitivity: float = 1.0
    seed: str | None = None
    key_file: Path | None = None
    delimiter: CsvDelimiter = None
    bind: str = "127.0.0.1"
    remote: bool = False
    host_name: list[str] | None = None
    certificate: Certificate = None
    certificate_key: CertificateKey = None
    idle_minutes: float = 10.0
    as_json: bool = False
