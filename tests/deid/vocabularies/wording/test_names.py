"""Which names of columns, tables and files are released: ordinary headers, and no name that
contains a personal value.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from deid.vocabularies.cdisc.variables import cdisc_names
from deid.vocabularies.data_models import published_names
from deid.vocabularies.wording import NAME, NAME_OF_FILE, names_nobody
from recognizers.words.gazetteers import levels

LISTS = Path(__file__).parents[4] / "corpora" / "names_of_things"
MOST_RENAMED = 0.02


def listed(name: str) -> list[str]:
    lines = (LISTS / f"{name}.txt").read_text("utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


@pytest.mark.parametrize("name", listed("hostile"))
def test_a_name_that_contains_a_personal_value_is_not_accepted(name: str) -> None:
    assert not names_nobody(name, NAME)


def test_the_lists_have_their_documented_lengths() -> None:
    assert len(set(listed("hostile"))) > 200
    assert len(set(listed("clinical"))) > 300
    assert len(published_names()) > 300


def _cdisc_variables() -> list[str]:
    """Variables of SDTM and ADaM: those listed in full, and each listed suffix with one domain."""
    first = min(cdisc_names("domain"))
    whole = {name.replace("xx", "01") for name in cdisc_names("whole")}
    return sorted(whole | {first + suffix for suffix in cdisc_names("suffix")})


@pytest.mark.parametrize("names", [listed("clinical"), published_names(), _cdisc_variables()])
def test_ordinary_headers_are_accepted(names: list[str]) -> None:
    renamed = [name for name in names if not names_nobody(name, NAME)]
    assert len(renamed) <= MOST_RENAMED * len(names), renamed


@pytest.mark.parametrize("pattern", ["glucose_{0}_{1}", "{1}_{0}", "hr {0} {1}", "{0}.{1}.wt"])
def test_almost_no_pair_of_census_names_is_accepted(pattern: str) -> None:
    """At most one pair in five hundred is accepted, where both names are also ordinary words
    (`max`, `page`).
    """
    draw = random.Random(18)
    given, family = levels("names/first"), levels("names/surnames")
    firsts = draw.choices(list(given), [2**level for level in given.values()], k=3000)
    lasts = draw.choices(list(family), [2**level for level in family.values()], k=3000)
    pairs = zip(firsts, lasts, strict=True)
    vouched = [pair for pair in pairs if names_nobody(pattern.format(*pair), NAME)]
    assert len(vouched) <= 6, vouched


def test_a_pair_of_names_run_together_is_split_at_its_capitals() -> None:
    assert not names_nobody("AdamEveryman", NAME) and not names_nobody(
        "wtZebulonQuartermaine", NAME
    )
    assert (
        names_nobody("HeartRate", NAME)
        and names_nobody("birthdate", NAME)
        and names_nobody("WBCs", NAME)
    )


def test_a_name_on_no_list_is_not_accepted() -> None:
    """The names are made of syllables. Only a vocabulary makes a name acceptable, so no list of
    names is needed.
    """
    draw = random.Random(7)
    onset, rest = (
        ["bl", "dr", "fl", "gr", "kv", "m", "n", "sk", "tr", "vr", "zh", "qu"],
        ["orn", "ask", "ell", "ivo", "umb", "ander", "eza"],
    )
    made = {"".join((draw.choice(onset), draw.choice(rest), draw.choice(rest))) for _ in range(400)}
    vouched = [word for word in made if names_nobody(f"glucose_{word}", NAME)]
    assert len(vouched) <= 2, vouched


@pytest.mark.parametrize(
    "name",
    [
        "smokeyrs", "testoffer", "reasonwhynorisk_q22", "futime",
        "seqnum", "visitid", "labdate", "birthdate", "bloodtest", "sexpartners", "SMS_Received",
        "CLTESTCD", "BWSTRESN", "TSPARMCD", "FAOBJ", "COUNTRYN", "CREATBL", "SODIUMBL", "AVALCA1N",
    ],
)  # fmt: skip
def test_words_run_together_and_published_variables_are_accepted(name: str) -> None:
    assert names_nobody(name, NAME)


@pytest.mark.parametrize(
    "name",
    [
        "labmoreno", "labsmith", "glucosejohn", "smithage", "johnsmithhr", "thomasbrown",
        "brownvisit", "jbrown", "brownj", "dthomas", "drwright", "andoverhospital",
        "metcalfhospital", "JDS_wt", "JKR_wt", "wt_JKR", "q4_3_21", "q3_14_1987", "visit_q12_3_14",
        "q45_1234", "survey_12611267", "patient_q451234", "QUARTERMAINEBL", "JSMITHFL", "SMITHN",
        "BWSMITH", "m_q1_j", "artstone", "artstoneday", "nothomasblood", "nowrightlab",
        "nowhitescore", "noblood", "labandoverdate", "labmorenovisit", "tommorganday", "q45_brown",
        "q617_555", "q555_12_34", "q617_55_51", "q123_45_678", "q45_12_31",
    ],
)  # fmt: skip
def test_a_name_run_together_with_a_word_is_not_accepted(name: str) -> None:
    assert not names_nobody(name, NAME)


def test_surnames_run_together_with_a_word_are_seldom_accepted() -> None:
    """Where one is accepted, the surname is itself an ordinary word (`court`, `plant`)."""
    draw = random.Random(12)
    family = levels("names/surnames")
    names = draw.choices(list(family), [2**level for level in family.values()], k=2000)
    for form in ("{}hr", "{}age", "lab{}", "j{}", "{}visit", "{}hospital"):
        vouched = [name for name in names if names_nobody(form.format(name), NAME)]
        assert len(vouched) <= 0.01 * len(names), (form, vouched)


@pytest.mark.parametrize(
    ("name", "vouched"),
    [
        ("visits_2021", True),
        ("visits_1949", False),
        ("age_90_plus", True),
        ("age_over_90", True),
        ("age_91_plus", False),
        ("age_18_25", True),
        ("spo2_94", True),
        ("q2_1", True),
        ("visit_2_1", False),
        ("mar_dose", True),
        ("mar_21", False),
        ("braden_score", True),
        ("wells_score", True),
        ("wells", False),
        ("memory_clinic", True),
        ("sunrise_clinic", False),
        ("column_7", True),
        ("", False),
        ("glucose\u200b", False),
        ("glucose" + "_value" * 60, False),
    ],
)
def test_which_rule_decides_about_a_name(name: str, vouched: bool) -> None:
    assert names_nobody(name, NAME) is vouched


@pytest.mark.parametrize("name", ["Código Postal", "Diagnóstico", "Óbito", "Número_Exame"])
def test_usual_words_are_accepted_with_their_accents(name: str) -> None:
    assert names_nobody(name, NAME)


@pytest.mark.parametrize("name", ["Brás", "Liège", "Nîmes", "Peña", "José", "Åsa", "peso_Núñez"])
def test_names_are_not_read_without_their_accents(name: str) -> None:
    assert not names_nobody(name, NAME)


@pytest.mark.parametrize(
    "name",
    ["Leber", "Grund", "mark_grund", "bill_wert", "Dr Wert", "Raza", "sana_raza", "Mandal", "Nome",
     "Camas", "cabeza", "Leber_weight"],
)  # fmt: skip
def test_names_that_are_words_of_other_languages_are_not_released(name: str) -> None:
    assert not names_nobody(name, NAME) and not names_nobody(name, NAME_OF_FILE)


@pytest.mark.parametrize(
    "name",
    ["paciente_12", "Paciente Número 12", "patient number 12", "caso_17", "cama 14", "Lit 12",
     "Idade 97 años", "edad_97", "97 jahre", "alter_103", "femme 93 ans"],
)  # fmt: skip
def test_numbers_and_high_ages_of_persons_in_other_languages(name: str) -> None:
    assert not names_nobody(name, NAME)


@pytest.mark.parametrize("name", ["idade_18_29", "edad 45", "num_casos", "exame 2", "visita 3"])
def test_ages_up_to_89_and_numbers_of_things_in_other_languages(name: str) -> None:
    assert names_nobody(name, NAME)
