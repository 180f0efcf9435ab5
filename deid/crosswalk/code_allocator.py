"""Where a job asks for codes and surrogates: one at a time, written in batches, remembered."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from deid.crosswalk.book import Crosswalk
from deid.errors import KEY, DeidError
from safe_harbor import Identifier

_REMEMBERED = 200_000


class CodeAllocator:
    """Gives out what a crosswalk holds. The same question is asked of the store once."""

    def __init__(self, book: Crosswalk) -> None:
        self._book = book
        self._codes: dict[tuple[Identifier, str | None, str], str] = {}
        self._kept: dict[tuple[str, str | None, str], str] = {}

    def __repr__(self) -> str:
        return f"Desk({len(self._codes)} codes, {len(self._kept)} surrogates)"

    def __call__(self, identifier: Identifier, person: str | None, value: str) -> str:
        """The random code of a value."""
        key = (identifier, person, value)
        if key not in self._codes:
            self.expect(identifier, [(person, value)])
        return self._codes[key]

    def expect(self, identifier: Identifier, items: Sequence[tuple[str | None, str]]) -> None:
        """Fetch the codes of many (person, value) at once, ahead of the questions for them."""
        new = [item for item in dict.fromkeys(items) if (identifier, *item) not in self._codes]
        _trim(self._codes)
        for item, code in zip(new, self._book.codes(identifier, new), strict=True):
            self._codes[(identifier, *item)] = code

    def keep(self, kind: str, person: str | None, key: str, draw: Callable[[], str]) -> str:
        """What stands for a key of that person, drawn on the first question and kept."""
        asked = (kind, person, key)
        if asked not in self._kept:
            _trim(self._kept)
            self._kept[asked] = self._book.keep(kind, [(person, key)], lambda _: draw())[0]
        return self._kept[asked]

    @contextmanager
    def together(self) -> Generator[None]:
        """What is drawn inside is one write; if it fails, nothing of it is remembered."""
        try:
            with self._book.together():
                yield
        except BaseException:
            self._codes.clear()
            self._kept.clear()
            raise


class CrosswalkAccount(Mapping[str, Any]):
    """`crosswalk` of a manifest: generation and head of the audit, as they stand when read."""

    def __init__(self, book: Crosswalk) -> None:
        self._book = book

    def __getitem__(self, key: str) -> Any:
        return self._read()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(("generation", "audit_head"))

    def __len__(self) -> int:
        return 2

    def _read(self) -> dict[str, Any]:
        head = self._book.head()
        return {"generation": head.generation, "audit_head": str(head)}


@contextmanager
def open_for_job(
    place: str | Path, key_file: Path | None
) -> Generator[tuple[CodeAllocator, Mapping[str, Any]]]:
    """A desk and the account for the manifest; the release is put on record at the end.

    Raises:
        DeidError: no key file, or what `Crosswalk.open` raises.
    """
    if key_file is None:
        raise DeidError(
            "no-key",
            "a crosswalk opens with a key",
            hint="give --key-file F, the file that `deid crosswalk init` made",
            exit_code=KEY,
        )
    where = place if "://" in str(place) else Path(place)
    with Crosswalk.open(where, key_file) as book:
        yield CodeAllocator(book), CrosswalkAccount(book)


def _trim(remembered: dict[Any, str]) -> None:
    if len(remembered) >= _REMEMBERED:
        remembered.clear()
