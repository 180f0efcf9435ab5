# ruff: noqa: E501
"""YAML gets the same decisions as JSON of the same records; logs are read as texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from document_canaries import canaries_left, canaries_of, canary, released, scrub_folder

from deid.errors import DeidError
from deid.formats import left_behind, members_of, open_source

TEXT = """\
# seen by nobody
sex: F
visit:
  date: 2020-03-04
  codes: [I10, E11]
  dose: 1.5
  note: |
    Seen today.

    Well.
active: true
end: null
"""


def test_paths_are_columns_and_the_file_is_written_again(tmp_path: Path, through: Callable) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(TEXT)
    assert members_of(path) == ("records.json",)
    assert open_source(path).columns[:3] == ("sex", "visit.date", "visit.codes[]")
    assert left_behind(path) == {"comments": 1}
    out, keys = through(path)
    assert keys == ("records.json",)
    wanted = yaml.load(TEXT, Loader=yaml.BaseLoader)
    assert yaml.load(out.read_text(), Loader=yaml.BaseLoader) == wanted
    assert "note: |" in out.read_text() and "#" not in out.read_text()


def test_several_documents_are_records(tmp_path: Path, through: Callable) -> None:
    path = tmp_path / "a.yml"
    path.write_text("---\na: 1\n---\na: 2\n...\n")
    assert members_of(path) == ("records.jsonl",)
    out, _ = through(path)
    assert list(yaml.safe_load_all(out.read_text())) == [{"a": 1}, {"a": 2}]


def test_yaml_gets_the_decisions_of_the_same_json(tmp_path: Path) -> None:
    record = {
        "first_name": "Rose",
        "mrn": "00441672",
        "visits": [{"date": "2020-03-04", "note": "Call 802-555-0199."}],
    }
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.json").write_text(json.dumps(record))
    (tmp_path / "in" / "b.yaml").write_text(yaml.safe_dump(record))
    assert scrub_folder(tmp_path / "in", tmp_path / "out").exit_code == 0
    wanted = json.loads((tmp_path / "out" / "a.json").read_text())
    found = yaml.safe_load((tmp_path / "out" / "b.yaml").read_text())
    assert found["first_name"] == wanted["first_name"] == "[NAME]"
    assert found["visits"][0]["note"] == wanted["visits"][0]["note"] == "Call [PHONE]."
    assert str(found["visits"][0]["date"]) == wanted["visits"][0]["date"] == "2020"


PLACES = [
    "# %", "a: 1 # %", "first_name: %", "last_name: '%'", 'full_name: "%"', "ssn: %", "mrn: %", "email: %@canary.example",
    "phone: %", "address:\n  street: %\n  city: %", "patients:\n- last_name: %\n- last_name: %", "note: |\n  Seen with %@canary.example.\n  Well.",
    "note: >\n  Seen with %@canary.example.\n", "note: |-\n  # see %@canary.example\n", "%: 1", "'%': {a: 1}", "? %\n: 1", "{%: 1}", "% %: {dose: 10}",
    "birth_date: %", "visit_date: %", "doctor: %", "employer: %", "account_number: %", "license: %", "url: http://%.example", "qzx: %",
    "records:\n  %:\n    dose: 10", "contact: {name: %, phone: %}", "- last_name: %", "- [{last_name: %}]", "%YAML 1.1\n---\nlast_name: %",
    "last_name: !!str %", "last_name: \"\\x7ayx%\"", "last_name: %\n---\nlast_name: %", "last_name: %\n...\n# %",
]  # fmt: skip


def test_no_canary_is_in_any_byte_of_a_released_yaml_file(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    whole = ""
    for number, place in enumerate(PLACES):
        head, rest = (
            ("%YAML", place.removeprefix("%YAML")) if place.startswith("%YAML") else ("", place)
        )
        text = head + rest.replace("%", canary(number))
        whole += text
        (tmp_path / "in" / f"{number}.yaml").write_text(f"{text}\n")
    (tmp_path / "in" / "well.yaml").write_text(
        f"# {canary(90)}\nnote: The patient is well on lisinopril.\ndose: 10\n"
    )
    assert len(canaries_of(whole.encode())) >= 34
    release = scrub_folder(tmp_path / "in", tmp_path / "out")
    assert release.manifest["residual"]["hits"] == 0
    assert canaries_left(tmp_path / "out") == set()
    well = yaml.safe_load((tmp_path / "out" / "well.yaml").read_text())
    assert well == {"note": "The patient is well on lisinopril.", "dose": 10}


MALFORMED: dict[str, bytes] = {
    "anchor": b"a: &x 1\nb: *x\n", "laughs": b"a: &a [x]\nb: &b [*a, *a]\n", "twice": b"a: 1\na: 2\n", "merge": b"a: 1\n<<: {b: 2}\n",
    "program": b"!!python/object:os.system {}\n", "tag": b"a: !x 1\n", "binary": b"a: !!binary aGVsbG8=\n", "set": b"a: !!set {b}\n",
    "list key": b"[a, b]: 1\n", "cut list": b"a: [1, 2\n", "cut text": b'a: "b\n', "tab": b"a:\n\tb: 1\n", "deep": b"a: " + b"[" * 5000,
    "text": b"the patient is well\n", "empty": b"", "comment": b"# nothing\n", "number": b"7\n", "control": b"a: \x01b\n", "directive": b"%TAG ! x\n--- a\n",
}  # fmt: skip


@pytest.mark.parametrize("name", MALFORMED)
def test_anything_but_plain_yaml_records_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(MALFORMED[name])
    with pytest.raises(DeidError) as caught:
        members_of(path)
    assert (caught.value.code, caught.value.__cause__) == ("broken-yaml", None)


def test_a_yaml_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"a: \xff\x81\n")
    with pytest.raises(DeidError) as caught:
        members_of(tmp_path / "a.yaml")
    assert caught.value.code == "undecodable-bytes"


def test_a_log_is_a_text(tmp_path: Path) -> None:
    line = "2023-03-14 10:00:01 INFO sent letter of Dr. Felix Trantow to 802-555-0199"
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "app.log").write_text(f"{line}\n{line}\n")
    assert scrub_folder(tmp_path / "in", tmp_path / "out").exit_code == 0
    text = released(tmp_path / "out", ".log").read_text()
    assert text.count("[PHONE]") == 2 and "Trantow" not in text and "INFO sent letter" in text
