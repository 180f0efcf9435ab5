"""`deid crosswalk init|stats|reveal|rekey|verify|backup|restore|history|destroy`."""

from __future__ import annotations

import getpass
import json
import os
import sys
from contextlib import suppress
from pathlib import Path

import typer

from deid.cli import say
from deid.cli.crosswalk_key import KeyOptions
from deid.cli.option_groups import command, command_app
from deid.crosswalk import NOTE, Crosswalk, back_up, destroy, events, restore_backup, rotate, verify
from deid.crosswalk.audit.chain import AuditHead
from deid.crosswalk.keys.master_keys import create_key_file
from deid.errors import KEY, DeidError
from deid.reports.wording import plural
from deid.standard_streams import is_dash

app = command_app("Manage the crosswalk: random codes, surrogates and their key.")


@command(app)
def init(place: str, key: KeyOptions, as_json: bool = False) -> None:
    """Create a crosswalk and, with --key-file, its key file. Existing files are not overwritten."""
    key.check()
    if key.key_file is None:
        master = key.master(new=True)
        Crosswalk.create(_where(place), master).close()
    else:
        master = create_key_file(key.key_file)
        try:
            Crosswalk.create(_where(place), master).close()
        except BaseException:
            for left in (key.key_file, master.anchor):
                with suppress(OSError, TypeError):
                    Path(left).unlink()  # type: ignore[arg-type]
            raise
    _print_result(as_json, generation=1)
    say(
        "crosswalk created; store its key in another place, and keep safe copies of the key and of "
        "its note of heads (the record of the last generation seen)"
    )


@command(app)
def stats(place: str, key: KeyOptions, as_json: bool = False) -> None:
    """Show the number of entries of each kind, the generation and the head of the audit."""
    with _open(place, key) as book:
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


@command(app)
def reveal(
    place: str,
    codes: list[str],
    *,
    reason: str,
    user: str | None = None,
    key: KeyOptions,
    as_json: bool = False,
) -> None:
    """Show the value behind a code. User and reason are recorded first."""
    asked = [line for code in codes for line in (_stdin_words() if is_dash(code) else [code])]
    with _open(place, key) as book:
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


@command(app)
def rekey(
    place: str,
    key: KeyOptions,
    new_key_file: Path | None = None,
    data: bool = True,
    index: bool = True,
    as_json: bool = False,
) -> None:
    """Make new keys. Codes do not change.

    A new key file is written before the old one stops working.
    """
    with _open(place, key) as book:
        master = None if new_key_file is None else create_key_file(new_key_file)
        rotate(book, data=data, index=index, master=master)
        generation = book.generation
    _print_result(as_json, generation=generation)
    say(
        f"keys changed, generation {generation}; the old key still opens earlier copies of the "
        "crosswalk"
    )


@command(app, "verify")
def verify_book(
    place: str,
    key: KeyOptions,
    manifest: list[Path] | None = None,
    accept_older: bool = False,
    as_json: bool = False,
) -> int:
    """Check every row, the audit and the heads seen before. Exit code 5 if anything was altered."""
    heads = [_manifest_head(path) for path in manifest or []]
    with Crosswalk.open(_where(place), key.master(), inspect=True) as book:
        faults = verify(book, heads)
        if accept_older and all(fault.place == NOTE for fault in faults):
            faults = ()
            book.accept()
        elif not faults:
            book.note()
        head, entries = book.head(), 0 if faults else sum(book.counts().values())
    if as_json:
        listed = [{"code": f.code, "place": f.place, "sentence": f.sentence} for f in faults]
        content = {"whole": not faults, "generation": head.generation, "faults": listed}
        print(json.dumps(content, indent=2))
    elif faults:
        for fault in faults:
            print(f"{fault.code}\t{fault.place}\t{fault.sentence}")
    else:
        counts = f"{_entries(entries)}, {plural(head.sequence, 'event')}"
        print(f"intact: {counts}, generation {head.generation}")
    return KEY if faults else 0


@command(app)
def backup(place: str, output: Path, key: KeyOptions, as_json: bool = False) -> None:
    """Write an encrypted copy to one file. Others can use the crosswalk meanwhile."""
    with _open(place, key) as book:
        generation = back_up(book, output)
    _print_result(as_json, generation=generation)
    say(f"backup of generation {generation}; it opens with the same key")


@command(app, "restore")
def restore_book(
    backup_file: Path,
    place: str,
    key: KeyOptions,
    older_backup: bool = False,
    drill: bool = False,
    as_json: bool = False,
) -> None:
    """Create a crosswalk from an intact backup. The live crosswalk does not change."""
    master = key.master()
    with restore_backup(
        backup_file, _where(place), master, accept_older=older_backup, drill=drill
    ) as book:
        generation, entries = book.generation, sum(book.counts().values())
    _print_result(as_json, generation=generation, entries=entries, drill=drill)
    what = "a drill copy, which issues no new codes" if drill else "a crosswalk"
    say(f"the backup is intact: {_entries(entries)}, restored as {what}, generation {generation}")


@command(app)
def history(place: str, key: KeyOptions, always_json: bool = False) -> None:
    """Print the audit as JSON lines: who did what, when and why. It holds no values."""
    with _open(place, key) as book:
        for event in events(book):
            print(json.dumps(event, ensure_ascii=False))


@command(app, "destroy")
def destroy_book(
    place: str,
    key: KeyOptions,
    yes: bool = False,
    shred_key_file: bool = False,
    as_json: bool = False,
) -> None:
    """Shred the keys, so that no value of this crosswalk can be read again."""
    if not yes and not (sys.stdin.isatty() and typer.confirm("Shred the keys forever?", err=True)):
        raise DeidError(
            "not-confirmed", "destroying a crosswalk cannot be undone", hint="confirm with --yes"
        )
    with _open(place, key) as book:
        destroy(book)
    _print_result(as_json, destroyed=True)
    if shred_key_file and key.key_file is not None:
        _shred(key.key_file)
        say("keys and key file shredded")
    else:
        say("keys shredded; the master key still opens backups until you destroy it, too")


def _print_result(as_json: bool, **content: object) -> None:
    if as_json:
        print(json.dumps(content))


def _open(place: str, key: KeyOptions) -> Crosswalk:
    return Crosswalk.open(_where(place), key.master())


def _where(place: str) -> str | Path:
    return place if "://" in place else Path(place)


def _entries(number: int) -> str:
    return plural(number, "entry", "entries")


def _stdin_words() -> list[str]:
    return sys.stdin.read().split()


def _login() -> str:
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_name
    except (ImportError, KeyError):
        return getpass.getuser()


def _manifest_head(manifest: Path) -> AuditHead:
    try:
        content = json.loads(manifest.read_text("utf-8"))
        return AuditHead.parse(content["crosswalk"]["audit_head"])
    except (OSError, ValueError, KeyError, TypeError):
        raise DeidError(
            "no-head",
            "the manifest cannot be read, or it has no audit head",
            hint="name the manifest.json of a release that used a crosswalk",
        ) from None


def _shred(path: Path) -> None:
    with path.open("r+b") as file:
        size = path.stat().st_size
        file.write(os.urandom(size))
        file.flush()
        os.fsync(file.fileno())
    path.unlink()
