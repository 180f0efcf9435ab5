"""Finds the types that an output column can have, and converts its cells."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from deid.formats.typed.typed_values import restore_number


@dataclass(slots=True)
class ColumnGuess:
    """The types that can hold all cells of a column read so far."""

    textual: bool
    candidates: list[pa.DataType]

    @classmethod
    def of(cls, kind: pa.DataType) -> ColumnGuess:
        """Return the first guess for a column of this type.

        Numbers and times keep their type or become integers. Other columns are text.
        """
        whole = [pa.int32(), pa.int64()]
        if pa.types.is_floating(kind):
            return cls(False, [kind, pa.float64()])
        if pa.types.is_unsigned_integer(kind):
            return cls(False, [kind, pa.int64()])
        if pa.types.is_integer(kind):
            return cls(False, [kind, *(t for t in whole if t.bit_width > kind.bit_width)])
        if (
            pa.types.is_null(kind)
            or not is_single_value(kind)
            or is_text_type(kind)
            or _is_uuid(kind)
        ):
            return cls(True, [])
        return cls(False, [kind, *whole])

    @property
    def type(self) -> pa.DataType:
        return self.candidates[0] if self.candidates else pa.string()

    def take(self, texts: pa.Array) -> pa.Array:
        """Return the cells as they are spooled, and drop the types that cannot hold them."""
        if not self.textual:
            texts = _as_numbers(texts)
        while self.candidates and not _spells_type(texts, self.candidates[0]):
            del self.candidates[0]
        return texts


def _as_numbers(texts: pa.Array) -> pa.Array:
    """The cells of a column of numbers, with key tags as numbers and empty cells as null."""
    marked = pc.or_(pc.equal(texts, ""), pc.starts_with(texts, "["))
    if not pc.any(marked).as_py():
        return texts
    return pa.array([restore_number(text) or None for text in texts.to_pylist()], pa.large_string())


def _spells_type(texts: pa.Array, kind: pa.DataType) -> bool:
    """Whether every text is the spelling of a value of the type."""
    try:
        back = parsed_array(texts, kind)
        if pa.types.is_float16(kind):
            back = back.cast(pa.float32())
        same = pc.all(pc.equal(back.cast(pa.large_string()), texts))
    except pa.ArrowException:
        return False
    return same.as_py() is not False


def parsed_array(texts: pa.Array, kind: pa.DataType) -> pa.Array:
    if pa.types.is_time(kind):
        day, space = (pa.scalar(text, pa.large_string()) for text in ("1970-01-01", " "))
        dated = pc.binary_join_element_wise(day, texts, space)
        return dated.cast(pa.timestamp(kind.unit)).cast(kind)
    if pa.types.is_float16(kind):
        return texts.cast(pa.float32()).cast(kind)
    if pa.types.is_duration(kind):
        return texts.cast(pa.int64()).cast(kind)
    return texts.cast(kind)


def value_type_of(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def is_text_type(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def may_hold_key(kind: pa.DataType) -> bool:
    """Whether a column of the type can hold the number of a key."""
    whole = pa.types.is_integer(kind) and kind.bit_width >= 32
    return bool(whole or pa.types.is_float64(kind) or pa.types.is_decimal(kind))


def _is_uuid(kind: pa.DataType) -> bool:
    return isinstance(kind, pa.UuidType)


def is_single_value(kind: pa.DataType) -> bool:
    """Whether a value of the type is a single value that a text can represent."""
    return bool(
        is_text_type(kind)
        or pa.types.is_null(kind)
        or pa.types.is_boolean(kind)
        or pa.types.is_integer(kind)
        or pa.types.is_floating(kind)
        or pa.types.is_decimal(kind)
        or pa.types.is_date(kind)
        or pa.types.is_timestamp(kind)
        or pa.types.is_time(kind)
        or pa.types.is_duration(kind)
        or _is_uuid(kind)
    )
