"""Known values of many patients that are spilled to disk and packed give the same results as values
in memory.
"""

from __future__ import annotations

import pickle
import random
from collections import Counter

import pytest

from deid.people import packed_keys, patient_values
from deid.people.linking import KeyBook
from deid.people.packed_keys import PackedKeys, PagedKeys, PersonNumbers
from deid.people.patient_values import PatientValues
from deid.people.row_owners import RowOwners
from recognizers import KnownValue, KnownValues
from safe_harbor import Identifier as I


@pytest.mark.parametrize("held", [1, 7, 10_000])
def test_packed_keys_behave_like_a_dictionary(held):
    chance = random.Random(held)
    packed, plain = PackedKeys(held), dict[str, int]()
    for number in range(3000):
        key = f"K{chance.randrange(1500)}"
        packed.put(key, number % 900 - 1)
        plain[key] = number % 900 - 1
    assert len(packed) == len(plain) > 1000
    assert {key: packed.find(key) for key in plain} == plain
    assert packed.find("K1500") is None and "K7" not in repr(packed)


def test_persons_are_numbered_and_named(monkeypatch):
    monkeypatch.setattr(packed_keys, "KEYS_HELD", 3)
    persons = PersonNumbers()
    names = [f"päron-{n % 40}" for n in range(100)]
    numbers = [persons.number(name) for name in names]
    assert numbers == [n % 40 for n in range(100)]
    assert list(persons) == names[:40] and persons.find("other") is None
    assert list(pickle.loads(pickle.dumps(persons))) == names[:40]


@pytest.mark.parametrize("held", [0, 2, 10_000])
def test_values_are_returned_in_the_order_they_were_added(held):
    chance = random.Random(1)
    store, plain = PatientValues(PersonNumbers(), held), dict[str, dict[KnownValue, None]]()
    for _ in range(400):
        person = f"p{chance.randrange(25)}"
        values = [
            KnownValue(I.NAMES, f"Quartermaine {chance.randrange(9)}", "relative", "full")
            for _ in range(chance.randrange(3))
        ]
        assert store.add(person, iter(values)) == bool(values)
        plain.setdefault(person, {}).update(dict.fromkeys(values))
    for _ in range(2):
        _are_those_of(store, plain)
        store.settle()


def _are_those_of(store: PatientValues, plain: dict[str, dict[KnownValue, None]]) -> None:
    assert len(store) == len(plain) == 25
    assert {key: list(values) for key, values in store.all()} == {
        key: list(values) for key, values in plain.items()
    }
    assert all(list(store.get(key) or ()) == list(values) for key, values in plain.items())
    for key, values in plain.items():
        number, places = store.number(key) or 0, range(0, len(values), 2)
        assert store.some(number, places) == {place: list(values)[place] for place in places}
    roles = Counter(value.role for values in plain.values() for value in values)
    assert store.roles() == roles
    assert "p3" in store and "p99" not in store and store.get("p99") is None
    assert "Quartermaine" not in repr(store)
    assert dict(pickle.loads(pickle.dumps(store)).all()) == dict(store.all())


def test_the_values_in_memory_are_counted_and_not_their_patients():
    store = PatientValues(PersonNumbers(), 10)
    for n in range(40):
        store.add("p", [KnownValue(I.MRNS, f"004028{n + k}") for k in range(3)])
        assert sum(map(len, store._held.values())) <= 10
    assert len(store.get("p") or ()) == 42


def test_a_patient_without_values_is_still_a_patient():
    persons = PersonNumbers()
    persons.number("seen")
    store = PatientValues(persons, 0)
    assert "seen" not in store and not store.add("new", ())
    assert store.get("new") == () and dict(store.all()) == {"new": ()}


def test_repeated_values_take_no_extra_space_after_gathering():
    store = PatientValues(PersonNumbers(), 0)
    for _ in range(50):
        store.add("p", [KnownValue(I.MRNS, "00402817"), KnownValue(I.SSNS, "912-34-4471")])
    store.settle()
    assert len(store._spilled) < 200
    assert len(store.get("p") or ()) == 2


def test_a_number_shared_by_two_patients_identifies_neither_when_packed(monkeypatch):
    monkeypatch.setattr(packed_keys, "KEYS_HELD", 2)
    book = KeyBook(PersonNumbers(), PackedKeys(2), PagedKeys(2))
    for n in range(40):
        book.add(f"00{n + 5000}", f"{n + 5000}")
        book.add_others([(f"V{n // 2 + 7000}", f"{n + 5000}")])
        book.add_others([(f"W-{n + 7000}", f"{n + 5000}")])
    assert book.person("5039") == book.person("005039") == "5039"
    assert book.owner("W7039") == "5039" and book.owner("V7003") is None
    book.add("5039", "other")
    assert book.person("5039") == "5039" and len(book) == 40


def test_owners_of_rows_are_returned_in_order(monkeypatch):
    monkeypatch.setattr(patient_values, "VALUES_HELD", 1)
    persons = PersonNumbers()
    for name in ("a", "b"):
        persons.number(name)
    told = KnownValues((KnownValue(I.NAMES, "Quartermaine, Zeb", part="full"),))
    owners = RowOwners(persons)
    owners.extend(["b", None, told])
    owners.extend([told, "a"])
    assert list(owners) == ["b", None, told, told, "a"] == list(owners)
    assert len(owners) == 5 and "Quartermaine" not in repr(owners)
