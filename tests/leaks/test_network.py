"""Whole commands ask the kernel for no internet socket and write only to OUT and TMPDIR.

`benchmarks/attacks/syscalls.py` observes the system calls, below Python and without privileges, on
a clean machine.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path, PurePath

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from openpyxl import Workbook

from benchmarks.attacks.syscalls import Watched, environment, start

ROOT = Path(__file__).resolve().parents[2]
DEID = (sys.executable, "-m", "deid")
ALIVE = 31.0
"""Seconds that a server runs, because telemetry is sent only some time after it is collected."""

PEOPLE = "patient_id,first_name,last_name,birth_date,sex,zip\n" + "".join(
    f"P{n},Zebulon,Quartermaine{chr(97 + n)},19{40 + n}-03-0{1 + n % 9},{'FM'[n % 2]},0543{n % 3}\n"
    for n in range(12)
)
NOTE = "Seen 03/14/2023 by Dr. Ana Ruiz. MRN 00441672, ana.ruiz@clinic.example, 802-555-0143."
REGISTRY = """
supported_languages: [en]
global_regex_flags: 26
recognizers:
  - {name: EmailRecognizer, type: predefined, supported_languages: [{language: en}]}
  - {name: UrlRecognizer, type: predefined, supported_languages: [{language: en}]}
"""
FRONT_DOORS = """
import multiprocessing, sys
from pathlib import Path

def child(text):
    import recognizers
    sys.exit(0 if recognizers.find(text) else 1)

if __name__ == "__main__":
    import deid, recognizers
    text = Path("note.txt").read_text()
    extra = recognizers.read_registry(Path("registry.yaml"))
    found = recognizers.analyzer(extra).analyze(text, language="en")
    assert any(one.entity_type == "EMAIL_ADDRESS" for one in found)
    worker = multiprocessing.get_context("spawn").Process(target=child, args=(text,))
    worker.start()
    worker.join()
    assert worker.exitcode == 0
    assert deid.scrub("note.txt", Path(sys.argv[1])).out
"""


@dataclass(frozen=True, slots=True)
class Place:
    """The folders of one run. A command may write to `work` and `temporary` only."""

    home: Path
    temporary: Path
    inputs: Path
    work: Path

    @classmethod
    def below(cls, folder: Path) -> Place:
        made = cls(*(folder / name for name in ("home", "tmp", "in", "made")))
        for path in (made.home, made.temporary, made.inputs, made.work):
            path.mkdir()
        return made

    def start(self, command: Sequence[str | Path], *, serves: bool = False, **more: str) -> Watched:
        environ = environment(self.home, self.temporary, PYTHONPATH=str(ROOT), **more)
        return start(command, environ, self.inputs, serves=serves)

    def faults(self, watched: Watched) -> list[str]:
        """The system calls that should not have happened, and files in the home folder, which must
        stay empty.
        """
        strays = watched.outside(self.work, self.temporary)
        return [*watched.sockets, *map(str, strays), *map(str, self.home.iterdir())]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place.below(tmp_path)


# -- the watch itself ----------------------------------------------------------------------------


def test_the_watch_sees_sockets_whose_errors_are_swallowed(place: Place) -> None:
    script = """
import contextlib, os, socket, subprocess
with contextlib.suppress(OSError):
    socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
subprocess.run(["touch", os.path.expanduser("~/left")])
os.rename("/proc/self/cwd/../made/a", os.path.expanduser("~/renamed"))
open("../tmp/fine", "w")
"""
    (place.work / "a").touch()
    watched = place.start([sys.executable, "-c", script])
    assert watched.wait(30)[0] == 0
    assert watched.sockets == [f"socket(family {socket.AF_INET6}, type {socket.SOCK_DGRAM})"]
    strays = [path.name for path in watched.outside(place.work, place.temporary)]
    assert strays == ["left", "renamed"]


def test_a_server_may_listen_but_not_connect(place: Place) -> None:
    script = """
import socket
socket.create_server(("127.0.0.1", 0))
try:
    socket.create_connection(("127.0.0.1", 9))
except PermissionError:
    print("refused")
"""
    watched = place.start([sys.executable, "-c", script], serves=True)
    assert watched.wait(30)[1] == "refused\n"
    assert watched.sockets == [f"connect(family {socket.AF_INET})"]


def test_the_users_telemetry_setting_is_not_changed(place: Place) -> None:
    """The watch also sees what the runtime of the model does if its telemetry is on."""
    (place.inputs / "note.txt").write_text(NOTE)
    watched = place.start([*DEID, "find", "note.txt"], ORT_DISABLE_TELEMETRY="0")
    assert watched.wait(120)[0] == 0
    assert any("onnxruntime" in path for path in place.faults(watched))


# -- every command -------------------------------------------------------------------------------


def test_no_command_uses_the_network(place: Place) -> None:
    write_inputs(place.inputs)
    token = place.work / "token"
    token.write_text("canary-token-0123456789\n")
    serving = place.start([*DEID, "serve", "--port", "0", "--token-file", token], serves=True)
    try:
        faults = every_command(place)
        ask(serving, "canary-token-0123456789")
        time.sleep(max(0.0, ALIVE - serving.seconds))
        ask_again = serving.process.poll()
    finally:
        serving.stop()
    serving.wait(30)
    assert ask_again is None
    assert serving.seconds > ALIVE
    faults["serve"] = place.faults(serving)
    assert {name: seen for name, seen in faults.items() if seen} == {}


def every_command(place: Place) -> dict[str, list[str]]:
    """Faults by command. The commands of one list run one after another; the two lists run in
    parallel.
    """
    out, book, key = place.work / "out", place.work / "book.db", place.work / "book.key"
    known = ("--known", "people.csv", "--patient-key", "patient_id")
    plain: list[Sequence[str | Path]] = [
        ("scrub", "notes", "-o", place.work / "notes", *known),
        ("review", place.work / "notes", "--originals", "notes", "--plan"),
        ("find", "note.txt"),
        ("evaluate", "gold.jsonl"),
        ("crosswalk", "init", book, "--key-file", key),
        ("scrub", "note.txt", "-o", place.work / "coded", "--policy", "coded.yaml",
         "--crosswalk", book, "--key-file", key),
        ("crosswalk", "verify", book, "--key-file", key),
        ("doctor",),
    ]  # fmt: skip
    tables: list[Sequence[str | Path]] = [
        ("scrub", "extract", "-o", out, *known, "--workers", "2",
         "--diff", place.work / "diff.html"),
        ("check", out, *known),
        ("profile", "people.csv"),
        ("risk", "people.csv", "--quasi", "sex,zip", "--html", place.work / "risk.html"),
        ("plan", "people.csv", "--quasi", "sex,zip", "--k", "2", "-o", place.work / "plan"),
        ("exposure", "--population", "zip3-acs2022-demographics", "--where", "state=DE"),
        ("population", "list"),
        ("policy", "check", "coded.yaml"),
    ]  # fmt: skip
    script = [[sys.executable, "doors.py", place.work / "doors"]]
    with ThreadPoolExecutor() as pool:
        lines = [[[*DEID, *one] for one in plain] + script, [[*DEID, *one] for one in tables]]
        return {k: v for told in pool.map(lambda line: _faults(place, line), lines)
                for k, v in told.items()}  # fmt: skip


def _faults(place: Place, commands: Sequence[Sequence[str | Path]]) -> dict[str, list[str]]:
    told = {}
    for command in commands:
        name = " ".join(map(str, command[2:5])).removeprefix("deid ")
        watched = place.start(command)
        code, _, stderr = watched.wait(300)
        wrong = [] if code == 0 else [f"exit {code}: {stderr[-300:]}"]
        told[name] = wrong + place.faults(watched)
    return told


def ask(serving: Watched, token: str) -> None:
    """One request to the service, so that its model is loaded and has run."""
    assert serving.process.stderr is not None
    found = re.search(r"http://\S+:\d+", serving.process.stderr.readline())
    assert found is not None
    request = urllib.request.Request(f"{found[0]}/analyze", json.dumps({"text": NOTE}).encode())
    request.add_header("Authorization", f"Bearer {token}")
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert len(json.load(answer)) > 3


def write_inputs(folder: Path) -> None:
    """Notes, and the same people in every container that native code reads."""
    (folder / "note.txt").write_text(NOTE)
    (folder / "people.csv").write_text(PEOPLE)
    (folder / "registry.yaml").write_text(REGISTRY)
    (folder / "doors.py").write_text(FRONT_DOORS)
    shipped = (ROOT / "deid" / "policy" / "shipped" / "safe_harbor.yaml").read_text("utf-8")
    coded = re.sub(r"^  mrns: .*$", "  mrns: code", shipped, flags=re.MULTILINE)
    (folder / "coded.yaml").write_text(coded)
    gold = {"id": "1", "text": NOTE, "spans": [{"start": 5, "end": 15, "label": "DATE"}]}
    (folder / "gold.jsonl").write_text(json.dumps(gold) + "\n")
    (folder / "notes").mkdir()
    for n in range(3):
        (folder / "notes" / f"{n}.txt").write_text(f"Zebulon Quartermaine{'abc'[n]}. {NOTE}")
    write_tables(folder / "extract")


def write_tables(folder: Path) -> None:
    folder.mkdir()
    header, *rows = [line.split(",") for line in PEOPLE.splitlines()]
    columns = dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))
    (folder / "people.csv").write_text(PEOPLE)
    pq.write_table(pa.table(columns), folder / "people.parquet")
    with closing(sqlite3.connect(folder / "people.sqlite")) as database:
        database.execute(f"create table people ({', '.join(header)})")
        database.executemany(f"insert into people values ({', '.join('?' * 6)})", rows)
        database.commit()
    with duckdb.connect(str(folder / "people.duckdb")) as database:
        database.from_arrow(pa.table(columns)).create("people")
    book = Workbook(write_only=True)
    candidate_set = book.create_sheet("people")
    for row in (header, *rows):
        candidate_set.append(row)
    book.save(folder / "people.xlsx")
    patient = {"resourceType": "Patient", "id": "P1", "name": [{"family": "Quartermaine"}]}
    (folder / "Patient.ndjson").write_text(json.dumps(patient) + "\n")


# -- the audit -----------------------------------------------------------------------------------


def test_installed_libraries_that_can_open_a_socket_are_on_the_audit_list() -> None:
    page = (ROOT / "docs" / "decisions" / "0039-no-network.md").read_text("utf-8")
    table = page.partition("Native code")[2].partition("Python code")[0]
    audited = set(re.findall(r"^\| ([a-z][\w-]+) \|", table, re.MULTILINE)) - {"package"}
    assert len(audited) > 4
    assert set(native_with_sockets()) - audited == set()


def native_with_sockets() -> Iterator[str]:
    """Installed packages with a shared library that binds the C library's `socket`."""
    for package in distributions():
        libraries = (file for file in package.files or () if ".so" in PurePath(file).suffixes)
        paths = (Path(str(package.locate_file(file))) for file in libraries)
        if any(path.is_file() and b"\0socket\0" in path.read_bytes() for path in paths):
            yield package.metadata["Name"]


# -- an independent check ------------------------------------------------------------------------

_CAN_TRACE = all(map(shutil.which, ("strace", "unshare"))) and not (
    subprocess.run(
        ["unshare", "-rn", "strace", "-o", os.devnull, "true"], capture_output=True
    ).returncode
    if shutil.which("unshare")
    else 1
)


@pytest.mark.skipif(not _CAN_TRACE, reason="no strace in a network namespace; the watch did it")
def test_strace_in_a_network_namespace_without_interfaces_agrees(place: Place) -> None:
    (place.inputs / "note.txt").write_text(NOTE)
    log = place.temporary / "trace"
    calls = "trace=socket,connect,openat,mkdir,rename"
    trace = ["unshare", "-rn", "strace", "-f", "-e", calls, "-o", str(log)]
    done = subprocess.run(
        [*trace, *DEID, "scrub", "note.txt", "-o", str(place.work / "out"), "--workers", "2"],
        env=environment(place.home, place.temporary, PYTHONPATH=str(ROOT)),
        cwd=place.inputs,
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr
    seen = log.read_text(errors="replace").splitlines()
    assert len(seen) > 100
    assert [line for line in seen if re.search(r"AF_(INET|NETLINK|PACKET)", line)] == []
    assert list(place.home.iterdir()) == []
