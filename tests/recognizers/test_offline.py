"""Every entry point turns telemetry off before anything can import the runtime of the model."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

ENTRY_POINTS = (
    "deid",
    "deid.cli",
    "deid.jobs.spark.executors",
    "deid.transforms.presidio_operators",
    "recognizers.model.network",
    "recognizers.presidio.adapter",
)
CHECK = """
import os, sys
seen = []
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "onnxruntime":
            seen.append(os.environ.get("ORT_DISABLE_TELEMETRY"))
sys.meta_path.insert(0, Finder())
import {door}
from recognizers import Model
print(os.environ.get("ORT_DISABLE_TELEMETRY"), seen)
"""


def _run(script: str, **environ: str) -> str:
    own = {k: v for k, v in os.environ.items() if k != "ORT_DISABLE_TELEMETRY"}
    command = [sys.executable, "-c", script]
    return subprocess.run(
        command, env={**own, **environ}, capture_output=True, text=True, check=True
    ).stdout.strip("\n")


@pytest.mark.parametrize("door", ENTRY_POINTS)
def test_telemetry_is_off_before_the_first_import(door: str) -> None:
    assert _run(CHECK.format(door=door)) == "1 ['1']"


@pytest.mark.parametrize("own", ["0", ""])
def test_the_users_setting_of_telemetry_is_kept(own: str) -> None:
    told = _run(CHECK.format(door="deid"), ORT_DISABLE_TELEMETRY=own)
    assert told == f"{own} [{own!r}]"


def test_ipv6_support_is_not_changed() -> None:
    script = """
import socket
had = socket.has_ipv6
import recognizers.presidio.adapter
from urllib3.util import connection
print(socket.has_ipv6 is had, connection.HAS_IPV6 is had)
"""
    assert _run(script) == "True True"
