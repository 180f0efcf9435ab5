"""Decide which cells of a kept column are released, and what vouches for them."""

from deid.vouching.voucher import UNVOUCHED, Refusal, Voucher

__all__ = ["UNVOUCHED", "Refusal", "Voucher"]
