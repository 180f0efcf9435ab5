"""Word counts: as written to the file, as read back, and as features of a word."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from recognizers.decide.evidence import Atoms, Columns
from recognizers.decide.odds import COUNTED_KINDS, WordCounts, WordOdds, word_form, word_keys
from training.word_counts import write_word_odds

COUNTED = "seen by Okafor, seen by Reyes; lungs clear"
NAMES = ("Okafor", "Reyes")


def counted(text: str) -> WordOdds:
    """Word counts of one text in which two words are identifiers."""
    atoms = Atoms.of(text, ())
    numbers = {word: n for n, word in enumerate(sorted(set(map(word_form, atoms.words))), 1)}
    right = np.array([word in NAMES for word in atoms.words])
    counts = {}
    for kind, own in word_keys(atoms, numbers).items():
        known, place = np.unique(own, return_inverse=True)
        pair = [np.bincount(place, side, minlength=len(known)) for side in (~right, right)]
        counts[kind] = WordCounts(known, *(one.astype(np.float32) for one in pair))
    return WordOdds(numbers, counts)


@pytest.fixture(scope="module")
def odds() -> WordOdds:
    return counted(COUNTED)


def of(odds: WordOdds, text: str) -> Columns:
    return odds.features(Atoms.of(text, ()))


def test_the_odds_of_a_word_follow_its_counts_in_the_notes(odds: WordOdds) -> None:
    found = of(odds, "okafor by unheard")
    name, plain, unheard = found["odds of word"].tolist()
    assert name > unheard > plain
    assert found["cases of word"].tolist() == [1.0, np.float32(np.log2(3)), 0.0]


def test_neighboring_words_give_the_odds_of_an_unknown_word(odds: WordOdds) -> None:
    behind = of(odds, "by Tanaka")["odds of behind"][-1]
    assert behind > of(odds, "clear Tanaka")["odds of behind"][-1]
    assert behind > of(odds, "by tanaka")["odds of behind"][-1], "written otherwise"
    assert behind > of(odds, "by\nTanaka")["odds of behind"][-1], "in another line"


def test_two_words_are_counted_together(odds: WordOdds) -> None:
    found = of(odds, "by Okafor")
    assert found["cases of pair behind"].tolist() == [0.0, 1.0]
    assert found["cases of pair before"].tolist() == [1.0, 0.0]
    assert of(odds, "seen by")["cases of pair before"].tolist() == [np.float32(np.log2(3)), 0.0]


def test_numbers_share_one_form_and_long_words_are_cut() -> None:
    assert word_form("B12") == word_form("b47") == "b00"
    assert len(word_form("x" * 99)) == 24


def test_the_file_contains_the_counts(odds: WordOdds, tmp_path: Path) -> None:
    first, second = tmp_path / "a.npz", tmp_path / "b.npz"
    write_word_odds(odds, first)
    write_word_odds(odds, second)
    assert first.read_bytes() == second.read_bytes()
    read = WordOdds.read(first)
    assert dict(read.numbers) == dict(odds.numbers) and set(read.counts) == set(COUNTED_KINDS)
    for name, column in of(odds, COUNTED).items():
        assert column.tolist() == of(read, COUNTED)[name].tolist()


def test_without_counts_a_word_has_neutral_odds() -> None:
    found = WordOdds().features(Atoms.of("seen by Okafor", ()))
    assert all(not column.any() for column in found.values())
    assert all(len(column) == 0 for column in WordOdds().features(Atoms.of("", ())).values())
