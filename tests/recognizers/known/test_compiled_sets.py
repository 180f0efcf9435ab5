"""Compiled sets of known values: what they keep in memory, and for how long."""

from __future__ import annotations

import gc
import weakref

from recognizers.known.dates.calendar import Day, holidays_on
from recognizers.known.names.people import NameIndex, parse_person
from recognizers.known.values import KnownValues


def test_a_compiled_set_is_freed_with_its_values() -> None:
    # Each used to be held in a reference cycle and lived until the garbage collector went through
    # the whole heap.
    known = KnownValues.of({"names": ["Okafor, Adaeze"], "dates": ["1931-03-10"]})
    assert known.find("Adaeze Okafor, born 03/10/1931.")
    compiled = weakref.ref(known._forms)
    gc.disable()
    try:
        del known
        assert compiled() is None
    finally:
        gc.enable()


def test_words_that_are_names_of_several_persons_identify_all_of_them() -> None:
    index = NameIndex((parse_person("Okafor, Adaeze"), parse_person("Okafor, Chidi")))
    assert index.named("okafor") == {0, 1}
    assert index.named("adaeze") == {0}
    assert index.named("chidiokafor") == {1}
    assert index.named("nobody") == frozenset()


def test_holidays_are_found_for_dates_with_and_without_a_year() -> None:
    assert holidays_on(frozenset((Day(0, 12, 25),))) == {"christmas", "christmas day", "xmas"}
    assert holidays_on(frozenset((Day(2024, 11, 28),))) == {"thanksgiving", "thanksgiving day"}
    assert holidays_on(frozenset((Day(2023, 11, 28), Day(0, 11, 28)))) == frozenset()
