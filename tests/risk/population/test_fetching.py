"""Downloads from a local server that uses the Bureau's formats: resumed, checked and kept."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from risk.errors import RiskError
from risk.exposure.attackers import read_scenario
from risk.exposure.policy_exposure import compare_exposures
from risk.population.catalog import open_population, population_cards, save_population
from risk.population.census import CENSUS_RACES, PCT12_AGES
from risk.population.fetching import build_population, download, fetch_population
from risk.population.sources import SOURCES


def people(counties: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).poisson(1.5, (counties, 2, 103, 7))


def test_a_summary_file_is_read_by_county(bureau, write_summary_file, tmp_path: Path) -> None:
    """SF1 2000 in the Bureau's layout: segments 16-22, the header joined on LOGRECNO, summary level
    050 and geographic component 00 only.
    """
    folder = bureau.root / "census_2000/datasets/Summary_File_1/Delaware"
    counted = people(3)
    write_summary_file(folder, "DE", "10", counted)
    found = fetch_population("sf1-2000", tmp_path / "down", states=["de"], file_server=bureau.url)
    assert found.total == counted.sum()
    assert set(found.cells.column("county").values) == {"10001", "10003", "10005"}
    one = found.where("county", ["10003"]).where("age", ["110+"]).where("sex", ["F"])
    expected = {race: n for race, n in zip(CENSUS_RACES, counted[1, 1, 102], strict=True) if n}
    column = one.cells.column("race")
    assert {column.values[c]: n for c, n in zip(column.codes, one.counts, strict=True)} == expected


def test_a_summary_file_of_2010_has_the_state_in_another_column(
    write_summary_file, tmp_path: Path
) -> None:
    write_summary_file(tmp_path, "RI", "44", people(2), year=2010)
    found = build_population("sf1-2000", sorted(tmp_path.iterdir()))
    assert set(found.cells.column("county").values) == {"44001", "44003"}


def test_safe_harbor_risk_from_summary_files(bureau, write_summary_file, tmp_path: Path) -> None:
    """Benitez & Malin 2010, Table 1: under Safe Harbor the risk is the number of non-empty cells of
    state, age, sex and race over the number of people; under a limited data set, that of county and
    birthday.
    """
    tables = {"Delaware": ("DE", "10", people(3)), "Alaska": ("AK", "02", people(5, seed=2))}
    for name, (postal, fips, counted) in tables.items():
        folder = bureau.root / "census_2000/datasets/Summary_File_1" / name
        write_summary_file(folder, postal, fips, counted)
    found = fetch_population(
        "sf1-2000", tmp_path / "d", states=["DE", "AK"], file_server=bureau.url
    )
    exposures, ratios = compare_exposures(found, read_scenario("benitez_malin_2010"), by="state")
    by_place = {(e.policy, e.place): e for e in exposures}
    for postal, _, counted in tables.values():
        whole = counted.sum(axis=0)
        pooled = list(whole[:, 100:].transpose(1, 0, 2))
        single = np.count_nonzero(whole[:, :100])
        spread = sum(
            b * (1 - (1 - 1 / b) ** n)
            for b, group in zip((5, 5, 6), pooled, strict=True)
            for n in group.reshape(-1)
        )
        exposure = by_place["safe_harbor_as_published", postal]
        assert exposure.matches == pytest.approx(single + spread)
        assert exposure.percent == pytest.approx(100 * (single + spread) / counted.sum())
    assert {ratio.place for ratio in ratios} == {"DE", "AK"}


def test_a_broken_download_is_resumed(bureau, tmp_path: Path) -> None:
    (bureau.root / "file.bin").write_bytes(bytes(range(256)) * 40)
    bureau.cut_at = 5000
    with pytest.raises(RiskError) as caught:
        download(f"{bureau.url}/file.bin", tmp_path)
    assert caught.value.exit_code == 6
    assert not (tmp_path / "file.bin").exists()
    bureau.cut_at = None
    path = download(f"{bureau.url}/file.bin", tmp_path)
    assert path.read_bytes() == bytes(range(256)) * 40
    assert bureau.asked[-1][1] == "bytes=5000-"
    download(f"{bureau.url}/file.bin", tmp_path)
    assert len(bureau.asked) == 2


def test_a_download_with_a_wrong_hash_is_discarded(bureau, tmp_path: Path) -> None:
    (bureau.root / "file.bin").write_bytes(b"other")
    with pytest.raises(RiskError, match="not the recorded one"):
        download(f"{bureau.url}/file.bin", tmp_path, sha256="0" * 64)
    assert list(tmp_path.glob("file*")) == []


STATE_ROWS = """SUMLEV,REGION,DIVISION,STATE,NAME,SEX,ORIGIN,RACE,AGE,ESTIMATESBASE2020,\
POPESTIMATE2020,POPESTIMATE2024
040,3,5,10,Delaware,0,0,1,30,9,9,9
040,3,5,10,Delaware,1,0,1,30,5,5,4
040,3,5,10,Delaware,2,0,1,30,4,4,5
040,3,5,10,Delaware,2,1,1,30,4,4,5
040,3,5,10,Delaware,2,0,6,85,2,2,3
"""


def estimates(bureau, monkeypatch, total: int | None, sha256: str | None = None) -> None:
    path = bureau.root / SOURCES["pep2024"].files[0].lstrip("/")
    path.parent.mkdir(parents=True)
    path.write_text(STATE_ROWS)
    changed = replace(SOURCES["pep2024"], total=total, sha256=sha256)
    monkeypatch.setitem(SOURCES, "pep2024", changed)


def test_population_estimates_of_the_states_are_read(bureau, monkeypatch, tmp_path: Path) -> None:
    """Totals over sex and origin are left out, and the last year of the vintage is used."""
    estimates(bureau, monkeypatch, total=12)
    found = fetch_population("pep2024", tmp_path, file_server=bureau.url)
    assert found.total == 12 and found.vintage == "2024-07-01" and not found.modelled
    assert found.where("age", ["85+"]).total == 3
    kept = save_population(found, tmp_path / "kept")
    again = open_population("pep2024", folder=tmp_path / "kept")
    assert (again.total, again.vintage, again.source) == (12, "2024-07-01", found.source)
    assert "pep2024" in {card.name for card in population_cards(tmp_path / "kept")}
    kept.write_text(kept.read_text() + "DE,31,M,white,1\n")
    with pytest.raises(RiskError, match="altered"):
        open_population("pep2024", folder=tmp_path / "kept")


def test_a_total_that_does_not_match_is_refused(bureau, monkeypatch, tmp_path: Path) -> None:
    estimates(bureau, monkeypatch, total=13)
    with pytest.raises(RiskError, match="sum to 12"):
        fetch_population("pep2024", tmp_path, file_server=bureau.url)


def test_county_estimates_are_read(tmp_path: Path) -> None:
    races = ["WA", "BA", "IA", "AA", "NA", "TOM"]
    header = "SUMLEV,STATE,COUNTY,STNAME,CTYNAME,YEAR,AGEGRP,TOT_POP," + ",".join(
        f"{race}_{sex}" for race in races for sex in ("MALE", "FEMALE")
    )
    rows = [f"050,10,001,Delaware,Kent County,{y},{g},0," + ",".join(["2"] * 12)
            for y in (1, 6) for g in range(19)]  # fmt: skip
    path = tmp_path / "cc.csv"
    path.write_text("\n".join([header, *rows]))
    from risk.population.estimates import read_estimates

    cells, layout = read_estimates(path)
    assert layout.columns == ("state", "county", "age", "sex", "race")
    assert len(cells) == 18 * 12 and sum(n for _, n in cells) == 18 * 24
    assert cells[0][0] == ("DE", "10001", "0-4", "M", "white") and cells[-1][0][2] == "85+"
    single = "SUMLEV,STATE,COUNTY,STNAME,CTYNAME,YEAR,AGE,TOT_POP,TOT_MALE,TOT_FEMALE"
    path.write_text(f"{single}\n050,10,001,D,K,6,0,3,1,2\n050,10,001,D,K,6,999,3,1,2\n")
    assert sum(n for _, n in read_estimates(path)[0]) == 3
    path.write_text("a,b\n1,2\n")
    with pytest.raises(RiskError, match="not from the Population Estimates"):
        read_estimates(path)


def answer(table: str, form: str, counts: list[int]) -> bytes:
    header = [form.format(table=table, n=n) for n in range(1, len(counts) + 1)]
    rows = [["NAME", *header, "state"], ["Delaware", *map(str, counts), "10"]]
    return json.dumps(rows).encode()


@pytest.mark.parametrize(
    ("source", "form"),
    [
        ("dhc2020", "{table}_{n:03d}N"),
        ("sf1-2010", "{table}{n:03d}"),
        ("acs2022", "{table}_{n:03d}E"),
    ],
)
def test_the_data_api_is_read(bureau, tmp_path: Path, source: str, form: str) -> None:
    width = 14 if source == "acs2022" else len(PCT12_AGES)
    counts = [4 * width, 2 * width, *[2] * width, 2 * width, *[2] * width]
    for table in SOURCES[source].tables:
        bureau.answers[f"group({table})"] = (200, answer(table, form, counts))
    down = tmp_path / "down"
    found = fetch_population(source, down, states=["DE"], key="secret", api_server=bureau.url)
    assert found.total == 7 * 4 * width
    assert len(bureau.asked) == 7 and all("key=secret" in path for path, _ in bureau.asked)
    kept = list(down.iterdir())
    assert not any("secret" in path.name or b"secret" in path.read_bytes() for path in kept)
    fetch_population(source, down, states=["DE"], key="secret", api_server=bureau.url)
    assert len(bureau.asked) == 7, "answers already here are not asked for again"
    assert build_population(source, kept).total == found.total


def test_the_api_without_a_key_or_with_an_invalid_one_is_an_error(bureau, tmp_path: Path) -> None:
    down = tmp_path / "down"
    with pytest.raises(RiskError, match="requires a key"):
        fetch_population("dhc2020", down, states=["DE"], api_server=bureau.url)
    bureau.answers["group"] = (200, b"<html>Invalid Key</html>")
    with pytest.raises(RiskError, match="not JSON"):
        fetch_population("dhc2020", down, states=["DE"], key="secret", api_server=bureau.url)
    bureau.answers["group"] = (404, b"")
    with pytest.raises(RiskError) as caught:
        fetch_population("dhc2020", down, states=["DE"], key="secret", api_server=bureau.url)
    assert "404" in str(caught.value) and "secret" not in str(caught.value) + caught.value.place
    assert list(down.iterdir()) == []


def test_a_damaged_segment_is_refused(write_summary_file, tmp_path: Path) -> None:
    write_summary_file(tmp_path, "DE", "10", people(1))
    (tmp_path / "de00018_uf1.zip").write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(RiskError) as caught:
        build_population("sf1-2000", sorted(tmp_path.iterdir()))
    assert caught.value.exit_code == 6
    (tmp_path / "de00018_uf1.zip").unlink()
    with pytest.raises(RiskError, match="segment de00018 is missing"):
        build_population("sf1-2000", sorted(tmp_path.iterdir()))
