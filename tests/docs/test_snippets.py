"""The examples of the documentation are run: commands, in a folder with the files they name, and
Python.

Commands that start a server, use a network or need Java are parsed but not run.
"""

from __future__ import annotations

import io
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from typer.main import get_command

from deid.cli import app, main
from deid.cli.examples import EXAMPLES
from deid.cli.register import COMMANDS
from deid.policy.model import read_policy

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parent))
from workplace import stage  # noqa: E402

# The tutorial has a separate test.
GUIDES = [path for path in (ROOT / "docs").rglob("*.md") if path.name != "tutorial.md"]
PAGES = [ROOT / "README.md", *sorted(GUIDES)]
FENCE = re.compile(r"^```(\w*)([^\n]*)\n(.*?)^```$", re.M | re.S)
# Commands that would wait for a person or a request, use a network, call a key service or need
# Java.
NOT_RUN = re.compile(
    r"^deid (?:serve|population (?:fetch|build)|doctor|reproduce)\b|--engine spark|postgresql:|"
    r"pep2024|--key-service|--keyring|^deid review(?!.*--(?:plan|export))|--by state|spark-submit|"
    r"--pdf |s3://"
)
NAMES = {name for name, _, _ in COMMANDS}
# The exit codes of examples that do not end with 0, by the start of the command.
CODES = {"deid policy check safe_harbor --set": 3}


@dataclass(frozen=True)
class Block:
    page: Path
    language: str
    title: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}: {self.text.splitlines()[0][:40]}"


def blocks(page: Path) -> list[Block]:
    found = FENCE.findall(page.read_text("utf-8"))
    return [Block(page, language, title, text) for language, title, text in found if text.strip()]


ALL = [block for page in PAGES for block in blocks(page)]


def commands(text: str) -> Iterator[str]:
    """The commands of a shell block, without prompts, comments and printed output."""
    lines = text.replace("\\\n", " ").splitlines()
    if not re.match(r"\$ |(?:deid|spark-submit|pip|git) ", text):
        return
    prompted = any(line.startswith("$ ") for line in lines)
    for line in lines:
        if not prompted or line.startswith("$ "):
            yield re.sub(r"\s#\s.*$", "", line.removeprefix("$ ")).strip()


SHELL = [block for block in ALL if block.language in ("", "sh", "console", "bash")]


def deid_words(line: str) -> list[str] | None:
    """The words of a call of `deid`, also after a pipe; None for another command."""
    line = line.rpartition(" | ")[2].partition(" > ")[0].partition(" && ")[0]
    named = re.match(r"deid (\S+)", line)
    return shlex.split(line)[1:] if named and named[1] in NAMES else None


def every_command() -> list[str]:
    shown = [line for block in SHELL for line in commands(block.text)]
    joined = "\n".join(line for lines in EXAMPLES.values() for line in lines)
    shown += joined.replace("\\\n", " ").splitlines()
    return sorted({line for line in shown if deid_words(line)})


@pytest.mark.parametrize("line", every_command())
def test_the_command_line_accepts_each_command_of_the_documentation(line: str) -> None:
    words, command = deid_words(line) or [], get_command(app)
    context = click.Context(command)
    any_command: Any = command
    while hasattr(any_command, "get_command") and not words[0].startswith("-"):
        any_command = any_command.get_command(context, words.pop(0))
        context = click.Context(any_command)
    any_command.make_context("deid", words, resilient_parsing=words == ["--help"])


def run_line(line: str, folder: Path) -> None:
    """Run one line of a shell in the folder: `deid` in this process, everything else in the
    shell.
    """
    before, pipe, after = line.rpartition(" | ")
    words = deid_words(after if pipe else line)
    if words is None:
        if not line.startswith(("git", "pip", "make", "cd", "curl", "spark-submit", "rm ")):
            subprocess.run(line, shell=True, cwd=folder, check=True, capture_output=True)
        return
    given = subprocess.run(before or "true", shell=True, cwd=folder, capture_output=True).stdout
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    code = next((code for head, code in CODES.items() if line.startswith(head)), 0)
    stdin = sys.stdin
    try:
        sys.stdin = io.TextIOWrapper(io.BytesIO(given), "utf-8")
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as end:
            main(words)
    finally:
        sys.stdin = stdin
    assert (end.value.code or 0) == code, f"{line}\n{err.getvalue()}"
    if target := line.partition(" > ")[2]:
        out.seek(0)
        (folder / target.strip()).write_text(out.read())


def remove(target: Path) -> None:
    """Remove what an earlier example wrote."""
    shutil.rmtree(target) if target.is_dir() else target.unlink(missing_ok=True)


def code_of_release(release: Path) -> str:
    """A code that the crosswalk allocated."""
    texts = (path.read_text("utf-8") for path in release.glob("*.*"))
    return next(code[0] for text in texts if (code := re.search(r"\b[0-9A-Z]{19}\b", text)))


def make_release(line: str, folder: Path) -> None:
    """Make the release that the line reads, unless an earlier line made it."""
    named = re.search(r"(?<!-o )\brelease\b(/[\w.]+\.csv)?", line)
    if named and not (folder / f"release{named[1] or ''}").exists() and "-o release" not in line:
        remove(folder / "release")
        inputs = "notes/" if "deid review" in line else "patients.csv people.csv notes.jsonl"
        run_line(f"deid scrub {inputs} -o release", folder)
    if "last-release" in line:
        shutil.copytree(folder / "release", folder / "last-release")


def run_lines(lines: list[str], folder: Path) -> None:
    """Run the lines in order. Each OUT is new, and a command that reads a release finds one."""
    for line in lines:
        for target in re.findall(r"(?:-o|--diff|--html) (\S+)", line):
            remove(folder / target)
        book = re.match(r"deid crosswalk init (\S+)", line)
        if book and (folder / book[1]).exists():
            continue
        make_release(line, folder)
        if " CODE " in line:
            line = line.replace("CODE", code_of_release(folder / "release"))
        run_line(line, folder)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_commands_of_a_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage(tmp_path)
    monkeypatch.chdir(tmp_path)
    for block in blocks(page):
        if named := re.search(r'title="([\w-]+\.(?:yaml|json))"', block.title):
            (tmp_path / named[1]).write_text(block.text)
    shown = [line for block in blocks(page) if block in SHELL for line in commands(block.text)]
    run_lines([line for line in shown if line and not NOT_RUN.search(line)], tmp_path)


@pytest.mark.parametrize("command", sorted(NAMES & {path.split()[0] for path in EXAMPLES}))
def test_the_examples_of_a_command_run(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage(tmp_path)
    monkeypatch.chdir(tmp_path)
    own = [line for path in EXAMPLES if path.split()[0] == command for line in EXAMPLES[path]]
    lines = "\n".join(own).replace("\\\n", " ").splitlines()
    run_lines([line for line in lines if not NOT_RUN.search(line)], tmp_path)


@pytest.mark.parametrize("block", [b for b in ALL if b.language == "yaml"], ids=lambda b: b.place)
def test_the_yaml_examples_are_valid(block: Block, tmp_path: Path) -> None:
    assert yaml.safe_load(block.text)
    if re.search(r"^(?:extends|claim):", block.text, re.M):
        policy = tmp_path / "policy.yaml"
        policy.write_text(block.text)
        assert read_policy(policy).verdict().breaches == ()
