"""The report counts as the contract defines."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from deid.errors import DeidError
from deid.evaluation.gold import LabelMap, read_gold
from deid.evaluation.scoring import (
    GoldDocument,
    GoldSpan,
    by_note,
    count_document,
    evaluate_findings,
    over_redactions,
)
from recognizers import Finding
from safe_harbor import Identifier

TEXT = "Dr. Ann Lee saw him on Monday, 3/4/2024, for a rash."
NAME = GoldSpan(4, 11, "NAME")
DAY = GoldSpan(23, 29, "WEEKDAY")
DATE = GoldSpan(31, 39, "DATE")


def document(*spans: GoldSpan, text: str = TEXT, ordinal: int = 0) -> GoldDocument:
    return GoldDocument(ordinal, text, spans)


def found(*pairs: tuple[int, int]) -> list[Finding]:
    return [Finding(a, b, Identifier.NAMES, "PERSON", 1.0, "model") for a, b in pairs]


def test_a_span_counts_as_covered_only_when_every_letter_and_digit_is() -> None:
    gold = [document(NAME, DATE)]
    whole = evaluate_findings(gold, [found((4, 7), (8, 11), (31, 39))], 1.0)
    part = evaluate_findings(gold, [found((4, 10), (31, 39))], 1.0)
    assert whole.by_label["NAME"] == {
        "spans": 1, "covered": 1, "leaked_spans": 0, "recall": 1.0, "character_recall": 1.0,
    }  # fmt: skip
    assert part.by_label["NAME"]["covered"] == 0
    assert part.by_label["NAME"]["character_recall"] == round(5 / 6, 4)
    assert (whole.recall, part.recall) == (1.0, 0.5)
    assert (whole.clean_documents, part.clean_documents) == (1, 0)


def test_the_type_of_a_finding_does_not_matter_to_coverage() -> None:
    assert evaluate_findings([document(DATE)], [found((31, 39))], 1.0).recall == 1.0


def test_a_weekday_counts_in_its_own_row_only() -> None:
    report = evaluate_findings([document(NAME, DAY)], [found((4, 11))], 1.0)
    assert report.by_label["WEEKDAY"]["recall"] == 0.0
    assert report.recall == 1.0
    assert report.clean_documents == 1
    strict = evaluate_findings(
        [document(NAME, DAY)], [found((4, 11))], 1.0, not_required=frozenset()
    )
    assert strict.recall == 0.5


def test_precision_counts_letters_and_digits() -> None:
    report = evaluate_findings([document(NAME)], [found((0, 11))], 1.0)
    assert report.precision == round(6 / 8, 4)


def test_retention_counts_words_outside_all_gold_spans() -> None:
    # outside the spans: Dr saw him on for a rash
    report = evaluate_findings([document(NAME, DAY, DATE)], [found((0, 11), (47, 51))], 1.0)
    assert report.retention == round(5 / 7, 4)


def test_neutral_spans_count_neither_as_correct_nor_as_false() -> None:
    neutral = GoldSpan(31, 39, None)
    report = evaluate_findings([document(NAME, neutral)], [found((4, 11), (31, 39))], 1.0)
    assert (report.recall, report.precision, report.retention) == (1.0, 1.0, 1.0)
    assert "None" not in report.by_label


def test_a_rate_without_a_denominator_is_none() -> None:
    report = evaluate_findings([document(text="")], [[]], 0.0)
    assert (report.recall, report.precision, report.retention) == (None, None, None)
    assert report.characters_per_second is None


def test_no_documents() -> None:
    report = evaluate_findings([], [], 1.0)
    assert report.documents == 0
    assert report.intervals["recall"] is None


def test_intervals_contain_the_estimate_and_are_reproducible() -> None:
    gold = [document(NAME, DATE, ordinal=n) for n in range(20)]
    marks = [found((4, 11), (31, 39)) if n % 3 else found((4, 11)) for n in range(20)]
    report = evaluate_findings(gold, marks, 1.0)
    interval = report.intervals["recall"]
    assert interval is not None and report.recall is not None
    assert interval[0] < report.recall < interval[1]
    assert evaluate_findings(gold, marks, 1.0).intervals == report.intervals


def test_leaks_are_reported_per_ten_thousand_words() -> None:
    assert count_document(document(NAME), [], frozenset()).all_words == 13
    assert evaluate_findings([document(NAME)], [[]], 1.0).leaks_per_10000_words == round(
        10_000 / 13, 4
    )


def test_a_row_for_each_note() -> None:
    gold = [document(NAME, DAY, ordinal=3), document(DATE, ordinal=4)]
    first, second = by_note(gold, [found((4, 11)), []])
    assert (first["document"], first["spans"], first["leaked_spans"]) == (3, 1, 0)
    assert (second["recall"], second["precision"], second["retention"]) == (0.0, None, 1.0)


def test_the_most_frequent_false_findings_are_listed() -> None:
    gold = [document(NAME), document(NAME)]
    marks = [found((4, 11), (47, 51)), found((47, 51), (12, 15))]
    assert over_redactions(gold, marks, 1) == [("PERSON", "rash", 2)]


def test_a_gold_document_shows_no_text() -> None:
    assert "Ann" not in repr(document(NAME))


def test_reads_json_lines_under_a_map(tmp_path: Path) -> None:
    path, classes = tmp_path / "gold.jsonl", tmp_path / "map.json"
    spans = [{"start": 4, "end": 11, "label": "PER"}, {"start": 31, "end": 39, "label": "AGE"}]
    path.write_text(json.dumps({"id": "a", "text": TEXT, "spans": spans}) + "\n\n")
    classes.write_text(json.dumps({"NAME": ["PER"], "AGE_NOT_PHI": ["AGE"]}))
    (read,) = read_gold(path, LabelMap.read(classes))
    assert read.spans == (NAME, GoldSpan(31, 39, None))
    classes.write_text(json.dumps({"PER": "NAME", "AGE": None}))
    assert read_gold(path, LabelMap.read(classes)) == [read]


def test_reads_brat_standoff(tmp_path: Path) -> None:
    (tmp_path / "n.txt").write_text(TEXT)
    (tmp_path / "n.ann").write_text("T1\tNAME 4 7;8 11\tAnn Lee\nA1\tNegated T1\n#1\tNote T1\tx\n")
    (read,) = read_gold(tmp_path, LabelMap())
    assert read.text == TEXT
    assert read.spans == (GoldSpan(4, 7, "NAME"), GoldSpan(8, 11, "NAME"))
    assert read_gold(tmp_path / "n.ann", LabelMap()) == [read]


BEYOND = '{"text": "Ann", "spans": [{"start": 0, "end": 9, "label": "N"}]}'
EMPTY = '{"text": "Ann", "spans": [{"start": 2, "end": 2, "label": "N"}]}'


@pytest.mark.parametrize("line", ["{", "[]", '{"text": "Ann"}', BEYOND, EMPTY])
def test_invalid_gold_is_refused_without_showing_it(tmp_path: Path, line: str) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text('{"text": "", "spans": []}\n' + line)
    with pytest.raises(DeidError) as caught:
        read_gold(path, LabelMap())
    assert (caught.value.code, caught.value.place, caught.value.exit_code) == (
        "gold-unreadable", "line 2", 6,
    )  # fmt: skip
    assert "Ann" not in str(caught.value)


def test_reads_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    content = io.BytesIO(b'{"text": "Ann", "spans": []}\n')
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(content))
    assert [document.text for document in read_gold(Path("-"), LabelMap())] == ["Ann"]


def test_gold_bytes_that_are_not_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "gold.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DeidError) as caught:
        read_gold(tmp_path / "gold.jsonl", LabelMap())
    assert caught.value.code == "gold-unreadable"


def test_a_missing_file_is_named_as_such(tmp_path: Path) -> None:
    with pytest.raises(DeidError) as caught:
        read_gold(tmp_path / "absent.jsonl", LabelMap())
    assert caught.value.code == "gold-missing"
