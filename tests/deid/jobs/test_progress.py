"""The progress of a job, and how a terminal shows it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from deid.cli.scrub_progress import Line
from deid.formats import open_source
from deid.jobs.job import FileBatch, InputTable, OpenedTable
from deid.jobs.progress import Meter, ProgressStatus


def _batches(folder: Path, sizes: list[int]) -> list[FileBatch]:
    (folder / "n.txt").write_text("Seen.")
    source = open_source(folder / "n.txt")
    return [
        FileBatch((OpenedTable(InputTable(n, folder / "n.txt", "n.txt"), source, ()),), "", size)
        for n, size in enumerate(sizes, 1)
    ]


def test_files_are_weighted_by_size_and_count_only_when_finished(tmp_path: Path) -> None:
    seen: list[ProgressStatus] = []
    meter = Meter.of("scrub", seen.append, _batches(tmp_path, [899, 99]))
    meter.add(1, 200, 450)
    assert (seen[-1].records, round(seen[-1].share, 2)) == (200, 0.45)
    meter.add(1, 200, 99_999)
    assert seen[-1].share < 0.9
    meter.finish(1)
    assert (seen[-1].done, seen[-1].share) == (1, 0.9)
    meter.finish(2)
    assert seen[-1].share == 1


class _Sizes(dict[int, int]):
    """File sizes whose sum may be asked for only once."""

    sums = 0

    def values(self) -> Any:
        self.sums += 1
        return super().values()


def test_the_sizes_of_many_files_are_added_up_once() -> None:
    sizes = _Sizes(dict.fromkeys(range(100), 10))
    seen: list[ProgressStatus] = []
    meter = Meter("scrub", seen.append, sizes)
    for number in sizes:
        meter.finish(number)
    assert (len(seen), seen[-1].share, sizes.sums) == (100, 1.0, 1)


def test_the_progress_line_shows_rate_and_time_left() -> None:
    written: list[str] = []
    clock = iter([0.0, 10.0, 10.1, 20.0])
    line = Line(lambda text: cast(None, written.append(text)), lambda: next(clock))
    line.show(ProgressStatus("scrub", 4, 0, 0, 0.0))
    line.show(ProgressStatus("scrub", 4, 1, 5000, 0.25))
    assert "1 of 4 files, 5,000 records, 500 per second, about 30 s left" in written[-1]
    line.show(ProgressStatus("scrub", 4, 1, 5100, 0.26))
    assert len(written) == 2, "not written over five times a second"
    line.show(ProgressStatus("scrub", 4, 4, 8000, 1.0))
    assert "left" not in written[-1]
    line.end()
    assert written[-1].endswith("\x1b[2K")
