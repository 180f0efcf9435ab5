"""Recognizers, transforms and formats of other packages: they are used, checked against their
declaration, and their errors show no value.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from deid.errors import DeidError
from deid.formats import Record, RecordFault
from deid.formats.plugin_format import PluginSource, plugin_formats
from deid.plugins import Plugin, installed_plugins
from deid.policy.model import read_policy
from deid.transforms import Outcome, TransformContext, plain_transforms, register, transform
from deid.transforms import plugin_transform as room
from safe_harbor import Identifier, Residue

ROOT = Path(__file__).resolve().parents[3]
VALUE = "Zebulon Quist"
NOTES = ["Ana Ruiz keeps her bag in locker Q7.", "Mr. Ruiz, MRN 00417723, went home."]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the example package is installed, as a hospital would install its own."""
    folder = tmp_path_factory.mktemp("site")
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"),
            *("--no-build-isolation", "--target", str(folder), str(ROOT / "examples/plugin")),
        ],
        check=True,
        capture_output=True,
    )
    return folder


def scrub(folder: Path, *more: str, path: str) -> subprocess.CompletedProcess[str]:
    (folder / "in").mkdir()
    (folder / "in" / "night.handover").write_text("\n%%\n".join(NOTES))
    return subprocess.run(
        [sys.executable, "-m", "deid", "scrub", "in", "-o", "out", *more],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": f"{path}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
    )


def test_the_example_reads_finds_and_replaces(site: Path, tmp_path: Path) -> None:
    ran = scrub(tmp_path, "--set", "transforms.mrns=asterisks", path=str(site))
    assert ran.returncode == 0, ran.stderr
    released = next((tmp_path / "out").glob("*.handover")).read_text().split("\n%%\n")
    assert released == ["[NAME] keeps her bag in [OTHER].", "Mr. [NAME], MRN ***, went home."]
    manifest = json.loads((tmp_path / "out/_release/manifest.json").read_text())
    assert manifest["verdict"]["supported"] == "safe_harbor"
    assert manifest["engine"]["plugin recognizers:lockers"] == "ward-plugin 1.0"


def test_without_the_example_its_file_is_not_read(tmp_path: Path) -> None:
    ran = scrub(tmp_path, path=str(tmp_path))
    assert ran.returncode == 6 and "unknown-format" in ran.stderr
    assert not (tmp_path / "out").exists()


class Entry:
    def __init__(self, made: Any) -> None:
        self.made = made

    def load(self) -> Any:
        if isinstance(self.made, Exception):
            raise self.made
        return self.made


def plugin(kind: str, name: str, made: Any) -> Plugin:
    return Plugin(kind, name, "acme", "1.0", Entry(made))  # type: ignore[arg-type]


class Named:
    def __init__(self, name: str, left: Residue = Residue.TAG, declared: Any = None) -> None:
        self.name, self.left = name, left
        self.declared = frozenset({Residue.TAG}) if declared is None else declared

    def residues(self, entity: str) -> Any:
        return self.declared

    def apply(self, value: str, context: TransformContext) -> Outcome:
        if self.left is Residue.NOTHING:
            raise ValueError(value)
        return Outcome("***", self.left)


Install = Callable[..., None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    caches = (plain_transforms, transform)

    def put(*plugins: Plugin) -> None:
        monkeypatch.setattr(room, "installed_plugins", lambda kind: plugins)
        for cached in caches:
            cached.cache_clear()

    yield put
    monkeypatch.undo()
    for cached in caches:
        cached.cache_clear()


CONTEXT = TransformContext(Identifier.NAMES, "PERSON", date(2026, 1, 1))


def test_a_policy_is_checked_against_the_declaration_of_a_plugin(
    install: Install, tmp_path: Path
) -> None:
    install(plugin("transforms", "stays", Named("stays", declared=frozenset({Residue.VALUE}))))
    policy = tmp_path / "policy.yaml"
    policy.write_text("extends: safe_harbor\ntransforms: {names: stays}")
    with pytest.raises(DeidError) as refused:
        read_policy(str(policy))
    assert refused.value.code == "policy-refused"


def test_an_undeclared_residue_stops_the_job(install: Install) -> None:
    install(plugin("transforms", "odd", Named("odd", left=Residue.YEAR)))
    with pytest.raises(DeidError) as refused:
        transform("odd").apply(VALUE, CONTEXT)
    assert refused.value.code == "plugin-residue" and VALUE not in str(refused.value)


class Unchanged(Named):
    def apply(self, value: str, context: TransformContext) -> Outcome:
        return Outcome(value, self.left)


def test_a_plugin_that_returns_the_value_as_a_tag_is_an_error(install: Install) -> None:
    install(plugin("transforms", "same", Unchanged("same")))
    with pytest.raises(DeidError) as refused:
        transform("same").apply(VALUE, CONTEXT)
    assert refused.value.code == "plugin-residue" and VALUE not in str(refused.value)
    for tag in ("[NAME]", "***"):
        assert transform("same").apply(tag, CONTEXT).text == tag


def test_a_failing_plugin_shows_no_value(install: Install) -> None:
    install(plugin("transforms", "fails", Named("fails", left=Residue.NOTHING)))
    with pytest.raises(DeidError) as refused:
        transform("fails").apply(VALUE, CONTEXT)
    error = refused.value
    assert error.code == "plugin-failed" and error.__suppress_context__
    assert VALUE not in f"{error} {error.hint}" and "acme 1.0" in str(error)


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("tag", Named("tag")),
        ("Mask me", Named("Mask me")),
        ("mask", Named("other")),
        ("mask", Named("mask", declared=frozenset())),
        ("mask", Named("mask", declared=frozenset({"TAG"}))),
        ("mask", object()),
    ],
)
def test_an_invalid_transform_is_refused(install: Install, name: str, made: Any) -> None:
    install(plugin("transforms", name, made))
    with pytest.raises(DeidError) as refused:
        register.transform(name)
    assert refused.value.code == "plugin-invalid"


def test_a_package_that_cannot_be_imported_is_named(install: Install) -> None:
    install(plugin("transforms", "mask", ImportError(VALUE)))
    with pytest.raises(DeidError) as refused:
        transform("mask")
    assert refused.value.code == "plugin-failed" and VALUE not in str(refused.value)


class Source:
    columns = ("text",)

    def __init__(self, *records: Any) -> None:
        self.given = records

    def records(self) -> Iterator[Any]:
        for record in self.given:
            if isinstance(record, Exception):
                raise record
            yield record


@pytest.mark.parametrize(
    ("given", "codes"),
    [
        ((Record(1, ("a",)), ValueError(VALUE)), [None, "plugin-failed"]),
        ((Record(1, ("a", "b")), Record(2, ("c",))), ["plugin-failed", None]),
        ((Record(2, ("a",)),), ["plugin-failed"]),
        ((Record(1, (7,)),), ["plugin-failed"]),  # type: ignore[arg-type]
        ((7, Record(2, ("c",))), ["plugin-failed"]),
    ],
)
def test_invalid_records_of_a_plugin_are_withheld(given: Any, codes: list[str | None]) -> None:
    read = list(PluginSource(("text",), Source(*given)).records())
    assert [one.code if isinstance(one, RecordFault) else None for one in read] == codes


def test_an_invalid_format_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    one = plugin("formats", "odd", object())
    monkeypatch.setattr("deid.formats.plugin_format.installed_plugins", lambda kind: (one,))
    with pytest.raises(DeidError) as refused:
        plugin_formats(())
    assert refused.value.code == "plugin-invalid"


def test_two_packages_may_not_share_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    class Package:
        version = "1"

        def __init__(self, name: str) -> None:
            self.name = name

    class Point:
        name = "mask"

        def __init__(self, package: str) -> None:
            self.dist = Package(package)

    monkeypatch.setattr(
        "deid.plugins.entry_points", lambda group: [Point("acme"), Point("elsewhere")]
    )
    installed_plugins.cache_clear()
    with pytest.raises(DeidError) as refused:
        installed_plugins("transforms")
    installed_plugins.cache_clear()
    assert refused.value.code == "plugin-invalid"
