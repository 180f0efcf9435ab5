"""Filling and wearing a note changes values and layout, never the labels."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import pytest

from recognizers.finding import LABELS
from training.damage import wear, wrapped
from training.dates import refill_date
from training.medicine import PLACE, medicine
from training.notes import Note, Piece, cut, marked, read_frames, split
from training.pools import Pools, Weighted, held_out, read_origins
from training.slots import Filler, shuffle_characters

FRAMES = Path(__file__).parents[2] / "training" / "notes"
NOTE = cut(
    "t1-001",
    "Pt: OKONKWO, ADA  MRN E4410\nMs. Okonkwo came on 3/11/2025 from Toledo.",
    [(4, 16, "NAME"), (22, 27, "MRN"), (32, 39, "NAME"), (48, 57, "DATE"), (63, 69, "CITY")],
)


@pytest.fixture
def pools() -> Pools:
    names = Weighted.of([("Halloran", 3.0), ("Brandvold", 2.0), ("Quezada", 1.0)])
    given = Weighted.of([("Ada", 2.0), ("Ruby", 1.0)])
    values = {"FACILITY": ("Mercy",), "EMPLOYER": ("Acme",), "AGE90": ("92",), "WEEKDAY": ("Mon",)}
    origins = read_origins()
    words, homographs = origins.pop("function words"), origins.pop("homographs")
    every = tuple(origins.values())
    return Pools(
        names, given, frozenset({"ada"}), ("Rose",), ("Reno",), ("Dare",), ("44197",), values,
        every, words, homographs,
    )  # fmt: skip


def labels(note: Note) -> list[str | None]:
    return [piece.label for piece in note.pieces]


@pytest.mark.parametrize("seed", range(20))
def test_a_filled_note_keeps_its_labels_and_its_ordinary_text(pools: Pools, seed: int) -> None:
    filled = Filler(pools, random.Random(seed)).note(NOTE, 1.0)
    assert labels(filled) == labels(NOTE)
    for before, after in zip(NOTE.pieces, filled.pieces, strict=True):
        assert before.label is not None or before.text == after.text
        assert after.text.strip()


@pytest.mark.parametrize("seed", range(20))
def test_one_person_gets_one_name(pools: Pools, seed: int) -> None:
    filler = Filler(pools, random.Random(seed))
    first, second = filler.name("OKONKWO"), filler.name("Okonkwo")
    assert first == second.upper()
    assert second != "Okonkwo"


def test_nothing_is_filled_at_share_zero(pools: Pools) -> None:
    assert Filler(pools, random.Random(1)).note(NOTE, 0.0) == NOTE


@pytest.mark.parametrize("seed", range(40))
def test_wearing_a_note_keeps_its_labels(seed: int) -> None:
    worn = wear(NOTE, random.Random(seed))
    assert labels(worn) == labels(NOTE)
    assert all(piece.text for piece in worn.pieces)


@pytest.mark.parametrize("width", [28, 60])
def test_a_wrapped_note_keeps_its_words_and_labels(width: int) -> None:
    worn = wrapped(NOTE.pieces, width)
    assert [p.label for p in worn] == labels(NOTE)
    assert "".join(p.text for p in worn).split() == NOTE.text.split()


def test_no_held_out_name_is_filled_in() -> None:
    held = held_out()
    assert len(held) > 250
    for origin in read_origins().values():
        assert not held & {name.lower() for name in (*origin.given, *origin.surnames)}
    drawn = {
        origin.draw(given=False, chance=random.Random(seed)).lower()
        for origin in read_origins().values()
        for seed in range(300)
    }
    assert not held & drawn


def test_no_sentence_of_the_evaluation_is_in_the_training_data() -> None:
    lines = (FRAMES.parents[1] / "benchmarks" / "fairness_frames.txt").read_text().splitlines()[1:]
    bare = {re.sub(r"\{\w+\}", "", line.split(";", 1)[1]) for line in lines}
    files = ("names_and_words.txt", "names_in_sentences.txt")
    trained = [frame.text for file in files for frame in read_frames(FRAMES / file)]
    assert not bare & {re.sub(r"\b[A-Z]\w+", "", text) for text in trained}


def test_names_are_drawn_evenly_over_origins(pools: Pools) -> None:
    chance = random.Random(7)
    fillers = [Filler(pools, chance, evenly=1.0) for _ in range(2000)]
    wordlike = {*pools.words.surnames, *pools.homographs.surnames}
    drawn = Counter(filler.name("Brandvold") in wordlike for filler in fillers)
    assert 0.35 < drawn[True] / 2000 < 0.5


def test_dates_of_a_note_keep_one_order() -> None:
    chance = random.Random(3)
    assert all(
        re.fullmatch(r"\d{1,2}[/.]\d{1,2}", refill_date("3/11", chance, "british"))
        for _ in range(40)
    )
    days = [int(refill_date("3/11/2025", chance, "british")[:2].strip("./-")) for _ in range(60)]
    assert max(days) > 12


def test_spans_give_the_positions_of_the_labels() -> None:
    assert [NOTE.text[a:b] for a, b, _ in NOTE.spans()][2] == "Okonkwo"
    assert cut(NOTE.id, NOTE.text, NOTE.spans()) == NOTE


def test_of_overlapping_spans_the_first_is_kept() -> None:
    assert cut("n", "abcd", [(0, 3, "NAME"), (2, 4, "CITY")]).spans() == [(0, 3, "NAME")]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("March 3, 2024", r"[A-Z][a-z]+ \d{1,2}, \d{4}"),
        ("12 JUN 1988", r"\d{1,2} [A-Z]{3} \d{4}"),
        ("the fourth", r"the [a-z]+"),
        ("20240318", r"\d{8}"),
    ],
)
def test_a_date_keeps_its_form(text: str, form: str) -> None:
    chance = random.Random(5)
    assert all(re.fullmatch(form, refill_date(text, chance)) for _ in range(30))
    assert len({refill_date(text, chance) for _ in range(30)}) > 5


def test_a_number_keeps_its_shape() -> None:
    fresh = shuffle_characters("SF-88 a", random.Random(2))
    assert re.fullmatch(r"[A-Z]{2}-\d\d [a-z]", fresh)


def test_the_split_is_by_source_note_and_covers_all_collections() -> None:
    notes = [Note(f"t{c}-{n:03}", (Piece("x", None),)) for c in range(1, 5) for n in range(30)]
    kept, held = split(notes, 0.1, 17)
    assert {note.id for note in kept} | {note.id for note in held} == {note.id for note in notes}
    assert not {note.id for note in kept} & {note.id for note in held}
    assert min(Counter(note.id[:2] for note in held).values()) >= 2
    assert split(notes[::-1], 0.1, 17) == (kept, held)


@pytest.mark.parametrize("name", ["frames.txt", "medicine.txt", "names_and_words.txt"])
def test_every_marked_sentence_has_valid_marks(name: str) -> None:
    for frame in read_frames(FRAMES / name):
        spoken = medicine(frame, random.Random(3))
        assert spoken.text.strip() and "{" not in spoken.text
        for piece in frame.pieces:
            assert piece.label is None or piece.label in LABELS
            assert piece.text
            assert not re.search(r"[\[\]|{}]", PLACE.sub("", piece.text))


def test_a_laboratory_result_has_a_number_and_no_open_marks() -> None:
    for seed in range(300):
        (piece,) = medicine(marked("lab", "{lab}"), random.Random(seed)).pieces
        assert re.search(r"\d", piece.text) and "#" not in piece.text and "~" not in piece.text
