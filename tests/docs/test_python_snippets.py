"""The Python examples of the documentation run, with stand-ins for packages that are not
installed.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
from test_snippets import ALL, Block, deid_words  # noqa: E402
from workplace import stage  # noqa: E402

# The Spark examples run in tests/leaks/test_spark.py and tests/deid/jobs.
ELSEWHERE = ("spark.md", "databricks.md")
PYTHON = [b for b in ALL if b.language == "python"]


@pytest.mark.parametrize("block", PYTHON, ids=lambda b: b.place)
def test_the_python_examples_of_a_page_run(
    block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = compile(block.text, block.place, "exec")
    if block.page.name in ELSEWHERE:
        return
    stage(tmp_path)
    monkeypatch.chdir(tmp_path)
    made = stand_ins(monkeypatch)
    frame = pd.DataFrame({"comment": ["Seen by Dr. Okafor."], "state": ["VT"]})
    names: dict[str, Any] = {"frame": frame, "__name__": "example"}
    exec(code, names)
    for line, expected in re.findall(r"^(\w\S* *\(.*\)\S*) +# ('.*')$", block.text, re.M):
        assert repr(eval(line, names)) == expected
    if "model" in names:
        assert scrubbed_by_model(names["model"]) == ["Seen by Dr. [NAME]."]
    if "Plugin" in names:
        import duckdb

        connection = duckdb.connect()
        names["Plugin"]().configure_connection(connection)
        row = connection.sql("select deid_scrub('Seen by Dr. Okafor.')").fetchall()
        assert row == [("Seen by Dr. [NAME].",)]
    for operator in made:
        line = operator.bash_command.replace("{{ ds }}", "2026-11-21")
        assert deid_words(line)


class Operator:
    """The part of Airflow's operator that the pages use."""

    made: list[Operator]

    def __init__(self, *, task_id: str, bash_command: str, **_: Any) -> None:
        self.bash_command = bash_command
        self.made.append(self)

    def __rshift__(self, after: Operator) -> Operator:
        return after


class Dag:
    def __init__(self, *_: Any, **__: Any) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(self, *_: Any) -> None: ...


def stand_ins(monkeypatch: pytest.MonkeyPatch) -> list[Operator]:
    """Stand-ins for Airflow and dbt-duckdb, as far as the pages use them; returns the operators
    that were created.
    """
    Operator.made = []
    for name, given in {
        "airflow": {},
        "airflow.sdk": {"DAG": Dag},
        "airflow.providers": {},
        "airflow.providers.standard": {},
        "airflow.providers.standard.operators": {},
        "airflow.providers.standard.operators.bash": {"BashOperator": Operator},
        "dbt": {},
        "dbt.adapters": {},
        "dbt.adapters.duckdb": {},
        "dbt.adapters.duckdb.plugins": {"BasePlugin": object},
    }.items():
        module = ModuleType(name)
        module.__dict__.update(given)
        monkeypatch.setitem(sys.modules, name, module)
    return Operator.made


def scrubbed_by_model(model: Any) -> list[str]:
    """The result of a dbt model for a frame that has `select` and `mapInArrow`."""

    class Frame:
        def select(self, *names: str) -> Frame:
            return self

        def mapInArrow(self, function: Any, schema: str) -> list[str]:
            batch = pa.RecordBatch.from_pydict(
                {"note_text": ["Seen by Dr. Okafor."], "note_id": [1]}
            )
            return [
                t for out in function(iter([batch])) for t in out.column("note_text").to_pylist()
            ]

    class Dbt:
        def ref(self, name: str) -> Frame:
            return Frame()

    found: list[str] = model(Dbt(), None)
    return found
