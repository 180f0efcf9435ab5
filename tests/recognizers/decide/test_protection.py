"""Guards: what no score of the model takes, and what a name in a person's place needs."""

from __future__ import annotations

import pytest

from recognizers.decide.guards import GUARDS, NEVER, applying, program, righted, vetoed
from recognizers.decide.protection import needed


@pytest.mark.parametrize(
    ("value", "entity", "left", "right"),
    [
        ("304914007", "OTHER_ID", "Infarction | SNOMED-CT | ", " | Acute"),
        ("97802", "US_ZIP_CODE", "| CPT | ", " | Medical"),
        ("10-18", "OTHER_ID", "(series #5 images #", ")"),
        ("28 5/7", "DATE_TIME", "born at ", " weeks"),
        ("L4-5", "OTHER_ID", "fusion ", " done"),
        ("T12-L1", "OTHER_ID", "fracture ", ""),
        ("C5/6", "OTHER_ID", "disc ", ""),
        ("Postanesthesia Care Unit", "FACILITY", "to the ", " in"),
        ("1998", "DATE_TIME", "since ", " and"),
        ("Okar", "PERSON", "The ", " forceps were"),
        ("Chevy", "PERSON", "", " rolled twice"),
        ("Ford Ranger", "PERSON", "her old ", " rolled twice"),
        ("Zoll", "PERSON", "AED by ", " advised"),
        ("Kia", "PERSON", "", " versus pole"),
        ("Wilson", "PERSON", "for ", "'s disease"),
        ("Rathke", "PERSON", "No ", " cyst seen"),
        ("Meckel", "PERSON", "of ", "'s space"),
        ("NDF-RT", "DEVICE_ID", "| ", " | N0000011298"),
        ("Honda Odyssey", "EMPLOYER", "carpool ", " plate"),
        ("Aline", "PERSON", "L rad ", ", RIJ"),
        ("gon na go", "PERSON", "i'm ", " ahead"),
        ("gon", "PERSON", "i'm ", " na prescribe"),
        ("ta try", "PERSON", "we got ", " this"),
        ("dragon", "PERSON", "hey ", " , show me"),
        ("dax", "PERSON", "we're using ", " today"),
        ("dax a", "PERSON", "just gon na tell ", " little bit"),
        ("siri", "PERSON", "hey ", " uh no"),
        ("Al-Anon", "PERSON", "on ", ", AA"),
        ("nine one one", "PHONE_NUMBER", "i called ", " and they"),
        ("CA19-9 417", "OTHER_ID", "head, ", ", SMV"),
    ],
)
def test_out_of_reach(value: str, entity: str, left: str, right: str) -> None:
    assert needed(value, entity, left, right) >= NEVER


@pytest.mark.parametrize(
    ("value", "entity", "left", "right", "most"),
    [
        ("1931", "BIRTH_YEAR_OVER_89", "she was born in ", " in", 0.6),
        ("Regions", "FACILITY", "He was admitted to ", " for this", 0.6),
        ("Encompass", "FACILITY", "dc to ", ". Goals", 0.6),
        ("Skeeter", "PERSON", "told ", " to rest", 0.6),
        ("Mark", "PERSON", "told ", " the plan", 0.6),
        ("Zoll", "PERSON", "seen by ", ", who", 0.6),
        ("Kia", "PERSON", "", " hit her head", 0.6),
        ("Bayberry Care Ctr", "FACILITY", "to ", " (pending)", 0.6),
        ("Sacred Heart School", "FACILITY", "at ", ".", 0.6),
        ("City Health Clinic", "FACILITY", "at ", ".", 0.6),
        ("Tamarack", "STREET_ADDRESS", "house on ", " 4 steps", 0.7),
        ("Washington", "PERSON", "by Dr. ", " documented", 0.97),
        ("Ray", "PERSON", "", " never hit me", 0.7),
        ("Peter B", "PERSON", "lymphoma, ", "., treated", 0.7),
        ("TJ", "PERSON", "of ", "'s death", 0.6),
        ("Okafor", "PERSON", "Then ", "'s cannula was", 0.6),
        ("Rodriguez", "PERSON", "", "'s clamp was r", 0.6),
        ("Johnson", "PERSON", "reports ", "'s line was in", 0.6),
        ("Wilson", "PERSON", "nurse; ", "'s ring was gi", 0.6),
        ("Aline", "PERSON", "her niece ", " called", 0.6),
        ("garcia", "PERSON", "maria ", " called", 0.6),
        ("dax", "PERSON", "my son ", " fell", 0.6),
        ("Lee Lee", "PERSON", "aunt ", " at 234", 0.6),
        ("QX5518", "DEVICE_ID", "catheter ", ", distal", 0.6),
        ("041-338", "MEDICAL_RECORD_NUMBER", "Vance R  ", "  thyroid", 0.6),
        ("14-0082", "OTHER_ID", "claim ", ", open", 0.6),
        ("C7-09", "OTHER_ID", "envelope ", ", opened", 0.6),
    ],
)
def test_within_reach(value: str, entity: str, left: str, right: str, most: float) -> None:
    assert needed(value, entity, left, right) <= most


@pytest.mark.parametrize(
    ("value", "entity", "left", "right"),
    [
        ("1931", "BIRTH_YEAR_OVER_89", "the number ", " was"),
        ("Pain Care Center", "FACILITY", "the ", " is"),
        ("Levaquin", "PERSON", "believe was ", " and"),
        ("Lisinopril", "PERSON", "rxns to ", "."),
        ("Hachinski", "PERSON", "MoCA 24, ", " 2"),
        ("12-18", "OTHER_ID", "resp ", ", calm"),
        ("0.5-2.0", "OTHER_ID", "range ", ""),
        ("02-04", "DATE_TIME", "over ", " h"),
        ("ha", "PERSON", "[doctor] ", " and who"),
        ("uh huh", "PERSON", "[doctor] ", " any more"),
    ],
)
def test_medicine_needs_near_certainty(value: str, entity: str, left: str, right: str) -> None:
    assert needed(value, entity, left, right) >= 0.97


def test_a_rule_that_is_half_sure_is_barred_from_codes_and_not_from_dates() -> None:
    assert vetoed("58160-0820-11", "OTHER_ID", "lot HB4471K, NDC ", ". Newborn")
    assert not vetoed("7/04", "DATE_TIME", "admitted ", " in vaso-occlusive")
    assert vetoed("the 1st", "DATE_TIME", "separation of ", " and 2nd metatar")
    assert not vetoed("the 1st", "DATE_TIME", "seen on ", " and the 2nd, so")


@pytest.mark.parametrize(
    ("value", "entity", "left", "right"),
    [
        ("2241", "PHONE_NUMBER", "", "  sws: march, 23f"),
        ("2243, 2301, 2320", "PHONE_NUMBER", "called x3 at ", ", hd"),
        ("0914-1020", "OTHER_ID", "Pulled log ", ": nine"),
        ("5150", "OTHER_ID", "", " written by"),
        ("36620 36556", "OTHER_ID", "14 u + mods; ", ";"),
        ("sat", "WEEKDAY", "", " 71 for two minutes"),
        ("ninety", "AGE_OVER_89", "for his ", "-day visit"),
        ("1 / 5 / 5", "DATE_TIME", "Eating     ", "    cuff"),
        ("OCT", "DATE_TIME", "", " today, compared"),
    ],
)
def test_clocks_depths_and_verbs_are_out_of_reach(
    value: str, entity: str, left: str, right: str
) -> None:
    assert needed(value, entity, left, right) >= NEVER


@pytest.mark.parametrize(
    ("value", "entity", "left", "right"),
    [
        ("2025-1544", "OTHER_ID", "Det. Ames, DR ", ", 208"),
        ("70 441 882", "MEDICAL_RECORD_NUMBER", "Stone, 94, ", ", RVR"),
        ("36620 36556", "MEDICAL_RECORD_NUMBER", "MRN ", ";"),
        ("84321", "US_ZIP_CODE", "Logan, ", "."),
        ("sat", "WEEKDAY", "recheck ", "."),
        ("sat", "WEEKDAY", "triage 2  ", " nite"),
        ("Sat", "WEEKDAY", "", " 7/5"),
        ("March", "DATE_TIME", "seen in ", " for"),
        ("101", "AGE_OVER_89", "is ", ","),
        ("1/5/25", "DATE_TIME", "on ", " she"),
        ("Oct", "DATE_TIME", "in ", " she"),
        ("0142", "PHONE_NUMBER", "call x ", "."),
    ],
)
def test_what_only_looks_like_them_is_within_reach(
    value: str, entity: str, left: str, right: str
) -> None:
    assert needed(value, entity, left, right) < NEVER


@pytest.mark.parametrize(
    ("value", "left", "right", "least"),
    [
        ("salt", "handed to dr ", ". esi 2", 0.5),
        ("Lung", "closed by PA ", ", 5-0 Prolene", 0.5),
        ("Lung", "PET: left ", " nodule", 0.97),
        ("lung", "the aide told ", " sounds", 0.8),
        ("DM", "tech ", " in at 2300", 0.6),
        ("jp", "Sat cover ", "", 0.58),
        ("T. Bishop", "cc: ", ", PsyD", 0.6),
        ("Penrose", "left a ", " in", 0.97),
    ],
)
def test_a_surname_that_is_a_word_behind_a_title(
    value: str, left: str, right: str, least: float
) -> None:
    assert needed(value, "PERSON", left, right) == pytest.approx(least)


@pytest.mark.parametrize(
    "value",
    ["B.R.B.P.R", "P.M.H. C", "P.E. B.P", "e.g", "a.m", "halmoni", "Tutu", "Aunty", "SOB", "FENT"],
)
def test_short_forms_and_words_of_kin_are_no_persons(value: str) -> None:
    assert needed(value, "PERSON", "says ", ", then") == NEVER


@pytest.mark.parametrize("value", ["R.J.H.", "O.B.", "Mama Pearl", "Ros", "Tia", "K.B"])
def test_initials_and_names_beside_words_of_kin_stay_in_reach(value: str) -> None:
    assert needed(value, "PERSON", "says ", ", then") < NEVER


@pytest.mark.parametrize("entity", ["PERSON", "DATE_TIME", "CITY", "OTHER_ID", "WEEKDAY"])
def test_no_guard_is_passed_over(entity: str) -> None:
    values = [
        "24/26",
        "Okar",
        "MAR",
        "sat",
        "10",
        "304914007",
        "28 5/7",
        "T12-L1",
        "may-thurner",
        "0 - 3",
    ]
    rights = ["", " forceps", " mg daily", "% on room air", " weeks", " shows", "\tx", " / 323"]
    for value in values:
        for right in rights:
            slowly = [
                guard
                for guard in GUARDS
                if (not guard.entities or entity in guard.entities)
                and program(guard.shape).fullmatch(value)
                and not (guard.unlike and program(guard.unlike).match(value))
                and (not guard.left or program(guard.left, end=True).search("at "))
                and (not guard.right or righted(guard.right).match(right))
            ]
            assert list(applying(value, entity, "at ", right)) == slowly


@pytest.mark.parametrize(
    ("value", "entity", "left", "right"),
    [
        ("5'11", "DATE_TIME", "", '" 160'),
        ("aug 118", "DATE_TIME", "IABP 1:1, ", ", ua 94"),
        ("OCT", "DATE_TIME", "", "  OD no fluid"),
        ("MM/DD/YYYY", "PERSON", "MRI on ", " showed"),
        ("nan", "PERSON", "at the EMG.", ""),
        ("layman", "PERSON", "in ", "'s terms"),
        ("#10-22", "PHOTO", "images ", ")"),
        ("Preoperative Holding Area", "FACILITY", "presents to ", " after"),
        ("Department of Anesthesia", "FACILITY", "from ", "."),
    ],
)
def test_what_forms_and_instruments_write(value: str, entity: str, left: str, right: str) -> None:
    assert needed(value, entity, left, right) == NEVER


@pytest.mark.parametrize(
    ("value", "entity", "left", "right"),
    [
        ("aug 14", "DATE_TIME", "back ", ""),
        ("the 4th", "DATE_TIME", "back on ", " with her"),
        ("nan", "PERSON", "lives with ", " in town"),
        ("Oct", "DATE_TIME", "in ", " with"),
        ("Department of Corrections", "FACILITY", "from ", "."),
    ],
)
def test_days_and_names_that_look_so_stay_in_reach(
    value: str, entity: str, left: str, right: str
) -> None:
    assert needed(value, entity, left, right) < NEVER


@pytest.mark.parametrize(
    ("value", "entity", "left", "right"),
    [
        ("Aug 98", "DATE_TIME", "Diagnosed ", " with DM"),
        ("aug 89", "DATE_TIME", "IABP placed in ", "."),
        ("R.T", "PERSON", "The patient (", ".) is 45"),
        ("R.T", "PERSON", "His son (", ".) called"),
        ("CB", "PERSON", "Interpreter for ", ", who"),
    ],
)
def test_a_day_and_the_initials_of_somebody_are_within_reach(
    value: str, entity: str, left: str, right: str
) -> None:
    assert needed(value, entity, left, right) < NEVER


@pytest.mark.parametrize(
    ("value", "entity", "left", "right"),
    [
        ("aug 98", "DATE_TIME", "IABP 1:1, ", " mean 66"),
        ("aug 118", "DATE_TIME", "on ", ", map 66"),
        ("R.T", "PERSON", "DJ (", ".)"),
        ("cb", "PERSON", "waiting for ", ""),
    ],
)
def test_a_pressure_a_credential_and_a_call_are_not(
    value: str, entity: str, left: str, right: str
) -> None:
    assert needed(value, entity, left, right) >= NEVER


@pytest.mark.parametrize(
    ("value", "entity", "left"),
    [
        ("Groomer", "PERSON", ""),
        ("Kid", "PERSON", "today. "),
        ("Unhoused", "PERSON", "today. "),
        ("Refeeding", "PERSON", ""),
        ("Telemetry", "FACILITY", "transferred to "),
        ("Regions", "FACILITY", "in other "),
    ],
)
def test_a_word_that_nobody_bears_needs_much(value: str, entity: str, left: str) -> None:
    assert needed(value, entity, left, " by trade") >= 0.85


@pytest.mark.parametrize(("value", "right"), [("Mark", " the site"), ("Lance", " the abscess")])
def test_an_order_at_the_head_of_a_sentence_is_nobody(value: str, right: str) -> None:
    assert needed(value, "PERSON", "Prone. ", right) >= 0.98


@pytest.mark.parametrize(
    ("value", "right"),
    [("Mark", " denied SI"), ("Lincoln", " rolled over at 5 months"), ("Austin", " hit a truck")],
)
def test_what_people_do_is_no_order_and_no_crash(value: str, right: str) -> None:
    assert needed(value, "PERSON", "Prone. ", right) < 0.6


@pytest.mark.parametrize(
    "right", [" Mg was 1.8", " Mg (1.8)", " Mg nl", " MG 1.8, K 3.4", " mg low"]
)
def test_a_day_before_the_level_of_magnesium_is_no_strength(right: str) -> None:
    assert not vetoed("10/12", "DATE_TIME", "On ", right)


@pytest.mark.parametrize(
    ("value", "left", "right"),
    [
        ("Mark", "", " the patient's b"),
        ("Lance", "", " a 45 year old m"),
        ("Pat", "Spoke. ", " your nurse toda"),
        ("Skip", "", " both feels and "),
        ("Grant", "", " pending dischar"),
        ("Bill", "", " unpaid leave si"),
        ("Bard", "line in port by ", " RN, flushed."),
        ("Zimmer", "Catheter by ", ", RN, at 0900"),
        ("Chevy", "", " is her son and "),
        ("Chevy Colorado", "nurse ", " at desk"),
        ("Kia Rio", "", " called"),
        ("huh", "ms ", " is here"),
        ("Chevy", "", " is a 5 yo here "),
        ("Camry", "Baby ", " was weighed"),
        ("Camry", "Mom says ", " has a fever"),
        ("Tahoe", "Called mom of ", " reports fever"),
    ],
)
def test_a_person_called_as_an_order_a_maker_or_a_car_needs_no_more(
    value: str, left: str, right: str
) -> None:
    assert not list(applying(value, "PERSON", left, right))
