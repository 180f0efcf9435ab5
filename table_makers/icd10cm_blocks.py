"""Makes `icd10cm_blocks.csv` in `risk/hierarchies/tables`; run by hand.

    python -m table_makers.icd10cm_blocks TABULAR.xml > icd10cm_blocks.csv

TABULAR.xml is the tabular list of ICD-10-CM published by the National Center for Health Statistics;
the wheel of simple-icd-10-cm 1.5.0 (PyPI) holds the file of April 2026.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from xml.etree import ElementTree

_ROMAN = "I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX XXI XXII XXIII"


def categories(path: Path) -> list[tuple[str, str, str]]:
    """Category, block and chapter number, in the order of the file."""
    rows = []
    for chapter in ElementTree.parse(path).getroot().findall("chapter"):
        number = _ROMAN.split()[int(chapter.findtext("name", "")) - 1]
        for section in chapter.findall("section"):
            inside = [d.findtext("name", "")[:3] for d in section.findall("diag")]
            rows += [(category, section.attrib["id"], number) for category in inside]
    return rows


def block_runs(rows: list[tuple[str, str, str]]) -> list[tuple[str, str, str, str]]:
    """The first and last category of each run of one block, with block and chapter, by code."""
    found: list[tuple[str, str, str, str]] = []
    for category, block, chapter in sorted(rows):
        if found and found[-1][2:] == (block, chapter):
            found[-1] = (found[-1][0], category, block, chapter)
        else:
            found.append((category, category, block, chapter))
    return found


if __name__ == "__main__":
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["first", "last", "block", "chapter"])
    out.writerows(block_runs(categories(Path(sys.argv[1]))))
