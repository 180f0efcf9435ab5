"""Objects are read from a store, and a complete release is written to a store, or nothing that
looks like a release.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from small_store import SmallStore, small_store

import deid
from deid.cli import main
from deid.errors import DeidError
from deid.object_stores.fetching import safe_path
from deid.object_stores.object_store import ObjectStore
from deid.object_stores.publishing import publish
from deid.object_stores.store_address import address_in_store, is_store

LABS = b"mrn,last_name,potassium\n0048213,Okaforvale,4.1\n0048290,Lindqvist,3.9\n"
NOTE = b"Mrs. Okaforvale was seen on 03/14/2023, potassium 4.1.\n"
SECRET = "canarysecret"
MARKER = "bucket/.out.deid-unfinished"


@pytest.fixture(autouse=True)
def own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Credentials for the test, and a separate folder for staged files."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "canarykey")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL_S3"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[SmallStore]:
    with small_store() as served:
        monkeypatch.setenv("AWS_ENDPOINT_URL", served.endpoint)
        served.put("bucket/in/labs.csv", LABS)
        served.put("bucket/in/Okaforvale/note.txt", NOTE)
        yield served


def _staged() -> list[Path]:
    return sorted(Path(tempfile.gettempdir()).glob("deid-*"))


def _command(*more: str) -> list[str]:
    return [sys.executable, "-m", "deid", "scrub", "s3://bucket/in", "-o", "s3://bucket/out",
            "--reference-date", "2026-11-21", "--fast", *more]  # fmt: skip


def _code(wrong: str, **more: object) -> str:
    with pytest.raises(DeidError) as told:
        deid.scrub("s3://bucket/in", wrong, **more)  # type: ignore[arg-type]
    assert "Okaforvale" not in f"{told.value}{told.value.place}{told.value.hint}"
    return told.value.code


def test_objects_to_objects(store: SmallStore, capfd: pytest.CaptureFixture[str]) -> None:
    command = ["scrub", "s3://bucket/in", "-o", "s3://bucket/out", "--fast", "--workers", "2"]
    command += ["--known", "s3://bucket/in/labs.csv", "--patient-key", "mrn"]
    with pytest.raises(SystemExit) as ended:
        main(command)
    told = "".join(capfd.readouterr())
    assert not ended.value.code, told
    assert "evidence in s3://bucket/out/_release/evidence.html" in told
    out = store.below("bucket/out/")
    documents = {"changes.jsonl", "evidence.html", "manifest.json", "quarantine.jsonl"}
    assert set(out) == {"labs.csv", "folder_1/note.txt", *(f"_release/{d}" for d in documents)}
    assert b"Okaforvale" not in b"".join(out.values()) and b"4.1" in out["labs.csv"]
    manifest = json.loads(out["_release/manifest.json"])
    assert manifest["records_in"] == manifest["records_out"] == 3
    assert manifest["residual"]["known_values"] > 0 and not manifest["residual"]["hits"]
    assert [k for k in store.objects if not k.startswith(("bucket/in/", "bucket/out/"))] == []
    assert SECRET not in told and SECRET.encode() not in b"".join(store.objects.values())
    assert _staged() == []
    assert deid.check("s3://bucket/out").clean


def test_existing_objects_in_out_are_not_changed(store: SmallStore) -> None:
    store.put("bucket/out/theirs.txt", b"x")
    assert _code("s3://bucket/out") == "out-exists"
    assert _code("s3://bucket/out", resume=True) == "out-exists"
    assert _code("s3://bucket/in/below") == "out-inside-input"
    assert _code("s3://bucket") == "store-url-invalid"
    assert _code("s3://key:word@bucket/out2") == "store-url-invalid"
    assert _code("s3://bucket/out2?secret=x") == "store-url-invalid"
    assert store.below("bucket/out/") == {"theirs.txt": b"x"} and _staged() == []
    with pytest.raises(DeidError) as told:
        deid.scrub("s3://bucket/none", "s3://bucket/out2")
    assert told.value.code == "input-missing"


def test_an_unreachable_store_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
    assert _code("s3://bucket/out") == "store-unreadable"
    assert _staged() == []


@pytest.mark.parametrize("written", [0, 2, 5, 6])
def test_a_job_killed_while_uploading_leaves_no_release(store: SmallStore, written: int) -> None:
    """Killed after any number of objects, the target has no manifest, or it has all objects; the
    job can then be resumed.
    """
    seen: list[str] = []
    child = subprocess.Popen(_command(), stderr=subprocess.DEVNULL)

    def kill(path: str) -> None:
        if path.startswith(("bucket/out/", MARKER)) and child.poll() is None:
            seen.append(path)
            if len(seen) > written:
                child.send_signal(signal.SIGKILL)
                child.wait()

    store.watch = kill
    child.wait()
    out = store.below("bucket/out/")
    assert child.returncode == -signal.SIGKILL and len(seen) > written
    # The manifest is the last object that is written.
    whole = set(out) >= {"labs.csv", "folder_1/note.txt", "_release/evidence.html"}
    assert "_release/manifest.json" not in out or whole
    store.watch = lambda path: None
    assert len(_staged()) >= 1
    assert _code("s3://bucket/out") in ("out-exists", "job-unfinished")
    done = subprocess.run(_command("--resume"), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(store.below("bucket/out/")) == 6 and MARKER not in store.objects
    assert deid.check("s3://bucket/out").clean
    if not written:
        done = subprocess.run(_command("--resume"), capture_output=True, text=True, check=False)
        assert done.returncode == 0 and "already holds" in done.stderr


def test_input_copies_of_killed_jobs_are_removed(store: SmallStore) -> None:
    reading = "bucket/in/labs.csv"
    child = subprocess.Popen(_command(), stderr=subprocess.DEVNULL)
    while not list(Path(tempfile.gettempdir()).glob("deid-inputs-*/1/labs.csv")):
        assert child.poll() is None and reading in store.objects
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    child.wait()
    [left] = Path(tempfile.gettempdir()).glob("deid-inputs-*")
    os.utime(left, (0, 0))
    with suppress(DeidError):
        deid.scrub("s3://bucket/in", "s3://bucket/other")
    assert not left.exists()


def test_an_upload_disturbed_by_another_writer_is_not_a_release(
    store: SmallStore, tmp_path: Path
) -> None:
    tree = tmp_path / "tree" / "_release"
    tree.mkdir(parents=True)
    (tree / "manifest.json").write_bytes(b"{}")
    (tree.parent / "a.csv").write_bytes(b"x\n")
    target = ObjectStore.at(address_in_store("s3://bucket/out", "OUT"), "OUT")
    store.watch = lambda path: (
        store.put("bucket/out/b.csv", b"y") if path == "bucket/out/a.csv" else None
    )
    with pytest.raises(DeidError) as told:
        publish(tree.parent, target)
    assert told.value.code == "out-in-use" and "_release/manifest.json" not in store.objects


def test_object_names_cannot_escape_the_target_folder(store: SmallStore) -> None:
    names = ["../../up.csv", "a/../../b.csv", "x//y.csv", "/abs.csv", "p", "p/q.csv", "n" * 300]
    for name in names:
        store.put(f"bucket/odd/{name}", LABS)
    store.put("bucket/odd/.hidden/x.csv", LABS)
    release = deid.scrub("s3://bucket/odd", "s3://bucket/safe", fast=True)
    safe = store.below("bucket/safe/")
    assert len([name for name in safe if "_release" not in name]) + release.manifest[
        "quarantined"
    ] == len(names)
    assert not any(".." in name or "hidden" in name or "n" * 99 in name for name in safe)
    assert not list(Path(tempfile.gettempdir()).parent.glob("*.csv"))
    assert b"Okaforvale" not in b"".join(safe.values())


def test_no_two_objects_get_the_same_path() -> None:
    taken: set[str] = set()
    names = ["p", "p/q.csv", "p", "object_2.csv", "..", "a/b", "a"]
    made = [safe_path(name, number, taken) for number, name in enumerate(names, 1)]
    assert len({*made}) == len(made)
    files = set(made)
    assert not any(f"{other}/".startswith(f"{one}/") for one in files for other in files - {one})


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("s3://bucket/a/b", "bucket/a/b"),
        ("s3:/bucket/a/b/", "bucket/a/b"),
        ("s3a://bucket", "bucket"),
        ("gs://bucket/a?anonymous=true", "bucket/a"),
        ("abfss://box@house.dfs.core.windows.net/a", "box/a"),
    ],
)
def test_store_urls_are_read(url: str, path: str) -> None:
    assert is_store(url) and address_in_store(url, "OUT").path == path
    assert "bucket" not in repr(address_in_store(url, "OUT"))


@pytest.mark.parametrize("name", ["notes/s3", "s3", "postgresql://u@h/d", "C:/x", "s3:///x"])
def test_paths_and_other_urls_are_not_stores(name: str) -> None:
    assert not is_store(name)


def test_a_later_release_compares_with_an_earlier_one_in_the_store(
    store: SmallStore, tmp_path: Path
) -> None:
    """The earlier release is in the store, too."""
    policy = tmp_path / "p.yaml"
    policy.write_text("extends: safe_harbor\nname: monthly\nkeys: as_transforms\n"
                      "transforms: {mrns: code, others: code}\n")  # fmt: skip
    from deid.crosswalk import Crosswalk
    from deid.crosswalk.keys.master_keys import create_key_file

    create_key_file(tmp_path / "key")
    Crosswalk.create(tmp_path / "book.db", tmp_path / "key").close()
    book = {"crosswalk": tmp_path / "book.db", "key_file": tmp_path / "key", "policy": policy}
    deid.scrub("s3://bucket/in", "s3://bucket/m1", fast=True, **book)
    store.put("bucket/in/more/labs.csv", LABS.replace(b"0048290", b"0048291"))
    after = deid.scrub(
        "s3://bucket/in", "s3://bucket/m2", since="s3://bucket/m1", fast=True, **book
    )
    assert after.manifest["records_out"] == 2 and len(after.manifest["since"]["unchanged"]) == 2
    first, then = store.below("bucket/m1/labs.csv"), store.below("bucket/m2/")
    [new] = [content for name, content in then.items() if name.endswith("labs.csv")]
    assert new.splitlines()[1] == first[""].splitlines()[1]
