"""Makes `lists.csv` and `display_words.txt` from published definitions; run by hand.

    python -m table_makers.code_lists DEFINITIONS ISO

DEFINITIONS is the unpacked `definitions.json.zip` of HL7 FHIR R4 (4.0.1, 1 November 2019, CC0), of
which the script reads `v2-tables.json`, `v3-codesystems.json` and `valuesets.json`. ISO is the
folder `json` of iso-codes 4.15. The tables of `hl7apy` 1.3.5 (MIT) add further codes of HL7 2.5 to
2.8.2. Only this script needs the three sources, not the engine. The script takes codes and names,
but no text of a definition.
"""

from __future__ import annotations

import csv
import json
import mimetypes
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from recognizers import is_listed_word, is_lone_name
from table_makers import PACKAGES

VOCABULARIES_FOLDER = PACKAGES / "deid/vocabularies"
HL7_VERSIONS = ("2_5", "2_5_1", "2_6", "2_7", "2_8", "2_8_2")
V2 = re.compile(r"http://terminology\.hl7\.org/CodeSystem/v2-(\d{4}).*")
# Systems left out: their codes are read by a grammar, are examples, or do not occur in records.
SKIPPED = re.compile(r".*(?:dicom\.nema|spdx-license|/ex-|example|testscript|snomed|loinc).*")
# Systems whose displays are names of peoples, places and languages.
NO_WORDS = re.compile(r".*(?:TribalEntity|Race|Ethnicity|Languages|v2-0(?:296|399)).*")
# Words of displays, some of which the lists of names also contain.
DISPLAY_WORD = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{3,}")
MIME = """
    application/dicom application/dicom+json application/dicom+xml application/fhir+json
    application/fhir+xml application/hl7-cda+xml application/hl7-v2 application/hl7-sda+xml
    application/hl7-v2+xml application/msword application/pkcs7-signature application/jose
    application/rtf application/x-hl7 application/x-tar application/x-zip-compressed
    application/xhtml+xml application/cda+xml application/jwt application/fhir+ndjson
    application/fhir+turtle application/signature+xml audio/basic audio/k32adpcm audio/mpeg
    audio/wav image/g3fax image/jpg image/pjpeg image/tif image/x-png
    message/rfc822 model/stl multipart/mixed multipart/related text/calendar text/cda+xml
    text/json text/markdown text/rtf text/sgml text/vcard text/x-hl7-ft text/x-hl7-text+xml
    text/xml text/fhir+json text/x-hl7 video/mpeg video/quicktime video/x-avi
"""


def write_vocabularies(definitions: Path, iso: Path) -> None:
    """Write both files into `VOCABULARIES_FOLDER`."""
    codes: dict[str, set[str]] = defaultdict(set)
    oids: dict[str, set[str]] = defaultdict(set)
    words: set[str] = set()
    for system in _defined_systems(definitions):
        name = _system_name(system["url"])
        for code, display in _concepts(system):
            codes[name].add(code)
            if not NO_WORDS.fullmatch(system["url"]):
                words |= set(DISPLAY_WORD.findall(display))
        for said in system.get("identifier", ()):
            if said["value"].startswith("urn:oid:"):
                oids[name].add(said["value"].removeprefix("urn:oid:"))
    for table, listed in _hl7_tables():
        codes[table] |= listed
    codes |= _iso(iso)
    codes["mime"] = _mime()
    _write_lists(codes, oids)
    known = {word.lower() for word in words if not is_listed_word(word)}
    known = {word for word in known if not is_lone_name(word)}
    (VOCABULARIES_FOLDER / "display_words.txt").write_text(
        "".join(f"{w}\n" for w in sorted(known)), "utf-8"
    )


def _system_name(url: str) -> str:
    """The short name of a table of HL7 v2, such as `v2-0003`; for other systems the URL."""
    found = V2.fullmatch(url)
    return f"v2-{found[1]}" if found else url


def _defined_systems(definitions: Path) -> Iterator[dict[str, Any]]:
    for name in ("v2-tables", "v3-codesystems", "valuesets"):
        bundle = json.loads((definitions / f"{name}.json").read_text("utf-8"))
        for entry in bundle["entry"]:
            found = entry["resource"]
            if found["resourceType"] == "CodeSystem" and not SKIPPED.fullmatch(found["url"]):
                yield found


def _concepts(of: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for concept in of.get("concept", ()):
        yield concept["code"], concept.get("display", "")
        yield from _concepts(concept)


def _hl7_tables() -> Iterator[tuple[str, set[str]]]:
    for version in HL7_VERSIONS:
        tables = import_module(f"hl7apy.v{version}.tables").TABLES
        for name, (_, listed) in tables.items():
            yield f"v2-{name.removeprefix('HL7')}", {str(code) for code in listed}


def _iso(folder: Path) -> dict[str, set[str]]:
    def rows(name: str) -> list[dict[str, str]]:
        told: dict[str, list[dict[str, str]]] = json.loads(
            (folder / f"iso_{name}.json").read_text("utf-8")
        )
        return told[name]

    def of(name: str, *keys: str) -> set[str]:
        return {row[key] for row in rows(name) for key in keys if key in row}

    return {
        "iso-639": of("639-2", "alpha_2", "alpha_3", "bibliographic"),
        "iso-3166-1": of("3166-1", "alpha_2", "alpha_3", "numeric"),
        "iso-3166-2": of("3166-2", "code"),
        "iso-3166-3": of("3166-3", "alpha_4"),
        "iso-4217": of("4217", "alpha_3", "numeric"),
    }


def _mime() -> set[str]:
    known = {*mimetypes.types_map.values(), *mimetypes.common_types.values(), *MIME.split()}
    return {name for name in known if name.partition("/")[0] != "chemical"}


def _write_lists(codes: dict[str, set[str]], oids: dict[str, set[str]]) -> None:
    with (VOCABULARIES_FOLDER / "lists.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("list", "oids", "codes"))
        for name, listed in sorted(codes.items()):
            fit = sorted(code for code in listed if code and "|" not in code and len(code) <= 60)
            if fit:
                writer.writerow((name, "|".join(sorted(oids[name])), "|".join(fit)))


if __name__ == "__main__":
    write_vocabularies(Path(sys.argv[1]), Path(sys.argv[2]))
