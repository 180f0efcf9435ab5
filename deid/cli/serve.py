"""`deid serve`: the HTTP interface of Presidio."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from deid.cli import say
from deid.cli.arguments import day
from deid.cli.option_groups import command, command_app
from deid.serving import REQUEST_CHARACTERS

app = command_app()


@dataclass(frozen=True, kw_only=True)
class ServeOptions:
    """The options of `deid serve`, as given."""

    port: int = 3000
    bind: str = "127.0.0.1"
    token_file: Path | None = None
    certificate: Path | None = None
    certificate_key: Path | None = None
    host_name: list[str] | None = None
    max_characters: int = REQUEST_CHARACTERS
    presidio_errors: bool = False
    reference_date: str | None = None
    recognizers: Path | None = None
    fast: bool = False


@command(app)
def run(asked: ServeOptions) -> int:
    """Serve the HTTP interface of Presidio: /analyze, /anonymize, /health and others.

    Send application/json. A request may hold at most 1,000 texts with --max-characters in all,
    10,000 results, 5,000 words and 100 patterns of 2,000 characters, with names of up to 100
    characters. An answer has at most 10,000 results. A larger request is refused with status 413.
    While 512 requests wait, every new request is refused with status 503.

    A finding has a specific entity type of Presidio if its value shows the type (CREDIT_CARD,
    IBAN_CODE, US_DRIVER_LICENSE). A request for a type that no recognizer finds is refused.

    /openapi.json describes the interface, and /metrics counts requests for Prometheus.

    Nothing is logged, and errors are fixed codes. Press Ctrl-C to stop the service.
    """
    from deid.serving.bounds import RequestLimits
    from deid.serving.endpoints import ServiceState, build_service
    from deid.serving.loopback import listen, refuse_certificate
    from deid.serving.loopback import serve_application as serve
    from deid.serving.search_processes import search_count, searching_processes
    from deid.serving.server import ListenAddress, read_token
    from deid.text.engine import load_finder
    from deid.transforms.presidio_operators import PresidioAnonymizer

    address = ListenAddress(
        asked.bind,
        asked.port,
        asked.certificate,
        asked.certificate_key,
        tuple(asked.host_name or ()),
    )
    token = None if asked.token_file is None else read_token(asked.token_file)
    address.check(token)
    refuse_certificate(asked.certificate, asked.certificate_key)
    today = day(asked.reference_date) or date.today()
    listening = listen(address.bind, address.port)
    bounds = RequestLimits(characters=asked.max_characters)
    finder = load_finder(
        today, run_date=date.today(), fast=asked.fast, recognizers=asked.recognizers
    )
    anonymizing = PresidioAnonymizer(today)
    scheme = "http" if asked.certificate is None else "https"
    with searching_processes(finder, search_count()) as searching:
        state = ServiceState(
            searching,
            anonymizing,
            finder.sources,
            token,
            address.hosts,
            asked.presidio_errors,
            bounds,
        )
        say(f"listening on {scheme}://{asked.bind}:{listening.getsockname()[1]}; stop with Ctrl-C")
        serve(build_service(state), listening, asked.certificate, asked.certificate_key)
    return 0
