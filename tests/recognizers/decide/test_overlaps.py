"""Resolving overlaps gives the same result for few and many findings, and depends only on adjacent
findings.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recognizers.decide.overlaps import resolve_overlaps
from recognizers.finding import ENTITIES, Finding
from safe_harbor import Identifier

TEXT = "Ann Bell, 3/4 10:15, 12 Elm St, x4410 "


@st.composite
def findings(draw: st.DrawFn) -> Finding:
    start = draw(st.integers(0, len(TEXT) - 2))
    end = draw(st.integers(start + 1, min(start + 14, len(TEXT))))
    entity = draw(st.sampled_from(["PERSON", "DATE_TIME", "PHONE_NUMBER", "FACILITY"]))
    score, source = draw(st.sampled_from([0.5, 0.9])), draw(st.sampled_from(["a", "known_values"]))
    return Finding(start, end, ENTITIES[entity], entity, score, source)


@given(st.lists(findings(), min_size=1, max_size=12))
def test_of_findings_with_the_same_span_the_best_is_left(found: list[Finding]) -> None:
    group = [Finding(4, 8, *_rest(f)) for f in found]
    best = max(group, key=lambda f: (f.source == "known_values", f.score))
    (kept,) = resolve_overlaps(group, TEXT)
    assert (kept.source, kept.identifier) in {(f.source, f.identifier) for f in group}
    assert kept.score == max(f.score for f in group if f.entity == kept.entity) >= best.score


def test_a_finding_has_the_score_of_a_surer_one_that_supports_it() -> None:
    long, sure = ((4, 19, 0.88), (8, 19, 0.91))
    for end, score in ((19, 0.91), (9, 0.88)):
        group = [
            Finding(*long[:2], Identifier.NAMES, "PERSON", long[2], "model"),
            Finding(sure[0], end, Identifier.NAMES, "PERSON", sure[2], "names"),
        ]
        (kept,) = resolve_overlaps(group, "Dr. Anna Okafor-Bell came")
        assert (kept.start, kept.end, kept.score) == (4, 19, score)


@given(st.lists(findings(), max_size=12))
def test_every_letter_and_digit_of_a_finding_stays_covered(found: list[Finding]) -> None:
    kept = resolve_overlaps(found, TEXT)
    covered = {i for f in kept for i in range(f.start, f.end)}
    wanted = {i for f in found for i in range(f.start, f.end) if TEXT[i].isalnum()}
    assert wanted <= covered and sum(f.end - f.start for f in kept) == len(covered)


@given(st.lists(findings(), max_size=12), st.lists(findings(), max_size=12))
def test_findings_far_apart_are_resolved_as_if_alone(
    left: list[Finding], right: list[Finding]
) -> None:
    # Blank lines and a stretch of dots separate the texts, so no finding spans both.
    gap = "\n\n" + "." * 40 + "\n\n"
    moved = [Finding(f.start + len(TEXT + gap), f.end + len(TEXT + gap), *_rest(f)) for f in right]
    both = resolve_overlaps([*left, *moved], TEXT + gap + TEXT)
    shift = len(TEXT + gap)
    assert [f for f in both if f.end <= len(TEXT)] == list(resolve_overlaps(left, TEXT + gap))
    back = [Finding(f.start - shift, f.end - shift, *_rest(f)) for f in both if f.start >= shift]
    assert back == list(resolve_overlaps(right, TEXT))


def _rest(finding: Finding) -> tuple[Identifier, str, float, str]:
    return finding.identifier, finding.entity, finding.score, finding.source


def test_a_span_that_shows_an_age_over_89_is_replaced_with_its_year() -> None:
    text = "at age 22 in 1950"
    shown = Finding(7, 17, Identifier.DATES, "BIRTH_YEAR_OVER_89", 0.9, "ages")
    known = Finding(13, 17, Identifier.DATES, "DATE_TIME", 1.0, "known_values")
    assert resolve_overlaps([shown, known], text) == (shown,)
    assert resolve_overlaps([known], text) == (known,)


def test_a_known_day_inside_a_number_leaves_the_number_whole() -> None:
    text = "MRN 2005-05-01-4471, seen 2005-05-01"
    number = Finding(4, 19, Identifier.MRNS, "MEDICAL_RECORD_NUMBER", 0.6, "mrns")
    days = [Finding(a, a + 10, Identifier.DATES, "DATE_TIME", 0.9, "known_values") for a in (4, 26)]
    assert resolve_overlaps([number, *days], text) == (number, days[1])


def test_a_known_day_inside_a_name_or_several_words_is_replaced_as_a_day() -> None:
    text = "Box 2005-05-01 4471"
    day = Finding(4, 14, Identifier.DATES, "DATE_TIME", 0.9, "known_values")
    for identifier, entity in ((Identifier.OTHERS, "OTHER_ID"), (Identifier.NAMES, "PERSON")):
        found = resolve_overlaps([Finding(0, 19, identifier, entity, 0.6, "others"), day], text)
        assert day in found and len(found) == 3
