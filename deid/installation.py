"""Check what is installed: packages, hashes of tables and model, shipped policies."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from deid.jobs.spark.spark_executors import has_java, pyspark_version
from deid.plugins import describe_plugins
from deid.policy.model import SHIPPED_POLICIES, parse_policy, policy_text
from deid.text.engine import load_finder, versions
from recognizers import provenance
from safe_harbor import TableError, check_files, read_hashes, zip3_table

_PAGE_SERVERS = ("starlette", "uvicorn")


@dataclass(frozen=True, slots=True)
class InstallationCheck:
    """The result of one check: the thing checked, its state, and whether it is well."""

    what: str
    state: str
    well: bool

    def as_json(self) -> dict[str, str | bool]:
        return {"what": self.what, "state": self.state, "well": self.well}


def check_installation() -> list[InstallationCheck]:
    """Check everything a release depends on, without network and without data."""
    return [*_packages(), *_hashed_files(), *_engine(), *_check_zip_tables(), *_policies()]


def _packages() -> Iterator[InstallationCheck]:
    yield InstallationCheck("python", sys.version.split()[0], sys.version_info >= (3, 11))
    for name, state in versions().items():
        yield InstallationCheck(name, state, state != "absent" or name == "safe-harbor-deid")
    for name in _PAGE_SERVERS:
        yield InstallationCheck(name, _installed_version(name), find_spec(name) is not None)
    yield InstallationCheck("pyspark", pyspark_version() or "absent", True)
    for name, package in describe_plugins().items():
        yield InstallationCheck(name, package, True)
    yield InstallationCheck("java", "installed" if has_java() else "absent", True)


def _installed_version(name: str) -> str:
    return version(name) if find_spec(name) else "absent"


def _hashed_files() -> Iterator[InstallationCheck]:
    for name in ("safe_harbor", "recognizers", "deid"):
        package = Path(str(files(name)))
        try:
            check_files(package)
        except TableError as error:
            yield InstallationCheck(f"tables of {name}", f"{error.code}: {error.place}", False)
        else:
            count = len(read_hashes(package))
            yield InstallationCheck(
                f"tables of {name}", f"{count} checked against their hashes", True
            )


def _engine() -> Iterator[InstallationCheck]:
    try:
        load_finder(date.today())
    except Exception as error:
        yield InstallationCheck(
            "model and lists", str(getattr(error, "code", type(error).__name__)), False
        )
        return
    for name, state in provenance().items():
        yield InstallationCheck(name, state, True)


def _check_zip_tables() -> Iterator[InstallationCheck]:
    for census in ("2000", "2010", "2020"):
        yield InstallationCheck(f"zip3 {census}", zip3_table(census).sha256, True)


def _policies() -> Iterator[InstallationCheck]:
    for name in SHIPPED_POLICIES:
        verdict = parse_policy(policy_text(name)).verdict()
        yield InstallationCheck(f"policy {name}", verdict.supported.value, not verdict.breaches)
