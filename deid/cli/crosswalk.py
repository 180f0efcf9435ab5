"""`deid crosswalk init|stats|reveal|rekey|verify|backup|restore|history|destroy`."""

from __future__ import annotations

import getpass
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from deid.audit import Head
from deid.cli import say
from deid.crosswalk import Crosswalk, back_up, destroy, events, restore, rotate, verify
from deid.errors import KEY, DeidError
from deid.keys import (
    MasterKey,
    Passphrase,
    create_key_file,
    keyring_key,
    read_key_file,
    service_key,
)

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    help="The code book: random codes, surrogates, and the key to them.",
    no_args_is_help=True,
)
_Place = Annotated[str, typer.Argument(metavar="PATH-or-URL", help="A file, or postgresql://...")]
_KeyFile = Annotated[
    Path | None, typer.Option("--key-file", metavar="F", help="The key file, of mode 0600.")
]
_Keyring = Annotated[
    str | None, typer.Option("--keyring", metavar="NAME", help="A key in the system's keyring.")
]
_Service = Annotated[
    str | None, typer.Option("--key-service", metavar="SERVICE:KEY", help="A key service.")
]
_Passphrase = Annotated[
    bool, typer.Option("--passphrase", help="Ask for one, or read a line from stdin.")
]
_Json = Annotated[bool, typer.Option("--json")]


@app.command()
def init(
    place: _Place,
    key_file: _KeyFile = None,
    keyring: _Keyring = None,
    key_service: _Service = None,
    passphrase: _Passphrase = False,
    as_json: _Json = False,
) -> None:
    """A new crosswalk and, with --key-file, the key file to it; never over an old one."""
    _one_source(key_file, keyring, key_service, passphrase)
    if key_file is None:
        master = _key(None, keyring, key_service, passphrase, new=True)
        Crosswalk.create(_where(place), master).close()
    else:
        master = create_key_file(key_file)
        try:
            Crosswalk.create(_where(place), master).close()
        except BaseException:
            for left in (key_file, master.anchor):
                with suppress(OSError, TypeError):
                    Path(left).unlink()  # type: ignore[arg-type]
            raise
    _tell(as_json, generation=1)
    say("crosswalk made; keep the key apart from it, and a copy of the key in a safe place")


@app.command()
def stats(
    place: _Place,
    key_file: _KeyFile = None,
    keyring: _Keyring = None,
    key_service: _Service = None,
    passphrase: _Passphrase = False,
    as_json: _Json = False,
) -> None:
    """How many entries of each kind, the generation and the head of the audit."""
    with _open(place, key_file, keyring, key_service, passphrase) as book:
        head, counts = book.head(), book.counts()
    content = {
        "generation": head.generation,
        "events": head.sequence,
        "entries": counts,
        "audit_head": str(head),
    }
    if as_json:
        print(json.dumps(content, indent=2))
        return
    print(f"generation\t{head.generation}\nevents\t{head.sequence}")
    for kind, count in counts.items():
        print(f"{kind}\t{count}")


@app.command()
def reveal(
    place: _Place,
    codes: Annotated[list[str], typer.Argument(metavar="CODE...", help="`-` reads stdin.")],
    reason: Annotated[str, typer.Option(help="Why; it goes on record.")],
    user: Annotated[str | None, typer.Option(help="Who asks; the login name otherwise.")] = None,
    key_file: _KeyFile = None,
    keyring: _Keyring = None,
    key_service: _Service = None,
    passphrase: _Passphrase = False,
    as_json: _Json = False,
) -> None:
    """Whose code this is: user and reason are on record before the value is shown."""
    asked = [line for code in codes for line in (_lines() if code == "-" else [code])]
    with _open(place, key_file, keyring, key_service, passphrase) as book:
        for code in asked:
            shown = book.reveal(code, user=user or _login(), reason=reason)
            if as_json:
                content = {
                    "code": code,
                    "identifier": shown.identifier.value,
                    "person": shown.person,
                    "value": shown.value,
                }
                print(json.dumps(content, ensure_ascii=False))
            else:
                print(f"{code}\t{shown.identifier.value}\t{shown.person or '-'}\t{shown.value}")


@app.command()
def rekey(
    place: _Place,
    key_file: _KeyFile = None,
    new_key_file: Annotated[
        Path | None, typer.Option(metavar="G", help="Lock with a new master key, in a new file.")
    ] = None,
    data: Annotated[bool, typer.Option(help="New data key: every value is sealed anew.")] = True,
    index: Annotated[bool, typer.Option(help="New index key: every row moves.")] = True,
    keyring: _Keyring = None,
    key_service: _Service = None,
    passphrase: _Passphrase = False,
    as_json: _Json = False,
) -> None:
    """New keys; no code changes. The new key file is written before the old one is left."""
    with _open(place, key_file, keyring, key_service, passphrase) as book:
        master = None if new_key_file is None else create_key_file(new_key_file)
        rotate(book, data=data, index=index, master=master)
        generation = book.generation
    _tell(as_json, generation=generation)
    say(f"keys changed, generation {generation}; copies made before still open with the old key")


@app.command("verify")
def verify_book(
    place: _Place,
    key_file: _KeyFile = None,
    manifest: Annotated[
        list[Path] | None, typer.Option(metavar="M", help="A release's manifest.json; repeat it.")
    ] = None,
    keyring: _Keyring = None,
    key_service: _Service = None,
    passphrase: _Passphrase = False,
    as_json: _Json = False,
) -> int:
    """Every row, the whole audit, and the heads seen before; exit 5 where anything was altered."""
    heads = [_head(path) for path in manifest or []]
    with _open(place, key_file, keyring, key_service, passphrase, accept_older=True) as book:
        faults = verify(book, heads)
        head, entries = book.head(), sum(book.counts().values())
        if faults:
            book.forget()
    if as_json:
        listed = [{"code": f.code, "place": f.place, "sentence": f.sentence} for f in faults]
        content = {"whole": not faults, "generation": head.generation, "faults": listed}
        print(json.dumps(content, indent=2))
    elif faults:
        for fault in faults:
            print(f"{fault.code}\t{fault.place}\t{fault.sentence}")
    else:
        print(f"whole: {entries} entries, {head.sequence} events, generation {head.generation}")
    return KEY if faults else 0


@app.command()
def backup(
    place: _Place,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE")],
    key_file: _KeyFile = None,
    keyring: _Keyring = None,
    key_service: _Service = None,
    passphrase: _Passphrase = False,
    as_json: _Json = False,
) -> None:
    """A sealed copy in one file, taken while others go on working."""
    with _open(place, key_file, keyring, key_service, passphrase) as book:
        generation = back_up(book, output)
    _tell(as_json, generation=generation)
    say(f"backup of generation {generation}; it opens with the same key")


@app.command("restore")
def restore_book(
    backup_file: Annotated[Path, typer.Argument(metavar="BACKUP")],
    place: _Place,
    key_file: _KeyFile = None,
    accept_older: Annotated[
        bool, typer.Option(help="Even where a later generation was seen with this key.")
    ] = False,
    keyring: _Keyring = None,
    key_service: _Service = None,
    passphrase: _Passphrase = False,
    as_json: _Json = False,
) -> None:
    """A new crosswalk from a backup; an old backup is noticed."""
    master = _key(key_file, keyring, key_service, passphrase)
    with restore(backup_file, _where(place), master, accept_older=accept_older) as book:
        _tell(as_json, generation=book.generation)
        say(f"restored as generation {book.generation}")


@app.command()
def history(
    place: _Place,
    key_file: _KeyFile = None,
    keyring: _Keyring = None,
    key_service: _Service = None,
    passphrase: _Passphrase = False,
    as_json: Annotated[bool, typer.Option("--json", help="Which it prints anyway.")] = False,
) -> None:
    """The audit, as JSON lines: who did what, when and why. Codes and counts, no values."""
    with _open(place, key_file, keyring, key_service, passphrase) as book:
        for event in events(book):
            print(json.dumps(event, ensure_ascii=False))


@app.command("destroy")
def destroy_book(
    place: _Place,
    key_file: _KeyFile = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    shred_key_file: Annotated[
        bool, typer.Option("--shred-key-file", help="The key file too: backups are lost with it.")
    ] = False,
    keyring: _Keyring = None,
    key_service: _Service = None,
    passphrase: _Passphrase = False,
    as_json: _Json = False,
) -> None:
    """Shred the keys: nobody can read a value of this crosswalk again."""
    if not yes and not (sys.stdin.isatty() and typer.confirm("Shred the keys for good?", err=True)):
        raise DeidError(
            "not-confirmed", "destroying a crosswalk cannot be undone", hint="confirm with --yes"
        )
    with _open(place, key_file, keyring, key_service, passphrase) as book:
        destroy(book)
    _tell(as_json, destroyed=True)
    if shred_key_file and key_file is not None:
        _shred(key_file)
        say("keys and key file shredded")
    else:
        say("keys shredded; backups still open with the master key: destroy it too to lose them")


def _tell(as_json: bool, **content: object) -> None:
    if as_json:
        print(json.dumps(content))


def _open(
    place: str,
    key_file: Path | None,
    keyring: str | None,
    service: str | None,
    passphrase: bool,
    accept_older: bool = False,
) -> Crosswalk:
    master = _key(key_file, keyring, service, passphrase)
    return Crosswalk.open(_where(place), master, accept_older=accept_older)


def _key(
    key_file: Path | None,
    keyring: str | None,
    service: str | None,
    passphrase: bool,
    new: bool = False,
) -> MasterKey:
    _one_source(key_file, keyring, service, passphrase)
    sources: list[Callable[[], MasterKey]] = []
    if key_file is not None:
        sources.append(lambda: read_key_file(key_file))
    if keyring is not None:
        sources.append(lambda: keyring_key(keyring, create=new))
    if service is not None:
        name, _, key = service.partition(":")
        sources.append(lambda: service_key(name, key))
    if passphrase:
        sources.append(lambda: Passphrase(_ask_passphrase(new)))
    return sources[0]()


def _one_source(
    key_file: Path | None, keyring: str | None, service: str | None, passphrase: bool
) -> None:
    given = sum([key_file is not None, keyring is not None, service is not None, passphrase])
    if given != 1:
        raise DeidError(
            "no-key" if given == 0 else "many-keys",
            "a crosswalk opens with one key",
            hint="give --key-file F (or one of --keyring, --key-service, --passphrase)",
        )


def _ask_passphrase(new: bool) -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    first = getpass.getpass("Passphrase: ")
    if new and getpass.getpass("Again: ") != first:
        raise DeidError("passphrases-differ", "the two passphrases differ", exit_code=KEY)
    return first


def _where(place: str) -> str | Path:
    return place if "://" in place else Path(place)


def _lines() -> list[str]:
    return sys.stdin.read().split()


def _login() -> str:
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_name
    except (ImportError, KeyError):
        return getpass.getuser()


def _head(manifest: Path) -> Head:
    try:
        content = json.loads(manifest.read_text("utf-8"))
        return Head.parse(content["crosswalk"]["audit_head"])
    except (OSError, ValueError, KeyError, TypeError):
        raise DeidError(
            "no-head",
            "the manifest cannot be read or carries no head of an audit",
            hint="give the manifest.json of a release made with a crosswalk",
        ) from None


def _shred(path: Path) -> None:
    with path.open("r+b") as file:
        size = path.stat().st_size
        file.write(os.urandom(size))
        file.flush()
        os.fsync(file.fileno())
    path.unlink()
