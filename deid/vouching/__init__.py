"""What vouches for a cell of a kept column: published vocabulary, its column's own, or nothing."""

from deid.vouching.voucher import UNVOUCHED, Refusal, Voucher

__all__ = ["UNVOUCHED", "Refusal", "Voucher"]
