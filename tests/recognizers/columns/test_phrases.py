"""Which phrases are published vocabulary."""

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
