"""The package metadata: version, version bounds, locks, types, and the files of a public
project.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LOCKS = ("requirements.lock", "requirements-dev.lock")


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).casefold()


def test_the_changelog_starts_with_the_version_or_the_unreleased_changes() -> None:
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    dated = [heading for heading in headings if heading != "Unreleased"]
    assert re.fullmatch(re.escape(PROJECT["version"]) + r" \(\d{4}-\d\d-\d\d\)", dated[0])


EXTRAS = [one for extra in PROJECT["optional-dependencies"].values() for one in extra]


@pytest.mark.parametrize("asked", [*PROJECT["dependencies"], *EXTRAS])
def test_every_dependency_has_version_bounds(asked: str) -> None:
    marks = {part.operator for part in Requirement(asked).specifier}
    assert ">=" in marks
    assert "<" in marks


@pytest.mark.parametrize("lock", LOCKS)
def test_the_lock_contains_the_dependencies_and_no_local_path(lock: str) -> None:
    text = (ROOT / lock).read_text("utf-8")
    locked = dict(re.findall(r"^([\w.-]+)(?:\[.*\])?==([\w.]+)", text, re.MULTILINE))
    versions = {normal(name): version for name, version in locked.items()}
    for asked in map(Requirement, PROJECT["dependencies"]):
        assert asked.specifier.contains(versions[normal(asked.name)]), asked
    assert not re.search(r"file:|https?://|--(?:extra-)?index|--find-links", text)


@pytest.mark.parametrize("folder", ["deid", "recognizers", "risk", "safe_harbor"])
def test_the_packages_declare_their_types(folder: str) -> None:
    assert (ROOT / folder / "py.typed").read_bytes() == b""


def test_metadata_names_no_host() -> None:
    assert "urls" not in PROJECT
    assert "Typing :: Typed" in PROJECT["classifiers"]


def test_the_workflow_runs_the_targets_and_needs_no_secret() -> None:
    text = (ROOT / ".github/workflows/tests.yml").read_text("utf-8")
    workflow = yaml.safe_load(text)
    runs = [step.get("run") for job in workflow["jobs"].values() for step in job["steps"]]
    assert "make test" in runs
    assert "secrets." not in text and workflow["permissions"] == {"contents": "read"}


@pytest.mark.parametrize("name", ["bug.md", "finding.md", "request.md"])
def test_issue_templates_ask_for_no_record(name: str) -> None:
    text = (ROOT / ".github/ISSUE_TEMPLATE" / name).read_text("utf-8")
    front = yaml.safe_load(text.split("---")[1])
    assert set(front) == {"name", "about"}
    assert "real record" in text or name == "request.md"
