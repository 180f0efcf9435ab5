"""Finds the columns of a table whose cells are JSON, and splits their cells into leaves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from deid.formats.contract import Record, RecordFault, RecordSource
from deid.formats.fhir.definitions.element_types import resource_types
from deid.formats.fhir.json_text import JsonError, Style, read_json
from deid.formats.fhir.resource_tree import ObjectNode
from deid.formats.fhir.walk import take_resource
from deid.formats.json.keys import is_value, may_name
from deid.formats.json.path_survey import PathSurvey
from deid.formats.json.record_tree import TakenRecord, take_columns
from deid.vocabularies.locus import Locus

CELLS_LOOKED_AT = 200
LONGEST_JSON_CELL = 1 << 24
_PATH_MARKS = frozenset(".[]{}")


@dataclass(frozen=True, slots=True)
class JsonColumn:
    """The JSON style of a column, whether its cells are FHIR, and the form of RTF in them."""

    style: Style
    fhir: bool
    rtf: str


@dataclass(frozen=True, slots=True)
class FhirTree:
    """The tree of a FHIR resource, and the range of its leaves among the leaves of its row."""

    tree: ObjectNode = field(repr=False)
    leaves: range


def _parsed_cell(cell: str | None) -> Any:
    """The parsed object or array of a cell; any other cell unchanged."""
    start = (cell or "").lstrip()[:1]
    if cell is None or start not in ("{", "[") or len(cell) > LONGEST_JSON_CELL:
        return cell
    try:
        return read_json(cell.encode())
    except (JsonError, UnicodeEncodeError):
        return cell


def take_row(
    row: Record,
    headers: Sequence[str],
    spread: Mapping[int, JsonColumn],
    valued: Collection[str],
) -> tuple[TakenRecord, list[Locus]]:
    """The JSON cells of a row, split into leaves, and the loci of its FHIR leaves, which come last.

    Raises:
        JsonError: an error of `take_columns` or `take_resource`.
    """
    found = {n: _parsed_cell(c) for n in spread if (c := row.cells[n]) is not None and c.strip()}
    resources = {n: v for n, v in found.items() if spread[n].fhir and _is_resource(v)}
    others = {n: (headers[n], value) for n, value in found.items() if n not in resources}
    taken = take_columns(others, valued)
    leaves, trees, loci = list(taken.leaves), dict(taken.tree), []
    for n, value in resources.items():
        resource = take_resource(value, spread[n].rtf)
        trees[n] = FhirTree(resource.tree, range(len(leaves), len(leaves) + len(resource.leaves)))
        for locus, cell in resource.leaves:
            loci.append(replace(locus, path=f"{headers[n]}.{locus.path}"))
            leaves.append((loci[-1].path, cell))
    return replace(taken, tree=trees, leaves=tuple(leaves)), loci


def _is_resource(value: Any) -> bool:
    return isinstance(value, dict) and value.get("resourceType") in resource_types()


def nested_of(source: RecordSource) -> frozenset[str]:
    """The columns of lists, structures and bytes, which the table cannot search as text."""
    return frozenset(getattr(source, "nested", ()))


def trees_of(source: RecordSource) -> frozenset[str]:
    """The nested columns whose cells the table reads as JSON."""
    return frozenset(getattr(source, "trees", ()))


def columns_of_json(source: RecordSource, rtf: str) -> dict[int, JsonColumn]:
    """The columns whose first filled cells are all objects or arrays, with their JSON styles.

    Columns of lists and structures always count as JSON. A column whose header is not a plain key,
    or is not unique, is left to the table.
    """
    trees = trees_of(source)
    found = {n: JsonColumn(Style(), False, rtf) for n, c in enumerate(source.columns) if c in trees}
    bytes_held = nested_of(source) - trees
    refused = {n for n, name in enumerate(source.columns) if name in bytes_held}
    times = Counter(source.columns)
    for record in islice(source.records(), CELLS_LOOKED_AT):
        for n, cell in enumerate(record.cells if isinstance(record, Record) else ()):
            if n in refused or cell is None or not cell.strip():
                continue
            value = _parsed_cell(cell)
            if not isinstance(value, dict | list):
                refused.add(n)
            elif n not in found:
                found[n] = JsonColumn(_style_of(cell), _is_resource(value), rtf)
            elif found[n].fhir and not _is_resource(value):
                found[n] = replace(found[n], fhir=False)
    return {
        n: column
        for n, column in sorted(found.items())
        if n not in refused and times[source.columns[n]] == 1 and _is_plain_key(source.columns[n])
    }


def _style_of(cell: str) -> Style:
    """The JSON style of a cell: with or without blanks after its colons (or commas)."""
    return Style(", ", ": ") if ('": ' if '":' in cell else ", ") in cell else Style()


def _is_plain_key(header: str) -> bool:
    odd = not header.strip() or not _PATH_MARKS.isdisjoint(header)
    return not odd and not is_value(header) and not may_name(header)


def cell_paths(
    source: RecordSource, spread: Mapping[int, JsonColumn], valued: frozenset[str]
) -> tuple[frozenset[str], Counter[str], dict[str, Locus]]:
    """A survey of the cells of the JSON columns.

    Returns the paths of objects whose keys are values, the largest number of leaves per row at
    each path, and the loci of FHIR paths."""
    loci: dict[str, Locus] = {}
    survey = PathSurvey()
    for record in source.records():
        if isinstance(record, RecordFault):
            continue
        try:
            taken, found_loci = take_row(record, source.columns, spread, valued)
        except JsonError:
            continue  # the row is withheld
        loci |= {locus.path: locus for locus in found_loci}
        survey.add(taken)
    return survey.keyed_by_values({source.columns[n] for n in spread}), survey.most, loci
