"""Clinical words and figures for the slots `{word}`, `{Word}`, `{WORD}`, `{Eponym}`, `{lab}`.

They are ordinary text, which the model must not find, in the same sentences as names.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

from recognizers.words.gazetteers import levels, plain_list
from training.notes import Note

LABS = Path(__file__).parent / "lists" / "labs.txt"
PLACE = re.compile(r"\{(word|eponym|lab)\}", re.IGNORECASE)
JOINTS = (" ", " ", " ", ": ", " = ", "  ", "\t", " | ", " was ", " of ", "-", "....", "=")
FLAGS = (" H", " L", " (H)", " (L)", " [H]", " [L]", "*", " *", " A", " HH", " (crit)", " !")


def clinical(kind: str, chance: random.Random) -> str:
    """A term from the lists of `recognizers`: a clinical word or an eponym."""
    word = chance.choice(terms(kind.lower()))
    return word.upper() if kind.isupper() else word.title() if kind[0].isupper() else word


@cache
def terms(kind: str) -> tuple[str, ...]:
    if kind == "eponym":
        return tuple(sorted({*levels("clinical/eponyms"), *plain_list("clinical/more_eponyms")}))
    return tuple(sorted(word for word in levels("clinical/items") if len(word) > 4))


@cache
def measures() -> tuple[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]], ...]:
    """For each measurement its names, patterns of its figures, and its units, as written."""
    lines = [line for line in LABS.read_text("utf-8").splitlines() if not line.startswith("#")]
    rows = [line.split(";") for line in lines]
    return tuple(
        (split(names), split(figures), unit_forms(units)) for names, figures, units in rows
    )


def split(cell: str) -> tuple[str, ...]:
    return tuple(cell.split("|"))


def unit_forms(cell: str) -> tuple[str, ...]:
    """The units of a cell, separated by spaces; a few units consist of two words."""
    joined = re.sub(r"(?<=1\.73) (?=m2)|(?<=mm) (?=Hg)|(?<=cm) (?=H2O)|(?<=log) (?=IU)"
                    r"| (?=FEU|DDU|creat|HL)", "~", cell)  # fmt: skip
    return tuple(unit.replace("~", " ") for unit in joined.split())


def measured(kind: str, chance: random.Random) -> str:
    """A result with its unit, as systems print it and people type it: `Na 138 mmol/L (L)`."""
    names, figures, units = chance.choice(measures())
    name, figure, unit = (chance.choice(ways) for ways in (names, figures, units))
    figure, low, high = (digits(figure, chance) for _ in range(3))
    gap = chance.choice((" ", " ", " ", " ", "", "  "))
    flag = chance.choice(FLAGS) if chance.random() < 0.2 else ""
    span = f"  {low}-{high}" if chance.random() < 0.1 else ""
    result = f"{name}{chance.choice(JOINTS)}{figure}{span}{gap}{unit}{flag}"
    if chance.random() < 0.08:
        result = f"{name} ({unit}) {figure}{flag}"
    style = chance.random() if not kind.isupper() else 1.0
    return result.upper() if style > 0.85 else result.lower() if style > 0.7 else result


def digits(figure: str, chance: random.Random) -> str:
    return re.sub("#", lambda _: str(chance.randint(0, 9)), figure)


MAKERS: dict[str, Callable[[str, random.Random], str]] = {
    "word": clinical,
    "eponym": clinical,
    "lab": measured,
}


def medicine(frame: Note, chance: random.Random) -> Note:
    """The frame with fresh clinical words and figures in its slots."""

    def term(place: re.Match[str]) -> str:
        return MAKERS[place.group(1).lower()](place.group(1), chance)

    pieces = tuple(
        piece if piece.label else replace(piece, text=PLACE.sub(term, piece.text))
        for piece in frame.pieces
    )
    return Note(frame.id, pieces)
