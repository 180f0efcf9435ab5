"""The command line as transcripts: `$` starts a command, `!` a line of stderr, `?` the exit code.

`...` at the end of a line stands for the rest of that line; alone on a line it stands for any
number of lines. A transcript without `!` lines does not check stderr; one without `?` expects exit
code 0.
"""

from __future__ import annotations

import io
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from deid.cli import main
from deid.policy.model import policy_text

HERE = Path(__file__).parent


@dataclass
class Scene:
    title: str
    command: list[str] = field(default_factory=list)
    stdout: list[str] = field(default_factory=list)
    stderr: list[str] = field(default_factory=list)
    code: int = 0


def scenes(path: Path) -> Iterator[Scene]:
    scene = Scene("")
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("# "):
            if scene.command:
                yield scene
            scene = Scene(f"{path.stem}: {line[2:]}")
        elif line.startswith("$ deid "):
            scene.command = shlex.split(line[7:])
        elif line.startswith("! "):
            scene.stderr.append(line[2:])
        elif line.startswith("? "):
            scene.code = int(line[2:])
        elif scene.command:
            scene.stdout.append(line)
    yield scene


ALL = [scene for path in sorted(HERE.glob("*.txt")) for scene in scenes(path)]


@pytest.mark.parametrize("scene", ALL, ids=[scene.title for scene in ALL])
def test_transcript(scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stage(tmp_path)
    monkeypatch.chdir(tmp_path)
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as end:
        main(scene.command)
    assert end.value.code == scene.code, err.getvalue()
    expected = "\n".join(scene.stdout).strip("\n").split("\n") if any(scene.stdout) else []
    assert matches(expected, out.getvalue().splitlines()), out.getvalue()
    assert matches(scene.stderr, err.getvalue().splitlines()) or not scene.stderr, err.getvalue()


def stage(folder: Path) -> None:
    (folder / "note.txt").write_text("Seen today.")
    (folder / "odd.bin").write_bytes(b"\x00\x01\x02")
    (folder / "odd.csv").write_bytes(b"\x00\x01\x02")
    (folder / "people.csv").write_text("sex,weight,Zyxandra\nF,71,a\nM,80,b\n")
    (folder / "names.csv").write_text("first_name,last_name\nZyxandra,Qwertson\n")
    (folder / "nobody.csv").write_text("patient_id,last_name\n")
    (folder / "full").mkdir()
    (folder / "full" / "kept.txt").write_text("kept")
    broken = policy_text("safe_harbor").replace("    otherwise: year\n", "    otherwise: keep\n")
    (folder / "broken.yaml").write_text(broken.replace("name: safe_harbor", "name: broken"))


def matches(expected: list[str], actual: list[str]) -> bool:
    if not expected:
        return not actual
    if expected[0] == "...":
        return any(matches(expected[1:], actual[n:]) for n in range(len(actual) + 1))
    return (
        bool(actual) and line_matches(expected[0], actual[0]) and matches(expected[1:], actual[1:])
    )


def line_matches(expected: str, actual: str) -> bool:
    if expected.endswith("..."):
        return actual.startswith(expected[:-3])
    return actual == expected


@pytest.mark.parametrize("words", [["--quiet", "profile"], ["profile", "-q", "--no-progress"]])
def test_every_command_has_a_quiet_option(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "visits.csv"
    table.write_text("SEX,WEIGHT\nF,71.5\nM,80.25\n")
    for arguments, silent in ((words, True), (["profile"], False)):
        draft = tmp_path / f"draft-{silent}.yaml"
        with pytest.raises(SystemExit) as ended:
            main([*arguments, str(table), "-o", str(draft)])
        assert (ended.value.code, draft.exists()) == (0, True)
        assert bool(capsys.readouterr().err) is not silent
