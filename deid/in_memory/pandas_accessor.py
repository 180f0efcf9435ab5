"""`frame.deid.scrub(...)` of pandas, once this module is imported."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import pandas as pd

from deid.in_memory.batches import engine_of_process
from deid.in_memory.results import ScrubbedFrame


@pd.api.extensions.register_dataframe_accessor("deid")
class DeidAccessor:
    """De-identifies a frame with the decisions of `deid scrub`.

    >>> import pandas as pd
    >>> import deid.in_memory.pandas_accessor
    >>> frame = pd.DataFrame({"mrn": ["00417723"], "note": ["Seen by Dr. Okafor on 03/14/2023."]})
    >>> frame.deid.scrub(text_columns=["note"]).frame.loc[0, "note"]
    'Seen by Dr. [NAME] on 2023.'
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame

    def scrub(
        self,
        *,
        policy: str = "safe_harbor",
        text_columns: Sequence[str] = (),
        known: Any = None,
        patient_key: str | None = None,
        reference_date: date | None = None,
        fast: bool = False,
    ) -> ScrubbedFrame[pd.DataFrame]:
        """The scrubbed frame with findings, changes and verdict (`Deidentifier.scrub_frame`).

        Raises:
            DeidError: any error of `scrub_frame`.
        """
        engine = engine_of_process(policy, reference_date, fast)
        return engine.scrub_frame(
            self._frame, text_columns=text_columns, known=known, patient_key=patient_key
        )
