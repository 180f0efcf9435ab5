"""Nothing off is the finder as it ships; what is off finds nothing."""

from __future__ import annotations

from functools import cache

from benchmarks.ablations.switches import NOTHING, Switch, found, mechanisms, off
from benchmarks.ablations.texts import Note, notes
from benchmarks.floors import REFERENCE, corpora
from recognizers import Finder


@cache
def finder() -> Finder:
    return Finder.load(reference_date=REFERENCE)


@cache
def read() -> list[Note]:
    corpus = corpora()[-1]
    return notes(finder(), corpus.name, corpus.documents[:12])


def test_nothing_off_is_the_finder() -> None:
    for note in read():
        assert found(finder(), note, NOTHING) == finder().find(note.text)


def test_a_file_that_is_off_finds_nothing() -> None:
    switch = Switch("no names", files=frozenset(["names"]))
    with off(switch):
        sources = {finding.source for note in read() for finding in found(finder(), note, switch)}
    assert "names" not in sources and "model" in sources


def test_every_source_that_is_off_changes_something() -> None:
    files = [rule.name for rule in finder().rules]
    before = [found(finder(), note, NOTHING) for note in read()]
    for switch in mechanisms(files)[:3]:
        with off(switch):
            assert before != [found(finder(), note, switch) for note in read()], switch.name


def test_a_leak_and_a_lost_word_are_counted() -> None:
    note = next(note for note in read() if note.spans and note.words)
    every = found(finder(), note, NOTHING)
    spans = sum(label != "WEEKDAY" for _, _, label in note.spans)
    assert note.score(()).leaks == spans > note.score(every).leaks
    assert note.score(()).lost == 0
