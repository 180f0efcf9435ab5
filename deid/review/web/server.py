"""Serves the review page on loopback until stopped."""

from __future__ import annotations

import contextlib
import getpass
import html
import tempfile
import time
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from deid.errors import DeidError
from deid.review.review_session import ReviewSession
from deid.review.web.access import ReviewAccess
from deid.review.web.app import ReviewApp, build_review_app
from deid.review.web.sessions import Role, Session, Sessions
from deid.serving.host_names import LOOPBACK, Origin
from deid.serving.loopback import listen, refuse_certificate, serve_application


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Address and people of a review server.

    Any address other than loopback needs `remote` and TLS.
    """

    reviewers: tuple[str, ...]
    adjudicator: str | None = None
    port: int = 0
    bind: str = "127.0.0.1"
    remote: bool = False
    names: tuple[str, ...] = ()
    certificate: Path | None = field(default=None, repr=False)
    certificate_key: Path | None = field(default=None, repr=False)
    share: bool = False
    browser: bool = True
    idle_minutes: float = 10.0

    def __post_init__(self) -> None:
        tls = self.certificate is not None and self.certificate_key is not None
        if self.bind not in LOOPBACK and not (self.remote and tls):
            raise DeidError(
                "remote-needs-tls",
                "--bind names an address for other machines, but --remote or TLS is missing",
                hint="the page shows originals: give --remote, --certificate and --certificate-key",
            )
        for name in self.people():
            if not name.isprintable() or not 0 < len(name) <= 40:
                raise DeidError(
                    "reviewer-invalid", "a reviewer's name must have 1 to 40 plain letters"
                )
        if len(set(self.people())) != len(self.people()):
            raise DeidError(
                "reviewer-twice",
                "two people in the review have the same name",
                hint="give each person a different name",
            )

    def people(self) -> list[str]:
        """The reviewers and the adjudicator."""
        return [*self.reviewers, *([self.adjudicator] if self.adjudicator else [])]


def default_reviewer() -> str:
    """The login name, or "reviewer"."""
    with contextlib.suppress(OSError, KeyError):
        return getpass.getuser()
    return "reviewer"


def serve_review(
    review: ReviewSession,
    serving: ServerSettings,
    say: Callable[[str], None],
    on_sign: Callable[[], None],
) -> None:
    """Serve until interrupted. Each person gets a link that works once."""
    refuse_certificate(serving.certificate, serving.certificate_key)
    listening = listen(serving.bind, serving.port)
    port = int(listening.getsockname()[1])
    tls = serving.certificate is not None
    names = serving.names or ("127.0.0.1", "localhost", "[::1]")
    origin = Origin.of(names, port, tls)
    sessions = Sessions(serving.idle_minutes * 60, time.monotonic)

    def link(reviewer: str, role: Role) -> str:
        host = serving.names[0] if serving.names else _shown_host(serving.bind)
        return f"{origin.scheme}://{host}:{port}/open?token={sessions.invite(reviewer, role)}"

    def locked(session: Session) -> None:
        say(f"locked; {session.reviewer} continues with {link(session.reviewer, session.role)}")

    access = ReviewAccess(sessions, origin, serving.share, serving.idle_minutes * 60)
    state = ReviewApp(review, access, locked, on_sign)
    links = [link(name, "reviewer") for name in serving.reviewers]
    for name, url in zip(serving.reviewers, links, strict=True):
        say(f"{name} opens this link: {url}")
    if serving.adjudicator:
        url = link(serving.adjudicator, "adjudicator")
        say(f"{serving.adjudicator} (adjudicator) opens this link: {url}")
    say("each link opens once; Ctrl-C ends the review; all marks are kept")
    with tempfile.TemporaryDirectory(prefix="deid-") as folder:
        if serving.browser and links:
            webbrowser.open(forwarding_page(links[0], Path(folder)).as_uri())
        serve_application(
            build_review_app(state), listening, serving.certificate, serving.certificate_key
        )


def forwarding_page(link: str, folder: Path) -> Path:
    """Write a page that forwards to the link, readable only by its owner.

    A browser gets its URL as an argument, which every user of the machine can list.
    """
    path = folder / "open.html"
    path.touch(mode=0o600)
    target = html.escape(link)
    path.write_text(
        f'<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
        f'<meta http-equiv="refresh" content="0; url={target}"><title>Review</title>'
        f'<a href="{target}">Open the review</a>\n',
        "utf-8",
    )
    return path


def _shown_host(bind: str) -> str:
    return f"[{bind}]" if ":" in bind else bind
