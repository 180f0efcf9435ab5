"""What vouches for a cell of a kept column: published vocabulary, its column's own, or nothing."""

from deid.vouching.survey import Surveys, survey_columns, with_vouchers
from deid.vouching.voucher import UNVOUCHED, Refusal, Voucher

__all__ = ["UNVOUCHED", "Refusal", "Surveys", "Voucher", "survey_columns", "with_vouchers"]
