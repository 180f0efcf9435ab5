"""Examples in docstrings as blocks of code: an extension of griffe, which reads the packages."""

from __future__ import annotations

from typing import Any

from griffe import Extension


class ExampleBlocks(Extension):  # type: ignore[misc]
    """Fence what begins with `>>>`, up to the next blank line."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """The text with its examples in blocks of their own."""
    lines: list[str] = []
    inside = False
    for line in [*text.splitlines(), ""]:
        begins = line.lstrip().startswith(">>>")
        if begins and not inside:
            lines += ["", "```pycon"]
            inside = True
        elif inside and not line.strip():
            lines.append("```")
            inside = False
        lines.append(line.strip() if inside else line)
    return "\n".join(lines).rstrip("\n")
