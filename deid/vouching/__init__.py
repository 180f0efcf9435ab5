"""Decide which cells of a kept column are approved. Only approved cells are released.

Published vocabulary, the grammar of the column's type, the range of its numbers, and the number of
persons with the same value can approve a cell.
"""

from deid.vouching.voucher import UNVOUCHED, Refusal, Voucher

__all__ = ["UNVOUCHED", "Refusal", "Voucher"]
