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
    host_name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name that callers use; loopback's own always work."),
    ] = None,
    max_characters: Annotated[
        int, typer.Option(metavar="N", min=1, help="Of all texts of one request.")
    ] = 200_000,
    reference_date: ReferenceDate = None,
) -> int:
    """Answer as Presidio's analyzer and anonymizer do: /analyze, /anonymize, /health and the rest.

    A body is application/json. A request holds at most --max-characters in 1,000 texts, 10,000
    results, and 100 patterns of 2,000 characters or 5,000 words; its answer holds at most 10,000
    results. More is refused as a whole (413; 503 while 32 requests wait): send it in parts.

    Nothing is logged; faults are fixed codes. Ends with Ctrl-C.
    """
    need_server("serve-not-installed", "the service", "serve")
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
    finder, anonymizing = load_finder(today, run_date=date.today()), PresidioAnonymizer(today)
    house = ServiceState(finder, anonymizing, finder.sources, token, address.hosts, bounds)
    scheme = "http" if certificate is None else "https"
    say(f"listening on {scheme}://{bind}:{listening.getsockname()[1]}; Ctrl-C ends it")
    serve(build_service(house), listening, certificate, certificate_key)
    return 0
