"""Attacks on the residual search: known values left in a release in other forms, all of which `deid
check` must find.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import gzip
import json
import quopri
import zlib
from collections.abc import Callable
from urllib.parse import quote

from benchmarks.attacks.lab import Lab

NAME, NUMBER = "Andr\u00e9 Bont\u00e9", "88213377"
Dress = Callable[[str], str]


def _accents(spelled: str) -> Dress:
    """The text with only its accented letters spelled out."""
    return lambda text: text.replace("\u00e9", spelled)


def _each(form: str) -> Dress:
    """The text with every byte spelled out."""
    return lambda text: "".join(form % byte for byte in text.encode())


def _base64(text: str, codec: str = "utf-8") -> str:
    return base64.b64encode(text.encode(codec)).decode()


DRESSES: dict[str, Dress] = {
    "quoted-printable": lambda text: quopri.encodestring(text.encode()).decode(),
    "quoted-printable, small": _accents("=c3=a9"),
    "quoted-printable, Latin-1": _accents("=E9"),
    "quoted-printable, all": _each("=%02X"),
    "quoted-printable, broken": lambda text: text[:3] + "=\r\n" + _accents("=C3=A9")(text[3:]),
    "quoted-printable, blank": lambda text: text[:3] + "= \n" + _accents("=C3=A9")(text[3:]),
    "mail word, Q": lambda t: f"=?UTF-8?Q?{_accents('=C3=A9')(t).replace(' ', '_')}?=",
    "mail word, B": lambda text: f"=?UTF-8?B?{_base64(text)}?=",
    "base64": _base64,
    "base64, bare": lambda text: _base64(text).rstrip("="),
    "base64 for URLs": lambda text: base64.urlsafe_b64encode(text.encode()).decode(),
    "base64 of Latin-1": lambda text: _base64(text, "latin-1"),
    "base64 of UTF-16": lambda text: _base64(text, "utf-16-le"),
    "base64 in a path": lambda text: f"user/{_base64(text)}/x",
    "base64 behind a prefix": lambda text: f"id-{_base64(text)}",
    "base64 in JSON": lambda text: f'{{"a":"{_base64(text)}"}}',
    "base64, percent": lambda text: quote(_base64(text)),
    "base64 twice": lambda text: _base64(_base64(text)),
    "base64 of zlib": lambda text: base64.b64encode(zlib.compress(text.encode())).decode(),
    "base64 of gzip": lambda text: base64.b64encode(gzip.compress(text.encode())).decode(),
    "base32": lambda text: base64.b32encode(text.encode()).decode(),
    "ascii85": lambda text: base64.a85encode(text.encode(), adobe=True).decode(),
    "hex": lambda text: text.encode().hex(),
    "hex, capitals": lambda text: text.encode().hex().upper(),
    "hex, 0x": lambda text: "0x" + text.encode().hex(),
    "hex, blanks": lambda text: text.encode().hex(" "),
    "hex, colons": lambda text: text.encode().hex(":"),
    "hex, escapes": _each("\\x%02x"),
    "octal escapes": _each("\\%03o"),
    "decimals": lambda text: " ".join(str(byte) for byte in text.encode()),
    "percent": quote,
    "percent, all": _each("%%%02x"),
    "percent twice": lambda text: quote(quote(text)),
    "percent, u": _accents("%u00e9"),
    "percent of entities": lambda text: quote(_accents("&eacute;")(text)),
    "entity": _accents("&eacute;"),
    "entity, no end": _accents("&eacute"),
    "entities, decimal": lambda text: "".join(f"&#{ord(char)};" for char in text),
    "entities, hex": lambda text: "".join(f"&#x{ord(char):X};" for char in text),
    "entity twice": _accents("&amp;eacute;"),
    "JSON": lambda text: "".join(f"\\u{ord(char):04X}" for char in text),
    "JSON twice": _accents("\\\\u00e9"),
    "braces": _accents("\\u{e9}"),
    "RTF": _accents("\\'e9"),
    "UTF-7": lambda text: codecs.encode(text, "utf-7").decode(),
    "misread": lambda text: text.encode().decode("cp1252"),
    "misread twice": lambda text: text.encode().decode("cp1252").encode().decode("cp1252"),
    "misread by a Macintosh": lambda text: text.encode().decode("mac_roman"),
    "misread by DOS": lambda text: text.encode().decode("cp850"),
    "zeros": "\0".join,
    "invisible": "\u200b".join,
    "wide": lambda text: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text),
}
"""How a value may be dressed; each is told by its name in the report of a failure."""

PLACES = ("{} came today", "seen by {}", "seen by {} today", "see {}.", '"{}",')


def missed(lab: Lab, left: dict[str, str]) -> list[str]:
    """The names of the texts in which `deid check` finds nothing; each text is a record of P1."""
    table = lab.write(
        "patients.csv", f"patient_id,first,last,mrn\nP1,Andr\u00e9,Bont\u00e9,{NUMBER}\n"
    )
    rows = [{"id": str(n), "patient": "P1", "text": t} for n, t in enumerate(left.values(), 1)]
    lab.write("out/notes.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    run = lab.deid(
        "check", lab.here / "out", "--known", table, "--patient-key", "patient_id", "--json"
    )
    seen = {place["record"] for place in json.loads(run.stdout)["places"]}
    return [name for number, name in enumerate(left, 1) if number not in seen]


def attack_a_dressed_name(lab: Lab) -> bool:
    """Leave a name in fifty encodings, at the start, in the middle and at the end of a note."""
    return not missed(
        lab, {f"{n} {p}": p.format(f(NAME)) for n, f in DRESSES.items() for p in PLACES}
    )


def attack_a_dressed_number(lab: Lab) -> bool:
    """Leave a record number of eight digits in fifty encodings, short Base64 among them."""
    return not missed(
        lab, {f"{n} {p}": p.format(f(NUMBER)) for n, f in DRESSES.items() for p in PLACES}
    )


def attack_files_in_other_encodings(lab: Lab) -> bool:
    """Leave a name in files of UTF-16, UTF-32, UTF-7 and Windows-1252, with and without marks."""
    table = lab.write("patients.csv", "patient_id,first,last\nP1,Andr\u00e9,Bont\u00e9bourg\n")
    text = "seen by Andr\u00e9 Bont\u00e9bourg today\n"
    for codec in ("utf-16", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "utf-7", "cp1252"):
        lab.write(f"{codec}/note.bin", text.encode(codec))
        known = ("--known", table, "--patient-key", "patient_id", "--json")
        if not json.loads(lab.deid("check", lab.here / codec, *known).stdout)["hits"]:
            return False
    return True


def attack_uuencoded_mail(lab: Lab) -> bool:
    """Leave a name in a uuencoded attachment."""
    coded = binascii.b2a_uu(f"seen by {NAME}".encode()).decode()
    return not missed(lab, {"uu": f"attached\nbegin 644 a.txt\n{coded}`\nend\n"})


def attack_a_clean_release_is_clean(lab: Lab) -> bool:
    """Check ordinary notes, codes and figures; none of them may be called a leak."""
    clean = {
        "codes": "ICD E11.9, LOINC 4548-4, NDC 00093-1048-01, A1C=7.2, Na=140, K=4.1, pH=7.35.",
        "figures": "BP 120/80 72 98 100 64 55; 10 20 30 40 50 60; =12 of 20; 50% of 75%.",
        "words": "PATIENTS AND FAMILIES of McDonald, eGFR/HbA1c, iPhone, COVID19vaccine, SpO2.",
        "tags": "[NAME-1] was seen in 1958 at [FACILITY], MRN [MRN], aged 90+.",
        "hash": "d41d8cd98f00b204e9800998ecf8427e 00:1b:44:11:3a:b7 QWxsIHdlbGwgaGVyZQ==",
    }
    return missed(lab, clean) == list(clean)
