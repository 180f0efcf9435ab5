"""Decide which cells of a kept column may leave, and say what vouches for them."""

from deid.vouching.voucher import UNVOUCHED, Refusal, Voucher

__all__ = ["UNVOUCHED", "Refusal", "Voucher"]
