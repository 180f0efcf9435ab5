"""The text flow: each document is searched once, and what is found is replaced."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deid.policy.model import parse_policy, policy_text, read_policy
from deid.reports.diff import aligned_lines
from deid.text.document import Document
from deid.text.scrubber import Scrubbed, Scrubber, WithheldText
from recognizers import Finding, KnownValues
from safe_harbor import Identifier

REFERENCE = date(2026, 11, 21)


class Searching:
    """Finds by pattern, and remembers the texts that it was asked to search."""

    def __init__(self, pattern: str, boom: str = "§") -> None:
        self.pattern, self.boom = re.compile(pattern), boom
        self.searched: list[str] = []

    def find_all(
        self,
        texts: Sequence[str],
        knowns: Sequence[KnownValues | None] | None = None,
        groups: Sequence[str | None] | None = None,
    ) -> list[tuple[Finding, ...]]:
        self.searched += texts
        if any(self.boom in text for text in texts):
            raise RuntimeError("broken recognizer")
        return [tuple(self._find(text)) for text in texts]

    def learn(self, texts: Sequence[str], founds: Sequence[tuple[Finding, ...]]) -> frozenset[str]:
        pairs = zip(texts, founds, strict=True)
        return frozenset(text[f.start : f.end] for text, found in pairs for f in found)

    def propagate(
        self, text: str, found: tuple[Finding, ...], known: frozenset[str]
    ) -> tuple[Finding, ...]:
        spans = {m.span() for name in known for m in re.finditer(re.escape(name), text)}
        return tuple(
            sorted(Finding(a, b, Identifier.NAMES, "PERSON", 0.8, "spread") for a, b in spans)
        )

    def _find(self, text: str) -> list[Finding]:
        spans = [m.span() for m in self.pattern.finditer(text) if m.end() > m.start()]
        return [Finding(a, b, Identifier.NAMES, "PERSON", 0.9, "model") for a, b in spans]


def scrubber(finder: Searching, tags: str = "plain") -> Scrubber:
    text = policy_text("safe_harbor").replace("tags: plain", f"tags: {tags}")
    return Scrubber(parse_policy(text), finder, REFERENCE)


def one(result: Sequence[Scrubbed | WithheldText]) -> Scrubbed:
    assert isinstance(result[0], Scrubbed)
    return result[0]


def test_changes_point_into_both_texts() -> None:
    text = "Seen by Ana Ruiz and by Bo Li."
    done = one(scrubber(Searching(r"Ana Ruiz|Bo Li")).scrub([Document(1, text)]))
    assert done.text == "Seen by [NAME] and by [NAME]."
    for change, value in zip(done.changes, ("Ana Ruiz", "Bo Li"), strict=True):
        assert text[change.start : change.end] == value
        assert done.text[change.out_start : change.out_end] == "[NAME]"


def test_each_document_is_searched_once() -> None:
    finder = Searching("Ana|Bo")
    texts = ["Ana told Bo.", "Nobody came.", "Ana told Bo."]
    results = scrubber(finder).scrub([Document(n, t) for n, t in enumerate(texts)])
    assert finder.searched == texts
    tagged = "[NAME] told [NAME]."
    assert [one([r]).text for r in results] == [tagged, "Nobody came.", tagged]


def test_a_text_in_another_format_is_withheld_under_the_name_of_that_format() -> None:
    texts = ["Ana", "BEGIN:VCARD\nN:Ana\nEND:VCARD", "Ana \0"]
    results = scrubber(Searching("Ana")).scrub([Document(n, t) for n, t in enumerate(texts)])
    assert [r.code for r in results if isinstance(r, WithheldText)] == ["vcard", "binary-data"]


def test_a_document_that_breaks_the_finder_is_withheld_alone() -> None:
    texts = ["Ana", "Ana §", "Ana"]
    results = scrubber(Searching("Ana")).scrub([Document(n, t) for n, t in enumerate(texts)])
    assert isinstance(results[1], WithheldText) and results[1].code == "engine-error"
    assert [one([r]).text for r in (results[0], results[2])] == ["[NAME]", "[NAME]"]


def test_a_document_that_breaks_a_transform_is_withheld_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    really = Scrubber.context

    def context(self: Scrubber, finding: Finding, draft: Any) -> Any:
        if "Bo" in draft.document.text:
            raise ArithmeticError("cannot take " + draft.document.text)
        return really(self, finding, draft)

    monkeypatch.setattr(Scrubber, "context", context)
    documents = [Document(n, text) for n, text in enumerate(("Ana", "Bo", "Ana"), 1)]
    results = scrubber(Searching("Ana|Bo")).scrub(documents)
    assert results[1] == WithheldText(2, "engine-error")
    assert [one([r]).text for r in (results[0], results[2])] == ["[NAME]", "[NAME]"]


@pytest.mark.parametrize("broken", ["learn", "propagate"])
def test_a_document_that_breaks_learning_or_propagation_is_withheld_alone(
    broken: str,
) -> None:
    class Fussy(Searching):
        def learn(self, texts, founds):  # type: ignore[no-untyped-def]
            self.refuse("learn", texts[0])
            return super().learn(texts, founds)

        def propagate(self, text, found, known):  # type: ignore[no-untyped-def]
            self.refuse("propagate", text)
            return super().propagate(text, found, known)

        def refuse(self, name: str, text: str) -> None:
            if name == broken and "poison" in text:
                raise ValueError(text)

    texts = ("Seen by Ana Ruiz.", "poison for Bo Li", "ana and Ana Ruiz talked")
    documents = [Document(n, text, patient="7") for n, text in enumerate(texts, 1)]
    work = scrubber(Fussy(r"(?<=by )Ana Ruiz|Bo Li"))
    work.survey(documents)
    other = scrubber(Fussy(r"(?<=by )Ana Ruiz|Bo Li"))
    other.take(work.surveyed())
    for scrubs in (work, other):
        first, second, third = scrubs.scrub(documents)
        assert second == WithheldText(2, "engine-error")
        assert one([first]).text == "Seen by [NAME]."
        assert one([third]).text == "ana and [NAME] talked"


def test_an_over_long_document_is_withheld(monkeypatch: object) -> None:
    import deid.text.scrubber

    old, deid.text.scrubber.MAX_CHARACTERS = deid.text.scrubber.MAX_CHARACTERS, 10
    try:
        results = scrubber(Searching("Ana")).scrub([Document(1, "A" * 11), Document(2, "Ana")])
    finally:
        deid.text.scrubber.MAX_CHARACTERS = old
    assert results[0] == WithheldText(1, "over-long")
    assert one(results[1:]).text == "[NAME]"


def test_numbers_are_the_same_for_the_same_value_of_a_patient() -> None:
    flow = scrubber(Searching("Ana|ANA|Bo"), tags="numbered")
    first = one(flow.scrub([Document(1, "Ana, Bo, ANA", patient="p1")]))
    second = one(flow.scrub([Document(2, "Bo", patient="p1")]))
    other = one(flow.scrub([Document(3, "Bo", patient="p2")]))
    assert first.text == "[NAME-1], [NAME-2], [NAME-1]"
    assert second.text == "[NAME-2]"
    assert other.text == "[NAME-1]"


def test_a_name_made_certain_by_a_later_note_is_replaced_in_an_earlier_one() -> None:
    finder = Searching(r"(?<=Mr\. )Hale")
    flow = scrubber(finder)
    notes = [
        Document(1, "Hale slept well.", patient="p1"),
        Document(2, "Mr. Hale went home.", patient="p1"),
        Document(3, "Hale and hearty.", patient="p2"),
    ]
    flow.survey(notes)
    texts = [one([result]).text for result in flow.scrub(notes)]
    assert texts == ["[NAME] slept well.", "Mr. [NAME] went home.", "Hale and hearty."]
    # The survey's findings are used again, and a patient of one note is searched with it.
    assert finder.searched == [note.text for note in notes]


def test_no_repr_of_a_scrubbed_text_shows_content() -> None:
    document = Document(1, "Ana Ruiz", patient="p-canary")
    done = one(scrubber(Searching("Ana Ruiz")).scrub([document]))
    for thing in (document, done, done.changes):
        assert "Ana" not in repr(thing) and "canary" not in repr(thing)


@given(st.text(alphabet="AnaBo \n", max_size=80))
def test_text_outside_the_changes_is_unchanged(text: str) -> None:
    flow = Scrubber(read_policy("safe_harbor"), Searching("Ana"), REFERENCE)
    done = one(flow.scrub([Document(1, text)]))
    at = out = 0
    for change in done.changes:
        assert text[at : change.start] == done.text[out : change.out_start]
        at, out = change.end, change.out_end
    assert text[at:] == done.text[out:]
    assert "Ana" not in done.text


@given(st.text(alphabet="AnaBo \n", max_size=80))
def test_the_rows_of_the_diff_contain_both_texts(text: str) -> None:
    flow = Scrubber(read_policy("safe_harbor"), Searching("Ana\nBo|Ana"), REFERENCE)
    done = one(flow.scrub([Document(1, text)]))
    rows = list(aligned_lines(text, done.text, done.changes))
    assert "\n".join(_plain(row.before) for row in rows) == text
    assert "\n".join(_plain(row.after) for row in rows) == done.text


def test_the_diff_shows_hidden_characters() -> None:
    text = "by \u202eAna\u202c\r\nhid\u200bden\r\n"
    done = one(scrubber(Searching("Ana")).scrub([Document(1, text)]))
    rows = list(aligned_lines(text, done.text, done.changes))
    assert [_plain(row.before) for row in rows] == ["by ◆Ana◆", "hid◆den", ""]
    assert [_plain(row.after) for row in rows] == ["by ◆[NAME]◆", "hid◆den", ""]


def _plain(markup: str) -> str:
    return re.sub(r"<[^>]*>", "", str(markup))
