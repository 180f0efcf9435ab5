"""The vocabulary as it is shipped: MiniLM's without the places that BERT left empty."""

from __future__ import annotations

from typing import Any

Row = dict[str, Any]


def renumbered(tokenizer: Row) -> tuple[Row, list[int]]:
    """A tokenizer without BERT's empty places, and which words of the old one it has."""
    vocabulary: dict[str, int] = tokenizer["model"]["vocab"]
    kept = sorted(id for word, id in vocabulary.items() if not word.startswith("[unused"))
    new = {old: number for number, old in enumerate(kept)}
    words = {word: new[id] for word, id in vocabulary.items() if id in new}
    added = [row | {"id": new[row["id"]]} for row in tokenizer["added_tokens"]]
    made = tokenizer | {"model": tokenizer["model"] | {"vocab": words}, "added_tokens": added}
    # Marks are set by the engine, which asks for their numbers.
    return made | {"post_processor": None, "truncation": None, "padding": None}, kept
