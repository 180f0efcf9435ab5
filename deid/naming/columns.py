"""The names that the columns of a table have in the release."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from deid.decision import Decision
from deid.naming.vouching import is_vouched, tells_together

_KEY, _DOTTED = re.compile(r"[^.\[\]{}]+"), re.compile(r"[^\[\]{}]+")
_OURS = re.compile(r"column_(\d+)", re.IGNORECASE)
# What follows a path that others begin with.
_BELOW = (".", "[", "{")
_VALUED = "{key}"


def column_name(index: int) -> str:
    """What stands in place of the name of a column.

    >>> column_name(6)
    'column_7'
    """
    return f"column_{index + 1}"


def header_name(header: str, index: int) -> str | None:
    """The header of a column as it may be shown and written, None if nothing vouches for it."""
    ours = _OURS.fullmatch(header.strip())
    if ours is not None:
        return header if header == column_name(index) else None
    return header if is_vouched(header) else None


def keys_of(path: str) -> list[str]:
    """The keys of a path, but for those that are values."""
    return _KEY.findall(path.replace(_VALUED, "{}"))


class PathNames:
    """The names of keys on the way to the leaves of JSON records: `labs.column_3.value`.

    `paths` are those of all columns in order. A key that nothing vouches for has the place of the
    first column that it heads.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self._firsts: dict[str, int] = {}
        for index, path in enumerate(paths):
            self._firsts.setdefault(path, index)
        self._paths = sorted(self._firsts)
        self._found: dict[str, str] = {}

    def key(self, key: str, path: str) -> str:
        """The name of the key that the path ends with."""
        return key if is_vouched(key) else self.replaced(path)

    def replaced(self, path: str) -> str:
        """What stands in place of the key that the path ends with."""
        if path not in self._found:
            firsts = [self._firsts[one] for one in under(self._paths, path)]
            self._found[path] = column_name(min(firsts, default=len(self._firsts)))
        return self._found[path]

    def written(self, path: str) -> str:
        """The whole path, each of its keys named so.

        Keys that hold dots are parted at them, so all between brackets is judged whole, too.
        """
        made, place = [], 0
        for match in _DOTTED.finditer(path):
            made.append(path[place : match.start()])
            place = match.end()
            if path[match.start() - 1 : place + 1] == _VALUED:
                made.append(match[0])
            elif tells_together(match[0]):
                made.append(self.replaced(path[:place]))
            else:
                made.append(self._dotted(match[0], path[: match.start()]))
        return "".join([*made, path[place:]])

    def _dotted(self, keys: str, above: str) -> str:
        return _KEY.sub(lambda key: self.key(key[0], above + keys[: key.end()]), keys)


def under(paths: Sequence[str], path: str) -> Iterator[str]:
    """Of sorted paths the path itself and those that lead on from it."""
    spans = [(path, path + "\0"), *((path + m, path + chr(ord(m) + 1)) for m in _BELOW)]
    for low, high in spans:
        yield from paths[bisect_left(paths, low) : bisect_left(paths, high)]


def rename_columns(
    decisions: Sequence[Decision],
    *,
    is_tree: bool,
    keeps_name: Callable[[str], bool],
) -> list[Decision]:
    """The decisions with the names that the columns have in the release.

    `is_tree` says that the names are paths of JSON records. A policy vouches for a name only by
    saying so: `keeps_name`.
    """
    paths = PathNames([decision.original for decision in decisions]) if is_tree else None

    def named(decision: Decision) -> Decision:
        original = decision.original
        if keeps_name(original):
            return decision
        if paths is not None:
            return _renamed(decision, paths.written(original))
        return _renamed(decision, header_name(original, decision.index))

    return list(map(named, decisions))


def withhold_name(decision: Decision) -> Decision:
    """The column without its name."""
    return _renamed(decision, None)


def _renamed(decision: Decision, name: str | None) -> Decision:
    if name is None:
        return replace(decision, header=None, out_header=column_name(decision.index))
    path = name if decision.path else decision.path
    return replace(decision, header=name, out_header=name, path=path)
