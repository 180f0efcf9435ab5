"""With no source switched off, the ablation finder equals the shipped one; a source that is
switched off finds nothing.
"""

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


def test_with_no_source_off_the_ablation_finds_what_the_finder_finds() -> None:
    for note in read():
        assert found(finder(), note, NOTHING) == finder().find(note.text)


def test_a_rule_file_that_is_switched_off_finds_nothing() -> None:
    switch = Switch("no names", files=frozenset(["names"]))
    with off(switch):
        sources = {finding.source for note in read() for finding in found(finder(), note, switch)}
    assert "names" not in sources and "model" in sources


def test_switching_off_any_source_changes_the_findings() -> None:
    files = [table.name for table in finder().rules.tables]
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
