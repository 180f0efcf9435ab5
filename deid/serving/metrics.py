"""Counts and durations of requests as text for Prometheus. They hold no value of a request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.types import ASGIApp, Message, Receive, Scope, Send

SECONDS = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0)
"""Upper bounds of the histogram of durations."""
OTHER = "other"
"""The name for every path that is not an endpoint, because such a path may hold a value."""


@dataclass(slots=True)
class RequestMetrics:
    """The requests since the start: their counts by endpoint and status, and their durations."""

    paths: frozenset[str]
    _requests: Counter[tuple[str, int]] = field(default_factory=Counter)
    _seconds: dict[str, float] = field(default_factory=dict)
    _within: Counter[tuple[str, float]] = field(default_factory=Counter)

    def count(self, path: str, status: int, seconds: float) -> None:
        """Add one request."""
        name = path if path in self.paths else OTHER
        self._requests[name, status] += 1
        self._seconds[name] = self._seconds.get(name, 0.0) + seconds
        self._within.update((name, limit) for limit in SECONDS if seconds <= limit)

    def text(self) -> str:
        """The metrics in the text format 0.0.4 of Prometheus."""
        lines = ["# TYPE deid_requests_total counter"]
        totals: Counter[str] = Counter()
        for (path, status), count in sorted(self._requests.items()):
            lines.append(f'deid_requests_total{{path="{path}",status="{status}"}} {count}')
            totals[path] += count
        lines.append("# TYPE deid_request_seconds histogram")
        for path, count in sorted(totals.items()):
            name = f'deid_request_seconds_bucket{{path="{path}",le='
            lines += [f'{name}"{limit}"}} {self._within[path, limit]}' for limit in SECONDS]
            lines.append(f'{name}"+Inf"}} {count}')
            lines.append(f'deid_request_seconds_sum{{path="{path}"}} {self._seconds[path]:.6f}')
            lines.append(f'deid_request_seconds_count{{path="{path}"}} {count}')
        return "\n".join(lines) + "\n"


class MeasuredApp:
    """Counts the requests of an application."""

    def __init__(self, app: ASGIApp, metrics: RequestMetrics, clock: Callable[[], float]) -> None:
        self.app, self.metrics, self.clock = app, metrics, clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started, statuses = self.clock(), [500]

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])
            await send(message)

        try:
            await self.app(scope, receive, noting)
        finally:
            path = str(scope.get("path", ""))
            self.metrics.count(path, statuses[-1], self.clock() - started)
