"""The options of `deid serve`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from deid.cli.arguments import Certificate, CertificateKey, Fast, Recognizers, ReferenceDate
from deid.serving import REQUEST_CHARACTERS


@dataclass(frozen=True, kw_only=True)
class ServeOptions:
    """The options of `deid serve`, as given."""

    port: int = 3000
    bind: str = "127.0.0.1"
    token_file: Path | None = None
    certificate: Certificate = None
    certificate_key: CertificateKey = None
    host_name: list[str] | None = None
    max_characters: int = REQUEST_CHARACTERS
    presidio_errors: bool = False
    reference_date: ReferenceDate = None
    recognizers: Recognizers = None
    fast: Fast = False
