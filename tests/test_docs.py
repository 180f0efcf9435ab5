"""The documentation runs: doctests of every module, docstrings of exported names, help, links."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from typer.main import get_command

from deid.cli import app
from deid.cli.register import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("safe_harbor", "recognizers", "risk", "deid")


def modules() -> Iterator[str]:
    for folder in FOLDERS:
        yield folder
        for found in pkgutil.walk_packages([str(ROOT / folder)], f"{folder}."):
            if not re.search(r"\.(make_|__main__)|\.tables\.", found.name):
                yield found.name


@pytest.mark.parametrize("name", list(modules()))
def test_doctests_of_a_module_run(name: str) -> None:
    module = importlib.import_module(name)
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0
    assert module.__doc__, f"{name} does not say what it is"


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_exported_name_is_documented(folder: str) -> None:
    door: ModuleType = importlib.import_module(folder)
    bare = [
        name
        for name in getattr(door, "__all__", ())
        if (inspect.isfunction(getattr(door, name)) or inspect.isclass(getattr(door, name)))
        and not inspect.getdoc(getattr(door, name))
    ]
    assert bare == []


def test_help_names_every_command() -> None:
    group = get_command(app)
    for name, _, line in COMMANDS:
        assert line.endswith(".")
        assert group.get_command(None, name).help  # type: ignore[attr-defined,arg-type]


def test_links_between_documents_resolve() -> None:
    broken = []
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text("utf-8")):
            if not (page.parent / target).exists():
                broken.append(f"{page.relative_to(ROOT)}: {target}")
    assert broken == []
