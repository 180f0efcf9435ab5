"""Broken X12 files through one job: each a code, nothing of them passed on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from broken_files import CANARY, C, Told, holds_canary, scrub_files

from deid.errors import DeidError
from deid.formats import open_source

ISA = (
    b"ISA*00*          *00*          *ZZ*A              *ZZ*B              "
    b"*230314*1253*^*00501*000000905*0*T*:~"
)
HEAD = ISA + b"GS*HC*A*B*20230314*1253*1*X*005010X222A1~ST*837*0021~"
TAIL = b"SE*3*0021~GE*1*1~IEA*1*000000905~"
NOTE = b"NTE*ADD*" + C + b"~"
X12_FILES: dict[str, tuple[bytes, str]] = {
    "empty.837": (b"", "broken-interchange"),
    "text.837": (C + b" was seen", "broken-interchange"),
    "cut.837": (HEAD + NOTE, "broken-interchange"),
    "half_segment.837": (HEAD + b"NTE*ADD*" + C, "broken-interchange"),
    "no_group.837": (ISA + b"ST*837*1~" + NOTE + b"SE*3*1~IEA*1*1~", "broken-interchange"),
    "no_set.837": (HEAD.replace(b"ST*837*0021~", NOTE) + TAIL, "broken-interchange"),
    "crossed.837": (HEAD + NOTE + b"GE*1*1~SE*3*0021~IEA*1*1~", "broken-interchange"),
    "behind.837": (HEAD + NOTE + TAIL + C, "broken-interchange"),
    "short_head.837": (HEAD.replace(b"          *ZZ", b"*ZZ") + NOTE + TAIL, "broken-interchange"),
    "same_signs.837": (HEAD.replace(b"*T*:~", b"*T*~~", 1) + NOTE + TAIL, "broken-interchange"),
    "letters.837": (HEAD.replace(b"*T*:~", b"*T*:Q", 1) + NOTE + TAIL, "broken-interchange"),
    "odd_tag.837": (HEAD + b"nte1*" + C + b"~" + TAIL, "broken-interchange"),
    "long.837": (HEAD + b"NTE*ADD*" + C * 9000 + b"~" + TAIL, "broken-interchange"),
    "controls.837": (HEAD + b"NTE*ADD*" + C + b"\x01~" + TAIL, "control-characters"),
    "inner.txt": (b"Seen today.\n" + HEAD + NOTE + TAIL, "x12-interchange"),
    "edifact.837": (b"UNA:+.? 'UNB+UNOA:1+" + C, "edifact-interchange"),
}
COLLECTION: Mapping[str, tuple[bytes, str]] = X12_FILES
GOOD = HEAD + b"NTE*ADD*The patient is well.~" + TAIL


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    files = {name: data for name, (data, _) in COLLECTION.items()}
    return scrub_files(tmp_path_factory.mktemp("malformed"), files | {"whole.837": GOOD})


@pytest.mark.parametrize("name", COLLECTION)
def test_each_has_its_code(name: str, told: Told) -> None:
    assert {line.split(":")[1] for line in told.codes[name]} == {COLLECTION[name][1]}


def test_nothing_broken_is_passed_on(told: Told) -> None:
    (path,) = (p for p in told.out.rglob("*") if p.is_file() and p.parent.name != "_release")
    assert b"The patient is well." in path.read_bytes()
    assert not holds_canary(told.out)


@pytest.mark.parametrize("name", [name for name in COLLECTION if name != "inner.txt"])
def test_an_error_shows_no_value(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(COLLECTION[name][0])
    with pytest.raises(DeidError) as caught:
        list(open_source(tmp_path / name).records())
    assert CANARY not in f"{caught.value!r}{caught.value}"
    assert caught.value.__cause__ is None
