"""Where an attack runs: a folder, the real commands, and everything that they wrote."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from deid.cli import main


@dataclass(frozen=True, slots=True)
class Run:
    """The result of a command. The `repr` shows no output."""

    code: int
    stdout: str = field(repr=False)
    stderr: str = field(repr=False)


@dataclass(slots=True)
class Lab:
    """An empty folder `here` for one attack."""

    here: Path

    def write(self, name: str, content: str | bytes) -> Path:
        """Write an input file, and create its folders."""
        path = self.here / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def deid(self, *arguments: str | Path) -> Run:
        """Run a command of `deid` in this process, as a user would type it."""
        stdout, stderr = io.StringIO(), io.StringIO()
        code: object = 0
        with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
            try:
                main([str(argument) for argument in arguments])
            except SystemExit as end:
                code = end.code
        return Run(code if isinstance(code, int) else 1, stdout.getvalue(), stderr.getvalue())

    def scrub(self, *arguments: str | Path, out: str = "out") -> Run:
        """`deid scrub ... -o out`."""
        return self.deid("scrub", *arguments, "-o", self.here / out)

    def released(self, out: str = "out", *, account: bool = True) -> bytes:
        """Every byte and every name below OUT; without `_release/` unless `account` is set."""
        return b"\n".join(self._pieces(self.here / out, account))

    def _pieces(self, root: Path, account: bool) -> Iterator[bytes]:
        for path in sorted(root.rglob("*")) if root.exists() else ():
            relative = path.relative_to(root)
            if relative.parts[0] == "_release" and not account:
                continue
            yield str(relative).encode()
            if path.is_file():
                yield path.read_bytes()

    def absent(self, *words: str, out: str = "out", run: Run | None = None) -> bool:
        """Whether no word is in any byte or name below OUT, or in the output of the run."""
        printed = "" if run is None else run.stdout + run.stderr
        seen = (self.released(out) + printed.encode()).lower()
        return not any(word.lower().encode() in seen for word in words)
