"""The shipped vocabulary: MiniLM's without the entries that BERT left unused."""

from __future__ import annotations

from typing import Any

Row = dict[str, Any]


def renumbered(tokenizer: Row) -> tuple[Row, list[int]]:
    """A tokenizer without BERT's unused entries, and the old numbers of its words."""
    vocabulary: dict[str, int] = tokenizer["model"]["vocab"]
    kept = sorted(id for word, id in vocabulary.items() if not word.startswith("[unused"))
    new = {old: number for number, old in enumerate(kept)}
    words = {word: new[id] for word, id in vocabulary.items() if id in new}
    added = [row | {"id": new[row["id"]]} for row in tokenizer["added_tokens"]]
    made = tokenizer | {"model": tokenizer["model"] | {"vocab": words}, "added_tokens": added}
    # The engine adds the start and end marks itself and looks up their numbers.
    return made | {"post_processor": None, "truncation": None, "padding": None}, kept
