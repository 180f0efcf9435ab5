"""Renders plain texts as RTF, HTML, e-mail, Word and PDF, for tests and benchmarks.

It shares no code with `deid/formats/documents`, which reads them: each document is written out by
hand, as the programs of hospitals write it.

    python -m corpora.documents FOLDER    writes the ten discharge summaries in every format
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from email.message import EmailMessage
from html import escape
from pathlib import Path

SUMMARIES = Path(__file__).resolve().parent / "sample" / "discharge"


def as_rtf(text: str) -> bytes:
    """RTF as an EHR writes it: Windows-1252 escapes, a font table, each label in bold."""
    lines = []
    for line in text.split("\n"):
        label, colon, rest = line.partition(":")
        plain = "".join(map(_rtf_character, rest))
        marked = f"{{\\b {''.join(map(_rtf_character, label))}}}{colon}"
        lines.append((marked if colon else "".join(map(_rtf_character, line))) + plain)
    head = (
        r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\froman\fcharset0 Times New Roman;}}"
        r"{\*\generator Riched20 10.0.19041}\viewkind4\uc1\pard\f0\fs24 "
    )
    return (head + "\\par\r\n".join(lines) + "\\par\r\n}\r\n\0").encode("ascii")


def _rtf_character(char: str) -> str:
    if char in "\\{}":
        return "\\" + char
    if char == "\t":
        return "\\tab "
    if char.isascii():
        return char
    try:
        return f"\\'{char.encode('cp1252').hex()}"
    except UnicodeEncodeError:
        return f"\\u{ord(char)}?"


def as_html(text: str) -> bytes:
    """HTML as a portal writes it: a row of a table for each line with a label, else paragraphs."""
    lines = []
    for number, line in enumerate(text.split("\n")):
        label, colon, rest = line.partition(":")
        shown = f"<b class='label'>{escape(label)}:</b>{escape(rest)}" if colon else escape(line)
        lines.append(f'<p id="l{number}" style="margin:0">{shown}</p>' if line else "<br>")
    body = "\n".join(lines)
    return (
        f"<!DOCTYPE html><html><head><title>Visit</title></head><body>{body}</body></html>".encode()
    )


def as_eml(text: str) -> bytes:
    """A message as a portal sends it: plain text and HTML beside each other."""
    message = EmailMessage()
    message["From"] = "Ward Office <office@hospital.example>"
    message["To"] = "records@hospital.example"
    message["Subject"] = "Discharge summary"
    message.set_content(text, charset="utf-8", cte="base64")
    message.add_alternative(as_html(text).decode(), subtype="html")
    return message.as_bytes()


RENDERED: dict[str, Callable[[str], bytes]] = {
    ".rtf": as_rtf,
    ".html": as_html,
    ".eml": as_eml,
}


def render_summaries(folder: Path, suffix: str) -> list[Path]:
    """The ten discharge summaries in the format of that suffix."""
    made = []
    for path in sorted(SUMMARIES.glob("*.txt")):
        target = folder / f"{path.stem}{suffix}"
        target.write_bytes(RENDERED[suffix](path.read_text("utf-8")))
        made.append(target)
    return made


if __name__ == "__main__":
    for ending in RENDERED:
        render_summaries(Path(sys.argv[1]), ending)
