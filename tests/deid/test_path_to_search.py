"""The path from the command to the search of a note has only as many steps as there are levels of
work.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from deid.cli import main
from recognizers.search import Finder

DEID = Path(__file__).resolve().parents[2] / "deid"
# Frames of typer and multiprocessing are not counted. find: main, options, command, documents, a
# table, its notes. scrub: main, options, command, job, files, worker pool, a worker, a
# file, a table, a batch, its texts, the search.
FRAMES = {"find": 6, "scrub": 12}


@pytest.mark.parametrize(
    ("options", "search"),
    [
        (("find",), "scrubber.find_each"),
        (("scrub", "-o", "out", "--quiet", "--no-progress"), "scrubber.find_each"),
    ],
)
def test_few_frames_are_between_the_command_and_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], search: str
) -> None:
    really, told = Finder.find_all, tmp_path / "told"

    def find_all(self: Finder, *arguments: Any) -> Any:
        frame, names = sys._getframe(1), []
        while frame is not None:
            if Path(frame.f_code.co_filename).is_relative_to(DEID):
                names.append(f"{Path(frame.f_code.co_filename).stem}.{frame.f_code.co_name}")
            frame = frame.f_back  # type: ignore[assignment]
        if not told.exists():  # the workers are separate processes
            told.write_text("\n".join(names))
        return really(self, *arguments)

    monkeypatch.setattr(Finder, "find_all", find_all)
    monkeypatch.chdir(tmp_path)
    note = tmp_path / "note.txt"
    note.write_text("Seen by Dr. Okafor on 03/14/2023.")
    with pytest.raises(SystemExit) as ended:
        main([*options, str(note)])
    assert ended.value.code == 0
    names = told.read_text().splitlines()
    assert (names[0], names[-1]) == (search, "__init__.main")
    assert len(names) == FRAMES[options[0]], names
