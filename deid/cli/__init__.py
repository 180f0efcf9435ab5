"""The command line: one file a command, loaded when it is called."""

from __future__ import annotations

import contextlib
import errno
import importlib
import importlib.util
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
from deid.errors import INTERRUPTED, UNREADABLE, DeidError, raised_at

_HELP = (
    "Take the identity out of health records under 45 CFR 164.514, and prove that what is known "
    "is out.\n\n"
    "Every command understands --quiet (only errors on stderr), --no-progress and NO_COLOR.\n\n"
    "Exit codes: 0 done; 2 usage or policy; 3 held, nothing released; 4 done, some records "
    "quarantined; 5 key or crosswalk; 6 input unreadable; 130 interrupted."
)


class _Lazy(typer.core.TyperGroup):
    """A group that imports a command's module only when that command is asked for."""

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
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_tell_version, is_eager=True, help="Say it and exit."),
    ] = False,
) -> None:
    """Nothing happens before a command is named."""


_HUSHED: list[bool] = []


# Understood by every command, also by those that have nothing to hush.
_SWITCHES = {"--quiet": True, "-q": True, "--no-progress": False}


def _without_switches(argv: Sequence[str]) -> list[str]:
    """The arguments without the switches that their command does not read itself."""
    own = _options_of(argv)
    left = []
    for place, word in enumerate(argv):
        if word not in _SWITCHES or word in own or "--" in argv[:place]:
            left.append(word)
        elif _SWITCHES[word]:
            _HUSHED.append(True)
    return left


def _options_of(argv: Sequence[str]) -> set[str]:
    """The names of the options that the command of these arguments reads."""
    command: Any = get_command(app)
    for word in argv:
        if not hasattr(command, "commands") and not isinstance(command, _Lazy):
            break
        if word in _SWITCHES:
            continue
        command = command.get_command(None, word)
    return {name for param in getattr(command, "params", ()) for name in param.opts}


def say(line: str) -> None:
    """Talk goes to stderr, unless told to be quiet; results alone go to stdout."""
    if not _HUSHED:
        print(f"deid: {line}", file=sys.stderr)


def say_unproved() -> None:
    """The hint where no known value was searched for."""
    say("hint: nothing was proved: --known TABLE names the patients whose values are to be gone")


def refuse(error: Any) -> int:
    """Print a refusal (anything with `code`, `place`, `hint`, `exit_code`); its exit code."""
    place = f" ({error.place})" if error.place else ""
    print(f"deid: error: {error}{place} [{error.code}]", file=sys.stderr)
    if error.hint:
        print(f"deid: hint: {error.hint}", file=sys.stderr)
    return int(error.exit_code)


def need_server(code: str, what: str, extra: str) -> None:
    """Refuse what serves pages where the packages that serve them are not installed."""
    missing = [n for n in ("starlette", "uvicorn") if importlib.util.find_spec(n) is None]
    if missing:
        raise DeidError(
            code,
            f"{what} needs {' and '.join(missing)}, which are not installed",
            hint=f"pip install {' '.join(missing)}, which is what the extra `{extra}` holds",
        )


def main(argv: Sequence[str] | None = None) -> None:
    """Run one command. A traceback is never shown: its frames hold patient data."""
    code = _run(list(sys.argv[1:] if argv is None else argv))
    with contextlib.suppress(BrokenPipeError, ValueError):
        sys.stdout.flush()
    raise SystemExit(code)


def _interrupt(number: int, frame: Any) -> None:
    raise KeyboardInterrupt


def _clean_up_when_told_to_stop() -> None:
    """As Ctrl-C: what lies on the disk half done is taken away. `nohup` stays in force."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            with contextlib.suppress(ValueError):  # not in the main thread
                signal.signal(number, _interrupt)


def _run(argv: list[str]) -> int:
    _clean_up_when_told_to_stop()
    _HUSHED.clear()
    try:
        result = get_command(app)(_without_switches(argv), prog_name="deid", standalone_mode=False)
    except KeyboardInterrupt:
        print("deid: error: interrupted; nothing was released [interrupted]", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
        return 0
    except Exception as error:
        return _explain(error)
    return result if isinstance(result, int) else 0


# What the operating system says no to; its own message holds a path.
_REFUSED = {
    errno.ENOENT: ("file-missing", "a file or folder that was named does not exist"),
    errno.EEXIST: ("out-exists", "a file that was to be written exists already"),
    errno.EISDIR: ("not-a-file", "a folder was named where a file is wanted"),
    errno.ENOTDIR: ("not-a-folder", "a file was named where a folder is wanted"),
    errno.ENOSPC: ("disk-full", "the disk is full"),
    errno.EDQUOT: ("disk-full", "the quota of the disk is used up"),
    errno.EFBIG: ("file-too-large", "a file would grow larger than is allowed"),
    errno.EACCES: ("permission-denied", "a file may not be read or written"),
    errno.EPERM: ("permission-denied", "a file may not be read or written"),
    errno.EROFS: ("read-only", "a folder lies on a read-only file system"),
    errno.EIO: ("disk-fault", "the disk reports a fault"),
}


def _explain(error: Exception) -> int:
    if all(hasattr(error, name) for name in ("code", "place", "hint", "exit_code")):
        return refuse(error)
    if type(error).__name__ == "NoArgsIsHelpError":
        print(str(error), file=sys.stderr)
        return 2
    if isinstance(error, OSError) and error.errno in _REFUSED:
        code, sentence = _REFUSED[error.errno]
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
        f"deid: error: an internal fault of kind {type(error).__name__} at {raised_at(error)}; "
        "nothing was released [internal]",
        file=sys.stderr,
    )
    return 1
