"""Answers about words are cached, but not for long runs of text."""

from __future__ import annotations

from recognizers.words.memory import LONGEST, kept


def test_a_short_word_is_looked_up_once_and_a_long_run_each_time() -> None:
    asked: list[str] = []

    @kept
    def length(word: str) -> int:
        asked.append(word)
        return len(word)

    long = "a" * (LONGEST + 1)
    assert [length(word) for word in ("odum", "odum", long, long)] == [4, 4, 65, 65]
    assert asked == ["odum", long, long]
