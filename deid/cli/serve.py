"""`deid serve`: the HTTP interface of Presidio."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from deid.cli import say
from deid.cli.arguments import Certificate, CertificateKey, Recognizers, ReferenceDate, day

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def run(
    port: Annotated[int, typer.Option(metavar="N", help="The port (0: any free port).")] = 3000,
    bind: Annotated[
        str,
        typer.Option(
            metavar="HOST",
            help="The address to listen on. Other than loopback needs a token and TLS.",
        ),
    ] = "127.0.0.1",
    token_file: Annotated[
        Path | None,
        typer.Option(
            metavar="F", help="A file whose first line is the bearer token that callers must send."
        ),
    ] = None,
    certificate: Certificate = None,
    certificate_key: CertificateKey = None,
    host_name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A host name that callers may use besides those of loopback. Repeat for more.",
        ),
    ] = None,
    max_characters: Annotated[
        int, typer.Option(metavar="N", min=1, help="The most characters in all texts of a request.")
    ] = 200_000,
    presidio_errors: Annotated[
        bool,
        typer.Option(
            "--presidio-errors",
            help="Answer errors in the words and with the status codes of Presidio's services.",
        ),
    ] = False,
    reference_date: ReferenceDate = None,
    recognizers: Recognizers = None,
) -> int:
    """Serve the HTTP interface of Presidio: /analyze, /anonymize, /health and others.

    Send application/json. A request may hold at most 1,000 texts with --max-characters in all,
    10,000 results, 5,000 words and 100 patterns of 2,000 characters, whose names have at most 100.
    An answer has at most 10,000 results. A larger request is refused with 413, and any request
    with 503 while 32 are waiting.

    Findings have the entity types of Presidio where the value tells (CREDIT_CARD, IBAN_CODE,
    US_DRIVER_LICENSE); a request for a type that nothing finds is refused.

    Nothing is logged, and errors are fixed codes. Stop with Ctrl-C.
    """
    from deid.serving.bounds import RequestLimits
    from deid.serving.endpoints import ServiceState, build_service
    from deid.serving.loopback import listen, refuse_certificate
    from deid.serving.loopback import serve_application as serve
    from deid.serving.server import ListenAddress, read_token
    from deid.text.engine import load_finder
    from deid.transforms.presidio_operators import PresidioAnonymizer

    address = ListenAddress(bind, port, certificate, certificate_key, tuple(host_name or ()))
    token = None if token_file is None else read_token(token_file)
    address.check(token)
    refuse_certificate(certificate, certificate_key)
    today = day(reference_date) or date.today()
    listening = listen(address.bind, address.port)
    bounds = RequestLimits(characters=max_characters)
    finder = load_finder(today, run_date=date.today(), recognizers=recognizers)
    anonymizing = PresidioAnonymizer(today)
    state = ServiceState(
        finder, anonymizing, finder.sources, token, address.hosts, presidio_errors, bounds
    )
    scheme = "http" if certificate is None else "https"
    say(f"listening on {scheme}://{bind}:{listening.getsockname()[1]}; stop with Ctrl-C")
    serve(build_service(state), listening, certificate, certificate_key)
    return 0
