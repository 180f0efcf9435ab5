"""The options of `deid serve`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from deid.cli.arguments import Certificate, CertificateKey, Recognizers, ReferenceDate


@dataclass(frozen=True, kw_only=True)
class ServeOptions:
    """The options of `deid serve`, as given."""

    port: Annotated[int, typer.Option(metavar="N", help="The port (0: any free port).")] = 3000
    bind: Annotated[
        str,
        typer.Option(
            metavar="HOST",
            help="The address to listen on. Other than loopback needs a token and TLS.",
        ),
    ] = "127.0.0.1"
    token_file: Annotated[
        Path | None,
        typer.Option(
            metavar="F", help="A file whose first line is the bearer token that callers must send."
        ),
    ] = None
    certificate: Certificate = None
    certificate_key: CertificateKey = None
    host_name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A host name that callers may use besides those of loopback. Repeat for more.",
        ),
    ] = None
    max_characters: Annotated[
        int, typer.Option(metavar="N", min=1, help="The most characters in all texts of a request.")
    ] = 200_000
    presidio_errors: Annotated[
        bool,
        typer.Option(
            "--presidio-errors",
            help="Answer errors in the words and with the status codes of Presidio's services.",
        ),
    ] = False
    reference_date: ReferenceDate = None
    recognizers: Recognizers = None
