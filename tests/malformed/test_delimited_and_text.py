"""Broken text, CSV and JSON lines through one job: each gets a code, no value is shown, and nothing
broken is released.

Every file of the collection contains a canary in its broken part. The canary must be neither in OUT
nor in any message.
"""

from __future__ import annotations

import pytest
from broken_files import C, Outcome, holds_canary, scrub_files

from deid.formats.json import json_lines as jsonl
from deid.formats.text import text_files as text_folder

HEAD = b"sex,weight,comment\n"
GOOD = b"F,71.5,well\n"

# name: bytes, the code, and whether the whole file is withheld
COLLECTION: dict[str, tuple[bytes, str, bool]] = {
    "empty.csv": (b"", "empty-table", True),
    "blank.csv": (b"\n\n  \n", "empty-table", True),
    "lists.csv": (b'[["F", "' + C + b'"]]\n', "not-an-object", False),
    "strings.csv": (b'["F", "' + C + b'"]\n', "not-a-table", True),
    "xml.csv": (b"<rows><row sex='F'>" + C + b"</row></rows>\n", "xml-document", True),
    "ragged.csv": (HEAD + GOOD + b"F,70.5\n" + b"M,80," + C + b",more\n", "ragged-row", False),
    "quotes.csv": (HEAD + GOOD + b'M,80,"' + C + b'" tail\n' + GOOD, "broken-quotes", False),
    "open_quote.csv": (HEAD + GOOD + b'M,80,"' + C + b"\n" + GOOD, "broken-quotes", False),
    "nul.csv": (HEAD + GOOD + b"M,80," + C + b"\x00\n" + GOOD, "undecodable-bytes", False),
    "bytes.csv": (HEAD + GOOD + b"M,80," + C + b"\x81\xff\n" + GOOD, "unreadable-encoding", True),
    "header_nul.csv": (b"sex,\x00" + C + b"\nF,1\n", "broken-header", True),
    "utf16_cut.csv": ("sex,weight\nF,1\n".encode("utf-16")[:-1], "unreadable-encoding", True),
    "utf32_as_16.csv": (b"\xff\xfe\x00\x00" + b"\x41\x00\x00", "unreadable-encoding", True),
    "binary.csv": (bytes(range(256)) * 40 + C, "unreadable-encoding", True),
    "empty.jsonl": (b"[]\n", "no-json", True),
    "array.jsonl": (b'{"text": "fine"}\n["' + C + b'"]\n', "not-an-object", False),
    "cut.jsonl": (b'{"text": "fine"}\n{"text": "' + C + b"\n", "broken-json", False),
    "twice.jsonl": (b'{"text": "a"}\n{"text": "' + C + b'", "text": "b"}\n', "broken-json", False),
    "nan.jsonl": (b'{"text": "fine"}\n{"text": "a", "n": ' + C + b"}\n", "broken-json", False),
    "deep.jsonl": (
        b'{"text": "fine"}\n{"text": ' + b"[" * 1_800 + b'"' + C + b'"\n',
        "broken-json",
        False,
    ),
    "surrogate.jsonl": (
        b'{"text": "fine"}\n{"text": "\\ud800' + C + b'"}\n',
        "lone-surrogate",
        False,
    ),
    "latin.jsonl": (b'{"text": "fine"}\n{"text": "\xe9' + C + b'"}\n', "undecodable-bytes", False),
    "known.jsonl": (
        b'{"text": "fine"}\n{"text": "a", "known": {"names": "' + C + b'"}}\n',
        "broken-known-values",
        False,
    ),
    "word.jsonl": (
        b'{"text": "fine"}\n{"text": "a", "known": {"' + C + b'": ["x"]}}\n',
        "broken-known-values",
        False,
    ),
    "large.jsonl": (
        b'{"text": "fine"}\n{"text": "' + C * 300 + b'"}\n{"text": "fine, too"}\n',
        "line-too-long",
        False,
    ),
    "nul.txt": (b"Seen by " + C + b"\x00 today", "control-characters", False),
    "bytes.txt": (b"Seen by \x81" + C + b" \xff\xfe today", "undecodable-bytes", False),
    "cut.txt": ("Seen by Quillonby".encode("utf-16")[:-1], "undecodable-bytes", False),
    "long.txt": (b"Seen by " + C * 2000, "text-too-long", False),
    "photo.jpg": (b"\xff\xd8\xff\xe0" + C, "image-file", True),
    "scan.pdf": (b"%PDF-1.7 " + C, "broken-pdf", True),
    "image.dcm": (b"\x00" * 128 + b"DICM" + C, "dicom-file", True),
}


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    files = {name: data for name, (data, _, _) in COLLECTION.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "LONGEST_JSON_LINE", 2000)
        patch.setattr(text_folder, "LARGEST_TEXT_FILE", 10_000)
        return scrub_files(tmp_path_factory.mktemp("malformed"), files)


@pytest.mark.parametrize("name", COLLECTION)
def test_each_broken_text_or_table_has_its_code(name: str, outcome: Outcome) -> None:
    _, code, whole = COLLECTION[name]
    assert f"{'file' if whole else 'record'}:{code}" in outcome.codes[name]


def test_nothing_of_a_broken_text_or_table_is_released(outcome: Outcome) -> None:
    assert not holds_canary(outcome.out)


def test_valid_records_beside_broken_ones_are_released(outcome: Outcome) -> None:
    out = outcome.out
    assert (out / "ragged.csv").read_bytes().splitlines()[1:] == [GOOD.strip()]
    assert len((out / "large.jsonl").read_text().splitlines()) == 2
