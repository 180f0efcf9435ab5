from __future__ import annotations

import hashlib
import random
import re
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from deid.crosswalk import Crosswalk
from deid.crosswalk.code_drawing import CODE_SYMBOLS, LENGTH, draw_codes, is_crosswalk_code
from deid.crosswalk.keys.master_keys import SecretKey
from safe_harbor import Identifier as I

_CODES = draw_codes(20_000, random.Random(514).randbytes)


def _number(code: str) -> float:
    number = 0.0
    for symbol in code[:-1]:
        number = number * len(CODE_SYMBOLS) + CODE_SYMBOLS.index(symbol)
    return number


def test_every_symbol_is_as_likely_as_every_other_in_every_place() -> None:
    for place in range(1, LENGTH):
        seen = Counter(code[place] for code in _CODES)
        # Digits are slightly rarer because four in a row are refused. Digits and letters are
        # therefore tested as separate groups.
        for group in (CODE_SYMBOLS[:8], CODE_SYMBOLS[8:]):
            counts = [seen[symbol] for symbol in group]
            assert stats.chisquare(counts).pvalue > 1e-4, place


def test_no_code_is_drawn_twice_and_codes_have_eighty_bits() -> None:
    assert len(set(_CODES)) == len(_CODES)
    tries = random.Random(1)
    drawn = ["".join(tries.choices(CODE_SYMBOLS, k=LENGTH - 1)) for _ in range(20_000)]
    fit = sum(body[0].isalpha() and not re.search(r"\d{4}", body) for body in drawn) / len(drawn)
    assert fit * len(CODE_SYMBOLS) ** (LENGTH - 1) >= 2**80


def test_codes_reveal_no_order_counter_time_or_hash() -> None:
    order = [_number(code) for code in _CODES]
    values = [f"MRN{n:07d}" for n in range(len(_CODES))]
    hashes = [float(int(hashlib.sha256(value.encode()).hexdigest()[:12], 16)) for value in values]
    for other in (range(len(_CODES)), hashes, [float(hash(value)) for value in values]):
        assert stats.spearmanr(order, list(other)).pvalue > 1e-4
    assert stats.spearmanr(order[:-1], order[1:]).pvalue > 1e-4


def _book(seed: int) -> Crosswalk:
    import tempfile
    from pathlib import Path

    chance = random.Random(seed)
    place = Path(tempfile.mkdtemp()) / "book.db"
    return Crosswalk.create(place, SecretKey("k", bytes(32)), chance=chance.randbytes)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.text(min_size=1), min_size=3, max_size=3, unique=True),
    st.lists(st.text(min_size=1), min_size=3, max_size=3, unique=True),
    st.integers(0, 2**32),
)
def test_codes_depend_on_the_random_source_alone(
    first: list[str], second: list[str], seed: int
) -> None:
    """The same random numbers give the same codes to any values, so no code contains anything of
    its value.
    """
    with _book(seed) as one, _book(seed) as two:
        mine = one.codes(I.PHOTOS, [("p", f"1{value}1") for value in first])
        yours = two.codes(I.PHOTOS, [("q", f"2{value}2") for value in second])
    assert len(set(mine)) < 3 or len(set(yours)) < 3 or mine == yours


def test_other_random_numbers_give_other_codes_to_the_same_values() -> None:
    with _book(1) as one, _book(2) as two:
        items = [("p", f"value {n}") for n in range(50)]
        assert not set(one.codes(I.MRNS, items)) & set(two.codes(I.MRNS, items))


def test_a_code_does_not_look_like_an_identifier() -> None:
    shapes = re.compile(r"\d{4}|\d{3}\D?\d{2}\D?\d{4}|\b\d+\b")
    assert not any(shapes.search(code) for code in _CODES)
    assert all(code[0].isalpha() and len(code) == LENGTH for code in _CODES)
    assert not set("0O1ILSZBGU") & set("".join(_CODES))


@given(st.integers(0, len(_CODES) - 1), st.integers(0, LENGTH - 1), st.sampled_from(CODE_SYMBOLS))
def test_every_mistyped_symbol_and_every_swap_of_neighbors_is_detected(
    number: int, place: int, symbol: str
) -> None:
    code = _CODES[number]
    typed = code[:place] + symbol + code[place + 1 :]
    assert is_crosswalk_code(typed) == (typed == code)
    if place + 1 < LENGTH:
        swapped = code[:place] + code[place + 1] + code[place] + code[place + 2 :]
        assert is_crosswalk_code(swapped) == (swapped == code)


@given(st.text())
def test_ordinary_text_is_rarely_a_valid_code(text: str) -> None:
    assert not is_crosswalk_code(text)
