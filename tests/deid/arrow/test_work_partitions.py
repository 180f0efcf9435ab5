"""Several processes return results in order; an error of one is raised here without the text it
read.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from deid.arrow.work_partitions import map_in_order
from deid.errors import DeidError


def _numbers() -> list[int]:
    return list(range(7))


@pytest.mark.parametrize("processes", [1, 2, 3, 9])
def test_results_come_in_order(processes: int) -> None:
    came = list(map_in_order(_numbers, partial(map, lambda batch: batch * 2), processes))
    assert came == [2 * n for n in range(7)]


def test_the_work_is_done_in_other_processes() -> None:
    came = set(map_in_order(_numbers, partial(map, lambda batch: os.getpid()), 2))
    assert len(came) == 2 and os.getpid() not in came


@pytest.mark.parametrize("less", range(1, 7))
def test_processes_that_read_different_numbers_of_batches_leave_none_out(
    less: int, tmp_path: Path
) -> None:
    def batches() -> list[int]:
        try:
            (tmp_path / "read").touch(exist_ok=False)
        except FileExistsError:
            return _numbers()
        return _numbers()[:-less]

    with pytest.raises(DeidError) as caught:
        list(map_in_order(batches, partial(map, lambda batch: batch), 2))
    assert caught.value.code == "worker-input-differs"


def _fails(error: BaseException | None) -> int:
    if error is None:
        os._exit(1)
    raise error


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (DeidError("input-changed", "a table changed"), DeidError),
        (OSError(28, "No space left"), OSError),
        (ValueError("Quillfeather"), DeidError),
        (None, DeidError),
        (KeyError("Quillfeather"), DeidError),
    ],
)
def test_an_error_of_a_process_is_raised_without_the_value_it_read(
    error: BaseException | None, kind: type[Exception], capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(kind) as caught:
        list(map_in_order(_numbers, partial(map, lambda batch: _fails(error)), 2))
    assert "Quillfeather" not in str(caught.value) + capfd.readouterr().err


def test_closing_the_results_early_ends_every_process() -> None:
    listening = map_in_order(_numbers, partial(map, lambda batch: os.getpid()), 2)
    process = next(listening)
    listening.close()  # type: ignore[attr-defined]
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
