"""Formats of other packages. What they cannot read is withheld; their errors show no value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deid.errors import DeidError
from deid.formats.contract import (
    Format,
    ReadOptions,
    Record,
    RecordFault,
    RecordSource,
    Sink,
)
from deid.plugins import Plugin, installed_plugins

_FAULT = "plugin-failed"


@dataclass(frozen=True, slots=True)
class PluginSource:
    """A file opened by another package. A failure while reading withholds one record."""

    columns: tuple[str, ...] = field(repr=False)
    inner: RecordSource = field(repr=False)

    def records(self) -> Iterator[Record | RecordFault]:
        """The records. A failure or a record of another width becomes a fault."""
        ordinal = 0
        try:
            for record in self.inner.records():
                ordinal += 1
                if not isinstance(record, RecordFault) and not self._is_whole(record, ordinal):
                    yield RecordFault(ordinal, _FAULT)
                    continue
                yield record
        except Exception:
            yield RecordFault(ordinal + 1, _FAULT)

    def _is_whole(self, record: Record, ordinal: int) -> bool:
        cells = record.cells
        return (
            record.ordinal == ordinal
            and len(cells) == len(self.columns)
            and all(cell is None or isinstance(cell, str) for cell in cells)
        )


@dataclass(frozen=True, slots=True)
class PluginSink:
    """An output file that another package writes."""

    plugin: Plugin = field(repr=False)
    inner: Sink = field(repr=False)

    def write(self, cells: Sequence[str | None], skeleton: Any = None) -> None:
        """Write one record."""
        _asked_of_plugin(self.plugin, self.inner.write, cells, skeleton)

    def close(self) -> None:
        """Finish the file."""
        _asked_of_plugin(self.plugin, self.inner.close)


@dataclass(frozen=True, slots=True)
class PluginFormat:
    """A format of another package, tried after all shipped formats."""

    name: str
    plugin: Plugin = field(repr=False)
    inner: Format = field(repr=False)

    def accepts(self, path: Path, suffix: str) -> bool:
        """Whether the package reads this file."""
        return bool(_asked_of_plugin(self.plugin, self.inner.accepts, path, suffix))

    def open(self, path: Path, options: ReadOptions) -> RecordSource:
        """Open the file with the package. Raises `DeidError`: `plugin-failed`."""
        opened = _asked_of_plugin(self.plugin, self.inner.open, path, options)
        return PluginSource(tuple(_asked_of_plugin(self.plugin, lambda: opened.columns)), opened)

    def create(self, path: Path, source: RecordSource, columns: Mapping[int, str]) -> Sink:
        """Open the output with the package. Raises `DeidError`: `plugin-failed`."""
        inner = source.inner if isinstance(source, PluginSource) else source
        return PluginSink(
            self.plugin, _asked_of_plugin(self.plugin, self.inner.create, path, inner, columns)
        )


def plugin_formats(shipped: Sequence[Format]) -> tuple[Format, ...]:
    """The formats of other packages.

    Raises:
        DeidError: `plugin-failed`, `plugin-invalid`.
    """
    return tuple(
        _format_of_plugin(plugin, {one.name for one in shipped})
        for plugin in installed_plugins("formats")
    )


def _format_of_plugin(plugin: Plugin, shipped: set[str]) -> Format:
    inner = plugin.load()
    if plugin.name in shipped:
        raise plugin.fault("plugin-invalid", "has the name of a shipped format")
    if any(not callable(getattr(inner, what, None)) for what in ("accepts", "open", "create")):
        raise plugin.fault("plugin-invalid", "has no `accepts`, `open` or `create`")
    return PluginFormat(plugin.name, plugin, inner)


def _asked_of_plugin(plugin: Plugin, call: Any, *arguments: Any) -> Any:
    try:
        return call(*arguments)
    except DeidError:
        raise
    except Exception:
        raise plugin.fault(_FAULT, "failed on a file") from None
