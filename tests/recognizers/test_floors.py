"""On the shipped corpora, the shipped engine is at least as good as its floors, by corpus and
label.
"""

from __future__ import annotations

from functools import cache

from benchmarks.floors import REFERENCE, WORDS, corpora, floors, measured
from deid.evaluation.scoring import NOT_REQUIRED
from recognizers import Finder

# `python benchmarks/floors.py` rewrites the floors, but not these limits for the sums over all
# corpora.
LEAKS_AT_MOST = 53
WORDS_LOST_AT_MOST = 756


@cache
def rows() -> dict[tuple[str, str], tuple[int, int]]:
    finder = Finder.load(reference_date=REFERENCE)
    return {
        (name, label): (total, lost)
        for corpus in corpora()
        for name, label, total, lost in measured(corpus, finder.find_all(corpus.texts))
    }


def test_no_label_of_a_corpus_is_below_its_floor() -> None:
    written = {(name, label): (total, lost) for name, label, total, lost in floors()}
    assert {key: total for key, (total, _) in rows().items()} == {
        key: total for key, (total, _) in written.items()
    }
    worse = {key: lost for key, (_, lost) in rows().items() if lost > written[key][1]}
    assert not worse, "spans or clean words lost beyond the floors of benchmarks/floors.csv"


def test_sums_stay_within_their_limits() -> None:
    leaks = sum(
        lost for (_, label), (_, lost) in rows().items() if label not in {*NOT_REQUIRED, WORDS}
    )
    assert leaks <= LEAKS_AT_MOST
    assert sum(lost for (_, label), (_, lost) in rows().items() if label == WORDS) <= (
        WORDS_LOST_AT_MOST
    )


def test_a_text_of_any_length_is_searched_completely() -> None:
    text = "No acute distress. " * 15_000 + "Seen by Dr. Okafor."
    (last,) = Finder.load(model=False).find(text)
    assert text[last.start : last.end] == "Okafor"
