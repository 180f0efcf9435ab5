"""Broken FHIR through one job: each file gets a code, no value is shown, and nothing broken is
released.

Every file of the collection contains a canary in its broken part. The canary must be neither in OUT
nor in any message.
"""

from __future__ import annotations

import gzip
import json

import pytest
from broken_files import C, Outcome, holds_canary, scrub_files

from deid.formats.fhir import files as fhir_files
from deid.formats.fhir import walk as fhir_walk

GOOD = b'{"resourceType":"Basic","code":{"coding":[{"system":"http://loinc.org","code":"1-8"}]}}'
PERSON = b'{"resourceType":"Patient","name":[{"family":"' + C + b'"}]'
BUNDLE = b'{"resourceType":"Bundle","type":"collection","entry":['
DEEP = (
    b'{"resourceType":"QuestionnaireResponse","item":[{"text":"'
    + C
    + b'","item":'
    + b'[{"item":' * 80
    + b"[]"
    + b"}]" * 81
    + b"}"
)


def _line(broken: bytes) -> bytes:
    return GOOD + b"\n" + broken + b"\n" + GOOD + b"\n"


# name: bytes, the code, and whether the whole file is withheld
COLLECTION: dict[str, tuple[bytes, str, bool]] = {
    "cut.ndjson": (_line(PERSON), "broken-json", False),
    "array.ndjson": (_line(b'["' + C + b'"]'), "not-an-object", False),
    "no_type.ndjson": (_line(b'{"id":"' + C + b'"}'), "no-resource-type", False),
    "number_type.ndjson": (
        _line(b'{"resourceType":7,"a":"' + C + b'"}'),
        "no-resource-type",
        False,
    ),
    "unknown.ndjson": (_line(b'{"resourceType":"' + C + b'"}'), "unknown-resource", False),
    "conformance.ndjson": (
        _line(b'{"resourceType":"StructureDefinition","name":"' + C + b'"}'),
        "unknown-resource",
        False,
    ),
    "twice.ndjson": (_line(PERSON + b',"id":"a","id":"b"}'), "broken-json", False),
    "nan.ndjson": (_line(PERSON + b',"multipleBirthInteger":NaN}'), "broken-json", False),
    "latin.ndjson": (_line(PERSON + b',"id":"\xe9"}'), "undecodable-bytes", False),
    "nul.ndjson": (_line(PERSON + b',"id":"a\x00b"}'), "broken-json", False),
    "escaped_nul.ndjson": (_line(PERSON + b',"id":"a\\u0000"}'), "control-character", False),
    "surrogate.ndjson": (_line(PERSON + b',"id":"\\ud800"}'), "lone-surrogate", False),
    "modifier.ndjson": (
        _line(PERSON + b',"modifierExtension":[{"url":"u"}]}'),
        "unknown-modifier",
        False,
    ),
    "nested.ndjson": (
        _line(PERSON + b',"x":' + b"[" * 300 + b"]" * 300 + b"}"),
        "broken-json",
        False,
    ),
    "deep.ndjson": (_line(DEEP), "too-deep", False),
    "many.ndjson": (
        _line(PERSON + b',"telecom":[' + b",".join([b'{"value":"1"}'] * 350) + b"]}"),
        "too-many-values",
        False,
    ),
    "long.ndjson": (_line(PERSON + b',"id":"' + C * 600 + b'"}'), "line-too-long", False),
    "utf16.ndjson": ((PERSON + b"}").decode().encode("utf-16"), "unreadable-encoding", True),
    "none.ndjson": (b'{"resourceType":"Foo","a":"' + C + b'"}', "no-resource", True),
    "cut.json": (PERSON, "broken-json", True),
    "tail.json": (PERSON + b"} " + C, "broken-json", True),
    "array.json": (b"[" + PERSON + b"]", "broken-json", True),
    "cut_bundle.json": (BUNDLE + b'{"resource":' + PERSON + b"}", "broken-json", True),
    "odd_entry.json": (
        BUNDLE + b'"' + C + b'",{"resource":' + GOOD + b"}]}",
        "broken-json",
        True,
    ),
    "gap.json": (
        BUNDLE + b'{"resource":' + GOOD + b"}" + C + b'{"resource":' + GOOD + b"}]}",
        "broken-json",
        True,
    ),
    "bad_entry.json": (
        BUNDLE + b'{"resource":' + GOOD + b'},{"resource":{"resourceType":"' + C + b'"}}]}',
        "unknown-resource",
        False,
    ),
    "two_lists.json": (
        BUNDLE + b'{"resource":' + GOOD + b'}],"entry":[{"resource":' + PERSON + b"}}]}",
        "broken-json",
        True,
    ),
    "cut.ndjson.gz": (gzip.compress(_line(PERSON + b"}") * 50)[:-20], "broken-archive", True),
}


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    files = {name: data for name, (data, _, _) in COLLECTION.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fhir_files, "LONGEST_RESOURCE_LINE", 5000)
        patch.setattr(fhir_walk, "MOST_LEAVES", 300)
        return scrub_files(tmp_path_factory.mktemp("malformed"), files)


@pytest.mark.parametrize("name", COLLECTION)
def test_each_broken_fhir_file_has_its_code(name: str, outcome: Outcome) -> None:
    _, code, whole = COLLECTION[name]
    assert f"{'file' if whole else 'record'}:{code}" in outcome.codes[name]


def test_nothing_of_a_broken_fhir_file_is_released(outcome: Outcome) -> None:
    assert not holds_canary(outcome.out)


def test_valid_resources_beside_broken_ones_are_released(outcome: Outcome) -> None:
    out = outcome.out
    assert (out / "no_type.ndjson").read_bytes().splitlines() == [GOOD, GOOD]
    assert len(json.loads((out / "bad_entry.json").read_text())["entry"]) == 1
