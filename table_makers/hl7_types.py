"""Makes `types.csv`: the type and code tables of every field and component; run by hand.

    python -m table_makers.hl7_types

The source is the package `hl7apy` 1.3.5 (MIT), which has the HL7 versions 2.1 to 2.8.2; only this
script needs it, not the engine. The newest version that defines a type counts, because later types
only add components to earlier ones; a field that once had components keeps them. The code tables
are those of all versions. What each type means for 164.514 is in `loci.csv`.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from table_makers import PACKAGES

READ_VERSIONS = ("2_1", "2_2", "2_3", "2_3_1", "2_4", "2_5", "2_5_1", "2_6", "2_7", "2_8", "2_8_2")
# Types that are withdrawn, undefined, or composites that their version does not define.
UNDEFINED_TYPES = frozenset(["", "-", "WD", "CM", "NUL"])
# The name of a segment and of a type; no field has this type.
CLASH = "CNS"
# Types whose components are the first components of another type.
SAME = {
    "AD": "XAD",
    "CE": "CWE",
    "CF": "CWE",
    "CK": "CX",
    "CK_ACCOUNT_NO": "CX",
    "CM_FILLER": "EI",
    "CM_GROUP_ID": "EI",
    "CM_INTERNAL_LOCATION": "PL",
    "CM_LICENSE_NO": "DLN",
    "CM_NDL": "NDL",
    "CM_PAT_ID": "CX",
    "CM_PAT_ID_0192": "CX",
    "CM_PLACER": "EI",
    "CN": "XCN",
    "CNE": "CWE",
    "CNN": "XCN",
    "CN_SIMPLE": "XCN",
    "PN": "XPN",
    "TN": "XTN",
}


def write_types() -> None:
    """Write the columns `name,part,type,tables`; part 0 means that a type equals another."""
    types: dict[tuple[str, int], str] = {}
    tables: dict[tuple[str, int], set[str]] = defaultdict(set)
    for version in READ_VERSIONS:
        types |= dict(_components(version))
        known = {name for name, _ in types} - {"TS"}
        for field, kind in _typed_fields(version):
            if kind in known or types.get(field) not in known:
                types[field] = kind
        for place, table in _tables_of_places(version):
            tables[place].add(table)
    for name, kind in SAME.items():
        for place in [place for place in tables if place[0] == name]:
            tables[kind, place[1]] |= tables[place]
    rows = [
        (name, part, kind, "|".join(sorted(tables.get((name, part), ()))))
        for (name, part), kind in sorted(types.items())
        if name not in SAME
    ]
    rows += [(name, 0, kind, "") for name, kind in SAME.items()]
    path = PACKAGES / "deid/formats/hl7v2/types.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("name", "part", "type", "tables"))
        writer.writerows(sorted(rows))


def _typed_fields(version: str) -> Iterator[tuple[tuple[str, int], str]]:
    fields: dict[str, Any] = import_module(f"hl7apy.v{version}.fields").FIELDS
    for name, told in fields.items():
        if str(told[2] or "").upper() not in UNDEFINED_TYPES:
            segment, number = name.rsplit("_", 1)
            yield (segment, int(number)), SAME.get(told[2], told[2])


def _components(version: str) -> Iterator[tuple[tuple[str, int], str]]:
    structures = import_module(f"hl7apy.v{version}.datatypes").DATATYPES_STRUCTS
    for name, parts in structures.items():
        if name == CLASH:
            continue
        for part, told in ((part[0], part[1]) for part in parts):
            if str(told[2] or "").upper() not in UNDEFINED_TYPES:
                yield (name, int(part.rsplit("_", 1)[1])), SAME.get(told[2], told[2])


def _tables_of_places(version: str) -> Iterator[tuple[tuple[str, int], str]]:
    """The fields and components that have a code table, with the four digits of the table."""
    fields: dict[str, Any] = import_module(f"hl7apy.v{version}.fields").FIELDS
    structures = import_module(f"hl7apy.v{version}.datatypes").DATATYPES_STRUCTS
    told = [(name, told[4]) for name, told in fields.items()]
    told += [(part[0], part[1][4]) for parts in structures.values() for part in parts]
    for name, table in told:
        whole, number = name.rsplit("_", 1)
        if table and re.fullmatch(r"HL7\d{4}", table):
            yield (whole, int(number)), table.removeprefix("HL7")


if __name__ == "__main__":
    write_types()
