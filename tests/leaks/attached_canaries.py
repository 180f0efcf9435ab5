# ruff: noqa: E501
"""Documents of every kind as attachments, each with canaries where its program hides things."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from document_canaries import address, canary

from corpora.documents import as_pdf, odt_content, odt_package, word_package

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
ODT = "application/vnd.oasis.opendocument.text"
SHOWN = "Seen with [EMAIL]. The patient is well."


@dataclass
class Hiding:
    """Gives out canaries one after another and makes documents that contain them."""

    numbers: Iterator[int] = field(default_factory=count)

    def word(self) -> str:
        """A canary that a document hides."""
        return canary(next(self.numbers))

    def shown(self) -> str:
        """A text with a canary that every recognizer finds; `SHOWN` is the text that remains of it."""
        return f"Seen with {address(next(self.numbers))}. The patient is well."

    def documents(self) -> dict[str, bytes]:
        """A valid document of each media type."""
        word, shown = self.word, self.shown
        body = f"<w:body><w:p w:rsidR='{word()}'><w:r><w:t>{shown()}</w:t></w:r><w:del w:author='{word()}'><w:r><w:delText>{word()}</w:delText></w:r></w:del><w:r><w:rPr><w:vanish/></w:rPr><w:t>{word()}</w:t></w:r></w:p></w:body>"
        parts = ("docProps/core.xml", "word/comments.xml", "word/media/a.png", "customXml/a.xml", "word/embeddings/a.bin")  # fmt: skip
        package = word_package({"word/document.xml": body} | {name: word() for name in parts})
        content = f"<text:p>{shown()}<office:annotation><text:p>{word()}</text:p></office:annotation></text:p>"
        others = {name: word() for name in ("meta.xml", "Pictures/a.png", "settings.xml")}
        odt = odt_package({"content.xml": odt_content(content)} | others)
        rtf = f"{{\\rtf1{{\\info{{\\author {word()}}}{{\\title {word()}}}}}{{\\*\\generator {word()}}} {shown()}{{\\v {word()}}}{{\\pict {word().encode().hex()}}}}}"
        page = f"<html><head><title>{word()}</title></head><p title='{word()}'>{shown()}<!-- {word()} --><script>{word()}</script><a href='http://{word()}'>x</a></p></html>"
        pdf = as_pdf(shown()) + f"\n% {word()}\n".encode()
        return {
            WORD: package,
            ODT: odt,
            "application/rtf": rtf.encode(),
            "text/html": page.encode(),
            "application/pdf": pdf,
        }

    def broken(self) -> list[tuple[str, bytes]]:
        """Pictures and documents that no reader can read, by media type."""
        kinds = (WORD, ODT, "application/rtf", "application/pdf", "application/x-unknown")
        pictures = {"image/png": b"\x89PNG", "image/tiff": b"II\x2a\x00", "image/jpeg": b"\xff\xd8\xff"}  # fmt: skip
        found = [(kind, self.word().encode()) for kind in kinds]
        found += [(kind, start + self.word().encode()) for kind, start in pictures.items()]
        found.append(("application/pdf", as_pdf("well")[:200] + self.word().encode()))
        return found
