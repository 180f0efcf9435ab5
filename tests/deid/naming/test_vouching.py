"""Which names of things leave: ordinary headers, and none that holds something of somebody."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from deid.naming import is_vouched
from deid.naming.vocabulary import cdisc_names
from deid.vocabularies.data_models import published_names
from recognizers.words.gazetteers import levels

LISTS = Path(__file__).parents[3] / "corpora" / "names_of_things"
MOST_RENAMED = 0.02


def listed(name: str) -> list[str]:
    lines = (LISTS / f"{name}.txt").read_text("utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


@pytest.mark.parametrize("name", listed("hostile"))
def test_a_name_that_holds_something_of_somebody_is_not_vouched_for(name: str) -> None:
    assert not is_vouched(name)


def test_the_lists_are_as_long_as_they_are_said_to_be() -> None:
    assert len(set(listed("hostile"))) > 200
    assert len(set(listed("clinical"))) > 300
    assert len(published_names()) > 300


@pytest.mark.parametrize("names", [listed("clinical"), published_names(), cdisc_names()])
def test_ordinary_headers_stay(names: list[str]) -> None:
    renamed = [name for name in names if not is_vouched(name)]
    assert len(renamed) <= MOST_RENAMED * len(names), renamed


@pytest.mark.parametrize("pattern", ["glucose_{0}_{1}", "{1}_{0}", "hr {0} {1}", "{0}.{1}.wt"])
def test_hardly_a_pair_of_names_of_the_census_is_vouched_for(pattern: str) -> None:
    """One in five hundred may be: they read as ordinary words (`max`, `page`)."""
    draw = random.Random(18)
    given, family = levels("names/first"), levels("names/surnames")
    firsts = draw.choices(list(given), [2**level for level in given.values()], k=3000)
    lasts = draw.choices(list(family), [2**level for level in family.values()], k=3000)
    pairs = zip(firsts, lasts, strict=True)
    vouched = [pair for pair in pairs if is_vouched(pattern.format(*pair))]
    assert len(vouched) <= 6, vouched


def test_run_together_with_capitals_a_pair_of_names_is_parted() -> None:
    assert not is_vouched("AdamEveryman") and not is_vouched("wtZebulonQuartermaine")
    assert is_vouched("HeartRate") and is_vouched("birthdate") and is_vouched("WBCs")


def test_a_name_nobody_has_on_a_list_is_not_vouched_for() -> None:
    """Syllables put together: nothing but a vocabulary vouches, so no list of names is needed."""
    draw = random.Random(7)
    onset, rest = (
        ["bl", "dr", "fl", "gr", "kv", "m", "n", "sk", "tr", "vr", "zh", "qu"],
        ["orn", "ask", "ell", "ivo", "umb", "ander", "eza"],
    )
    made = {"".join((draw.choice(onset), draw.choice(rest), draw.choice(rest))) for _ in range(400)}
    vouched = [word for word in made if is_vouched(f"glucose_{word}")]
    assert len(vouched) <= 2, vouched


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
def test_what_decides(name: str, vouched: bool) -> None:
    assert is_vouched(name) is vouched
