"""One judgment for all uses: what is approved, and the check that refuses the rest."""

from __future__ import annotations

import pytest

from deid.vocabularies.wording import (
    CODED,
    DESCRIPTION,
    KEY_PATH,
    LOCAL_CODE,
    NAME,
    NAME_OF_FILE,
    TERM,
    WORDED_KEY,
    Use,
    judge_words,
    names_nobody,
)
from deid.vocabularies.wording.judging import APPROVED, REFUSED

USES = {
    "name": NAME,
    "file": NAME_OF_FILE,
    "path": KEY_PATH,
    "description": DESCRIPTION,
    "code": LOCAL_CODE,
    "key": WORDED_KEY,
    "term": TERM,
}


@pytest.mark.parametrize(
    ("use", "text", "reason"),
    [
        ("name", "person_id", "published"),
        ("name", "systolic_bp", "words"),
        ("name", "wt_j_d", "person"),
        ("name", "HR_04MAR21", "number"),
        ("name", "bp_at_93", "number"),
        ("name", "sunrise_laboratory", "place"),
        ("name", "glucose_zhornask", "unlisted"),
        ("name", "jdoe@example.org", "shape"),
        ("name", "glucose\u200b", "unread"),
        ("name", "...", "unread"),
        ("name", "glucose" + "_value" * 60, "length"),
        ("file", "Brown", "person"),
        ("file", "labs", "words"),
        ("path", "labs.bp_at_93", "number"),
        ("path", "zhornask.wt", "words"),
        ("description", "Fasting glucose", "words"),
        ("description", "Seen 04/03/2021", "shape"),
        ("description", "Smith", "person"),
        ("description", "glucose of Zhornask", "unlisted"),
        ("code", "HB1", "words"),
        ("code", "two words", "unread"),
        ("code", "GLU" * 21, "length"),
        ("key", "VitalSigns", "words"),
        ("key", "VitalSigns1", "unread"),
        ("key", "HotSprings", "unlisted"),
        ("key", "NursingHome", "person"),
        ("key", "VitalBlood", "words"),
        ("key", "SmithHistory", "unlisted"),
        ("term", "Glucose [Mass/volume] in Blood", "words"),
        ("term", "Rose Long [Mass/volume]", "person"),
    ],
)
def test_the_check_that_decides(use: str, text: str, reason: str) -> None:
    verdict = judge_words(text, USES[use])
    assert verdict.reason == reason
    assert verdict.names_nobody is (reason in APPROVED)


@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize("text", ["", " ", "-", ".", "...", "\n", "\u200b", "²", "[]"])
def test_a_text_without_words_is_judged(use: Use, text: str) -> None:
    assert judge_words(text, use).reason in APPROVED | REFUSED


def test_each_use_has_only_reasons_that_are_told() -> None:
    checks = [check for use in USES.values() for check in (*use.of_text, *use.of_words)]
    assert {reason for reason, _ in checks} <= set(REFUSED)


@pytest.mark.parametrize("plural", ["Smiths", "Bakers", "Roses", "Weeks"])
def test_the_plural_of_a_name_makes_no_key_of_words(plural: str) -> None:
    assert not names_nobody(f"{plural}History", WORDED_KEY)


def test_a_code_may_be_approved_in_one_of_several_uses() -> None:
    assert names_nobody("two glucose", *CODED) and names_nobody("HB1", *CODED)
    assert not names_nobody("HB1 two", LOCAL_CODE) and not names_nobody("Smith", *CODED)


@pytest.mark.parametrize(
    "name", ["W1_A11", "P20A", "heroin_q45_6___2", "symptoms___12", "q12___999"]
)
def test_codes_of_questions_and_answers_are_names_of_columns(name: str) -> None:
    assert names_nobody(name, NAME)


@pytest.mark.parametrize("name", ["J_D_17", "JD_W1", "phone_617_555_0142", "q617_555___0142"])
def test_initials_and_numbers_of_persons_are_no_codes_of_questions(name: str) -> None:
    assert not names_nobody(name, NAME)
