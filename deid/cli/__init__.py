"""The command line: one file per command, loaded when the command is called."""

from __future__ import annotations

import contextlib
import errno
import gc
import importlib
import os
import signal
import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import Annotated, Any

import typer
from typer.main import get_command

from deid.cli.examples import epilog
from deid.cli.register import COMMANDS
from deid.errors import INTERRUPTED, UNREADABLE, raised_at

_HELP = (
    "De-identify health records under 45 CFR 164.514, and search the output for known values.\n\n"
    "Every command accepts --quiet (print only errors on stderr) and --no-progress, and honors "
    "NO_COLOR.\n\n"
    "Exit codes: 0 done; 2 wrong usage or policy; 3 held, nothing released; 4 done, but some "
    "records quarantined; 5 key or crosswalk problem; 6 input unreadable; 130 interrupted."
)


class _Lazy(typer.core.TyperGroup):
    """A group that imports a command's module only when that command is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [name for name, _, _ in COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        modules = {name: module for name, module, _ in COMMANDS}
        if cmd_name not in modules:
            return None
        command = get_command(importlib.import_module(f"deid.cli.{modules[cmd_name]}").app)
        command.name = cmd_name
        command.epilog = epilog(cmd_name)
        for name, below in getattr(command, "commands", {}).items():
            below.epilog = epilog(f"{cmd_name} {name}")
        return command

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, _, line in COMMANDS])


app = typer.Typer(
    cls=_Lazy,
    help=_HELP,
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _tell_version(asked: bool) -> None:
    if asked:
        print(f"deid {version('safe-harbor-deid')}")
        raise typer.Exit


@app.callback()
def _root_options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_tell_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Read the options that come before a command."""


# Almost no reference cycles arise, and a full garbage collection takes a third of a second. Forked
# workers inherit this setting.
_COLLECTED_AFTER = (1 << 14, 8, 16)
_HUSHED: list[bool] = []
_STOP_SIGNALS: list[int] = []
"""The stop signals that this process has received."""


# Every command accepts these, even one that prints no progress.
_SWITCHES = {"--quiet": True, "-q": True, "--no-progress": False}


def _without_switches(argv: Sequence[str]) -> list[str]:
    """Return the arguments without the switches for which the command has no option."""
    own = _options_of(argv)
    left = []
    for place, word in enumerate(argv):
        if word not in _SWITCHES or word in own or "--" in argv[:place]:
            left.append(word)
        elif _SWITCHES[word]:
            _HUSHED.append(True)
    return left


def _options_of(argv: Sequence[str]) -> set[str]:
    """Return the option names of the command that these arguments call."""
    command: Any = get_command(app)
    for word in argv:
        if not hasattr(command, "commands") and not isinstance(command, _Lazy):
            break
        if word in _SWITCHES:
            continue
        command = command.get_command(None, word)
    return {name for param in getattr(command, "params", ()) for name in param.opts}


def say(line: str) -> None:
    """Print a message on stderr, unless `--quiet` was given. Only results go to stdout."""
    if not _HUSHED:
        print(f"deid: {line}", file=sys.stderr)


def say_unproved() -> None:
    """Print the hint for a run in which no table names the patients."""
    say(
        "hint: nothing was proved about the patients, because no table names them; give one with "
        "--known TABLE"
    )


def refuse(error: Any) -> int:
    """Print an error that has `code`, `place`, `hint` and `exit_code`; return its exit code."""
    place = f" ({error.place})" if error.place else ""
    print(f"deid: error: {error}{place} [{error.code}]", file=sys.stderr)
    if error.hint:
        print(f"deid: hint: {error.hint}", file=sys.stderr)
    return int(error.exit_code)


def main(argv: Sequence[str] | None = None) -> None:
    """Run one command and exit. No traceback is shown, because its frames hold patient data."""
    _clean_up_when_told_to_stop()
    gc.set_threshold(*_COLLECTED_AFTER)
    _HUSHED.clear()
    _STOP_SIGNALS.clear()
    try:
        words = _without_switches(sys.argv[1:] if argv is None else argv)
        result = get_command(app)(words, prog_name="deid", standalone_mode=False)
        code = result if isinstance(result, int) else 0
    except KeyboardInterrupt:
        print("deid: error: interrupted; nothing was released [interrupted]", file=sys.stderr)
        code = INTERRUPTED
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
        code = 0
    except Exception as error:
        code = _explain(error)
    with contextlib.suppress(BrokenPipeError, ValueError):
        sys.stdout.flush()
    raise SystemExit(code)


def _interrupt(number: int, frame: Any) -> None:
    _STOP_SIGNALS.append(number)
    raise KeyboardInterrupt


def stop_if_told() -> None:
    """Raise the interrupt of a signal again, because native code may have swallowed it."""
    if _STOP_SIGNALS:
        raise KeyboardInterrupt


def _clean_up_when_told_to_stop() -> None:
    """Treat SIGTERM and SIGHUP as Ctrl-C, so that partial output is deleted.

    A signal that is already ignored, such as SIGHUP under `nohup`, stays ignored.
    """
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            with contextlib.suppress(ValueError):  # not in the main thread
                signal.signal(number, _interrupt)


# Errors of the operating system, whose own message would show a path.
_SYSTEM_FAULTS = {
    errno.ENOENT: ("file-missing", "a file or folder named in the command does not exist"),
    errno.EEXIST: ("out-exists", "a file to be written already exists"),
    errno.EISDIR: ("not-a-file", "a file is required, but a folder was named"),
    errno.ENOTDIR: ("not-a-folder", "a folder is required, but a file was named"),
    errno.ENOSPC: ("disk-full", "the disk is full"),
    errno.EDQUOT: ("disk-full", "the disk quota is used up"),
    errno.EFBIG: ("file-too-large", "a file would exceed the allowed size"),
    errno.EACCES: ("permission-denied", "permission to read or write a file was denied"),
    errno.EPERM: ("permission-denied", "permission to read or write a file was denied"),
    errno.EROFS: ("read-only", "a folder is on a read-only file system"),
    errno.EIO: ("disk-fault", "the disk reported an error"),
}


def _explain(error: Exception) -> int:
    if all(hasattr(error, name) for name in ("code", "place", "hint", "exit_code")):
        return refuse(error)
    if type(error).__name__ == "NoArgsIsHelpError":
        print(str(error), file=sys.stderr)
        return 2
    if isinstance(error, OSError) and error.errno in _SYSTEM_FAULTS:
        code, sentence = _SYSTEM_FAULTS[error.errno]
        print(f"deid: error: {sentence}; nothing was released [{code}]", file=sys.stderr)
        return UNREADABLE
    if hasattr(error, "format_message"):
        print(f"deid: error: {error.format_message()} [usage]", file=sys.stderr)
        return 2
    if type(error).__name__ == "Abort":
        print("deid: error: interrupted; nothing was released [interrupted]", file=sys.stderr)
        return INTERRUPTED
    if type(error).__name__ == "Exit":
        return int(getattr(error, "exit_code", 0))
    print(
        f"deid: error: internal error {type(error).__name__} at {raised_at(error)}; "
        "nothing was released [internal]",
        file=sys.stderr,
    )
    return 1
