"""A repeated text is decided only once, whichever patient it belongs to."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import replace

import pytest

from recognizers import Finder, KnownValue, KnownValues, RecognizerError, search
from recognizers.search import LONGEST_HELD, DecidedTexts
from safe_harbor import Identifier as I

TEXTS = (
    "Spoke with Mr. Okafor on 03/14/2023; reports nausea.",
    "Seen again, call 802-555-0143.",
    "no change",
    "Pickett called about the refill.",
)
KNOWN = (
    KnownValues((KnownValue(I.NAMES, "Pickett", part="last"),)),
    KnownValues((KnownValue(I.NAMES, "Seen", part="last"),)),
    None,
)


@pytest.fixture(scope="module")
def plain() -> Finder:
    return Finder.load(fast=True)


def asked(finder: Finder, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that the network reads from this point on."""
    read: list[str] = []
    really = Finder.modelled

    def modelled(self: Finder, texts: Sequence[str]) -> object:
        read.extend(texts)
        return really(self, texts)

    monkeypatch.setattr(Finder, "modelled", modelled)
    return read


def test_repeated_texts_have_the_same_findings(
    plain: Finder, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = list(TEXTS * 3)
    knowns = [known for known in KNOWN for _ in TEXTS]
    groups = [None, "a", "b"] * len(TEXTS)
    want = [plain.find_all([text], [known])[0] for text, known in zip(texts, knowns, strict=True)]
    together = plain.find_all(texts, knowns, groups)
    finder = replace(plain, memory=DecidedTexts())
    read = asked(finder, monkeypatch)
    assert finder.find_all(texts, knowns) == want
    assert finder.find_all(texts, knowns) == want
    assert finder.find_all(texts, knowns, groups) == together
    assert sorted(read) == sorted(TEXTS)


def test_a_text_that_failed_is_searched_again(
    plain: Finder, monkeypatch: pytest.MonkeyPatch
) -> None:
    finder = replace(plain, memory=DecidedTexts())
    with monkeypatch.context() as broken:
        broken.setattr("recognizers.search.read_all", lambda *_: 1 / 0)
        for _ in range(2):
            failed: dict[int, RecognizerError] = {}
            found = finder.find_all([TEXTS[0]] * 2, on_fault=failed.__setitem__)
            assert found == [(), ()] and sorted(failed) == [0, 1]
        with pytest.raises(RecognizerError):
            finder.find(TEXTS[0])
    assert finder.find(TEXTS[0]) == plain.find(TEXTS[0])


def test_only_a_few_short_texts_are_cached(plain: Finder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "TEXTS_HELD", 3)
    memory = DecidedTexts()
    finder = replace(plain, memory=memory)
    long = "Seen today. " * (LONGEST_HELD // 12 + 1)
    finder.find_all([*TEXTS, long])
    assert memory.get(long) is None
    assert sum(memory.get(text) is not None for text in TEXTS) == 1
    assert repr(memory) == "DecidedTexts(1 texts)"
    assert repr(pickle.loads(pickle.dumps(memory))) == "DecidedTexts(0 texts)"
