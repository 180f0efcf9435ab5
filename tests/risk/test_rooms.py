"""The folders of `risk` import along fixed arrows, have a docstring, and contain at most 15
files.
"""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2] / "risk"
#: The modules that every folder may import.
SHARED = {"errors", "packaged"}
#: What the modules of each folder may import besides these and their own folder.
ARROWS = {
    "spellings": set(),
    "tables": set(),
    "population": {"spellings", "tables"},
    "estimators": {"tables"},
    "measures": {"spellings", "tables", "population", "estimators"},
    "exposure": {"spellings", "tables", "population", "measures"},
    "hierarchies": {"spellings", "tables"},
    "lattice": {"tables", "hierarchies", "estimators"},
    "perturbation": {"tables"},
    "utility": {"spellings", "tables"},
    "recoding": {"tables", "hierarchies", "lattice"},
    "plans": {
        *("spellings", "tables", "population", "measures", "hierarchies", "lattice", "recoding"),
    },
    "papers": {"tables", "population", "measures", "exposure", "plans"},
    "reports": {"measures", "estimators", "exposure", "population", "lattice", "utility"},
}


def test_every_folder_of_risk_has_its_arrows() -> None:
    folders = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert folders == set(ARROWS)


@pytest.mark.parametrize("folder", ARROWS)
def test_the_folders_of_risk_import_along_the_arrows(folder: str) -> None:
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("risk."):
                target = str(node.module).split(".")[1]
                assert target in ARROWS[folder] | {folder, *SHARED}, f"{path}: {node.module}"


@pytest.mark.parametrize("folder", ARROWS)
def test_a_folder_of_risk_is_small_and_has_a_docstring(folder: str) -> None:
    assert ast.get_docstring(ast.parse((ROOT / folder / "__init__.py").read_text("utf-8")))
    assert len(list((ROOT / folder).glob("*.py"))) <= 15


def test_risk_has_four_files_outside_of_folders() -> None:
    loose = {path.name for path in ROOT.glob("*.py")}
    assert loose == {"__init__.py", "errors.py", "packaged.py", "cohort_counts.py"}


def test_every_top_level_name_of_risk_has_one_meaning() -> None:
    """A top-level name is defined in one module only; scripts that make tables are exempt."""
    names: Counter[str] = Counter()
    for path in ROOT.rglob("*.py"):
        if path.name.startswith("make_"):
            continue
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                names[node.name] += 1
            elif isinstance(node, ast.Assign):
                names.update(t.id for t in node.targets if isinstance(t, ast.Name))
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                names[node.target.id] += 1
    assert [name for name, times in names.items() if times > 1 and name != "__all__"] == []


def test_former_names_still_work() -> None:
    import risk

    for old, new in risk._FORMER_NAMES.items():
        assert getattr(risk, old) is getattr(risk, new)
