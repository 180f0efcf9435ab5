"""Remote executors: they write the same bytes as worker processes, send nothing readable, and leave
no partial result.
"""

from __future__ import annotations

import gc
import gzip
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from nearby import Nearby, cluster
from small_extract import FIRST, LAST, KnownOnly, coded_policy, digest, job

from deid import spool
from deid.arrow import prefilter as sifting
from deid.crosswalk import Crosswalk, open_for_job, verify
from deid.crosswalk.keys.master_keys import create_key_file
from deid.crosswalk.keys.vault import SealError
from deid.errors import DeidError
from deid.formats.delimited import column_reader
from deid.jobs import job_folder_path, run_job, unfinished
from deid.jobs.spark import executor_channel as lining
from deid.jobs.spark import executor_side as remote
from deid.jobs.spark.allocation_requests import (
    AllocationRequest,
    RecallingFinder,
    RemoteAllocator,
    resolve_allocations,
)
from deid.jobs.spark.encrypted_messages import EncryptedMessages, pack_message, unpack_message
from deid.jobs.spark.executors import ClusterLost, TaskDied
from deid.jobs.spark.messages import Order
from deid.people import gathering, packed_keys, patient_values
from deid.people import single_table as alone
from deid.policy.model import parse_policy, policy_text
from deid.residual import table_search as residual_tables
from deid.tables import table_batch
from deid.transforms import Outcome, TransformContext, transform
from recognizers import Finding
from safe_harbor import Identifier, Residue

NAMES = [name.encode() for name in (*FIRST, *LAST)]


def test_executors_write_what_worker_processes_write(extract: Path, tmp_path: Path) -> None:
    run_job(job(extract, tmp_path / "here", diff=tmp_path / "here.html"), KnownOnly())
    wanted = job(extract, tmp_path / "there", diff=tmp_path / "there.html")
    assert run_job(wanted, KnownOnly(), cluster=cluster(Nearby())).exit_code == 0
    assert digest(tmp_path / "there") == digest(tmp_path / "here")
    assert (tmp_path / "there.html").read_bytes() == (tmp_path / "here.html").read_bytes()
    assert not job_folder_path(tmp_path / "there").exists()


def test_messages_to_and_from_executors_are_unreadable(extract: Path, tmp_path: Path) -> None:
    executors = Nearby()
    run_job(job(extract, tmp_path / "out"), KnownOnly(), cluster=cluster(executors))
    whole = b"\n".join(executors.seen)
    assert len(executors.seen) > 10
    assert not any(name in whole for name in NAMES)
    assert not any(f"004028{n:02}".encode() in whole for n in range(12))


def test_a_task_that_is_done_twice_is_released_once(extract: Path, tmp_path: Path) -> None:
    run_job(job(extract, tmp_path / "once"), KnownOnly())
    run_job(job(extract, tmp_path / "twice"), KnownOnly(), cluster=cluster(Nearby(times=2)))
    assert digest(tmp_path / "twice") == digest(tmp_path / "once")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in", "once", "twice"]


def test_an_executor_that_dies_is_replaced_and_its_files_are_done(
    extract: Path, tmp_path: Path
) -> None:
    fated = {"survey", "scrub"}

    def dies(order: Order) -> None:
        if order.kind in fated:
            fated.remove(order.kind)
            raise TaskDied

    run_job(job(extract, tmp_path / "well"), KnownOnly())
    release = run_job(job(extract, tmp_path / "out"), KnownOnly(), cluster=cluster(Nearby(dies)))
    assert (release.exit_code, fated) == (0, set())
    assert digest(tmp_path / "out") == digest(tmp_path / "well")


def test_a_file_that_kills_two_executors_is_withheld_and_the_others_are_released(
    extract: Path, tmp_path: Path
) -> None:
    def dies(order: Order) -> None:
        if order.kind == "scrub" and 3 in order.numbers:
            raise TaskDied

    out = tmp_path / "out"
    release = run_job(job(extract, out), KnownOnly(), cluster=cluster(Nearby(dies)))
    assert release.exit_code == 4
    lines = (out / "_release" / "quarantine.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [
        {"file": 3, "record": None, "place": "file", "code": "worker-died"}
    ]
    assert release.account.tally.records_in == release.account.tally.records_out + 1


def test_small_files_are_sent_in_groups(extract: Path, tmp_path: Path) -> None:
    for number in range(60):
        (extract / "letters" / f"more{number}.txt").write_text("Well child check.")
    executors = Nearby()
    run_job(job(extract, tmp_path / "out"), KnownOnly(), cluster=cluster(executors))
    orders = [order for order in executors.orders if order.kind == "scrub"]
    groups = [order.numbers for order in orders]
    assert all(list(order.batches) == list(order.numbers) for order in orders)
    assert sorted(n for numbers in groups for n in numbers) == list(range(1, 73))
    assert 6 <= len(groups) < 20
    sizes = [path.stat().st_size for path in sorted(p for p in extract.rglob("*") if p.is_file())]
    shares = [sum(sizes[n - 1] for n in numbers) for numbers in groups if len(numbers) > 1]
    assert max(shares) <= sum(sizes) // 8  # four tasks for each of the two executors


@pytest.mark.parametrize("kind", ["greet", "survey", "scrub"])
def test_an_executor_that_cannot_see_the_job_folder_ends_the_job(
    extract: Path, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "PATIENCE", 0.0)

    def moves(order: Order) -> None:
        if order.kind == kind:
            for mark in (job_folder_path(tmp_path / "out") / "work").iterdir():
                mark.unlink()

    with pytest.raises(DeidError) as told:
        run_job(job(extract, tmp_path / "out"), KnownOnly(), cluster=cluster(Nearby(moves)))
    assert (told.value.code, told.value.place, told.value.exit_code) == ("worker-blind", "OUT", 2)
    assert "file system" in told.value.hint
    assert list(tmp_path.iterdir()) == [extract]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda path: path.unlink(), "worker-blind"),
        (lambda path: path.write_text("a,b\n1,2\n"), "worker-input-differs"),
    ],
)
def test_an_executor_that_reads_no_or_another_input_ends_the_job(
    extract: Path, tmp_path: Path, change: Callable[[Path], Any], code: str
) -> None:
    def differs(order: Order) -> None:
        if order.kind == "scrub" and (extract / "visits.csv").exists():
            change(extract / "visits.csv")

    with pytest.raises(DeidError) as told:
        run_job(job(extract, tmp_path / "out"), KnownOnly(), cluster=cluster(Nearby(differs)))
    assert (told.value.code, told.value.place, told.value.exit_code) == (code, "file 12", 2)
    assert list(tmp_path.iterdir()) == [extract]


def test_an_executor_with_another_engine_is_refused(extract: Path, tmp_path: Path) -> None:
    other = cluster(Nearby(), {"spacy": "0.0.1"})
    with pytest.raises(DeidError) as told:
        run_job(job(extract, tmp_path / "out"), KnownOnly(), cluster=other)
    assert (told.value.code, told.value.exit_code) == ("worker-unlike", 2)
    assert list(tmp_path.iterdir()) == [extract]


def test_a_job_whose_cluster_is_lost_can_be_resumed(extract: Path, tmp_path: Path) -> None:
    left = [3]

    def is_lost(order: Order) -> None:
        left[0] -= order.kind == "scrub"
        if left[0] < 0:
            raise ClusterLost

    out = tmp_path / "out"
    with pytest.raises(ClusterLost):
        run_job(job(extract, out), KnownOnly(), cluster=cluster(Nearby(is_lost)))
    before = unfinished(out)
    assert before is not None and before[0] > 0
    assert list((job_folder_path(out) / "work").glob("*")) == []
    executors = Nearby()
    resumed = run_job(job(extract, out, resume=True), KnownOnly(), cluster=cluster(executors))
    assert resumed.exit_code == 0
    done = [n for order in executors.orders if order.kind == "scrub" for n in order.numbers]
    assert len(done) == 12 - before[0]
    run_job(job(extract, tmp_path / "whole"), KnownOnly())
    assert digest(out) == digest(tmp_path / "whole")


def test_an_interrupted_cluster_job_keeps_finished_files(extract: Path, tmp_path: Path) -> None:
    def stop(standing: Any) -> None:
        if standing.phase == "scrub" and standing.done == 3:
            raise KeyboardInterrupt

    out, executors = tmp_path / "out", Nearby()
    with pytest.raises(KeyboardInterrupt):
        run_job(job(extract, out), KnownOnly(), progress=stop, cluster=cluster(executors))
    assert executors.stopped and not out.exists()
    assert unfinished(out) is not None
    assert not (job_folder_path(out) / "work").exists()


class Breaks(KnownOnly):
    """A finder that fails on every note and puts the text into its error."""

    def find_all(self, texts: Any, *more: Any) -> Any:
        if any(len(text) > 80 for text in texts):
            raise BaseException("cannot read: " + repr(texts))
        return super().find_all(texts, *more)


def test_an_error_on_an_executor_shows_no_value(extract: Path, tmp_path: Path) -> None:
    with pytest.raises(DeidError) as told:
        run_job(
            job(extract / "letters", tmp_path / "out", known=(extract / "patients.csv",)),
            Breaks(),
            cluster=cluster(Nearby()),
        )
    assert (told.value.code, told.value.exit_code) == ("internal", 1)
    assert not any(name.decode() in str(told.value) for name in NAMES)


# -- codes --------------------------------------------------------------------------------------


def test_codes_are_drawn_by_the_parent_alone(extract: Path, tmp_path: Path) -> None:
    key = create_key_file(tmp_path / "key")
    Crosswalk.create(tmp_path / "book.db", key).close()
    digests, executors = [], Nearby()
    for name, afar in (("a", cluster(executors)), ("b", None), ("c", cluster(Nearby()))):
        wanted = job(extract, tmp_path / name, policy=coded_policy())
        with open_for_job(tmp_path / "book.db", tmp_path / "key") as (desk, account):
            release = run_job(wanted, KnownOnly(), allocate=desk, crosswalk=account, cluster=afar)
        assert release.exit_code == 0
        digests.append(digest(tmp_path / name))
    assert len(set(digests)) == 1
    assert not any(name in b"\n".join(executors.seen) for name in NAMES)
    with Crosswalk.open(tmp_path / "book.db", key) as book:
        assert verify(book) == ()
        assert b"Zy" not in (tmp_path / "a" / "notes.csv").read_bytes()


def test_a_remote_allocator_records_requests_that_it_cannot_answer() -> None:
    desk, code = RemoteAllocator({}), transform("code")
    context = TransformContext(Identifier.MRNS, "MEDICAL_RECORD", job_date(), person="p1")
    desk.outcome(code, "0040", context)
    desk.outcome(code, "0040", context)
    (question,) = desk.questions.values()
    assert "0040" not in repr(question) and "0040" not in repr(desk)
    again = RemoteAllocator({question.key: Outcome("K7", Residue.RANDOM_CODE)})
    assert again.outcome(code, "0040", context).text == "K7"
    assert not again.questions
    with pytest.raises(RuntimeError):
        again(Identifier.MRNS, "p1", "0040")


def job_date() -> Any:
    from small_extract import REFERENCE

    return REFERENCE


def test_a_value_on_which_a_transform_fails_is_resolved_as_failed() -> None:
    context = TransformContext(Identifier.MRNS, "MEDICAL_RECORD", job_date())
    question = AllocationRequest("code", "0040", context)

    class Desk(RemoteAllocator):
        def __call__(self, *asked: Any) -> str:
            raise ValueError("0040")

    assert resolve_allocations([question], Desk({})) == {question.key: None}
    with pytest.raises(ValueError, match="the transform failed on the value"):
        RemoteAllocator({question.key: None}).outcome(transform("code"), "0040", context)


def test_recorded_findings_are_reused() -> None:
    asked: list[str] = []

    class Once(KnownOnly):
        def find_all(self, texts: Any, *more: Any) -> list[tuple[Finding, ...]]:
            asked.extend(texts)
            return super().find_all(texts, *more)

    first = RecallingFinder(Once())
    first.find_all(["one", "two"])
    first.find_all(["three"])
    second = RecallingFinder(Once(), first.recorded)
    assert second.find_all(["one", "two"]) == [(), ()]
    assert asked == ["one", "two", "three"]
    second.find_all(["another"])
    assert asked[-1] == "another"


# -- a large table ------------------------------------------------------------------------------


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only table of the job, in several batches."""
    for module in (table_batch, residual_tables):
        monkeypatch.setattr(module, "BATCH_ROWS", 100)
        monkeypatch.setattr(module, "rebatch", lambda batches, _=0: sifting.rebatch(batches, 100))
    monkeypatch.setattr(alone, "MIN_SINGLE_TABLE_ROWS", 100)
    rows = [
        f"{n:05},{LAST[n % 8]},{FIRST[n % 7]},{'FM'[n % 2]},{1930 + n % 80}-03-14,{n % 7}.5"
        for n in range(750)
    ]
    head = "patient_id,last_name,first_name,sex,birth_date,hemoglobin"
    path = tmp_path / "table.csv"
    path.write_text("\n".join([head, *rows]) + "\n", "utf-8")
    return path


def _of_table(path: Path, out: Path) -> Any:
    return replace(job(path.parent, out), inputs=(path,), known=(), patient_key=None)


@pytest.mark.parametrize("dies", [False, True])
def test_a_large_table_is_shared_among_executors(large: Path, tmp_path: Path, dies: bool) -> None:
    fated = [2] if dies else []

    def before(order: Order) -> None:
        if order.kind == "share" and order.share == 1 and fated:
            fated.pop()
            raise TaskDied

    assert run_job(_of_table(large, tmp_path / "here"), KnownOnly()).exit_code == 0
    executors = Nearby(before)
    release = run_job(_of_table(large, tmp_path / "there"), KnownOnly(), cluster=cluster(executors))
    assert release.exit_code == 0 and not fated
    assert digest(tmp_path / "there") == digest(tmp_path / "here")
    kinds = [order.kind for order in executors.orders]
    assert kinds.count("share") == (5 if dies else 4)  # scrubbed twice, searched twice
    assert not any(name in b"\n".join(executors.seen) for name in NAMES)
    assert not job_folder_path(tmp_path / "there").exists()


def test_a_missing_result_is_not_taken_for_the_end_of_the_table(
    large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = remote._write_whole

    def written(place: Path, number: int, box: bytes) -> None:
        if number != 5:
            really(place, number, box)

    monkeypatch.setattr(remote, "_write_whole", written)
    monkeypatch.setattr(lining, "_LATE", 0.1)
    with pytest.raises(DeidError) as told:
        run_job(_of_table(large, tmp_path / "out"), KnownOnly(), cluster=cluster(Nearby()))
    assert (told.value.code, told.value.exit_code) == ("worker-blind", 2)
    assert sorted(tmp_path.iterdir()) == [large]


@pytest.mark.parametrize("more", [-1, 1])
def test_executors_that_read_different_numbers_of_batches_end_the_job(
    large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: int
) -> None:
    really = remote._share_context

    def told(what: Any, order: Order, messages: EncryptedMessages) -> Any:
        return really(what, order, messages) + more * order.share

    monkeypatch.setattr(remote, "_share_context", told)
    with pytest.raises(DeidError) as error:
        run_job(_of_table(large, tmp_path / "out"), KnownOnly(), cluster=cluster(Nearby()))
    assert (error.value.code, error.value.exit_code) == ("worker-input-differs", 2)
    assert sorted(tmp_path.iterdir()) == [large]


def test_a_large_table_unpacked_in_this_process_is_processed_here(
    large: Path, tmp_path: Path
) -> None:
    packed = tmp_path / "table.csv.gz"
    packed.write_bytes(gzip.compress(large.read_bytes(), compresslevel=0))
    executors = Nearby()
    for name, afar in (("here", None), ("there", cluster(executors))):
        release = run_job(_of_table(packed, tmp_path / name), KnownOnly(), cluster=afar)
        assert release.exit_code == 0
    assert digest(tmp_path / "there") == digest(tmp_path / "here")
    assert {order.kind for order in executors.orders} == {"greet"}


def test_packed_files_are_unpacked_by_the_executor_that_processes_them(
    extract: Path, tmp_path: Path
) -> None:
    with zipfile.ZipFile(extract / "more.zip", "w") as archive:
        for path in (extract / "notes.csv", extract / "more.jsonl"):
            archive.write(path, path.name)
    (extract / "visits.csv.gz").write_bytes(gzip.compress((extract / "visits.csv").read_bytes()))
    for name, afar in (("here", None), ("there", cluster(Nearby()))):
        assert run_job(job(extract, tmp_path / name), KnownOnly(), cluster=afar).exit_code == 0
    assert digest(tmp_path / "there") == digest(tmp_path / "here")


DUMP = """CREATE TABLE `visits` (`patient_id` varchar(9), `hemoglobin` float);
INSERT INTO `visits` VALUES ('00402801',9.5),('00402802',11.0);
INSERT INTO `notes` (`patient_id`,`note_text`) VALUES ('00402801','{first} {last} is well.');
"""


def test_dumps_and_json_records_are_read_by_the_executor_that_processes_them(
    extract: Path, tmp_path: Path
) -> None:
    (extract / "hospital.sql").write_text(DUMP.format(first=FIRST[3], last=LAST[1]), "utf-8")
    records = [{"patient_id": f"004028{n:02}", "labs": {"hemoglobin": n % 7}} for n in range(9)]
    (extract / "labs.json").write_text(json.dumps({"results": records}), "utf-8")
    for name, afar in (("here", None), ("there", cluster(Nearby()))):
        assert run_job(job(extract, tmp_path / name), KnownOnly(), cluster=afar).exit_code == 0
    assert digest(tmp_path / "there") == digest(tmp_path / "here")
    assert {"hospital.sql", "labs.json"} <= {p.name for p in (tmp_path / "there").iterdir()}


LIMIT = "{quasi: [sex], table: patients.csv, cell_size: %d, alpha: 0, decide_on: prosecutor}"


@pytest.mark.parametrize(("cell_size", "exit_code"), [(2, 0), (11, 3)])
def test_a_risk_limit_is_measured_on_the_files_that_executors_wrote(
    extract: Path, tmp_path: Path, cell_size: int, exit_code: int
) -> None:
    policy = parse_policy(policy_text("safe_harbor") + f"risk:\n- {LIMIT % cell_size}\n")
    risks = []
    for name, afar in (("here", None), ("there", cluster(Nearby()))):
        release = run_job(job(extract, tmp_path / name, policy=policy), KnownOnly(), cluster=afar)
        assert release.exit_code == exit_code
        risks.append(release.manifest["risk"])
    assert risks[0] == risks[1] and risks[0]


def test_a_part_that_kills_two_executors_withholds_the_table(large: Path, tmp_path: Path) -> None:
    def dies(order: Order) -> None:
        if order.kind == "share" and order.share == 1:
            raise TaskDied

    with pytest.raises(DeidError) as told:
        run_job(_of_table(large, tmp_path / "out"), KnownOnly(), cluster=cluster(Nearby(dies)))
    assert told.value.code == "worker-died"
    assert sorted(tmp_path.iterdir()) == [large]


# -- the known values of the patients ------------------------------------------------------------


@pytest.fixture
def spilled(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the parent knows about the patients is on disk, and is packed patient by patient."""
    monkeypatch.setattr(spool, "HELD_BYTES", 0)
    monkeypatch.setattr(spool, "_BLOCK_BYTES", 64)
    monkeypatch.setattr(patient_values, "PATIENTS_AT_ONCE", 2)
    monkeypatch.setattr(packed_keys, "KEYS_HELD", 3)


@pytest.mark.usefixtures("spilled")
def test_executors_read_spilled_values_from_encrypted_files(extract: Path, tmp_path: Path) -> None:
    run_job(job(extract, tmp_path / "here", workers=2), KnownOnly())
    beside: list[bytes] = []

    def look(order: Order) -> None:
        files = (job_folder_path(tmp_path / "there") / "work").glob("spill-*")
        beside.extend(path.read_bytes() for path in files)

    executors = Nearby(look)
    wanted = job(extract, tmp_path / "there")
    assert run_job(wanted, KnownOnly(), cluster=cluster(executors)).exit_code == 0
    assert digest(tmp_path / "there") == digest(tmp_path / "here")
    assert len(beside) > 3
    assert not any(name in b"\n".join([*beside, *executors.seen]) for name in NAMES)
    assert {order.kind for order in executors.orders} == {"greet", "share", "survey", "scrub"}


@pytest.mark.usefixtures("spilled")
@pytest.mark.parametrize("dies", [False, True])
def test_executors_gather_the_known_values_of_large_tables(
    extract: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dies: bool
) -> None:
    def before(order: Order) -> None:
        if order.kind == "share" and order.share == 1 and fated:
            fated.pop()
            raise TaskDied

    fated = [1] if dies else []
    run_job(job(extract, tmp_path / "here"), KnownOnly())
    usual, executors = Nearby(), Nearby(before)
    run_job(job(extract, tmp_path / "usual"), KnownOnly(), cluster=cluster(usual))
    monkeypatch.setattr(gathering, "LEAST_BATCHES", 2)
    monkeypatch.setattr(column_reader, "ROWS_PER_BLOCK", 5)
    run_job(job(extract, tmp_path / "there"), KnownOnly(), cluster=cluster(executors))
    assert digest(tmp_path / "there") == digest(tmp_path / "here") and not fated
    shares, few = ([o.kind for o in one.orders].count("share") for one in (executors, usual))
    assert shares == few + 2 * 3 + dies  # patients, visits and notes, in two shares each
    assert not any(name in b"\n".join(executors.seen) for name in NAMES)


def test_what_an_executor_has_loaded_is_exempt_from_collections_of_garbage(
    extract: Path, tmp_path: Path
) -> None:
    gc.unfreeze()
    try:
        run_job(job(extract, tmp_path / "out"), KnownOnly(), cluster=cluster(Nearby()))
        assert gc.get_freeze_count() > 10_000
    finally:
        gc.unfreeze()


@pytest.mark.usefixtures("spilled")
def test_an_executor_that_does_not_see_the_spilled_values_ends_the_job(
    extract: Path, tmp_path: Path
) -> None:
    def vanish(order: Order) -> None:
        for path in (job_folder_path(tmp_path / "out") / "work").glob("spill-*"):
            path.unlink()

    with pytest.raises(DeidError) as told:
        run_job(job(extract, tmp_path / "out"), KnownOnly(), cluster=cluster(Nearby(vanish)))
    assert (told.value.code, told.value.place) == ("worker-blind", "OUT")
    assert list(tmp_path.iterdir()) == [extract]


# -- messages -----------------------------------------------------------------------------------


def test_a_message_can_be_opened_for_its_purpose_only(monkeypatch: pytest.MonkeyPatch) -> None:
    from deid.jobs.spark import encrypted_messages as parcelling

    monkeypatch.setattr(parcelling, "_PIECE_BYTES", 100)
    messages = EncryptedMessages.under(bytes(32), lambda n: b"\7" * n)
    for size in (0, 1, 99, 100, 101, 950):
        packed = pack_message("x" * size)
        box = messages.close(packed, "order")
        assert unpack_message(messages.open(box, "order")) == "x" * size
        with pytest.raises(SealError):
            messages.open(box, "answer")
        with pytest.raises(SealError):
            EncryptedMessages.under(b"\1" * 32, lambda n: b"\7" * n).open(box, "order")
