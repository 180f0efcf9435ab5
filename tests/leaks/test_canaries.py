"""Nothing leaks by a side channel: every path, including the failing ones, is searched for planted
values.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from canaries import EMAIL, FILE, HEADER, MRN, NAME, PHONE, POLICY, SSN, STREET, seen_in, sweep

ROOT = Path(__file__).resolve().parents[2]
NOTE = (
    f"Patient: {NAME}  MRN: {MRN}\nDOB 03/14/1951. Lives at {STREET}, Brattleboro, VT 05301.\n"
    f"Call {PHONE} or {EMAIL}. SSN {SSN}.\nMs. Quorblatt has hypertension, on lisinopril 10 mg.\n"
)
LOUD = "import logging; logging.basicConfig(level=logging.DEBUG);"
# Tests started in the background (`nohup`, `&`) inherit ignored signals, so the handlers are reset.
HEARING = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGTERM, signal.SIG_DFL)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
"""


@dataclass(frozen=True)
class Ran:
    code: int
    stdout: bytes
    stderr: bytes


def deid(folder: Path, *arguments: str, before: str = "") -> Ran:
    """Run the command as a separate process, with logs at DEBUG, in an empty folder."""
    script = f"{LOUD}{before}\nfrom deid.cli import main\nmain({list(arguments)!r})"
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, capture_output=True, env=_env(folder)
    )
    return Ran(ran.returncode, ran.stdout, ran.stderr)


def _env(folder: Path) -> dict[str, str]:
    (folder / "tmp").mkdir(exist_ok=True)
    keep = {k: v for k, v in os.environ.items() if k in ("PATH", "LANG", "LD_LIBRARY_PATH")}
    return keep | {
        "PYTHONPATH": str(ROOT),
        "HOME": str(folder / "tmp"),
        "TMPDIR": str(folder / "tmp"),
    }


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Canaries in a note, a JSONL file with known values, a table, a file name, and a header."""
    root = tmp_path / "in"
    root.mkdir()
    (root / f"{FILE}.txt").write_text(NOTE)
    document = {
        "id": MRN,
        "text": f"Seen: {NAME}, MRN {MRN}, phone {PHONE}, {EMAIL}, SSN {SSN}, {STREET}.",
        "patient": MRN,
        "known": {
            "names": [NAME],
            "mrns": [MRN],
            "phones": [PHONE],
            "emails": [EMAIL],
            "ssns": [SSN],
            "places": [STREET],
        },
    }
    (root / "more.jsonl").write_text(json.dumps(document) + "\n")
    (root / "table.csv").write_text(
        f"patient_id,last_name,first_name,mrn,ssn,phone,address,{HEADER},flag,comment\n"
        f'{MRN},Quorblatt,Zyxandra,{MRN},{SSN},{PHONE},{STREET},{MRN},{NAME},"Saw {NAME} today"\n'
        f'x2,Fenwick,Ola,40011,,,9 Elm St,7,no,"Well child check"\n'
    )
    return root


def assert_nothing(ran: Ran, *roots: Path) -> None:
    assert seen_in(ran.stdout) == []
    assert seen_in(ran.stderr) == []
    assert b"Traceback" not in ran.stderr
    assert sweep(*roots) == []


def test_the_sweep_finds_planted_canaries(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text(f"xx{NAME}yy")
    (tmp_path / "wide").write_bytes(MRN.encode("utf-16"))
    (tmp_path / "coded").write_bytes(base64.b64encode(b"ab" + EMAIL.encode() + b"cd"))
    (tmp_path / "packed").write_bytes(gzip.compress(PHONE.encode()))
    (tmp_path / f"{FILE}.x").write_text("")
    seen = "\n".join(sweep(tmp_path))
    for number in range(5):
        assert f"file {number}: " in seen
    ran = deid(tmp_path, "policy", "list", before=f"print({NAME!r})")
    assert seen_in(ran.stdout)


def test_a_release_contains_no_canary(notes: Path, tmp_path: Path) -> None:
    ran = deid(tmp_path, "scrub", "in", "-o", "out", "--json")
    assert ran.code == 0, ran.stderr.decode()
    assert (tmp_path / "out" / "_release" / "manifest.json").exists()
    assert_nothing(ran, tmp_path / "out", tmp_path / "tmp")


def test_findings_contain_no_canary_except_document_ids(notes: Path, tmp_path: Path) -> None:
    ran = deid(tmp_path, "find", f"in/{FILE}.txt")
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(lines) == 1 and len(lines[0]["findings"]) > 4
    assert seen_in(json.dumps([line["findings"] for line in lines]).encode()) == []
    assert seen_in(ran.stderr) == []


def test_a_dry_run_shows_no_canary(notes: Path, tmp_path: Path) -> None:
    ran = deid(tmp_path, "scrub", "in", "-o", "out", "--dry-run")
    assert ran.code == 0
    assert not (tmp_path / "out").exists()
    assert_nothing(ran, tmp_path / "tmp")


@pytest.mark.parametrize(
    ("what", "code"),
    [("policy", 2), ("yaml", 2), ("option", 2), ("out", 2), ("missing", 6), ("date", 2)],
)
def test_refusals_show_no_canary(notes: Path, tmp_path: Path, what: str, code: int) -> None:
    text = (ROOT / "deid" / "policy" / "shipped" / "safe_harbor.yaml").read_text()
    (tmp_path / "bad.yaml").write_text(text.replace("names: tag", f"names: {POLICY}"))
    (tmp_path / "worse.yaml").write_text(f"name: '{POLICY}\n  - {{{NAME}")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("")
    arguments = {
        "policy": ("in", "-o", "out", "--policy", "bad.yaml"),
        "yaml": ("in", "-o", "out", "--policy", "worse.yaml"),
        "option": ("in", "-o", "out", "--no-such-option", NAME),
        "out": ("in", "-o", "full"),
        "missing": (f"nowhere/{FILE}.txt", "-o", "out"),
        "date": ("in", "-o", "out", "--reference-date", NAME),
    }[what]
    ran = deid(tmp_path, "scrub", *arguments)
    assert ran.code == code, ran.stderr.decode()
    assert b"deid: error: " in ran.stderr
    assert not (tmp_path / "out").exists()
    assert_nothing(ran, tmp_path / "tmp")


def test_bad_input_is_quarantined_and_shows_no_canary(notes: Path, tmp_path: Path) -> None:
    (notes / "bad.txt").write_bytes(NOTE.encode() + b"\xff\xfe\x80 broken")
    (notes / "ragged.csv").write_text(f"mrn,last_name\n{MRN},Quorblatt,{PHONE}\n{MRN},Quorblatt\n")
    (notes / "broken.jsonl").write_text(f'{{"id": "1", "text": "{NAME}\n{{"id": 2}}\n')
    (notes / "odd.bin").write_bytes(NAME.encode() * 9)
    ran = deid(tmp_path, "scrub", "in", "-o", "out", "--json")
    assert ran.code == 4, ran.stderr.decode()
    manifest = json.loads(ran.stdout)
    assert manifest["records_in"] == manifest["records_out"] + manifest["quarantined"]
    assert manifest["quarantined"] > 0
    assert_nothing(ran, tmp_path / "out", tmp_path / "tmp")


CRASH = """
import recognizers.search as s
def boom(self, texts, *a, **k): raise ValueError("cannot read: " + repr(list(texts)))
s.Finder.find_all = boom
"""


def test_a_crash_in_the_recognizers_shows_no_canary(notes: Path, tmp_path: Path) -> None:
    ran = deid(tmp_path, "scrub", f"in/{FILE}.txt", "-o", "out", before=CRASH)
    assert ran.code == 4, ran.stderr.decode()
    assert_nothing(ran, tmp_path / "out", tmp_path / "tmp")


# A file size limit would also cut compiled Python files and break every later import.
NO_ROOM = """
import resource, sys
sys.dont_write_bytecode = True
resource.setrlimit(resource.RLIMIT_FSIZE, (90_000, 90_000))
"""


def test_a_full_disk_leaves_no_canary(notes: Path, tmp_path: Path) -> None:
    line = f"Seen: {NAME}, MRN {MRN}, phone {PHONE}. "
    (notes / "long.txt").write_text(line * 2000)
    ran = deid(tmp_path, "scrub", "in/long.txt", "-o", "a/out", "--diff", "d.html", before=NO_ROOM)
    assert ran.code == 6, ran.stderr.decode()
    assert b"[file-too-large]" in ran.stderr
    assert not (tmp_path / "a").exists() and not (tmp_path / "d.html").exists()
    assert_nothing(ran, tmp_path / "tmp")


NOT_TO_BE_READ = """
from pathlib import Path
really = Path.open
def guarded(self, *a, **k):
    if self.name == "more.jsonl": raise PermissionError(13, "no", str(self))
    return really(self, *a, **k)
Path.open = guarded
"""


def test_an_unreadable_input_is_reported_by_its_number(notes: Path, tmp_path: Path) -> None:
    ran = deid(tmp_path, "scrub", "in", "-o", "out", before=NOT_TO_BE_READ)
    assert ran.code == 6
    assert b"[input-unreadable]" in ran.stderr
    assert_nothing(ran, tmp_path / "tmp")


def test_stdin_is_read_and_no_copy_of_it_remains(tmp_path: Path) -> None:
    for command in (["scrub", "-", "-o", "out"], ["find", "-", "--quiet"]):
        ran = subprocess.run(
            [sys.executable, "-m", "deid", *command],
            cwd=tmp_path,
            input=NOTE.encode(),
            capture_output=True,
            env=_env(tmp_path),
        )
        assert ran.returncode == 0, ran.stderr.decode()
        assert_nothing(Ran(0, ran.stdout, ran.stderr), tmp_path / "tmp")
    assert "[NAME]" in (tmp_path / "out" / "stdin.txt").read_text()
    assert seen_in((tmp_path / "out" / "stdin.txt").read_bytes()) == []


POISON = """
import recognizers.search as s
really = s.Finder.drafted
def poisoned(self, text, *a):
    if "POISON" in text: raise ValueError("cannot read: " + text)
    return really(self, text, *a)
s.Finder.drafted = poisoned
"""


def test_find_continues_after_a_document_that_breaks_it(notes: Path, tmp_path: Path) -> None:
    (notes / "p.jsonl").write_text(
        json.dumps({"id": "1", "text": f"POISON {NAME}"})
        + "\n"
        + json.dumps({"id": "2", "text": NOTE})
        + "\n"
    )
    ran = deid(tmp_path, "find", "in/p.jsonl", before=POISON)
    assert ran.code == 4, ran.stderr.decode()
    first, second = [json.loads(line) for line in ran.stdout.splitlines()]
    assert first == {"id": "1", "findings": [], "fault": "engine-error"}
    assert len(second["findings"]) > 4 and "fault" not in second
    assert_nothing(ran, tmp_path / "tmp")


FAULT = """
import deid.jobs.local.table_worker as j
def boom(*a, **k): raise RuntimeError("row was: Zyxandra Quorblatt " + str(a))
j.TableFlow = boom
"""


def test_an_internal_fault_shows_and_leaves_no_canary(notes: Path, tmp_path: Path) -> None:
    ran = deid(tmp_path, "scrub", "in", "-o", "out", before=FAULT)
    assert ran.code == 1
    assert b"[internal]" in ran.stderr
    assert not (tmp_path / "out").exists()
    assert_nothing(ran, tmp_path / "tmp")
    assert list(tmp_path.glob(".*")) == []


def _interrupted(folder: Path, sign: str, until: Callable[[], bool]) -> Ran:
    """A job over 400 notes that gets a signal as soon as `until` is true."""
    command = ["scrub", "in", "-o", "out", "--diff", "d.html", "--workers", "2"]
    process = subprocess.Popen(
        [sys.executable, "-c", f"{LOUD}{HEARING}from deid.cli import main\nmain({command!r})"],
        cwd=folder,
        env=_env(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    deadline = time.monotonic() + 120
    while not until() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(getattr(signal, sign))
    stdout, stderr = process.communicate(timeout=120)
    return Ran(process.returncode, stdout, stderr)


@pytest.fixture
def many(notes: Path) -> Path:
    for number in range(200):
        (notes / f"n{number}.txt").write_text(NOTE * 3)
    return notes


@pytest.mark.parametrize("sign", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_an_early_interrupt_leaves_no_canary(many: Path, tmp_path: Path, sign: str) -> None:
    ran = _interrupted(tmp_path, sign, (tmp_path / ".out.deid-job").exists)
    assert ran.code == 130, ran.stderr.decode()
    assert not (tmp_path / "out").exists() and not (tmp_path / "d.html").exists()
    assert list(tmp_path.glob(".*")) == []
    assert_nothing(ran, tmp_path / "tmp")


def test_a_late_interrupt_leaves_finished_files_for_the_owner_only(
    many: Path, tmp_path: Path
) -> None:
    job = tmp_path / ".out.deid-job"
    ran = _interrupted(tmp_path, "SIGINT", lambda: len(list(job.glob("out/*"))) > 20)
    assert ran.code == 130, ran.stderr.decode()
    assert b"--resume" in ran.stderr
    assert not (tmp_path / "out").exists() and not (tmp_path / "d.html").exists()
    assert job.stat().st_mode & 0o077 == 0
    assert not (job / "work").exists()
    # The parts of the diff contain originals, as requested; no other file does.
    for part in job.glob("parts/*.diff"):
        assert part.stat().st_mode & 0o077 == 0
        part.unlink()
    assert_nothing(ran, tmp_path / "tmp", job)


def test_a_residual_hit_prevents_the_release(notes: Path, tmp_path: Path) -> None:
    blind = (
        "import recognizers.search as s\n"
        "s.Finder.find_all = lambda self, texts, *a, **k: [() for _ in texts]\n"
    )
    ran = deid(tmp_path, "scrub", "in/more.jsonl", "-o", "out", before=blind)
    assert ran.code == 3, ran.stderr.decode()
    assert not (tmp_path / "out").exists()
    assert_nothing(ran, tmp_path / "tmp")


def test_the_diff_is_outside_of_out_and_readable_by_the_owner_only(
    notes: Path, tmp_path: Path
) -> None:
    ran = deid(tmp_path, "scrub", f"in/{FILE}.txt", "-o", "out", "--diff", "out/d.html")
    assert ran.code == 2
    ran = deid(tmp_path, "scrub", f"in/{FILE}.txt", "-o", "out", "--diff", "d.html")
    assert ran.code == 0, ran.stderr.decode()
    page = tmp_path / "d.html"
    assert seen_in(page.read_bytes())
    assert page.stat().st_mode & 0o077 == 0
    assert_nothing(ran, tmp_path / "out", tmp_path / "tmp")
