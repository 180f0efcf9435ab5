"""Which phrases published vocabulary vouches for."""

from __future__ import annotations

import pytest

from recognizers import is_published_phrase, may_be_somebody

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
def test_a_term_of_the_clinic_is_vouched_for(text: str) -> None:
    assert is_published_phrase(text)


@pytest.mark.parametrize("text", NOT_VOUCHED)
def test_a_name_of_common_words_is_not(text: str) -> None:
    assert not is_published_phrase(text)


@pytest.mark.parametrize("text", ["Rose Long", "Grant May", "Christian", "Rose", "Troy"])
def test_words_that_people_are_called_may_be_somebody(text: str) -> None:
    assert may_be_somebody(text)


@pytest.mark.parametrize("text", ["Rash", "Acute pain", "Oral mask", "Depression"])
def test_words_of_the_clinic_are_nobody(text: str) -> None:
    assert not may_be_somebody(text)
