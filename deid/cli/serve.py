"""`deid serve`: Presidio-compatible HTTP."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from deid.cli import need_server, say
from deid.cli.arguments import ReferenceDate, day

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def run(
    port: Annotated[int, typer.Option(metavar="N", help="0 takes any free one.")] = 3000,
    bind: Annotated[
        str, typer.Option(metavar="HOST", help="Anything but loopback needs a token and TLS.")
    ] = "127.0.0.1",
    token_file: Annotated[
        Path | None,
        typer.Option(metavar="F", help="Its first line is asked of callers as a bearer token."),
    ] = None,
    certificate: Annotated[Path | None, typer.Option(metavar="F", help="TLS, PEM.")] = None,
    certificate_key: Annotated[Path | None, typer.Option(metavar="F", help="Its key.")] = None,
    reference_date: ReferenceDate = None,
) -> int:
    """Answer as Presidio's analyzer and anonymizer do: /analyze, /anonymize, /health and the rest.

    Nothing is logged; faults are fixed codes. Ends with Ctrl-C.
    """
    need_server("serve-not-installed", "the service", "serve")
    from deid.engine import load_finder
    from deid.listening import listen, refuse_certificate
    from deid.listening import run as serve
    from deid.presidio import Anonymizing
    from deid.serving.api import House, build
    from deid.serving.server import Address, read_token

    address = Address(bind, port, certificate, certificate_key)
    token = None if token_file is None else read_token(token_file)
    address.check(token)
    refuse_certificate(certificate, certificate_key)
    today = day(reference_date) or date.today()
    listening = listen(address.bind, address.port)
    finder = load_finder(today)
    house = House(finder, Anonymizing(today), finder.sources, token)
    scheme = "http" if certificate is None else "https"
    say(f"listening on {scheme}://{bind}:{listening.getsockname()[1]}; Ctrl-C ends it")
    serve(build(house), listening, certificate, certificate_key)
    return 0
