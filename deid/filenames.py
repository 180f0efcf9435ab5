"""The name a file has in the release: its own, unless that may identify somebody."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from deid.people import People
from deid.schema import is_table
from deid.scrubbing import Finds
from recognizers import fits, is_header_word

_GLUE = re.compile(r"[^0-9A-Za-z\u0080-\uffff]+|(?<=[a-z])(?=[A-Z])")
_BARE_YEAR = re.compile(r"\D*(?:19|20)\d\d\D*")
# `i2b2`, `q1`, `v3`: a code of few digits.
_TERSE = re.compile(r"(?=[^\d]*\d{0,2}[^\d]*\d?[^\d]*$)(?=.*\d)\w{1,5}")
# Both suffixes say how a packed file is read.
_PACKED = re.compile(
    r"(?i)\.(?:csv|tsv|tab|psv|txt|jsonl|ndjson|json|xml|hl7|parquet|pq|xpt|sas7bdat|xlsx)\.gz$"
)
# What `deid.spool` calls standard input.
_OURS = "stdin"
BATCH = 1024


def released_names(
    relatives: Sequence[str], people: People, finder: Finds, ordinals: Sequence[int]
) -> list[str]:
    """For each path within the job its path within OUT.

    A path that holds a known value, an identifier's shape, or anything the recognizers find but a
    bare year, is suspect; so is every path if they fail. Of a suspect path stay only the folders
    and the name that are made of words tables are named with; others become `folder-<ordinal>` and
    `file-<ordinal>`, the suffix kept.
    """
    suspect = [people.names_somebody(name) for name in relatives]
    words = [" ".join(filter(None, _GLUE.split(_told(name)))) for name in relatives]
    for start in range(0, len(words), BATCH):
        part = words[start : start + BATCH]
        for number, found in enumerate(_found(part, finder), start):
            suspect[number] |= found
    folders: dict[tuple[str, ...], str] = {}
    for name, bad, ordinal in zip(relatives, suspect, ordinals, strict=True):
        for folder in _folders(name) if bad else ():
            if not _only_tables(folder[-1]):
                folders.setdefault(folder, f"folder-{ordinal}")
    return [
        _spared(name, ordinal, folders, bad)
        for name, bad, ordinal in zip(relatives, suspect, ordinals, strict=True)
    ]


def _folders(relative: str) -> list[tuple[str, ...]]:
    """The folders of a path, each with all that it lies in."""
    parts = PurePosixPath(relative).parent.parts
    return [parts[: depth + 1] for depth in range(len(parts))]


def _spared(relative: str, ordinal: int, folders: Mapping[tuple[str, ...], str], bad: bool) -> str:
    """A path without what may identify: a folder has one name in the whole job."""
    path, above = PurePosixPath(relative), _folders(relative)
    kept = not bad or (above and _only_tables(path.stem))
    stem = path.stem if kept else f"file-{ordinal}"
    released = [folders.get(folder, folder[-1]) for folder in above]
    packed = _PACKED.search(path.name)
    suffix = packed[0] if packed and not kept else path.suffix
    return "/".join((*released, stem + suffix))


def _only_tables(part: str) -> bool:
    """Is the part a published table, or made of words that tables are named with, all of it?"""
    if is_table(part):
        return True
    words = [word for word in _GLUE.split(part) if word]
    return bool(words) and all(map(is_header_word, words))


def _told(relative: str) -> str:
    """What of a path may tell something: all but the names of published tables."""
    path = PurePosixPath(relative)
    return " ".join(part for part in (*path.parent.parts, path.stem) if not is_table(part))


def _found(texts: Sequence[str], finder: Finds) -> list[bool]:
    try:
        findings = finder.find_all(texts, None, None)
    except Exception:  # not searched, so not known to be safe
        return [True] * len(texts)
    return [
        any(not _says_nothing(text[f.start : f.end], f.source) for f in found)
        for text, found in zip(texts, findings, strict=True)
    ]


def _says_nothing(found: str, source: str) -> bool:
    """A year alone; or words of tables and short codes, which the model takes for anything."""
    if _BARE_YEAR.fullmatch(found):
        return True
    words = _GLUE.split(found)
    return source == "model" and all(map(_says_little, words))


def _says_little(word: str) -> bool:
    """A word that tables are named with, a short code, or an everyday word that is no name."""
    plain = fits("flag", word) and fits("term", word)
    return word == _OURS or is_header_word(word) or bool(_TERSE.fullmatch(word)) or plain
