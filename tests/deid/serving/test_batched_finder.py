"""Concurrent searches are joined, and each gets the same result as alone."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from deid.serving.batched_finder import MOST_CHARACTERS, MOST_TEXTS, BatchedFinder
from recognizers import Finder, Finding
from safe_harbor import Identifier


class Slow:
    """Finds the whole text; records how many searches run at once and what each reads together."""

    def __init__(self) -> None:
        self.batches: list[int] = []
        self.lock, self.inside, self.most = threading.Lock(), 0, 0

    def find_all(self, texts: Sequence[str], *_: Any) -> list[tuple[Finding, ...]]:
        with self.lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
            self.batches.append(len(texts))
        time.sleep(0.02)
        with self.lock:
            self.inside -= 1
        if "bad" in texts:
            raise ValueError("refused")
        return [(Finding(0, len(text), Identifier.NAMES, "PERSON", 0.9, "rule"),) for text in texts]


def ask(finder: Any, calls: Sequence[list[str]]) -> list[Any]:
    batched = BatchedFinder(finder, 2)

    def one(texts: list[str]) -> Any:
        try:
            return [found[0].end for found in batched.find_all(texts)]
        except ValueError as fault:
            return str(fault)

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(one, calls))


def test_each_call_gets_its_own_result_and_few_searches_serve_many_calls() -> None:
    finder = Slow()
    calls = [["x" * (1 + n), "y" * (50 + n)][: 1 + n % 2] for n in range(40)]
    assert ask(finder, calls) == [[len(text) for text in texts] for texts in calls]
    assert len(finder.batches) < 20
    assert max(finder.batches) <= MOST_TEXTS
    assert finder.most <= 2


def test_a_text_that_fails_fails_its_own_call_only() -> None:
    calls = [["ok"], ["bad"], ["fine", "well"]] * 4
    assert ask(Slow(), calls) == [[2], "refused", [4, 4]] * 4


@pytest.mark.parametrize("texts", [["x"] * (MOST_TEXTS + 9), ["x" * (MOST_CHARACTERS + 1)]])
def test_a_long_call_is_searched_whole_and_alone(texts: list[str]) -> None:
    finder = Slow()
    assert ask(finder, [texts] * 3) == [[len(text) for text in texts]] * 3
    assert finder.batches == [len(texts)] * 3


@pytest.fixture(scope="module")
def finder() -> Finder:
    return Finder.load()


def test_texts_searched_together_have_the_findings_of_each_alone(finder: Finder) -> None:
    texts = [
        f"Seen by Dr. Quux on 03/1{n}/2019, MRN 55{n}1234. Call 555-010-44{n}1.\n" * (1 + n)
        for n in range(8)
    ]
    batched = BatchedFinder(finder, 2)
    with ThreadPoolExecutor(8) as pool:
        together = [found[0] for found in pool.map(lambda text: batched.find_all([text]), texts)]
    alone = [finder.find_all([text])[0] for text in texts]
    spans = [[(f.start, f.end, f.entity) for f in found] for found in together]
    assert spans == [[(f.start, f.end, f.entity) for f in found] for found in alone]
    assert all(spans)
