"""Gets codes and surrogates for a job, one at a time; writes in batches and remembers answers."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from deid.crosswalk.book import Crosswalk
from deid.errors import KEY, DeidError
from safe_harbor import Identifier

_REMEMBERED = 200_000


class CodeAllocator:
    """Returns the codes and surrogates of a crosswalk. It reads each value from the store once."""

    def __init__(self, book: Crosswalk) -> None:
        self._book = book
        self._codes: dict[tuple[Identifier, str | None, str], str] = {}
        self._kept: dict[tuple[str, str | None, str], str] = {}

    def __repr__(self) -> str:
        return f"CodeAllocator({len(self._codes)} codes, {len(self._kept)} surrogates)"

    def __call__(self, identifier: Identifier, person: str | None, value: str) -> str:
        """The random code of a value."""
        key = (identifier, person, value)
        if key not in self._codes:
            self.prefetch(identifier, [(person, value)])
        return self._codes[key]

    def prefetch(self, identifier: Identifier, items: Sequence[tuple[str | None, str]]) -> None:
        """Fetch the codes of many (person, value) pairs at once, before they are requested."""
        new = [item for item in dict.fromkeys(items) if (identifier, *item) not in self._codes]
        _forget_oldest(self._codes)
        for item, code in zip(new, self._book.codes(identifier, new), strict=True):
            self._codes[(identifier, *item)] = code

    def keep(self, kind: str, person: str | None, key: str, draw: Callable[[], str]) -> str:
        """The surrogate of a key of that person, drawn on the first request and kept."""
        asked = (kind, person, key)
        if asked not in self._kept:
            _forget_oldest(self._kept)
            self._kept[asked] = self._book.keep(kind, [(person, key)], lambda _: draw())[0]
        return self._kept[asked]

    @contextmanager
    def single_write(self) -> Generator[None]:
        """A context that writes all draws at once; if it fails, none of them is remembered."""
        try:
            with self._book.single_write():
                yield
        except BaseException:
            self._codes.clear()
            self._kept.clear()
            raise


class CrosswalkAccount(Mapping[str, Any]):
    """The `crosswalk` entry of a manifest: generation and audit head, now or at `settle`."""

    def __init__(self, book: Crosswalk) -> None:
        self._book = book
        self._settled: dict[str, Any] | None = None

    def settle(self) -> None:
        """Fix the entry before the crosswalk closes; a later read would open the crosswalk."""
        with suppress(DeidError):
            self._settled = self._read()

    def __getitem__(self, key: str) -> Any:
        return self._read()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(("generation", "audit_head"))

    def __len__(self) -> int:
        return 2

    def _read(self) -> dict[str, Any]:
        if self._settled is not None:
            return self._settled
        head = self._book.head()
        return {"generation": head.generation, "audit_head": str(head)}


@contextmanager
def open_for_job(
    place: str | Path, key_file: Path | None
) -> Generator[tuple[CodeAllocator, Mapping[str, Any]]]:
    """Yield the allocator and the manifest entry of a job; at the end the audit records the
    release.

    Raises:
        DeidError: the key file is missing, or an error of `Crosswalk.open`.
    """
    if key_file is None:
        raise DeidError(
            "no-key",
            "no key is given for the crosswalk",
            hint="give --key-file F, the file that `deid crosswalk init` made",
            exit_code=KEY,
        )
    where = place if "://" in str(place) else Path(place)
    with Crosswalk.open(where, key_file) as book:
        account = CrosswalkAccount(book)
        yield CodeAllocator(book), account
        account.settle()


def _forget_oldest(remembered: dict[Any, str]) -> None:
    if len(remembered) >= _REMEMBERED:
        remembered.clear()
