"""The name a file has in the release: its own, unless that may identify somebody."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from deid.people import People
from deid.schema import is_table
from deid.scrubbing import Finds
from recognizers import fits, is_header_word

_GLUE = re.compile(r"[^0-9A-Za-z\u0080-\uffff]+|(?<=[a-z])(?=[A-Z])")
_BARE_YEAR = re.compile(r"\D*(?:19|20)\d\d\D*")
# `i2b2`, `q1`, `v3`: a code of few digits.
_TERSE = re.compile(r"(?=[^\d]*\d{0,2}[^\d]*\d?[^\d]*$)(?=.*\d)\w{1,5}")
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
    words = [" ".join(filter(None, _GLUE.split(_stems(name)))) for name in relatives]
    for start in range(0, len(words), BATCH):
        part = words[start : start + BATCH]
        for number, found in enumerate(_found(part, finder), start):
            suspect[number] |= found
    folders: dict[tuple[str, ...], str] = {}
    return [
        _spared(name, ordinal, folders) if bad else name
        for name, bad, ordinal in zip(relatives, suspect, ordinals, strict=True)
    ]


def _spared(relative: str, ordinal: int, folders: dict[tuple[str, ...], str]) -> str:
    """A suspect path without what may identify; a folder has one name in the whole job."""
    path = PurePosixPath(relative)
    if not path.parent.parts:
        return f"file-{ordinal}{path.suffix}"
    stem = path.stem if _only_tables(path.stem) else f"file-{ordinal}"
    parents = path.parent.parts
    released = [
        part
        if _only_tables(part)
        else folders.setdefault(parents[: depth + 1], f"folder-{ordinal}")
        for depth, part in enumerate(parents)
    ]
    return "/".join((*released, stem + path.suffix))


def _only_tables(part: str) -> bool:
    """Is the part a published table, or made of words that tables are named with, all of it?"""
    if is_table(part):
        return True
    words = [word for word in _GLUE.split(part) if word]
    return bool(words) and all(map(is_header_word, words))


def _stems(relative: str) -> str:
    path = PurePosixPath(relative)
    return " ".join((*path.parent.parts, path.stem))


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
    return is_header_word(word) or bool(_TERSE.fullmatch(word)) or plain
