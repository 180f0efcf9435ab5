"""Searches in separate processes find the same, and a process that ends fails only its own call."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from deid.serving.search_processes import (
    SearchFailed,
    SearchProcesses,
    search_count,
    searching_processes,
)
from recognizers import Finding
from safe_harbor import Identifier


class NamesItsProcess:
    """Reports its process in the `source` of a finding; ends or fails where the text asks for
    it.
    """

    def find_all(self, texts: Sequence[str], *_: Any) -> list[tuple[Finding, ...]]:
        if "end" in texts:
            os.kill(os.getpid(), signal.SIGKILL)
        if "fail" in texts:
            raise ValueError("canary-in-a-message")
        own = str(os.getpid())
        return [(Finding(0, len(text), Identifier.NAMES, "PERSON", 0.9, own),) for text in texts]


@pytest.fixture
def searching() -> Iterator[SearchProcesses]:
    finder: Any = NamesItsProcess()
    with searching_processes(finder, 2) as processes:
        yield processes


def sources(searching: SearchProcesses, texts: list[str]) -> set[str]:
    return {one.source for found in searching.find_all(texts) for one in found}


def test_each_call_is_answered_by_another_process(searching: SearchProcesses) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda n: searching.find_all(["x" * (n + 1)]), range(60)))
    assert [answer[0][0].end for answer in answers] == list(range(1, 61))
    assert str(os.getpid()) not in {answer[0][0].source for answer in answers}


@pytest.mark.parametrize("text", ["fail", "end"])
def test_a_failing_call_shows_no_text_and_the_next_one_is_answered(
    searching: SearchProcesses, text: str
) -> None:
    for _ in range(5):
        with pytest.raises(SearchFailed) as fault:
            searching.find_all(["canary", text])
        assert "canary" not in f"{fault.value!r} {fault.value.__context__!r}"
    assert sources(searching, ["a", "b"])


def test_a_replaced_process_keeps_no_connection_of_a_caller_open(
    searching: SearchProcesses,
) -> None:
    near, far = socket.socketpair()
    with pytest.raises(SearchFailed):
        searching.find_all(["end"])
    assert sources(searching, ["a"])
    near.close()
    far.settimeout(5)
    assert far.recv(1) == b""


def test_processes_end_with_the_service() -> None:
    finder: Any = NamesItsProcess()
    with searching_processes(finder, 2) as processes:
        (own,) = sources(processes, ["a"])
        os.kill(int(own), 0)
    with pytest.raises(ProcessLookupError):
        os.kill(int(own), 0)


def test_with_one_processor_no_search_process_is_started() -> None:
    finder: Any = NamesItsProcess()
    with searching_processes(finder, 1) as searching:
        assert searching is finder
    assert search_count() >= 1
