"""The names that the columns of a table have in the release."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from deid.decision import ColumnDecision
from deid.vocabularies.wording import KEY_PATH, NAME, names_nobody

_KEY, _DOTTED = re.compile(r"[^.\[\]{}]+"), re.compile(r"[^\[\]{}]+")
_COLUMN_NAME = re.compile(r"column_(\d+)", re.IGNORECASE)
# The characters with which a longer path continues.
_CONTINUATIONS = (".", "[", "{")
_VALUED = "{key}"
_MOST_SHOWN = 20


def column_name(index: int) -> str:
    """The replacement for the name of a column.

    >>> column_name(6)
    'column_7'
    """
    return f"column_{index + 1}"


def header_name(header: str, index: int) -> str | None:
    """The header as it may be shown and written; None if it is not an approved name."""
    replacement = _COLUMN_NAME.fullmatch(header.strip())
    if replacement is not None:
        return header if header == column_name(index) else None
    return header if names_nobody(header, NAME) else None


def shown_columns(headers: Sequence[str]) -> str:
    """The columns of a table for a message; names that are not approved become positions.

    >>> shown_columns(["NOTE_TEXT", "zbrwk_smith"])
    'NOTE_TEXT, column_2'
    """
    names = [
        header_name(header, n) or column_name(n) for n, header in enumerate(headers[:_MOST_SHOWN])
    ]
    more = len(headers) - _MOST_SHOWN
    return ", ".join(names) + (f" and {more} more" if more > 0 else "")


def columns_of_tables(tables: Sequence[tuple[str, ...]]) -> str:
    """The columns of the first table, for a hint, and the number of the other tables.

    >>> columns_of_tables([("id", "note"), ("id", "note"), ("id",)])
    'the columns are: id, note (and 1 other table)'
    """
    different = list(dict.fromkeys(tables))
    more = len(different) - 1
    others = f" (and {more} other table{'s' if more > 1 else ''})" if more > 0 else ""
    return f"the columns are: {shown_columns(different[0]) if different else 'none'}{others}"


def keys_of(path: str) -> list[str]:
    """The keys of a path, without keys that are values."""
    return _KEY.findall(path.replace(_VALUED, "{}"))


class PathNames:
    """The names of keys on the paths to the leaves of JSON records: `labs.column_3.value`.

    `paths` are the paths of all columns, in order. A key that is not an approved name gets the
    position of the first column below it.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self._firsts: dict[str, int] = {}
        for index, path in enumerate(paths):
            self._firsts.setdefault(path, index)
        self._paths = sorted(self._firsts)
        self._found: dict[str, str] = {}

    def key(self, key: str, path: str) -> str:
        """The released name of the last key of the path."""
        return key if names_nobody(key, NAME) else self.replaced(path)

    def replaced(self, path: str) -> str:
        """Return the replacement for the last key of the path."""
        if path not in self._found:
            firsts = [self._firsts[one] for one in paths_under(self._paths, path)]
            self._found[path] = column_name(min(firsts, default=len(self._firsts)))
        return self._found[path]

    def written(self, path: str) -> str:
        """The released path, key by key.

        Keys may hold dots, so the text between brackets is also judged as a whole.
        """
        made, place = [], 0
        for match in _DOTTED.finditer(path):
            made.append(path[place : match.start()])
            place = match.end()
            if path[match.start() - 1 : place + 1] == _VALUED:
                made.append(match[0])
            elif not names_nobody(match[0], KEY_PATH):
                made.append(self.replaced(path[:place]))
            else:
                made.append(self._dotted(match[0], path[: match.start()]))
        return "".join([*made, path[place:]])

    def _dotted(self, keys: str, above: str) -> str:
        return _KEY.sub(lambda key: self.key(key[0], above + keys[: key.end()]), keys)


def paths_under(paths: Sequence[str], path: str) -> Iterator[str]:
    """Yield the path itself and every path below it, from the sorted `paths`."""
    spans = [(path, path + "\0"), *((path + m, path + chr(ord(m) + 1)) for m in _CONTINUATIONS)]
    for low, high in spans:
        yield from paths[bisect_left(paths, low) : bisect_left(paths, high)]


def rename_columns(
    decisions: Sequence[ColumnDecision],
    *,
    is_tree: bool,
    keeps_name: Callable[[str], bool],
) -> list[ColumnDecision]:
    """The decisions with the column names of the release.

    `is_tree` is set if the names are paths of JSON records. `keeps_name` returns whether the
    policy allows a name explicitly.
    """
    paths = PathNames([decision.original for decision in decisions]) if is_tree else None

    def named(decision: ColumnDecision) -> ColumnDecision:
        original = decision.original
        if decision.is_closed or keeps_name(original):
            return decision
        if paths is not None:
            return _renamed_decision(decision, paths.written(original))
        return _renamed_decision(decision, header_name(original, decision.index))

    return list(map(named, decisions))


def withhold_name(decision: ColumnDecision) -> ColumnDecision:
    """The column without its name."""
    return _renamed_decision(decision, None)


def _renamed_decision(decision: ColumnDecision, name: str | None) -> ColumnDecision:
    if name is None:
        return replace(decision, header=None, out_header=column_name(decision.index))
    path = name if decision.path else decision.path
    return replace(decision, header=name, out_header=name, path=path)
