"""The record of a run: operator, times, command, version and processor. It holds no values."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from deid.errors import DeidError

Clock = Callable[[], datetime]
LONGEST_OPERATOR = 100
WITHHELD_OPERATOR = "(withheld: it holds a known value)"
_CPUINFO = Path("/proc/cpuinfo")
# The last digits of the model's scores differ between these instruction sets.
_VECTORS = ("avx512_vnni", "avx512f", "avx2", "asimd")


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run of a job; a fact that is not recorded is None. Times are ISO 8601 in UTC."""

    operator: str | None = None
    command: str | None = None
    version: str | None = None
    processor: str | None = None
    start: str | None = None
    end: str | None = None
    clock: Clock | None = None

    def as_json(self) -> dict[str, Any]:
        """The entries for the manifest."""
        names = ("operator", "command", "version", "processor", "start", "end")
        return {name: getattr(self, name) for name in names}

    def ended(self) -> RunRecord:
        """The same record with the current time as its end."""
        return self if self.clock is None else replace(self, end=_moment(self.clock))


def begin_run(command: str, operator: str | None, clock: Clock) -> RunRecord:
    """The record of a run that begins now. The operator is the system user if none is given.

    Raises:
        DeidError: `operator-invalid`.
    """
    name = user_from_environment() if operator is None else " ".join(operator.split())
    if not name or len(name) > LONGEST_OPERATOR or not name.isprintable():
        raise DeidError(
            "operator-invalid",
            "--operator is empty, too long, or holds characters that cannot be shown",
            hint=f"give a name or staff number of at most {LONGEST_OPERATOR} characters",
        )
    return RunRecord(name, command, _version(), processor(), _moment(clock), clock=clock)


def utc_now() -> datetime:
    """The current time in UTC: the default clock of a run."""
    return datetime.now(UTC)


def user_from_environment() -> str:
    """The user name in the environment, or else the user's number.

    The user database is not read, because on many machines that contacts a directory server.
    """
    for variable in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        if name := os.environ.get(variable):
            return name[:LONGEST_OPERATOR]
    return f"user {os.getuid()}" if hasattr(os, "getuid") else "unknown"


def processor() -> str:
    """The name of this machine's processor, with its widest vector instructions."""
    try:
        lines = _CPUINFO.read_text("utf-8", "replace").splitlines()
    except OSError:
        lines = []
    facts = {
        key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)
    }
    flags = facts.get("flags", facts.get("Features", "")).split()
    name = facts.get("model name") or platform.processor() or "processor"
    return ", ".join([name, platform.machine(), *(v for v in _VECTORS if v in flags)][:3])


def _version() -> str:
    try:
        return version("safe-harbor-deid")
    except PackageNotFoundError:
        return "absent"


def _moment(clock: Clock) -> str:
    return clock().astimezone(UTC).isoformat(timespec="seconds")
