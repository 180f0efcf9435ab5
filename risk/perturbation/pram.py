"""PRAM: categories exchanged by a known matrix of probabilities (Gouweleeuw et al. 1998)."""

from __future__ import annotations

import numpy as np

from risk.tables.coding import CodeArray


def exchange_categories(
    codes: CodeArray, categories: int, keep: float, generator: np.random.Generator
) -> CodeArray:
    """Keep each code with probability `keep`, and otherwise draw it again from the column's codes.

    The matrix is invariant: the expected count of every category does not change.
    """
    shares = np.bincount(codes, minlength=categories) / max(1, len(codes))
    drawn = generator.choice(categories, len(codes), p=shares)
    stays = generator.random(len(codes)) < keep
    return np.where(stays, codes, drawn).astype(codes.dtype)
