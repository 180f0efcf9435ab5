"""Patients, encounters and notes: codes join them again, and only `reveal` identifies them
again.
"""

from __future__ import annotations

import csv
import json
from datetime import date
from pathlib import Path

import pytest
from small_extract import KnownOnly

from deid.crosswalk import Crosswalk, CrosswalkError, open_for_job, verify
from deid.crosswalk.audit.chain import AuditHead
from deid.crosswalk.code_drawing import is_crosswalk_code
from deid.crosswalk.keys.master_keys import SecretKey
from deid.errors import DeidError
from deid.jobs import Job, run_job
from deid.policy.model import parse_policy, policy_text
from safe_harbor import Claim

_TABLES = {
    "patients.csv": (
        "patient_id,last_name,first_name,phone,sex\n"
        "00402817,Lowe,Theodora,802-555-0143,F\n"
        "00402818,Hoekstra,Harlan,802-555-0188,M\n"
        "00402819,Gagnon,Ines,802-555-0101,F\n"
    ),
    "encounters.csv": (
        "account_number,patient_id,sex\n"
        "7730-118A,00402817,F\n7730-119B,00402818,M\n7730-120C,00402817,F\n7730-121D,00402819,F\n"
    ),
    "notes.csv": (
        "patient_id,text\n"
        "00402817,Theodora Lowe (MRN 0040 2817) rang from 802.555.0143. Lowe is well.\n"
        "00402818,Mr. Hoekstra is here. Harlan sleeps.\n"
    ),
}


def _policy_text() -> str:
    """Safe Harbor with codes for numbers and surrogates for the other identifiers."""
    text = policy_text("safe_harbor")
    for word in ("ssns", "mrns", "plans", "accounts", "licenses", "devices", "others"):
        text = text.replace(f"  {word}: tag", f"  {word}: code")
    for word in ("names", "phones", "faxes", "emails", "urls", "ips", "vehicles"):
        text = text.replace(f"  {word}: tag", f"  {word}: surrogate")
    return text


def _release(folder: Path, out: str, key_file: Path) -> dict[str, list[dict[str, str]]]:
    source = folder / "in"
    source.mkdir(exist_ok=True)
    for name, text in _TABLES.items():
        (source / name).write_text(text, "utf-8")
    job = Job(
        inputs=(source,),
        out=folder / out,
        policy=parse_policy(_policy_text()),
        reference_date=date(2026, 11, 21),
        known=(source / "patients.csv",),
        patient_key="patient_id",
    )
    with open_for_job(folder / "book.db", key_file) as (desk, account):
        release = run_job(job, KnownOnly(), allocate=desk, crosswalk=account)
    assert release.exit_code == 0
    tables = {}
    for name in _TABLES:
        with (folder / out / name).open(encoding="utf-8", newline="") as file:
            tables[name.removesuffix(".csv")] = list(csv.DictReader(file))
    return tables


@pytest.fixture
def folder(tmp_path: Path, key: SecretKey) -> Path:
    Crosswalk.create(tmp_path / "book.db", key).close()
    return tmp_path


def test_a_release_joins_by_code_and_each_reveal_is_recorded(folder: Path, key: SecretKey) -> None:
    tables = _release(folder, "out", folder / "key")
    patients, encounters, notes = tables["patients"], tables["encounters"], tables["notes"]
    codes = [row["patient_id"] for row in patients]
    assert len(set(codes)) == 3 and all(map(is_crosswalk_code, codes))
    assert [codes.index(row["patient_id"]) for row in encounters] == [0, 1, 0, 2]
    assert [codes.index(row["patient_id"]) for row in notes] == [0, 1]
    # In the text, the number has the same code, and the names are the surrogates used in the table.
    first, last = patients[0]["first_name"], patients[0]["last_name"]
    assert f"{first} {last} (MRN {codes[0]})" in notes[0]["text"]
    assert f"{last} is well" in notes[0]["text"]
    assert patients[0]["phone"].replace("-", ".") in notes[0]["text"]
    assert patients[1]["first_name"] in notes[1]["text"]
    with Crosswalk.open(folder / "book.db", key) as book:
        shown = book.reveal(codes[0], user="officer", reason="recall")
        assert shown.value == "00402817"
        assert verify(book) == ()


def test_the_next_run_and_another_machine_give_the_same_release(folder: Path) -> None:
    assert _release(folder, "one", folder / "key") == _release(folder, "two", folder / "key")


def test_the_manifest_records_generation_and_audit_head(folder: Path, key: SecretKey) -> None:
    _release(folder, "out", folder / "key")
    manifest = json.loads((folder / "out/_release/manifest.json").read_text("utf-8"))["crosswalk"]
    with Crosswalk.open(folder / "book.db", key) as book:
        assert manifest["generation"] == book.generation
        assert verify(book, [AuditHead.parse(manifest["audit_head"])]) == ()


def test_no_released_byte_shows_a_value_and_no_other_crosswalk_reveals_one(
    folder: Path, key: SecretKey
) -> None:
    tables = _release(folder, "out", folder / "key")
    released = b"".join(p.read_bytes() for p in (folder / "out").rglob("*") if p.is_file())
    for value in (b"Lowe", b"Theodora", b"00402817", b"0040 2817", b"555-0143", b"7730-118A"):
        assert value not in released
    with (
        Crosswalk.create(folder / "other.db", key) as other,
        pytest.raises(CrosswalkError, match="the code is not in this"),
    ):
        other.reveal(tables["patients"][0]["patient_id"], user="u", reason="r")


@pytest.mark.parametrize("derived", ["derived_code", "shift", "shift_weeks"])
def test_safe_harbor_refuses_derived_codes_and_shifted_dates(derived: str) -> None:
    text = policy_text("safe_harbor")
    if derived == "derived_code":
        text = text.replace("  mrns: tag", "  mrns: derived_code")
    else:
        text = text.replace("    otherwise: year", f"    otherwise: {derived}")
    for claim, refused in ((Claim.SAFE_HARBOR, True), (Claim.LIMITED_DATA_SET, False)):
        policy = parse_policy(text.replace("claim: safe_harbor", f"claim: {claim.value}"))
        assert bool(policy.verdict().breaches) == refused


def test_a_policy_that_draws_codes_requires_a_crosswalk(tmp_path: Path) -> None:
    (tmp_path / "notes.csv").write_text(_TABLES["notes.csv"], "utf-8")
    policy = parse_policy(_policy_text())
    job = Job((tmp_path / "notes.csv",), tmp_path / "out", policy, date(2026, 11, 21))
    with pytest.raises(DeidError, match="crosswalk"):
        run_job(job, KnownOnly())
    assert not (tmp_path / "out").exists()
