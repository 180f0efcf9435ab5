"""Broken and hostile C-CDA documents through one job: each gets a code, and nothing of them is
released.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from broken_files import CANARY, Outcome, holds_canary, scrub_files

from deid.formats import guarded_xml
from deid.formats.cda import parsing as cda_parsing

ROOT = '<ClinicalDocument xmlns="urn:hl7-org:v3">'
END = "</ClinicalDocument>"
TITLE = f"<title>{CANARY}</title>"
BOMB = '<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {b} "{("&" + a + ";") * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)


def _declared(encoding: str, text: str) -> str:
    return f'<?xml version="1.0" encoding="{encoding}"?>{text}'


# name: bytes, the code
COLLECTION: dict[str, tuple[bytes, str]] = {
    "laughs.xml": (
        f"<!DOCTYPE x [{BOMB}]>{ROOT}<title>&i;{CANARY}</title>{END}".encode(),
        "xml-dtd",
    ),
    "attribute_laughs.xml": (
        f'<!DOCTYPE x [{BOMB}]>{ROOT}<id root="&i;"/>{TITLE}{END}'.encode(),
        "xml-dtd",
    ),
    "external.xml": (
        f'<!DOCTYPE ClinicalDocument SYSTEM "file:///etc/passwd">{ROOT}{TITLE}{END}'.encode(),
        "xml-dtd",
    ),
    "parameter.xml": (
        f'<!DOCTYPE x [<!ENTITY % p SYSTEM "http://{CANARY}.test/d"> %p;]>{ROOT}{END}'.encode(),
        "xml-dtd",
    ),
    "behind_comment.xml": (
        f'<!-- {ROOT} --><?a b?><!DOCTYPE x [<!ENTITY a "{CANARY}">]>{ROOT}{END}'.encode(),
        "xml-dtd",
    ),
    "wide_dtd.xml": (f"<!DOCTYPE x>{ROOT}{TITLE}{END}".encode("utf-16"), "xml-dtd"),
    "undeclared.xml": (f"{ROOT}<title>&name;{CANARY}</title>{END}".encode(), "xml-entity"),
    "deep.xml": (
        (ROOT + "<component>" * 400 + CANARY + "</component>" * 400 + END).encode(),
        "xml-limits",
    ),
    "long_name.xml": (f"{ROOT}<{'a' * 60_000}/>{TITLE}{END}".encode(), "xml-limits"),
    "huge_attribute.xml": (
        f'{ROOT}<id root="{CANARY}{"1" * 10_100_000}"/>{END}'.encode(),
        "xml-limits",
    ),
    "cut.xml": (f"{ROOT}<title>{CANARY}".encode(), "broken-xml"),
    "crossed.xml": (f"{ROOT}<title>{CANARY}{END}</title>".encode(), "broken-xml"),
    "twice.xml": (f"{ROOT}{TITLE}{END}{ROOT}{END}".encode(), "broken-xml"),
    "two_attributes.xml": (f'{ROOT}<id root="1" root="{CANARY}"/>{END}'.encode(), "broken-xml"),
    "unbound.xml": (f"{ROOT}<sdtc:raceCode/>{TITLE}{END}".encode(), "broken-xml"),
    "nul.xml": (f"{ROOT}<title>{CANARY}\0</title>{END}".encode(), "undecodable-bytes"),
    "control.xml": (f"{ROOT}<title>{CANARY}&#1;</title>{END}".encode(), "undecodable-bytes"),
    "bytes.xml": (f"{ROOT}<title>{CANARY}é</title>{END}".encode("latin-1"), "undecodable-bytes"),
    "utf7.xml": (_declared("UTF-7", f"{ROOT}{TITLE}{END}").encode(), "encoding-unknown"),
    "gb.xml": (_declared("GB18030", f"{ROOT}{TITLE}{END}").encode(), "encoding-unknown"),
    "not_latin.xml": (
        _declared("ISO-8859-1", f"{ROOT}<title>{CANARY} é</title>{END}").encode(),
        "encoding-mismatch",
    ),
    "not_wide.xml": (_declared("UTF-16", f"{ROOT}{TITLE}{END}").encode(), "encoding-mismatch"),
    "not_narrow.xml": (
        _declared("UTF-8", f"{ROOT}{TITLE}{END}").encode("utf-16"),
        "encoding-mismatch",
    ),
    "no_namespace.xml": (
        f"<ClinicalDocument>{TITLE}</ClinicalDocument>".encode(),
        "no-clinical-document",
    ),
    "ebcdic.xml": (_declared("IBM037", f"{ROOT}{TITLE}{END}").encode("cp037"), "unknown-format"),
    "empty.xml": (b"", "unknown-format"),
    "huge.xml": (f"{ROOT}{TITLE}{' ' * 20_000_000}{END}".encode(), "too-large"),
}
GOOD = f'{ROOT}<versionNumber value="7"/>{END}'


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    files = {name: data for name, (data, _) in COLLECTION.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(guarded_xml, "LARGEST_XML", 15_000_000)
        folder = tmp_path_factory.mktemp("malformed")
        return scrub_files(folder, files | {"whole.xml": GOOD.encode()})


@pytest.mark.parametrize("name", COLLECTION)
def test_each_broken_cda_document_has_its_code(name: str, outcome: Outcome) -> None:
    assert {line.split(":")[1] for line in outcome.codes[name]} == {COLLECTION[name][1]}


def test_nothing_of_a_broken_cda_document_is_released(outcome: Outcome) -> None:
    assert sorted(path.name for path in outcome.out.glob("*.xml")) == ["whole.xml"]
    assert not holds_canary(outcome.out)


def test_the_valid_cda_document_is_released(outcome: Outcome) -> None:
    assert b'<versionNumber value="7"/>' in (outcome.out / "whole.xml").read_bytes()


def test_an_error_of_a_broken_cda_document_shows_no_value(tmp_path: Path) -> None:
    for name, (data, _) in COLLECTION.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(Exception) as caught:
            cda_parsing.parse_document(tmp_path / name)
        assert CANARY not in f"{caught.value!r}{caught.value}"
        assert caught.value.__cause__ is None
