"""The names that files, folders and tables within files have in the release."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from deid.vocabularies.wording import NAME, NAME_OF_FILE, names_nobody
from deid.vocabularies.wording.published_names import is_published_name
from recognizers import is_borne

_REPLACED_NAME = re.compile(r"(file|folder|table|sheet)_(\d+)", re.IGNORECASE)
# Suffixes that say how a file is read; any other suffix may hold a value.
_SUFFIX = re.compile(
    r"(?i)(?:\.(?:csv|tsv|tab|psv|ped|fam|dat|out|txt|text|note|md|log|jsonl|ndjson|jsonlines|json|yaml|yml|xml|cda|ccda|ccd|"
    r"hl7|hl7v2|er7|msg|oru|adt|parquet|parq|pq|xpt|xport|sas7bdat|xlsx|xlsm|xltx|xltm|xls|db|sqlite|"
    r"sqlite3|db3|duckdb|ddb|sql|zip|tar|tgz|rtf|html|htm|xhtml|eml|mbox|docx|odt|pdf|x12|edi|83[457]|27[018]))?(?:\.gz)?$"
)
_PARTITIONED = (".parquet", ".parq", ".pq")
# The stem that `deid.spool` gives standard input.
_STANDARD_INPUT = "stdin"
IsKnownName = Callable[[str], bool]


def thing_name(kind: str, name: str, number: int, is_known: IsKnownName) -> str:
    """The name of a table, sheet, file or folder if it is approved, else `table_2` or the like.

    `is_known` returns whether a name holds a patient's known value; such a name is replaced.
    """
    replacement = _REPLACED_NAME.fullmatch(name)
    if replacement is not None:
        kept = name == f"{kind}_{number}"
    else:
        use = NAME if kind == "table" else NAME_OF_FILE
        kept = name == _STANDARD_INPUT or (names_nobody(name, use) and not is_known(name))
    return name if kept else f"{kind}_{number}"


def released_names(
    relatives: Sequence[str], ordinals: Sequence[int], is_known: IsKnownName
) -> list[str]:
    """The path within OUT for each path within the job.

    Each folder and file name is judged by itself. A word that is also a person's name is judged by
    the names next to it, too. Replaced names are `folder_<ordinal>`, numbered by the first file
    inside, and `file_<ordinal>`. A folder has one name in the whole job.
    """
    paths = [PurePosixPath(relative) for relative in relatives]
    numbers: dict[PurePosixPath, str] = {}
    names: dict[PurePosixPath, str] = {}
    for path, ordinal in zip(paths, ordinals, strict=True):
        for folder in _folders(path):
            if folder in names:
                continue
            numbers[folder] = f"folder_{ordinal}"
            # The values of partitions are cells of the Parquet files below.
            is_cell = "=" in folder.name and path.suffix.casefold() in _PARTITIONED
            named = thing_name("folder", folder.name, ordinal, is_known)
            names[folder] = numbers[folder] if is_cell else named
        stem = _stem(path.name)
        suffix = path.name.removeprefix(stem)
        numbers[path] = f"file_{ordinal}{suffix}"
        names[path] = thing_name("file", stem, ordinal, is_known) + suffix
    names |= {place: numbers[place] for place in _odd_names(names)}
    return ["/".join(names[place] for place in (*_folders(path), path)) for path in paths]


def _folders(path: PurePosixPath) -> Iterator[PurePosixPath]:
    """The folders of a path, the uppermost first."""
    return reversed(list(path.parents)[:-1])


def _odd_names(names: Mapping[PurePosixPath, str]) -> set[PurePosixPath]:
    """The kept names that may be a person's, in folders where several names were replaced."""
    replaced = Counter(path.parent for path, name in names.items() if name != path.name)
    return {
        path
        for path, name in names.items()
        if name == path.name
        and replaced[path.parent] > 1
        and is_borne(_stem(name))
        and not is_published_name(_stem(name))
    }


def shown_place(place: str, name: str) -> str:
    """A place in a message, with the path of its file if that identifies no person.

    >>> shown_place("input 1", "labs.csv"), shown_place("input 2", "Smith_John.csv")
    ('input 1, labs.csv', 'input 2')
    """
    vouched = released_names([name], [1], lambda _: False) == [name]
    return f"{place}, {name}" if vouched else place


def _stem(name: str) -> str:
    """The name of a file without a suffix that says how it is read."""
    return _SUFFIX.sub("", name)
