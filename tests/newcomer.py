"""What a new user does with the installed package, in a separate folder and without a network.

`tests/test_wheel.py` runs this script with the files of the wheel in a separate network namespace.
The argument is the folder that the package must come from. It exits with 0 if every check passed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import spacy

import deid
import deid.in_memory.pandas_accessor  # registers `frame.deid`
from deid.cli import main
from deid.in_memory.batches import (
    TextScrubber,
    arrow_batch_function,
    register_duckdb,
    series_function,
)

NOTE, SCRUBBED = "Seen by Dr. Okafor on 03/14/2023.", "Seen by Dr. [NAME] on 2023."
ROWS = {"patient_id": ["1", "2"], "last_name": ["Quispe", "Okonkwo"], "note": [NOTE, NOTE]}


def run(*words: str, code: int = 0) -> None:
    """Run a command in this process."""
    try:
        main(list(words))
    except SystemExit as end:
        assert (end.code or 0) == code, (words, end.code)


def texts_and_frames() -> None:
    assert {"scrub_text", "scrub_texts", "scrub_frame", "Deidentifier"} <= set(dir(deid))
    engine = deid.Deidentifier()
    result = engine.scrub_text(NOTE)
    assert (result.text, result.verdict.supported) == (SCRUBBED, "safe_harbor")
    assert result.findings and result.changes
    assert [one.text for one in engine.scrub_texts([NOTE, "No change."])] == [
        SCRUBBED,
        "No change.",
    ]
    own = [{"start": 0, "end": 4, "entity": "PERSON"}]
    assert engine.scrub_text("Zorb walked.", findings=own).text == "[NAME] walked."
    arrow = pa.table(ROWS)
    for frame in (arrow.to_pandas(), pl.DataFrame(ROWS), arrow):
        done = engine.scrub_frame(frame, text_columns=["note"]).frame
        assert type(done) is type(frame)
        assert list(done["note"]) != ROWS["note"] and "Quispe" not in str(done)


def other_programs() -> None:
    done = pd.DataFrame(ROWS).deid.scrub(text_columns=["note"])
    assert list(done.frame["note"]) == [SCRUBBED, SCRUBBED]
    assert list(series_function()(pd.Series([NOTE]))) == [SCRUBBED]
    batch = pa.RecordBatch.from_pydict(ROWS)
    [out] = arrow_batch_function(["note"])([batch])
    assert out.to_pydict() == {"note": [SCRUBBED, SCRUBBED]}
    with duckdb.connect() as connection:
        register_duckdb(connection)
        assert connection.execute("select deid_scrub(?)", [NOTE]).fetchone() == (SCRUBBED,)
    assert TextScrubber().fit([NOTE]).transform([NOTE]) == [SCRUBBED]
    pipeline = spacy.blank("en")
    pipeline.add_pipe("safe_harbor_deid")
    words = [(span.text, span._.identifier) for span in pipeline(NOTE).ents]
    assert words == [("Okafor", "names"), ("03/14/2023", "dates")]


def commands() -> None:
    Path("notes").mkdir()
    Path("notes/1.txt").write_text(f"{NOTE} Bed tag QQ-77 seen.")
    pd.DataFrame(ROWS).to_csv("patients.csv", index=False)
    Path("own.yaml").write_text("name: own\nextends: safe_harbor\ntransforms: {dates: tag}\n")
    Path("rows.yaml").write_text(
        "entity: OTHER_ID\nstrength: 0.9\nrows:\n- id: bed-tag\n  left: 'Bed tag '\n"
        "  value: 'QQ-\\d\\d'\n  example: 'Bed tag [[QQ-77]]'\n  counterexample: 'Bed tag none'\n"
    )
    known = ("--known", "patients.csv", "--patient-key", "patient_id")
    run("policy", "check", "own.yaml")
    run("policy", "check", "safe_harbor", "--set", "transforms.mrns=tag")
    run("scrub", "notes", "-o", "out", "--policy", "own.yaml", "--recognizers", "rows.yaml", *known)
    text = Path("out/1.txt").read_text()
    assert text.startswith("Seen by Dr. [NAME] on [DATE]. Bed tag [") and "77" not in text
    run("check", "out", *known)
    run("review", "out", "--originals", "notes", "--plan")
    run("find", "notes", "--annotations", "brat", "-o", "brat")
    run("doctor")


def service() -> None:
    command = [sys.executable, "-c", f"import sys; sys.path = {sys.path!r}; from deid.cli import "]
    command[-1] += "main; main(['serve', '--port', '0'])"
    serving = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert serving.stderr is not None
        address = serving.stderr.readline().partition("listening on ")[2].partition(";")[0]
        body = {"text": "card 4095-2609-9393-4932", "language": "en", "entities": ["CREDIT_CARD"]}
        request = urllib.request.Request(f"{address}/analyze", json.dumps(body).encode())
        request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert [one["entity_type"] for one in json.load(answer)] == ["CREDIT_CARD"]
        with urllib.request.urlopen(f"{address}/openapi.json", timeout=60) as answer:
            assert "/analyze" in json.load(answer)["paths"]
    finally:
        serving.kill()
        serving.wait()


if __name__ == "__main__":
    site = Path(sys.argv[1])
    assert Path(deid.__file__).is_relative_to(site) and (site / "deid" / "py.typed").is_file()
    texts_and_frames()
    other_programs()
    commands()
    service()
