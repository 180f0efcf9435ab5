"""Each number that decides is in one table, which the code reads."""

from __future__ import annotations

import ast
import csv
from pathlib import Path

import pytest

from recognizers.constants import CONSTANTS, constant, constant_group
from recognizers.model.network import Manifest, ModelError

PACKAGE = Path(__file__).resolve().parents[2] / "recognizers"
ROOMS = ("decide", "evidence", "propagate", "presidio")
DECIDING = sorted(path for room in ROOMS for path in (PACKAGE / room).rglob("*.py"))
# A strength without evidence, a certain one, and the mean length of a month, which is a fact.
PLAIN = {0.0, 1.0, 30.4}


@pytest.mark.parametrize("path", DECIDING, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_strength_weight_or_threshold_is_written_in_code(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    numbers = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    assert {number for number in numbers if isinstance(number, float)} <= PLAIN


@pytest.mark.parametrize("path", DECIDING, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_limit_for_a_frequency_is_written_in_code(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Compare) and "gazetteers." in ast.unparse(node):
            limits = [one.value for one in node.comparators if isinstance(one, ast.Constant)]
            assert not [one for one in limits if isinstance(one, int) and one > 1], node.lineno


def test_every_number_has_one_row_with_its_meaning() -> None:
    with CONSTANTS.open(encoding="ascii", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len({(row["group"], row["name"]) for row in rows}) == len(rows)
    assert all(row["meaning"] for row in rows)


def test_every_group_is_read_by_the_code() -> None:
    code = "".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    with CONSTANTS.open(encoding="ascii", newline="") as file:
        groups = {row["group"] for row in csv.DictReader(file)}
    assert [group for group in groups if f'"{group}"' not in code] == []


def test_an_unknown_number_is_an_error() -> None:
    for group, name in (("decoding", "no such number"), ("no such group", "sure row")):
        with pytest.raises(KeyError):
            constant(group, name)
    with pytest.raises(TypeError):
        constant_group("decoding")["sure row"] = 0.5  # type: ignore[index]


def test_the_model_is_refused_with_other_numbers(tmp_path: Path) -> None:
    for path in CONSTANTS.parent.iterdir():
        (tmp_path / path.name).symlink_to(path)
    (tmp_path / CONSTANTS.name).unlink()
    (tmp_path / CONSTANTS.name).write_text(CONSTANTS.read_text("ascii").replace("0.9", "0.8"))
    with pytest.raises(ModelError, match="model-altered"):
        Manifest.read(tmp_path)
