"""De-identify text columns in other engines: Spark, DuckDB, scikit-learn pipelines, pandas.

The engine is loaded once per process and setting. A text that cannot be searched in full comes back
as null (in `TextScrubber`, as an empty text), and is counted if the caller requests it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Any, Self

import pyarrow as pa

from deid.errors import DeidError
from deid.in_memory.deidentifier import Deidentifier

if TYPE_CHECKING:
    import pandas as pd

Batches = Iterable[pa.RecordBatch]
EngineMaker = Callable[..., Deidentifier]


@cache
def engine_of_process(
    policy: str = "safe_harbor", reference_date: date | None = None, fast: bool = False
) -> Deidentifier:
    """The engine of this process for these settings: the model is loaded on the first call."""
    return Deidentifier(policy=policy, reference_date=reference_date, fast=fast)


def arrow_batch_function(
    text_columns: Sequence[str],
    keep: Sequence[str] = (),
    *,
    policy: str = "safe_harbor",
    reference_date: date | None = None,
    fast: bool = False,
    reasons: str | None = None,
    engine: EngineMaker = engine_of_process,
) -> Callable[[Batches], Iterator[pa.RecordBatch]]:
    """A function for `DataFrame.mapInArrow` of Spark: batches in, batches with scrubbed text out.

    Only `text_columns` (scrubbed) and `keep` (unchanged, on your decision) are returned, in that
    order; all other columns are dropped. A null stays null. A text that is withheld becomes null;
    with `reasons`, a last column of that name holds the code of the first withheld text of the row.

        schema = "note string, note_id long"
        notes.mapInArrow(arrow_batch_function(["note"], keep=["note_id"]), schema)

    Raises:
        DeidError: `column-missing`, when a batch lacks a column; `column-twice`, when a column is
            both scrubbed and kept; or an error of the policy or model.
    """
    named = [*text_columns, *keep, *([] if reasons is None else [reasons])]
    if len(set(named)) < len(named):
        raise DeidError(
            "column-twice",
            "`text_columns`, `keep` and `reasons` name a column twice",
            hint="name each column once",
        )

    def scrub_batches(batches: Batches) -> Iterator[pa.RecordBatch]:
        made = engine(policy, reference_date, fast)
        for batch in batches:
            if {*text_columns, *keep} - set(batch.schema.names):
                raise DeidError(
                    "column-missing",
                    "a batch lacks a column that `text_columns` or `keep` names",
                    hint="the names must equal those of the schema exactly",
                )
            yield _scrubbed_batch(made, batch, text_columns, keep, reasons)

    return scrub_batches


def _scrubbed_batch(
    engine: Deidentifier,
    batch: pa.RecordBatch,
    text_columns: Sequence[str],
    keep: Sequence[str],
    reasons: str | None,
) -> pa.RecordBatch:
    columns: dict[str, Any] = {}
    codes: list[str | None] = [None] * batch.num_rows
    for name in text_columns:
        texts, withheld = scrub_nullable(engine, batch.column(name).to_pylist())
        columns[name] = pa.array(texts, pa.string())
        codes = [first or second for first, second in zip(codes, withheld, strict=True)]
    columns |= {name: batch.column(name) for name in keep}
    if reasons is not None:
        columns[reasons] = pa.array(codes, pa.string())
    return pa.RecordBatch.from_pydict(columns)


def scrub_nullable(
    engine: Deidentifier, texts: Sequence[Any]
) -> tuple[list[str | None], list[str | None]]:
    """The scrubbed texts (null if withheld), and the code of each withheld text.

    Raises:
        DeidError: `text-invalid`: a value is neither text nor null.
    """
    places = [place for place, text in enumerate(texts) if text is not None]
    if not all(isinstance(texts[place], str) for place in places):
        raise DeidError(
            "text-invalid",
            "a value is neither text nor null",
            hint="convert the values to text first",
        )
    out: list[str | None] = [None] * len(texts)
    codes: list[str | None] = [None] * len(texts)
    results = engine.scrub_texts([texts[place] for place in places])
    for place, result in zip(places, results, strict=True):
        codes[place] = result.withheld or None
        out[place] = None if result.withheld else result.text
    return out, codes


def series_function(
    *,
    policy: str = "safe_harbor",
    reference_date: date | None = None,
    fast: bool = False,
    engine: EngineMaker = engine_of_process,
) -> Callable[[pd.Series], pd.Series]:
    """A function of one pandas Series of texts, for `pandas_udf(series_function(), "string")`.

    A missing text stays missing, and a text that is withheld becomes missing. The labels of the
    index, which may be record numbers, are not returned: the result is labeled by position.
    """
    import pandas as pd

    def scrub_series(texts: pd.Series) -> pd.Series:
        given = [None if pd.isna(text) else text for text in texts]
        scrubbed, _ = scrub_nullable(engine(policy, reference_date, fast), given)
        return pd.Series(scrubbed, dtype=object, name=texts.name)

    # Spark evaluates the annotations, which must be the classes and not their names.
    scrub_series.__annotations__ = {"texts": pd.Series, "return": pd.Series}
    return scrub_series


def register_duckdb(
    connection: Any, engine: Deidentifier | None = None, name: str = "deid_scrub"
) -> None:
    """Add a function of one text to a DuckDB connection: `select deid_scrub(note) from notes`.

    A null stays null, and a text that is withheld becomes null.
    """

    def scrub_column(column: Any) -> pa.Array:
        texts, _ = scrub_nullable(engine or engine_of_process(), column.to_pylist())
        return pa.array(texts, pa.string())

    connection.create_function(
        name, scrub_column, ["VARCHAR"], "VARCHAR", type="arrow", null_handling="special"
    )


class TextScrubber:
    """A scikit-learn transformer: texts in, scrubbed texts out.

    `transform` returns one text per input text, "" if it is withheld; `withheld_` counts those.

    >>> from deid.in_memory.batches import TextScrubber
    >>> TextScrubber().fit_transform(["Seen by Dr. Okafor on 03/14/2023."])
    ['Seen by Dr. [NAME] on 2023.']
    """

    def __init__(
        self,
        policy: str = "safe_harbor",
        reference_date: date | None = None,
        fast: bool = False,
    ) -> None:
        self.policy, self.reference_date, self.fast = policy, reference_date, fast

    def fit(self, X: Any = None, y: Any = None) -> Self:
        """Load the engine. Nothing is learned from `X`."""
        engine_of_process(self.policy, self.reference_date, self.fast)
        return self

    def transform(self, X: Iterable[str]) -> list[str]:
        """The scrubbed texts.

        Raises:
            DeidError: `text-invalid`: an entry is not a text, or `X` is one text.
        """
        texts = [None] if isinstance(X, str | bytes) else list(X)
        if not all(isinstance(text, str) for text in texts):
            raise DeidError(
                "text-invalid",
                "an entry is not a text",
                hint="pass a list of texts, even for one text",
            )
        engine = engine_of_process(self.policy, self.reference_date, self.fast)
        scrubbed, codes = scrub_nullable(engine, texts)
        self.withheld_ = sum(code is not None for code in codes)
        return [text or "" for text in scrubbed]

    def fit_transform(self, X: Iterable[str], y: Any = None) -> list[str]:
        """`fit`, then `transform`."""
        return self.fit().transform(X)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The settings, by which scikit-learn clones the transformer."""
        return {
            "policy": self.policy,
            "reference_date": self.reference_date,
            "fast": self.fast,
        }

    def set_params(self, **settings: Any) -> Self:
        """Change settings.

        Raises:
            ValueError: a setting that does not exist.
        """
        if unknown := set(settings) - set(self.get_params()):
            raise ValueError(f"{len(unknown)} unknown settings")
        for name, value in settings.items():
            setattr(self, name, value)
        return self
