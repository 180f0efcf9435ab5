"""The packed forms of many patients find the same as a dictionary of these forms."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
import pytest

from deid.arrow.work_partitions import local_processes
from deid.people.known_cells import KnownColumn
from deid.residual.column_search import ValueIndex, may_hold
from deid.residual.forms import ANYWHERE, PLAIN, ValueForm
from deid.residual.packed import hashed_runs, packed_forms
from deid.residual.packed.packed_forms import PackedForms
from deid.residual.packed.searched_patients import HeldPatients
from deid.residual.search import ResidualSearch
from deid.residual.sweep import FormIndex
from deid.residual.value_forms import day_forms, day_keys, forms_of, known_days
from recognizers import KnownValue, KnownValues
from safe_harbor import Identifier as I

FIRST = ("Theodora", "Al", "Ngozi", "José", "Li", "Grace")
LAST = ("Marchetti-Lowe", "O'Brien", "Okonkwo", "Bo", "Summers", "Quartermaine", "Núñez")
STREETS = ("118 Canal Street", "PO Box 4417", "77 Old Stage Road, Apt 3B")
BETWEEN = (" ", ", ", "-", "\n", " (", "; ", "\n\n", " saw ", " R. ", "/", "123", "é", "中")


def person(chance: random.Random) -> KnownValues:
    number = chance.randrange
    return KnownValues(
        (
            KnownValue(I.NAMES, chance.choice(FIRST), part="first"),
            KnownValue(I.NAMES, chance.choice(LAST), part="last"),
            KnownValue(I.NAMES, f"{chance.choice(LAST)}, {chance.choice(FIRST)}", "relative"),
            KnownValue(I.DATES, f"{number(1920, 2020)}-{number(1, 13):02}-10", part="birth"),
            KnownValue(I.SSNS, f"{number(100, 900)}-{number(10, 99)}-{number(1000, 9999)}"),
            KnownValue(I.MRNS, f"00{number(10**4, 10**7)}"),
            KnownValue(I.PHONES, f"({number(200, 999)}) 555-{number(1000, 9999)}"),
            KnownValue(I.EMAILS, f"a{number(99)}.{chance.choice(LAST).lower()}@valley.example"),
            KnownValue(I.PLACES, chance.choice(STREETS), part="street"),
            KnownValue(I.PLACES, f"{number(1001, 99950):05}", part="zip"),
            KnownValue(I.DEVICES, f"CVT{number(10**4, 10**6)}K"),
        )
    )


def pieces(people: list[KnownValues]) -> list[str]:
    values = [value.value for known in people for value in known]
    short = [word for value in values for word in value.replace(",", " ").split()]
    bare = ["".join(filter(str.isalnum, value)) for value in values]
    return [*values, *short, *bare, *map(str.upper, values), "born in 1931", "95 yo", "3 mg", "x"]


def texts(people: list[KnownValues], chance: random.Random, count: int = 400) -> list[str]:
    words = pieces(people)
    return [
        "".join(
            part
            for _ in range(chance.randrange(1, 9))
            for part in (chance.choice(words), chance.choice(BETWEEN))
        )
        for _ in range(count)
    ]


@pytest.mark.parametrize("seed", range(4))
def test_packed_forms_find_what_a_dictionary_finds(seed, monkeypatch):
    monkeypatch.setattr(packed_forms, "CHUNK", 64)  # forms of several chunks
    monkeypatch.setattr(hashed_runs, "RUNS_AT_ONCE", 4)  # runs that cross the end of a block
    chance = random.Random(seed)
    people = [person(chance) for _ in range(20)]
    forms = [form for known in people for form in forms_of(known)]
    held, packed = FormIndex(forms), PackedForms.of(forms)
    assert len(packed) > 500
    seen = 0
    for text in texts(people, chance):
        found = [(s.offset, s.bare_digits) for s in held.look(text)]
        assert [(s.offset, s.bare_digits) for s in packed.look(text)] == found, text
        seen += len(found)
    assert seen > 500


def test_the_longest_form_at_a_run_is_reported():
    whole = ValueForm("marchettilowe", I.NAMES, ANYWHERE, PLAIN, "name")
    forms = [replace(whole, key="marchetti", word=I.PLACES), whole]
    text = "seen by Marchetti-Lowe of Marchetti"
    told = [(8, I.NAMES), (26, I.PLACES)]
    for index in (PackedForms.of(forms), FormIndex(forms)):
        assert [(seen.offset, seen.word) for seen in index.look(text)] == told


def test_the_hash_of_a_form_is_found_and_no_other_hash(monkeypatch):
    monkeypatch.setattr(packed_forms, "CHUNK", 16)
    forms = [form for form in forms_of(person(random.Random(1))) if form.scope == ANYWHERE]
    packed, held = PackedForms.of(forms), FormIndex(forms)
    keys = [form.key for form in forms if len(form.key) > 5]
    assert len(keys) > 5
    for key in keys:
        for digest in (hashlib.md5(key.encode()), hashlib.sha256(key.upper().encode())):
            text = f"id {digest.hexdigest()} of it"
            assert packed.look_for_digests(text) == held.look_for_digests(text) != []
    assert packed.look_for_digests(hashlib.sha256(b"nobody").hexdigest()) == []


def test_packed_forms_take_less_than_three_bytes_of_memory_each():
    numbers = np.random.default_rng(3).permutation(10**7)[:50_000].tolist()
    known = [(str(n), KnownValues((KnownValue(I.SSNS, f"{n + 10**8}"),))) for n in numbers]
    search = ResidualSearch(known)
    packed = search._anywhere
    assert len(packed) == 50_000 and search.known_values == 50_000
    assert packed._known.nbytes + packed._heads.nbytes < 50_000 * 6
    assert packed.look(f"call {numbers[7] + 10**8} today")
    assert not packed.look("call 999999999 today")


@dataclass(frozen=True)
class Ranges(HeldPatients):
    """Patients in ranges of five."""

    def ranges(self) -> Iterator[range]:
        return (range(start, min(start + 5, len(self))) for start in range(0, len(self), 5))


def test_several_processes_compute_the_forms_that_one_process_computes():
    chance = random.Random(7)
    people = {f"p{n}": person(chance) for n in range(23)}
    alone = ResidualSearch(people.items(), reference=date(2026, 11, 21))
    shared = ResidualSearch(Ranges(people), reference=date(2026, 11, 21), spread=local_processes(2))
    assert (shared.looked_for, shared.sought) == (alone.looked_for, alone.sought)
    assert shared.packed.longest == alone.packed.longest
    for patient in people:
        for own, other in zip(shared.packed.of(patient), alone.packed.of(patient), strict=True):
            assert own.tolist() == other.tolist()
    for text in texts(list(people.values()), chance):
        assert list(shared.distinctive(text)) == list(alone.distinctive(text))


def test_days_count_as_searched_for_unless_the_policy_lets_them_stay():
    known = [("p", KnownValues((KnownValue(I.DATES, "2020-03-04"),)))]
    assert ResidualSearch(known).sought == {I.DATES}
    assert ResidualSearch(known, (I.DATES,)).sought == set()


@pytest.mark.parametrize("seed", range(4))
def test_a_text_excluded_by_the_prefilter_contains_no_form(seed):
    chance = random.Random(seed)
    people = [person(chance) for _ in range(40)]
    sifted = 0
    for text in texts(people, chance, 1500):
        known = chance.choice(people)
        if not may_hold(text, known):
            sifted += 1
            assert FormIndex(forms_of(known)).look(text) == [], text
    assert sifted > 100


@pytest.mark.parametrize(
    ("written", "key", "needs"),
    [
        ("2023-01-05", "jan5", "raised"),
        ("2023-01-05", "5thofjanuary", ""),
        ("2023-05-05", "may05", "raised"),
        ("2023-11-23", "23rdofnov", ""),
        ("2023-03-11", "mar11", "raised"),
        ("2023-03-11", "11thmarch", "raised"),
    ],
)
def test_months_that_are_other_words_need_a_capital(written: str, key: str, needs: str) -> None:
    (day,) = known_days([KnownValue(I.DATES, written)])
    assert {form.needs for form in day_forms(day) if form.key == key} == {needs}


@pytest.mark.parametrize("written", ["2023-01-05", "3/9/58", "11/12/13", "2024-02-29", "12-May-99"])
def test_the_keys_of_a_date_are_those_of_its_forms(written: str) -> None:
    (day,) = known_days([KnownValue(I.DATES, written)])
    assert day_keys(day) == {form.key for form in day_forms(day)}


def test_a_place_is_checked_again_after_cells_are_added() -> None:
    column, index = KnownColumn(0, I.PLACES, "patient", "city"), ValueIndex.of(["Reno"])
    assert not index.meets_cell(column, "Vernon") and not index.meets_cell(column, "Vernon")
    index.add(["seen in Vernon"])
    assert index.meets_cell(column, "Vernon")
