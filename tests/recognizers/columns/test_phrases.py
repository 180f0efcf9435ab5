"""Which phrases are published vocabulary."""

from __future__ import annotations

import pytest

from recognizers import is_published_phrase, may_be_somebody
from recognizers.columns.cells.phrases import is_trial_phrase

VOUCHED = (
    *(
        "Mild",
        "Moderate-to-severe",
        "Life-threatening",
        "Former smoker",
        "Skilled Nursing Facility",
    ),
    *(
        "Essential hypertension",
        "Acute bronchitis",
        "Spirometry",
        "Left hip fracture",
        "Depression",
    ),
    *("History of appendectomy (situation)", "Hyperlipidemia, unspecified", "Knee X-ray"),
    *("lisinopril 10 MG Oral Tablet", "Internal Medicine", "Haemorrhoids", "Pain clinic"),
    *("Preeclampsia", "Against medical advice", "Not detected", "Long term care"),
    *(
        "Broken Leg",
        "Heart Failure",
        "RUNNY NOSE",
        "Lost to Follow-up",
        "Wound Care Clinic",
        "bee venom allergy",
    ),
)
NOT_VOUCHED = (
    *(
        "Rose Long",
        "rose long",
        "LONG, ROSE",
        "May Grant",
        "Hope Young",
        "Will Power",
        "Iris Banks",
    ),
    *("Zebulon Quartermaine", "Grace", "Hunter", "Long", "JQ", "see Dr. X", "Dr. Long"),
    *("call Hope Young re asthma", "pt moved to Troy", "her brother Mark", "next to the old mill"),
    *("12 Elm Street", "Pearl Harbor", "Mercy Clinic", "owner of Joe's Diner", "the senator"),
    *("Rose has asthma", "Head Nurse Long", "Penny Lane", "Troy", "Dunmorrow"),
    *("Two Bulls", "Brave Heart", "Standing Bear"),
)


@pytest.mark.parametrize("text", VOUCHED)
def test_a_clinical_term_is_a_published_phrase(text: str) -> None:
    assert is_published_phrase(text)


@pytest.mark.parametrize("text", NOT_VOUCHED)
def test_a_name_of_common_words_is_not_a_published_phrase(text: str) -> None:
    assert not is_published_phrase(text)


@pytest.mark.parametrize("text", ["Rose Long", "Grant May", "Christian", "Rose", "Troy"])
def test_words_that_are_also_names_may_be_a_person(text: str) -> None:
    assert may_be_somebody(text)


@pytest.mark.parametrize("text", ["Rash", "Acute pain", "Oral mask", "Depression"])
def test_clinical_words_are_not_persons(text: str) -> None:
    assert not may_be_somebody(text)


@pytest.mark.parametrize(
    "text",
    [
        *("1 hr 45 min predose", "30 Min Post-dose", "Day 15 Dose", "24 weeks postdose"),
        *("Randomized to High Dose", "Start of Screen Epoch", "Treatment A", "Unscheduled 3.1"),
    ],
)
def test_words_of_the_design_of_trials_are_a_phrase(text: str) -> None:
    assert is_trial_phrase(text) and is_published_phrase(text)


@pytest.mark.parametrize(
    "text",
    [
        *("Randomized to Toledo", "Smith dosing", "Rose Long predose", "Day 5/12 dose"),
        *("Day 1234 dose", "Week 1960-07-04", "Cohort JS", "Cohort J S", "Day 3.12.45", "Min Post"),
        *("May 5 dose", "93 years untreated", "Dose given by Long", "", "12"),
        *("Day, J", "J. Day", "Early Day", "Day (617) 555 01 23", "Control 123 456 789"),
    ],
)
def test_a_name_a_date_or_a_long_number_is_no_phrase_of_trials(text: str) -> None:
    assert not is_trial_phrase(text)
