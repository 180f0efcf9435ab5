"""`shift_weeks`: dates shifted by whole weeks, so that weekdays stay."""

from __future__ import annotations

from deid.transforms.shift import Shift

TRANSFORM = Shift(name="shift_weeks", weeks=True)
