"""Columns of answers from clinical lists, under any header and with some other cells. Names that
are also on such a list are still treated as names.
"""

from __future__ import annotations

import pytest

from recognizers import conforms, is_answer, is_published_phrase, profile


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("rhythm", ["NSR", "AF", "Asystole", "V paced"]),
        ("InitRhythm", ["Asystole", "PEA", "VF"]),
        ("classification", ["VUS", "Likely benign", "Pathogenic"]),
        ("variant_consequence", ["missense_variant", "stop_gained"]),
        ("gene_variant_effect", ["missense_variant&splice_region_variant", "stop_gained"]),
        ("mvx", ["PFR", "MSD", "SKB"]),
        ("manufacturer", ["Abbott", "Medtronic", "Cook Medical"]),
        ("delivery", ["C/S", "SVD", "Vacuum"]),
        ("abo_mom", ["A", "O", "B", "AB"]),
        ("diet", ["NPO", "NPO except meds", "Renal"]),
        ("st", ["Scheduled", "No Show", "Canceled"]),
        ("st", ["NS", "CX", "ARR", "CHK"]),
        ("cxlRsn", ["Patient", "Weather", "Transportation"]),
        ("subject", ["Refill request", "Test results", "Referral"]),
        ("gram", ["GNR", "GPC in clusters", "Yeast"]),
        ("POA", ["Y", "N", "U", "W"]),
    ],
)
def test_columns_of_clinical_answers_are_kept(header: str, values: list[str]) -> None:
    found = profile(header, values * 8)
    assert found.kind == "keep", found
    assert all(map(found.may_stay, values))


def test_a_name_among_heart_rhythms_is_not_kept() -> None:
    found = profile("rhythm", ["NSR", "AF", "Asystole", "Paced"] * 8 + ["Okonkwo, Ngozi"])
    assert found.kind == "keep"
    assert not found.may_stay("Okonkwo, Ngozi")


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("surgeon", ["Abbott", "Cook", "Gore"]),
        ("last_name", ["Abbott", "Cook", "Pride"]),
        ("x7", ["Abbott", "Cook", "Pride"]),
        ("clerk", ["PAT", "MAT", "SAL"]),
        ("x7", ["CJ", "CO", "NS", "RS"]),
    ],
)
def test_names_and_initials_are_not_taken_for_answers(header: str, values: list[str]) -> None:
    assert profile(header, values * 8).kind != "keep"


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("Imaging tech", ["CR", "MG", "DR", "SR"]),
        ("Imaging provider", ["CR", "MG", "DR", "SR"]),
        ("slp initials", ["NA", "SA"]),
        ("financial counselor initials", ["NA", "SA"]),
        ("financial counselor initials", ["MD", "CO"]),
        ("dea no", ["2", "3", "4", "5"]),
    ],
)
def test_initials_and_license_numbers_are_not_taken_for_answers(
    header: str, values: list[str]
) -> None:
    assert profile(header, values * 10).kind != "keep"


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("modality", ["CR", "MG", "DX"]),
        ("provider credentials", ["MD", "DO", "NP", "PA-C"]),
        ("dea schedule", ["2", "3", "4", "5"]),
        ("DEA class", ["C2", "C3", "4"]),
        ("dea", ["C-II", "C-IV", "C-V"]),
    ],
)
def test_short_answers_are_kept_where_the_header_names_their_list(
    header: str, values: list[str]
) -> None:
    found = profile(header, values * 10)
    assert found.kind == "keep", found
    assert all(map(found.may_stay, values))


def test_an_answer_is_a_published_phrase_and_a_maker_is_not() -> None:
    assert is_published_phrase("Asystole")
    assert is_published_phrase("NPO except meds")
    assert not is_published_phrase("Abbott")
    assert not is_published_phrase("PAT")
    assert conforms("rhythm", "ST") and not conforms("rhythm", "MRN 4471220")


def test_an_answer_with_an_amount_is_still_an_answer() -> None:
    assert conforms("oxygen", "2L NC") and is_answer("oxygen", "40% VM")
    assert is_answer("infusion", "NS @ 75") and not is_answer("infusion", "NS @ 4471220")


@pytest.mark.parametrize(
    ("header", "values", "kind", "entity"),
    [
        ("sn", ["Two Bulls", "Begay", "Do", "Kealoha", "Her"], "identifier", "PERSON"),
        ("sn", ["AX93K7QQ1", "PL20M4TR8", "QK77H2LM0"], "identifier", "DEVICE_ID"),
        ("mi", ["J", "K", "A", "M", "R"], "identifier", "PERSON"),
        ("subject", ["Refill request please", "My knee hurts", "thanks"], "text", ""),
        ("subject", ["Ana Two Bulls", "Bao Linh", "Kou Vang"], "identifier", "PERSON"),
        ("subject", ["S-1001", "S-1002", "S-1003"], "identifier", "OTHER_ID"),
        ("attachments", ["0", "1", "2", "0"], "keep", ""),
        ("rh_mom", ["POS", "NEG"], "keep", ""),
        ("circ_rn", ["Mason, Sione", "Begay, Rose"], "identifier", "PERSON"),
        ("SC PERCENTAGE", ["0", "30", "100"], "keep", ""),
        ("denial_rsn", ["CO-45", "PR-1", "OA-23"], "keep", ""),
        ("no_shows", ["0", "2", "4"], "keep", ""),
        ("EVENT_CD_DISP", ["Braden Score", "Urine Color"], "keep", ""),
    ],
)
def test_the_values_decide_what_a_short_header_means(
    header: str, values: list[str], kind: str, entity: str
) -> None:
    found = profile(header, values * 8)
    assert (found.kind, found.entity) == (kind, entity), found.reasons
