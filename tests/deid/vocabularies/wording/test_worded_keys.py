"""Codes that consist of published words are accepted; codes with a name in them never are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deid.vocabularies.wording import WORDED_KEY, names_nobody
from recognizers import word_evidence

ROOT = Path(__file__).parents[4]
# Titles of sections, orders and observations that systems write as identifiers.
_TITLES = """
VitalSigns ReferralReason ReasonForReferral Medications Allergies GlucoseTolerance BloodPressure
SocialHistory FamilyHistory PlanOfCare ProblemList Results Payers FunctionalStatus Encounters
Immunizations Procedures AdvanceDirectives MedicalEquipment ChiefComplaint HistoryOfPresentIllness
AssessmentAndPlan ReviewOfSystems HospitalCourse DischargeInstructions BodyMassIndex LipidPanel
RenalFunction LiverFunction UrineCulture PatientInstructions
vital_signs blood-pressure VITAL_SIGNS Vital-Signs
"""
# Ordinary words that are also names of persons, towns or facilities, and codes of no known words.
_NAMES = """
SmithJohn JohnSmith RoseLong WillGrace HopeGrant GraceHope YoungBrown MarkLong JoyBest FaithHill
SummerWinter IrisStone AmberBrooks JasminePain CrystalGlass PennyLane MelodyField LittleBear
PearlHeart PainGrace UrineRose PatientSmith FrankBlood TwoBulls SwiftEagle GrayWolf BraveHeart
rose_long WILL-GRACE VanHorn McCoy DeLaRosa Rose Grant Hope Will Brown Vital Blood Young
MercyHospital ReadingHospital CommunityHospital HeartHospital ValleyClinic HotSprings PlainCity
mercyhospital smithjohn roselong vitalsigns VITALSIGNS AB JT JTNotes VitalsOfJ GravesDisease
PinkDragon SouthernTower RunningWater HappyCamper RainbowFarm PleasantPlaza
HodgkinLymphoma NoteOlejniczak qxzvkw
"""


@pytest.mark.parametrize("code", _TITLES.split())
def test_a_title_written_as_a_code_consists_of_words(code: str) -> None:
    assert names_nobody(code, WORDED_KEY)


@pytest.mark.parametrize("code", _NAMES.split())
def test_a_code_that_may_be_a_name_does_not(code: str) -> None:
    assert not names_nobody(code, WORDED_KEY)


@pytest.mark.parametrize(
    "code", ["VitalSigns1", "2VitalSigns", "Vital.Signs", "VitalSigns@x", "VítalSigns", "", " "]
)
def test_digits_and_other_signs_make_a_code(code: str) -> None:
    assert not names_nobody(code, WORDED_KEY)


def _clinic_names() -> list[str]:
    """The words of the names in the made-up clinic, each as a part of a code."""
    text = (ROOT / "corpora" / "clinic" / "patients.csv").read_text("utf-8")
    return sorted(set(re.findall(r"\b[A-Z][a-z]{2,}\b", text)))


_BORNE = [name for name in _clinic_names() if word_evidence(name).given > 9]
_WORDS = ("Vital", "Signs", "Reason", "Referral", "Blood", "Pressure", "History", "Plan", "Care")


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(_BORNE),
    st.lists(st.sampled_from(_WORDS), max_size=3),
    st.integers(0, 3),
    st.sampled_from(["", "_", "-", " "]),
    st.sampled_from([str.title, str.upper, str.lower]),
)
def test_one_given_name_among_words_is_enough(name, words, at, between, case):  # type: ignore[no-untyped-def]
    parts = [*words[:at], name, *words[at:]]
    assert not names_nobody(between.join(case(part) for part in parts), WORDED_KEY)


@settings(max_examples=200, deadline=None)
@given(st.text(min_size=1, max_size=12), st.sampled_from("0123456789٣５"))
def test_a_code_with_a_digit_is_never_worded(text: str, digit: str) -> None:
    assert not names_nobody(text + digit, WORDED_KEY) and not names_nobody(digit + text, WORDED_KEY)
