"""Makes `cdisc/terms.csv` from the CDISC Controlled Terminology; run by hand.

    python -m table_makers.cdisc_terms "SDTM Terminology.owl" "SEND Terminology.owl" \\
        "ADaM Terminology.owl"

The files are those of the NCI Enterprise Vocabulary Services. The script takes the submission
values of the code lists that `cdisc/lists.csv` names, without definitions and synonyms. It leaves
out the names of the questions of questionnaires, which have authors, but takes their codes.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from collections.abc import Iterator
from fnmatch import fnmatchcase
from xml.etree.ElementTree import Element, iterparse

from table_makers import PACKAGES

CDISC_FOLDER = PACKAGES / "deid/vocabularies/cdisc"
RDF_ID = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}ID"
TERMS_APART = "|"
# On no code list: the origins of supplemental qualifiers (QORIG), and usual names of ADaM data
# sets, as the implementation guides have them.
MORE_LISTS = {
    "ORIGIN": ["ASSIGNED", "COLLECTED", "CRF", "DERIVED", "EDT", "PROTOCOL"],
    "ADAMDATA": [
        "ADSL",
        "ADAE",
        "ADLB",
        "ADVS",
        "ADEG",
        "ADTTE",
        "ADRS",
        "ADTR",
        "ADEX",
        "ADCM",
        "ADMH",
        "ADPC",
        "ADPP",
        "ADQS",
    ],
}


def submission_value(element: Element) -> str:
    """The submission value of a code list or of one of its terms; "" if there is none."""
    found = (child.text for child in element if child.tag.endswith("}cdiscSubmissionValue"))
    return (next(found, "") or "").strip()


def listed_terms(path: str) -> Iterator[tuple[str, str]]:
    """Yield the name of a code list and one of its terms, for each term of a file."""
    names: dict[str, str] = {}
    terms: list[tuple[str, str]] = []
    for _, element in iterparse(path):
        code, kind = element.get(RDF_ID), element.tag.rpartition("}")[2]
        if code and kind == "EnumeratedValueDomain":
            names[code] = submission_value(element)
        elif code and kind == "PermissibleValue":
            terms.append((code.split(".")[0], submission_value(element)))
    yield from ((names[code], term) for code, term in terms if term and TERMS_APART not in term)


def wanted_lists() -> tuple[str, ...]:
    """The names and patterns of the code lists that some variable uses."""
    with (CDISC_FOLDER / "lists.csv").open(encoding="utf-8", newline="") as file:
        return tuple(name for row in csv.DictReader(file) for name in row["lists"].split("|"))


def write_terms(paths: list[str]) -> None:
    """Write `terms.csv` into the folder of CDISC."""
    terms: dict[str, set[str]] = defaultdict(set, {k: set(v) for k, v in MORE_LISTS.items()})
    for path in paths:
        for name, term in listed_terms(path):
            terms[name].add(term)
    wanted = wanted_lists()
    with (CDISC_FOLDER / "terms.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["list", "terms"])
        for name in sorted(terms):
            if any(fnmatchcase(name, pattern) for pattern in wanted):
                writer.writerow([name, TERMS_APART.join(sorted(terms[name]))])


if __name__ == "__main__":
    write_terms(sys.argv[1:])
