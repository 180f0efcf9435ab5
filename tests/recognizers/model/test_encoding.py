"""Every token of a text is read once, whatever the length of the text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recognizers.model.encoding import (
    CUES_PER_KIND,
    Encoder,
    flatten,
    gap,
    long_text_chunks,
    shape,
    windows,
)
from recognizers.model.network import SHIPPED
from recognizers.text.ascii_text import FILL

CONTENT, OVERLAP = 126, 16


@given(st.integers(min_value=0, max_value=5000))
def test_the_kept_parts_cover_the_text_without_gaps(length: int) -> None:
    kept = 0
    for window in windows(length, CONTENT, OVERLAP):
        assert window.keep_start == kept
        assert window.start <= window.keep_start <= window.keep_end <= window.end
        assert window.end - window.start <= CONTENT
        kept = window.keep_end
    assert kept == length


@given(st.integers(min_value=CONTENT + 1, max_value=5000))
def test_a_piece_inside_the_text_has_context_on_both_sides(length: int) -> None:
    for window in windows(length, CONTENT, OVERLAP):
        if window.start > 0:
            assert window.keep_start - window.start >= OVERLAP // 2
        if window.end < length:
            assert window.end - window.keep_end >= OVERLAP // 2


@pytest.mark.parametrize(
    ("word", "expected"),
    [("-", 0), ("pain", 1), ("Okonkwo", 2), ("OKONKWO", 3), ("J", 4), ("McDuff", 5), ("12", 6),
     ("A12", 7)],
)  # fmt: skip
def test_the_shape_of_a_word(word: str, expected: int) -> None:
    assert shape(word) == expected
    assert 4 * expected + 3 < CUES_PER_KIND


@pytest.mark.parametrize(
    ("between", "expected"), [("", 0), (" ", 1), ("   ", 2), ("\t", 2), ("\n", 3), (" \r\n ", 3)]
)
def test_the_gap_before_a_word_is_encoded(between: str, expected: int) -> None:
    assert gap(between) == expected


@given(st.text())
def test_flattening_keeps_every_offset(text: str) -> None:
    assert len(flatten(text)) == len(text)


def test_entities_are_replaced_by_their_character_at_the_same_length() -> None:
    assert flatten("a&nbsp;b &amp; &bogus;").replace(FILL, "") == "a b & &bogus;"
    assert gap(flatten("&nbsp;")) == 1


def test_full_width_characters_are_replaced_by_plain_ones() -> None:
    assert flatten("\uff2c\uff41\uff4d\uff11") == "Lam1"


def test_a_long_text_is_tokenised_in_parts_to_the_same_pieces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    encoder = Encoder.read(SHIPPED / "tokenizer.json")
    text = (
        "Seen by Dr. Okafor-Lindqvist \t on 3/14;\nna\u00efve caf\u00e9  O'Brien, MRN 00482913\r\n"
        * 40
    )
    (whole,) = encoder.encode_all([text])
    monkeypatch.setattr("recognizers.model.encoding.LONGEST_CHUNK", 50)
    assert len(list(long_text_chunks(text))) > 20
    empty, again, unbroken = encoder.encode_all(["", text, "x" * 300])
    assert not len(empty) and unbroken.offsets[-1, 1] == 300
    for name in ("ids", "cues", "offsets", "words"):
        assert np.array_equal(getattr(again, name), getattr(whole, name))


def test_a_long_text_without_blanks_is_cut_at_punctuation(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = Encoder.read(SHIPPED / "tokenizer.json")
    text = "Okafor-Lindqvist,3/14/2023,na\u00efve,O'Brien,MRN:00482913,[SEP],(x)y;" * 40
    (whole,) = encoder.encode_all([text])
    monkeypatch.setattr("recognizers.model.encoding.LONGEST_CHUNK", 50)
    assert len(list(long_text_chunks(text))) > 20
    (again,) = encoder.encode_all([text])
    for name in ("ids", "cues", "offsets", "words"):
        assert np.array_equal(getattr(again, name), getattr(whole, name))


ENCODER = Encoder.read(SHIPPED / "tokenizer.json")
MARKS = [
    "Okafor", "12", "-", "_", "'s", " ", "\n", "\t", "caf\u00e9", "e\u0301", "\u200b", "\xa0",
    "\u3000", "\u6e21", "[SEP]", "[UNK]", "\x00", "\x7f", "\u2019", "\u0130", "\u00df", "\ufb01",
    "\u00bd", "\u2260", "\u037e", "\U0001f600", "&amp;", "&nbsp;", "x" * 101,
]  # fmt: skip


@given(st.lists(st.sampled_from(MARKS) | st.characters(exclude_categories=["Cs"]), max_size=12))
def test_encoding_word_by_word_equals_encoding_the_whole_text(parts: list[str]) -> None:
    text = "".join(parts)
    (found,) = ENCODER.encode_all([text])
    whole = ENCODER._tokenizer.encode(flatten(text), add_special_tokens=False)
    assert found.ids.tolist() == whole.ids
    assert found.offsets.tolist() == [list(bounds) for bounds in whole.offsets]
    assert found.words.tolist() == whole.word_ids


def test_the_cache_of_words_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recognizers.model.encoding.WORDS_KEPT", 3)
    encoder = Encoder.read(SHIPPED / "tokenizer.json")
    for text in ("one two three", "four five", "one " + "x" * 90):
        encoder.encode_all([text])
    assert set(encoder._known) == {"four", "five", "one"}
