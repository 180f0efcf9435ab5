"""Ages, years and events in text that show a person over 89, and others that do not."""

from __future__ import annotations

import datetime

import pytest

from recognizers import Finder, life_event_named

TODAY = datetime.date(2026, 11, 23)
FINDER = Finder.load(model=False, reference_date=TODAY, run_date=TODAY)
EARLIER = Finder.load(model=False, reference_date=datetime.date(2010, 1, 1), run_date=TODAY)
OVER = {"AGE_OVER_89", "BIRTH_YEAR_OVER_89"}
SHOWN = """At age [[20 in 1950]] she moved.
[[4 yo in 1934]].
Pt was [[22 years old in 1950]].
Was [[12 in 1945]].
In [[1950, when she was 22]], she fell.
Retired in [[1984 at 65]].
Retired at [[65 in 1984]].
[[1950: 22 yo]], first seizure.
Measles ([[1950, age 22]]).
HS grad [[1950]].
Finished medical school in [[1958]].
Graduated from college in [[1955]].
[[class of '44]]
Served in [[WWII]].
He is a [[Korean War]] veteran.
[[WW2]] vet
Served in [[Korea]].
Married in [[1950]].
Widow since [[1950]].
Retired in [[1985]].
Gave birth in [[1948]].
Enlisted in the navy in [[1943]].
Worked since [[1947]] as a welder.
In the army [[1944-1946]].
Polio in [[1934]].
Married for [[75 years]].
Celebrated [[75 years of marriage]].
Smoked for [[75 years]].
Born during [[the Great Depression]].
Grew up during [[the Depression]].
Age [[80 in 2010]].
Graduated from Acme Medical School in [[1957]].
Husband died in [[1950]].
US Navy, [[1944]].
Born in the [[1930s]].
By [[1950 she was already 25]].
Diagnosed [[1950 aged 22y]]
[[22yo in 1950]]
Onset at [[22y in 1950]].
TB '[[38 (10 yo]])
At [[22 in '50]], polio
when she was [[22 (1950]])
her [[22nd birthday in 1950]]
[[1950 - age 22]], polio
[[A century]] old woman
pt is M[[94]], fell
F[[94]] with fall
[[94]]/F admitted
Pt is M/[[94]] with CHF
Sex/Age: F/[[94]]
[[94y3m]] old
[[93½ y/o]] male
[[93 1/2 year old]]
[[1128-month-old]]
[[4,900-week-old]]
[[34,000 days old]]
age [[1130 months]]
Age: [[094Y]]
age [[xciv]]
[[fourscore and fourteen]]
[[nine decades]] old
in her [[tenth decade]]
in her [[94th]] year
[[94]]-y-o man"""
STAYS = """4 yo in 2015.
Retired in 2003.
Married in 1975.
Class of '99
class of 1990
Lisinopril founded in 1950.
Since 1946 guideline.
Diagnosed in 1995 at age 40.
62 years married.
Smoking for 40 years.
Served in Korea in 1968.
Served in Iraq in 2004.
24-month-old toddler
36-week-old infant
100-day-old infant
BP 94/62
T 98/F
HR 94/min
HR 94/m
Trial in the 1950s.
Married in 1999 at 30.
Sat 94/RA.
WBC 9.4
DOB 1967 (57 y.o.)
Ages 20-40 in the cohort of 1999.
Device model 1950 at 22 mA.
A trial of 1946 with 12 patients."""


def over_89(finder: Finder, text: str) -> list[str]:
    return [text[f.start : f.end] for f in finder.find(text) if f.entity in OVER]


@pytest.mark.parametrize("line", SHOWN.splitlines())
def test_text_that_shows_an_age_over_89_is_found(line: str) -> None:
    before, _, rest = line.partition("[[")
    value, _, after = rest.partition("]]")
    assert over_89(FINDER, before + value + after) == [value]


@pytest.mark.parametrize("line", STAYS.splitlines())
def test_text_that_shows_no_age_over_89_is_kept(line: str) -> None:
    assert over_89(FINDER, line) == []


def test_a_text_later_than_the_reference_date_is_judged_at_its_own_year() -> None:
    assert over_89(EARLIER, "Seen in 2023. Born in 1931.") == ["1931"]
    assert over_89(EARLIER, "Seen in 2009. Born in 1931.") == []


def test_an_age_that_would_show_a_pooled_birth_year_is_pooled_too() -> None:
    text = "Seen in 2010. DOB 3/4/1931. 79 yo, with her son, 50 yo."
    found = [text[f.start : f.end] for f in FINDER.find(text)]
    assert found == ["3/4/1931", "79"]


def test_a_planned_date_after_the_run_does_not_move_the_reference_date() -> None:
    assert over_89(EARLIER, "License expires 2031. Born in 1931.") == []


@pytest.mark.parametrize(
    ("header", "event"),
    [
        ("hs_grad_yr", "high_school"),
        ("HighSchoolGraduationYear", "high_school"),
        ("MED_SCHOOL_GRAD_YR", "graduate_school"),
        ("college_grad_year", "college"),
        ("grad_year", "graduation"),
        ("yr_married", "marriage"),
        ("date_of_retirement", "retirement"),
        ("army_enlist_year", "military_service"),
        ("service_date", None),
        ("onset_year", None),
        ("glucose", None),
    ],
)
def test_column_headers_name_life_events(header: str, event: str | None) -> None:
    named = life_event_named(header)
    assert (named.name if named else None) == event
