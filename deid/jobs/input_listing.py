"""List every file of the inputs, and every table of a file that holds several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from deid.errors import UNREADABLE, DeidError
from deid.formats import ReadOptions, format_of, members_of
from deid.jobs.job import InputTable
from deid.naming.files import shown_place
from deid.release.earlier_release import earlier_copies
from deid.spool import fetched, spooled


@dataclass(frozen=True, slots=True)
class LocalFiles:
    """The files of a job on this machine: its inputs, known tables and earlier release."""

    inputs: tuple[Path, ...] = field(repr=False)
    known: tuple[Path, ...] = field(repr=False)
    since: Path | None = field(repr=False)


@contextmanager
def local_files(
    inputs: Sequence[str | Path],
    known: Sequence[str | Path],
    since: str | Path | None,
    *,
    schemas: Sequence[str] = (),
    where: Sequence[str] = (),
) -> Iterator[LocalFiles]:
    """The files of a job; data in a database or an object store is copied to private files.

    Raises:
        DeidError: as `spooled` and `fetched`.
    """
    with fetched(() if since is None else (since,)) as [*held], fetched(known) as tables:
        before = held[0] if held else None
        copies = earlier_copies(before)
        with spooled(inputs, schemas=schemas, where=where, earlier=copies) as paths:
            yield LocalFiles(paths, tables, before)


def list_inputs(
    inputs: Sequence[Path], options: ReadOptions | None = None
) -> tuple[InputTable, ...]:
    """Every table of the inputs. Files of a folder come in name order, without hidden files.

    Raises:
        DeidError: `input-missing`, `input-empty`, `input-name-twice`, `input-unreadable`.
    """
    files = [
        InputTable(0, path, path.name if root.is_file() else path.relative_to(root).as_posix())
        for number, root in enumerate(inputs, 1)
        for path in _walked(number, root)
    ]
    if not files:
        raise DeidError(
            "input-empty",
            "the inputs hold no file",
            hint="name a file or a folder with files; hidden files do not count",
            exit_code=UNREADABLE,
        )
    _refuse_same_names(files)
    units: list[InputTable] = []
    for file in files:
        for unit in _tables(file, len(units) + 1, options or ReadOptions()):
            units.append(replace(unit, ordinal=len(units) + 1))
    return tuple(units)


def _walked(number: int, root: Path) -> list[Path]:
    if not root.exists():
        raise DeidError(
            "input-missing",
            "an input does not exist",
            place=shown_place(f"input {number}", root.name),
            hint="check the path",
            exit_code=UNREADABLE,
        )
    return sorted(_input_files(root))


def _input_files(root: Path) -> Iterator[Path]:
    if root.is_file():
        yield root
        return
    for path in root.rglob("*"):
        hidden = any(part.startswith(".") for part in path.relative_to(root).parts)
        if path.is_file() and not hidden:
            yield path


def _refuse_same_names(files: Sequence[InputTable]) -> None:
    seen: dict[str, int] = {}
    for number, file in enumerate(files, 1):
        if file.relative in seen:
            raise DeidError(
                "input-name-twice",
                "two inputs would have the same name in OUT",
                place=f"file {seen[file.relative]} and file {number}",
                hint="name their common folder as the input",
            )
        seen[file.relative] = number


def _tables(file: InputTable, ordinal: int, options: ReadOptions) -> list[InputTable]:
    """The tables of one file, or one entry with an error code if the file cannot be read."""
    _refuse_unreadable(file.path, ordinal)
    if format_of(file.path, options) is None:
        return [replace(file, code="unknown-format")]
    try:
        members = members_of(file.path, options)
    except DeidError as error:
        return [replace(file, code=error.code)]
    if not members:
        return [replace(file, code="empty-table")]
    return [
        replace(file, member=member, relative=f"{file.relative}/{member}") if member else file
        for member in members
    ]


def _refuse_unreadable(path: Path, ordinal: int) -> None:
    try:
        path.open("rb").close()
    except OSError:
        raise DeidError(
            "input-unreadable",
            "an input cannot be read",
            place=f"file {ordinal}",
            hint="check its permissions",
            exit_code=UNREADABLE,
        ) from None
