"""Removing unused places renumbers the words and changes nothing else."""

from __future__ import annotations

from typing import Any

from training.vocabulary import renumbered

TOKENIZER: dict[str, Any] = {
    "model": {"type": "WordPiece", "vocab": {"[PAD]": 0, "[unused0]": 1, "[CLS]": 2, "pain": 3}},
    "added_tokens": [{"id": 0, "content": "[PAD]"}, {"id": 2, "content": "[CLS]"}],
    "post_processor": {"type": "TemplateProcessing"},
    "truncation": {"max_length": 128},
    "padding": None,
    "normalizer": {"lowercase": True},
}


def test_the_words_that_stay_keep_their_order_and_get_new_numbers() -> None:
    made, kept = renumbered(TOKENIZER)
    assert kept == [0, 2, 3]
    assert made["model"]["vocab"] == {"[PAD]": 0, "[CLS]": 1, "pain": 2}
    assert [row["id"] for row in made["added_tokens"]] == [0, 1]


def test_tokenizer_steps_that_the_engine_does_itself_are_left_out() -> None:
    made, _ = renumbered(TOKENIZER)
    assert made["post_processor"] is None and made["truncation"] is None
    assert made["normalizer"] == TOKENIZER["normalizer"]
    assert "[unused0]" in TOKENIZER["model"]["vocab"]
