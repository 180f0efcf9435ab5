"""Tables as small integers: each column is encoded once, and every measure works on the codes.

Rows are addressed by position; an index or row label is ignored. A missing value (None, NaN, NaT,
an empty string) counts as a value of its own, stored as `None` among the column's values.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from risk.errors import RiskError

CodeArray = NDArray[np.unsignedinteger[Any]]
ValueArray = NDArray[np.object_]
BooleanArray = NDArray[np.bool_]


@dataclass(frozen=True, eq=False, repr=False)
class CodedColumn:
    """`codes[row]` indexes `values`, the distinct values of the column (`None` where missing)."""

    name: str
    codes: CodeArray
    values: ValueArray

    def __post_init__(self) -> None:
        if len(self.codes) and int(self.codes.max()) >= len(self.values):
            raise ValueError("a code points beyond the column's values")

    @property
    def cardinality(self) -> int:
        return len(self.values)

    def recode(self, mapping: NDArray[Any], values: ValueArray) -> CodedColumn:
        """The column at a coarser level: `mapping[code]` indexes `values`."""
        return CodedColumn(self.name, mapping.astype(smallest(len(values)))[self.codes], values)

    def __repr__(self) -> str:
        return f"CodedColumn({len(self.codes)} rows, {self.cardinality} values)"


@dataclass(frozen=True, eq=False, repr=False)
class CodedTable:
    """Columns of equal length.

    `rows` is stored so that a table without columns still has a length.
    """

    columns: tuple[CodedColumn, ...]
    rows: int

    def __post_init__(self) -> None:
        if any(len(column.codes) != self.rows for column in self.columns):
            raise ValueError("columns differ in length")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def column(self, name: str) -> CodedColumn:
        for column in self.columns:
            if column.name == name:
                return column
        raise unknown_column(name, self.names)

    def select(self, names: Sequence[str]) -> CodedTable:
        return CodedTable(tuple(self.column(name) for name in names), self.rows)

    def take(self, rows: NDArray[Any]) -> CodedTable:
        """The rows at these positions (or where a boolean array is true)."""
        columns = tuple(CodedColumn(c.name, c.codes[rows], c.values) for c in self.columns)
        picked = int(np.count_nonzero(rows)) if rows.dtype == np.bool_ else len(rows)
        return CodedTable(columns, picked)

    def __repr__(self) -> str:
        return f"CodedTable({self.rows} rows, {len(self.columns)} columns)"


def encode(table: Any, names: Sequence[str] | None = None) -> CodedTable:
    """Encode the named columns (all by default) of a table.

    The table is a pandas frame, an Arrow table, a mapping of name to sequence, or a table that is
    already coded. Raises `RiskError` for a missing column.
    """
    known = _column_names(table)
    wanted = checked_columns(known, names)
    if isinstance(table, CodedTable):
        return table.select(wanted)
    columns = tuple(encode_column(name, table[name]) for name in wanted)
    rows = len(columns[0].codes) if columns else len(table[known[0]]) if known else 0
    return CodedTable(columns, rows)


def encode_column(name: str, values: Any) -> CodedColumn:
    """Encode one column from a pandas series, an Arrow array, a numpy array or a sequence."""
    if hasattr(values, "dictionary_encode"):
        return _from_arrow(name, values)
    if isinstance(values, np.ndarray) and values.dtype.kind in "iufb":
        distinct, inverse = np.unique(values, return_inverse=True)
        return coded_column(name, inverse, distinct.astype(object))
    return _from_objects(name, values)


def coded_column(name: str, codes: NDArray[Any], values: ValueArray) -> CodedColumn:
    """Build a column with one code for all kinds of missing values and the smallest code type."""
    missing = np.fromiter((_is_missing(value) for value in values), bool, len(values))
    if not missing.any():
        return CodedColumn(name, codes.astype(smallest(len(values)), copy=False), values)
    kept = values[~missing]
    mapping = np.cumsum(~missing) - 1
    mapping[missing] = len(kept)
    out = np.empty(len(kept) + 1, object)
    out[:-1] = kept
    return CodedColumn(name, mapping.astype(smallest(len(out)))[codes], out)


def smallest(cardinality: int) -> type[np.unsignedinteger[Any]]:
    """The smallest unsigned integer type that holds the codes 0 .. cardinality - 1."""
    for kind in (np.uint8, np.uint16, np.uint32):
        if cardinality - 1 <= np.iinfo(kind).max:
            return kind
    return np.uint64


def column_numbers(column: CodedColumn) -> NDArray[np.float64]:
    """Return the numbers of a column, row by row.

    Raises `RiskError` if a value is not a finite number of at least zero; the message does not
    repeat the value.
    """
    try:
        parsed = np.array([float(str(v).replace(",", "")) for v in column.values], np.float64)
    except ValueError:
        parsed = np.array([np.nan])
    if not (np.isfinite(parsed).all() and (parsed >= 0).all()):
        raise RiskError(
            "a count is negative or not a number",
            code="bad-count",
            place=f"column {column.name!r}",
            exit_code=6,
        )
    found: NDArray[np.float64] = parsed[column.codes]
    return found


def checked_columns(known: Sequence[str], columns: Sequence[str] | None) -> list[str]:
    """Return the wanted columns (all by default), each once.

    Raises `RiskError` for a column that is absent or appears twice.
    """
    wanted = list(known) if columns is None else list(dict.fromkeys(columns))
    for name in wanted:
        if known.count(name) != 1:
            raise unknown_column(name, known)
    return wanted


def unknown_column(name: str, known: Sequence[str]) -> RiskError:
    """Return the error for a column that is absent or appears twice.

    Similar columns are named by their position, because a table without a header line has values
    instead of names.
    """
    close = difflib.get_close_matches(name, known, n=3)
    at = [str(n) for n, column in enumerate(known, 1) if column in close]
    hint = (
        f"columns with a similar name: {', '.join(at)}"
        if at
        else "see the header line of the table"
    )
    trouble = "appears twice in" if known.count(name) > 1 else "is not in"
    return RiskError(
        f"column {name!r} {trouble} the table, which has {len(known)} columns",
        code="unknown-column",
        place=f"column {name!r}",
        hint=hint,
    )


def _column_names(table: Any) -> list[str]:
    if isinstance(table, CodedTable):
        return list(table.names)
    if hasattr(table, "column_names"):
        return [str(name) for name in table.column_names]
    if hasattr(table, "columns"):
        return [str(name) for name in table.columns]
    if isinstance(table, Mapping):
        return [str(name) for name in table]
    raise TypeError(f"not a table: {type(table).__name__}")


def _from_arrow(name: str, values: Any) -> CodedColumn:
    encoded = values.combine_chunks() if hasattr(values, "combine_chunks") else values
    if not hasattr(encoded, "dictionary"):
        encoded = encoded.dictionary_encode(null_encoding="encode")
    if hasattr(encoded, "num_chunks"):
        encoded = encoded.unify_dictionaries().combine_chunks()
    indices = encoded.indices.fill_null(len(encoded.dictionary))
    distinct = np.empty(len(encoded.dictionary) + 1, object)
    distinct[:-1] = encoded.dictionary.to_pylist()
    if not encoded.indices.null_count:
        distinct = distinct[:-1]
    return coded_column(name, index_array(indices), distinct)


def index_array(indices: Any) -> NDArray[np.int32]:
    """Return the indices of an Arrow dictionary array without nulls, without copying.

    `to_numpy` would import pandas, which takes longer than a million rows.
    """
    if not len(indices):
        return np.zeros(0, np.int32)
    start, end = indices.offset, indices.offset + len(indices)
    kind = np.dtype(indices.type.to_pandas_dtype())
    return np.frombuffer(indices.buffers()[1], kind)[start:end]


def _from_objects(name: str, values: Any) -> CodedColumn:
    import pandas as pd  # slow import, not needed for coded tables or arrays

    if not isinstance(values, (pd.Series, pd.Index)):
        values = pd.Series(list(values), dtype=object)
    codes, distinct = pd.factorize(values, use_na_sentinel=True)
    out = np.empty(len(distinct) + 1, object)
    out[:-1] = np.asarray(distinct, dtype=object)
    if not (codes < 0).any():
        out = out[:-1]
    return coded_column(name, np.where(codes < 0, len(distinct), codes), out)


def _is_missing(value: object) -> bool:
    return value is None or value == "" or bool(value != value)
