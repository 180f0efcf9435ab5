"""The learned odds for columns that no rule explains, and the rules that override them."""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from recognizers import profile
from recognizers.columns import deciding
from recognizers.columns.judging import judged_by_rules
from recognizers.columns.learned import column_odds
from recognizers.columns.learned.column_odds import ColumnOdds
from recognizers.columns.learned.of_cells import SAMPLE_CELLS, cell_features
from recognizers.columns.learned.of_headers import header_features
from recognizers.model.network import MANIFEST, SHIPPED, ModelError, Trees

DRAW = random.Random(53)
ROWS = 120


def _around(middle: float, spread: float, places: int = 0) -> list[str]:
    return [f"{abs(DRAW.gauss(middle, spread)):.{places}f}" for _ in range(ROWS)]


def _of(*values: str) -> list[str]:
    return [DRAW.choice(values) for _ in range(ROWS)]


STAYS = {
    "hrv_rmssd": _around(40, 9),
    "GEN_ND10": _around(15, 4),
    "PREVCNT": _around(11, 3),
    "bc_1000": _of("5", "10", "15", "20", "25", "35", "DNT"),
    "PACU_Aldrete": _of("8", "9", "10", "10"),
}
IDENTIFIES = {
    "nurse_no": sorted(str(DRAW.randint(2000, 9000)) for _ in range(12)) * 10,
    "ScanOp": _of("JS", "KT", "MLP", "RB", "DW", "ACV"),
    "bedlbl": [f"{DRAW.randint(100, 460)}{DRAW.choice('AB')}" for _ in range(ROWS)],
    "subj": [str(n) for n in range(1, ROWS + 1)],
    "yob_mom": [str(DRAW.randint(1958, 2004)) for _ in range(ROWS)],
    "device rep": _of("P. Osgood", "R. Tilbury", "Ines Corvo", "W. Abara"),
    "plan_owner": _of("T. Ainsley", "B. Corvo", "H. Odell"),
    "station_cd": _of("T11", "T04", "T19", "T07", "T02", "T15"),
    "RESULT": _of("mh", "kr", "ao", "jb", "pl", "wd", "ts", "ec"),
    "val_2": _of("R.T.H.", "M.O.E.", "A.L.B.", "K.S.N.", "G.D.N."),
    "value": [f"{DRAW.randint(19, 97)}{DRAW.choice('MF')}" for _ in range(ROWS)],
}


def _set_odds(monkeypatch: pytest.MonkeyPatch, odds: float) -> None:
    """Give every column these odds."""
    monkeypatch.setattr(ColumnOdds, "that_stays", lambda *_: odds)


@pytest.mark.parametrize("header", STAYS)
def test_measurements_of_unknown_systems_are_kept(header: str) -> None:
    seen = profile(header, STAYS[header])
    assert judged_by_rules(header, STAYS[header]).kind == "unsure"
    assert seen.kind == "keep", seen.reasons
    assert all(map(seen.may_stay, STAYS[header]))
    assert not seen.may_stay("Kowalczyk, Agnieszka") and not seen.may_stay("(802) 555-0144")


@pytest.mark.parametrize("header", IDENTIFIES)
def test_identifying_numbers_and_letters_are_not_kept(header: str) -> None:
    assert profile(header, IDENTIFIES[header]).kind != "keep"


def test_low_odds_override_a_rule_that_keeps_a_column_by_its_header() -> None:
    technicians = _of(*(f"T{n:02d}" for n in (8, 12, 38, 44, 60, 88)))
    assert judged_by_rules("TechCd", technicians).kind == "keep"
    assert profile("TechCd", technicians).kind == "unsure"


def test_an_uninformative_header_needs_higher_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    odds = ColumnOdds.load()
    between = (odds.limits.keeps + odds.limits.nameless) / 2
    assert odds.limits.keeps < odds.limits.nameless
    _set_odds(monkeypatch, between)
    values = _around(95, 12)
    assert profile("hrv_rmssd", values).kind == "keep"
    assert profile("xzqv", values).kind == "unsure"


@pytest.mark.parametrize(
    "values",
    [
        _of("3/14", "4/2", "11/30"),
        _of("8:15", "13:40", "22:05"),
        _of("91 yr", "72 yr", "88 yr"),
        _of("29.95", "-90.72"),
        _of("1931", "1958", "1977", "2003"),
        _of("Y", "N", "Y", "N", "JQ"),
    ],
)
def test_suspicious_values_override_any_odds(
    values: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _set_odds(monkeypatch, 9.0)
    assert profile("xq", values).kind != "keep"


FIGURES = tuple(str(n) for n in range(14, 29))
SURNAMES = ("Okonkwo", "Lindqvist", "Haverkamp", "Szymanski", "Thibodeaux")


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("patient_name", SURNAMES),
        *((header, FIGURES) for header in ("city", "facility", "email", "mrn", "month")),
        ("patient_id", ("A", "B")),
        ("site", ("Memorial", "General", "University")),
    ],
)
def test_headers_that_name_an_identifier_are_never_overruled(
    header: str, values: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = _of(*values)
    ruled = judged_by_rules(header, cells)
    _set_odds(monkeypatch, 9.0)
    assert ruled.kind in ("identifier", "quasi")
    assert profile(header, cells) == ruled


@pytest.mark.parametrize("header", ["patient_id", "mrn", "subject_id"])
def test_site_and_subject_numbers_are_not_measurements(header: str) -> None:
    cells = [f"{DRAW.randint(1, 6)}.{DRAW.randint(1, 40):02d}" for _ in range(ROWS)]
    assert profile(header, cells).kind != "keep"


@pytest.mark.parametrize("header", ["patient_name", "city", "facility", "mrn", "month", "provider"])
@pytest.mark.parametrize("foreign", ["Okonkwo", "4471829", "St. Brigid Hospital"])
def test_no_other_cell_is_kept_under_a_header_that_names_an_identifier(
    header: str, foreign: str
) -> None:
    cells = [*_of("mild", "moderate", "severe")[: ROWS * 9 // 10], *[foreign] * (ROWS // 10)]
    seen = profile(header, cells)
    assert seen.kind != "keep" or not seen.may_stay(foreign)


@pytest.mark.parametrize("header", ["AUTH_PROV_VAL", "REF_PROV_VAL", "USER_VALUE"])
def test_a_value_header_that_names_a_person_is_not_kept(header: str) -> None:
    assert profile(header, _of("RN23", "TC01", "MD7", "RN4", "PA12")).kind != "keep"
    assert profile("RESULT_VAL", _around(10, 2, 1)).kind == "keep"


@pytest.mark.parametrize("header", ["town", "cidade", "organization"])
def test_zip_codes_written_as_decimals_are_not_amounts(header: str) -> None:
    assert (
        profile(header, [f"{DRAW.randint(10_000, 99_000)}.0" for _ in range(ROWS)]).kind != "keep"
    )


def test_a_column_with_few_cells_is_decided_by_the_rules() -> None:
    few = STAYS["PREVCNT"][: deciding.LEAST_CELLS - 1]
    assert profile("PREVCNT", few) == judged_by_rules("PREVCNT", few)


def test_few_numbers_of_site_and_person_are_no_readings() -> None:
    cells = [f"{DRAW.randint(1, 40)}.{DRAW.randint(100, 999)}" for _ in range(8)]
    assert profile("language", cells).kind != "keep"
    assert profile("race2", cells).kind != "keep"


def test_the_part_of_a_sample_with_the_lowest_odds_counts() -> None:
    odds = ColumnOdds.load()
    counts, keys = STAYS["PREVCNT"][:SAMPLE_CELLS], [str(n) for n in range(1001, 1061)]
    alone = odds.that_stays("PREVCNT", counts, 1.0)
    assert odds.that_stays("PREVCNT", [*counts, *keys], 1.0) < alone
    assert odds.that_stays("PREVCNT", [*counts, *counts, *counts], 1.0) == alone


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([1.8], 1.8),
        ([1.6, 2.4], 1.6),
        ([2.0, 2.0, 2.0], 2.0),
        ([1.6, 2.2, 2.1, 2.0, 1.7, 2.4, 2.0], 1.738),
        ([1.9, 1.1, 2.0], 1.1),
        ([2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 1.0], 1.0),
        ([2.5, 2.5, 2.5, 2.5, 2.5, 2.5, -4.0], -4.0),
    ],
)
def test_parts_that_differ_by_chance_are_pooled(parts: list[float], expected: float) -> None:
    assert column_odds._odds_of_parts(parts) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("place", range(6))
def test_one_part_of_keys_among_many_parts_of_counts_counts_alone(place: int) -> None:
    odds = ColumnOdds.load()
    counts, keys = STAYS["PREVCNT"][:SAMPLE_CELLS], [str(n) for n in range(1001, 1061)]
    parts = [keys if n == place else counts for n in range(6)]
    cells = [cell for part in parts for cell in part]
    alone = odds.that_stays("PREVCNT", counts, 1.0)
    assert odds.that_stays("PREVCNT", cells, 1.0) < alone - 1


def test_a_column_that_no_rule_keeps_needs_the_odds_of_every_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One cell in seven is the name or number of a person: the parts differ only by chance."""
    odds = [1.18, 2.33, 2.36, 2.21, 2.35, 1.67, 2.68]
    monkeypatch.setattr(Trees, "log_odds", lambda *_: np.array(odds))
    told = ColumnOdds.load()
    assert told.that_stays("type", ["stable"] * 600, 1.0) == min(odds) < told.limits.keeps
    assert told.that_stays("type", ["stable"] * 600, 1.0, True) > told.limits.keeps


def test_every_learned_feature_is_computed() -> None:
    odds = ColumnOdds.load()
    given = set(header_features("WBC count", odds.counts))
    for values in (*STAYS.values(), *IDENTIFIES.values(), _of("RV", "mild to moderate", "AMB")):
        given |= set(cell_features(values[:SAMPLE_CELLS], 1.0))
    assert set(odds.trees.features) <= given


@pytest.mark.parametrize("lost", ["columns_trees.onnx", "column_words.csv", MANIFEST])
def test_without_its_model_files_no_column_is_decided(
    lost: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("columns_trees.onnx", "column_words.csv", MANIFEST):
        if name != lost:
            shutil.copy(SHIPPED / name, tmp_path)
    monkeypatch.setattr(column_odds, "SHIPPED", tmp_path)
    ColumnOdds.load.cache_clear()
    try:
        with pytest.raises(ModelError):
            profile("PREVCNT", STAYS["PREVCNT"])
    finally:
        ColumnOdds.load.cache_clear()


def test_the_odds_limits_are_those_of_the_manifest() -> None:
    told = json.loads((SHIPPED / MANIFEST).read_text("utf-8"))["columns"]["limits"]
    limits = ColumnOdds.load().limits
    assert limits == replace(limits, **told)
    assert limits.doubts < limits.keeps < limits.nameless
