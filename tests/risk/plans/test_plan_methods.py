"""Local recoding, cell suppression, limits, persons, saved plans: the released rows really meet the
limits.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from risk import (
    AverageRisk,
    Classes,
    ClassSize,
    Diversity,
    Hierarchy,
    KMap,
    Plan,
    PlanRequest,
    Population,
    PopulationRisk,
    RiskError,
    ShareAtRisk,
    build_hierarchy,
    compare_releases,
    encode,
    evaluate_nodes,
    fewest_columns,
    load_plan,
    plan,
    plan_cells,
    plan_locally,
    read_hierarchies,
    read_table,
    save_plan,
    subsample,
    to_intervals,
)
from risk.recoding import local_recoding as recoding

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data" / "risk"
Q6 = ["sex", "age", "race", "marital-status", "education", "native-country"]
needs_adult = pytest.mark.skipif(not SHARED.exists(), reason="the Adult table is not at hand")

ROWS = 60
values = st.sampled_from(["a1", "a2", "b1", "b2", "b3", "c1"])
frames = st.lists(
    st.tuples(values, values, st.one_of(values, st.none())), min_size=1, max_size=ROWS
).map(lambda rows: encode(dict(zip("xyz", zip(*rows, strict=True), strict=True))))


def tree(name: str) -> Hierarchy:
    rows = [[v, v[0], "*"] for v in ("a1", "a2", "b1", "b2", "b3", "c1")]
    return Hierarchy.of_rows(name, rows)


TREES = {name: tree(name) for name in "xyz"}


def released_rows(made: Plan) -> list[tuple]:
    columns = [column.values[column.codes].tolist() for column in made.table.columns]
    return list(zip(*columns, strict=True))


def adult_hierarchies() -> dict[str, Hierarchy]:
    return read_hierarchies(SHARED / "hierarchies", Q6)


@settings(max_examples=150, deadline=None)
@given(frames, st.integers(1, 6), st.sampled_from(["local", "mondrian"]))
def test_local_recoding_puts_every_record_in_a_class_of_at_least_k(table, k: int, way) -> None:
    request = PlanRequest((ClassSize(k),), max_suppression=1.0)
    made = plan_locally(table, TREES, request, way=way)
    sizes = Counter(released_rows(made))
    assert all(size >= k for size in sizes.values())
    assert (made.suppressed_records == 0) == (table.rows >= k)
    spread = {"x": 0.0, "y": 0.0, "z": 0.0}
    for (name, column), label_at in zip(
        ((c.name, c) for c in table.columns), made.table.columns, strict=True
    ):
        width = {"*": 6, "a": 2, "b": 3, "c": 1}
        told = label_at.values[label_at.codes]
        original = column.values[column.codes][made.kept]
        for before, after in zip(original, told, strict=True):
            assert after in (before, before and before[0], "*")
            spread[name] += (width.get(after, 1) / 6 - 1 / 6) / (1 - 1 / 6)
    left_out = made.suppressed_records
    loss = sum((s + left_out) / table.rows for s in spread.values()) / 3
    assert made.loss == pytest.approx(loss, abs=1e-9)


def test_local_recoding_skips_nodes_that_release_no_record(monkeypatch) -> None:
    """In a sparse table, thousands of fine nodes have no class of at least k records. They are
    skipped in one step, together with a coarser node that has none.
    """
    generator = np.random.default_rng(5)
    table = {
        "age": generator.integers(0, 99, 60).astype(str).tolist(),
        "zip": [f"{n:05}" for n in generator.integers(1001, 99000, 60)],
        "dob": [f"{n}-06-11" for n in generator.integers(1930, 1999, 60)],
        "seen": [f"{n}-03-12" for n in generator.integers(1930, 1999, 60)],
    }
    asked, large = [], recoding._large
    monkeypatch.setattr(recoding, "_large", lambda *a: asked.append(1) or large(*a))
    made = plan_locally(table, {}, PlanRequest((ClassSize(11),)))
    assert min(Counter(released_rows(made)).values()) >= 11
    assert made.nodes > 1500 and len(asked) < made.nodes / 3


@pytest.mark.parametrize("way", ["local", "mondrian"])
def test_a_hierarchy_without_a_top_releases_no_class_below_k(way) -> None:
    """If the coarsest level has several labels, records of labels that are too rare are suppressed;
    the plan is refused if that many may not be suppressed.
    """
    topless = {"x": Hierarchy.of_rows("x", [["a1", "a"], ["a2", "a"], ["b1", "b"]])}
    table = {"x": ["a1", "a2", "a1", "b1"]}
    made = plan_locally(table, topless, PlanRequest((ClassSize(2),), max_suppression=0.3), way=way)
    assert min(Counter(released_rows(made)).values()) >= 2
    assert made.suppressed_records == 1
    with pytest.raises(RiskError) as refused:
        plan_locally(table, topless, PlanRequest((ClassSize(2),)), way=way)
    assert refused.value.code == "no-transformation"


@settings(max_examples=150, deadline=None)
@given(frames, st.integers(1, 6))
def test_strict_cell_suppression_meets_the_limit_and_changes_only_small_classes(
    table, k: int
) -> None:
    made = plan_cells(table, PlanRequest((ClassSize(k),)))
    assert all(size >= k for size in Counter(released_rows(made)).values())
    original = list(zip(*(c.values[c.codes].tolist() for c in table.columns), strict=True))
    sizes = Counter(original)
    blanked = 0
    for before, after in zip(
        np.array(original, object)[made.kept], released_rows(made), strict=True
    ):
        differ = [b for b, a in zip(before, after, strict=True) if a != b]
        blanked += len(differ)
        assert all(a in (b, "*") for b, a in zip(before, after, strict=True))
        assert not differ or sizes[tuple(before)] < k
    assert blanked == made.details["cells"] == sum(made.details["cells_by_column"].values())
    assert made.suppressed_records < max(k, 2)


@settings(max_examples=100, deadline=None)
@given(frames, st.integers(2, 5))
def test_a_wildcard_matches_enough_records_but_is_counted_strictly_too(table, k: int) -> None:
    made = plan_cells(table, PlanRequest((ClassSize(k),)), reading="wildcard")
    rows = released_rows(made)
    for row in rows:
        matches = sum(
            all("*" in (a, b) or a == b for a, b in zip(row, other, strict=True)) for other in rows
        )
        assert matches >= k - made.suppressed_records
    strict = min(Counter(rows).values(), default=0)
    assert made.summary()["smallest_class"] == strict
    assert str(strict) in made.details["warning"]


@needs_adult
def test_adult_cells_and_local_recoding_reach_the_published_figures() -> None:
    table = read_table(SHARED / "adult.csv", Q6)
    cells = plan_cells(table, PlanRequest((ClassSize(5),)))
    assert cells.details["cells"] <= 11_692
    assert cells.suppressed_records == 0
    assert cells.summary()["smallest_class"] >= 5
    local = plan_locally(table, adult_hierarchies(), PlanRequest((ClassSize(5),)))
    assert local.loss <= 0.0220
    assert local.suppressed_records == 0
    assert local.summary()["smallest_class"] >= 5


@needs_adult
@pytest.mark.parametrize(
    ("limits", "holds"),
    [
        ((AverageRisk(0.05),), lambda sizes, n: len(sizes) / n <= 0.05),
        ((AverageRisk(0.2, True),), lambda sizes, n: min(sizes) >= 3 and len(sizes) / n <= 0.2),
        ((ShareAtRisk(5, 0.1),), lambda sizes, n: sum(s for s in sizes if s < 5) / n <= 0.1),
        (
            (ClassSize(2), AverageRisk(0.03)),
            lambda sizes, n: min(sizes) >= 2 and len(sizes) / n <= 0.03,
        ),
    ],
)
def test_each_limit_holds_in_the_released_rows(limits, holds) -> None:
    table = read_table(SHARED / "adult.csv", Q6)
    made = plan(table, adult_hierarchies(), PlanRequest(limits, max_suppression=0.02))
    sizes = list(Counter(released_rows(made)).values())
    assert made.optimal
    assert holds(sizes, made.table.rows)
    assert made.suppressed_records <= 0.02 * table.rows


@needs_adult
def test_diversity_holds_in_the_released_rows() -> None:
    whole = read_table(SHARED / "adult.csv", [*Q6, "occupation"])
    secret = whole.column("occupation")
    for limit in (Diversity(3), Diversity(3, "entropy"), Diversity(3, "recursive", 4.0)):
        made = plan(
            whole.select(Q6),
            adult_hierarchies(),
            PlanRequest((limit,), max_suppression=0.05),
            sensitive=secret,
        )
        held: dict[tuple, Counter] = {}
        kept = secret.codes[made.kept]
        for row, code in zip(released_rows(made), kept.tolist(), strict=True):
            held.setdefault(row, Counter())[code] += 1
        for counts in held.values():
            sizes = np.array(sorted(counts.values(), reverse=True), float)
            share = sizes / sizes.sum()
            if limit.kind == "distinct":
                assert len(sizes) >= 3
            elif limit.kind == "entropy":
                assert -(share * np.log2(share)).sum() >= np.log2(3) - 1e-9
            else:
                assert sizes[0] < 4.0 * sizes[2:].sum()


def people(rows: dict[str, list[str]], counts: list[float]) -> Population:
    return Population("test", "made up", "2020", False, encode(rows), np.array(counts, float))


def test_k_map_counts_people_of_the_population_without_a_record() -> None:
    """No record has b2 or b3, but generalized to b these people are in the class of b1."""
    table = encode({"x": ["b1", "c1"]})
    population = people({"x": ["b1", "b2", "b3", "c1"]}, [1, 3, 2, 9])
    request = PlanRequest((KMap(6),))
    made = plan(table, {"x": tree("x")}, request, population=population)
    assert made.levels == {"x": 1}
    assert made.optimal
    fine = plan(table, {"x": tree("x")}, PlanRequest((KMap(1),)), population=population)
    assert fine.levels == {"x": 0}


def test_population_risk_is_at_most_the_requested_value() -> None:
    table = encode({"x": ["b1", "b2", "c1"]})
    population = people({"x": ["b1", "b2", "b3", "c1"]}, [1, 3, 2, 9])
    fine = 1 + 1 / 3 + 1 / 9
    as_b = 2 / 6 + 1 / 9
    for at_most, level in ((fine, 0), (fine - 0.01, 1), (as_b, 1), (as_b - 0.01, 2)):
        request = PlanRequest((PopulationRisk(at_most),))
        made = plan(table, {"x": tree("x")}, request, population=population)
        assert made.levels == {"x": level}


def test_persons_are_counted_not_rows() -> None:
    """Five rows of one person count as one person, so the class is too small although it has five
    rows.
    """
    who = ["p"] * 5 + ["q", "r", "s"]
    table = encode({"who": who, "x": ["a1"] * 5 + ["b1", "b1", "b1"]})
    rows = plan(table.select(["x"]), {"x": tree("x")}, PlanRequest((ClassSize(3),)))
    assert rows.levels == {"x": 0}
    persons = plan(
        table.select(["x"]),
        {"x": tree("x")},
        PlanRequest((ClassSize(3),), max_suppression=0.25),
        person=table.column("who"),
    )
    assert persons.details["units"] == 4
    assert persons.suppressed_records == 5
    assert persons.summary()["smallest_class"] == 3


def test_a_plan_protects_histories_that_identify_although_no_row_does() -> None:
    who = [p for p in "pqrstu" for _ in range(2)]
    visits = ["a1", "b1"] * 5 + ["a2", "b1"]
    table = encode({"who": who, "x": visits})
    made = plan(
        table.select(["x"]),
        {"x": tree("x")},
        PlanRequest((ClassSize(6),)),
        person=table.column("who"),
    )
    assert made.levels == {"x": 1}


def test_dates_become_days_since_the_first_of_the_person() -> None:
    table = encode(
        {
            "who": ["p", "p", "q", "q"],
            "when": ["2020-03-01", "2020-03-11", "2019-05-05", None],
        }
    )
    told = to_intervals(table.column("when"), table.column("who"))
    assert told.values[told.codes].tolist() == ["0", "10", "0", None]


def test_a_saved_plan_generalizes_the_next_extract_alike() -> None:
    table = encode({"age": [str(20 + i % 40) for i in range(400)], "x": ["a1", "a2"] * 200})
    ages, rule = build_hierarchy("age", table.column("age"))
    hierarchies = {"age": ages, "x": tree("x")}
    request = PlanRequest((ClassSize(8),), max_suppression=0.1)
    made = plan(table, hierarchies, request)
    saved = load_plan(save_plan(made, {"age": rule}))
    later = encode({"age": ["25", "26", "93"] * 40, "x": ["b1", "a2", "a1"] * 40})
    again = saved.apply(later, give_up=lambda: False)
    assert again.levels == made.levels
    first = set(released_rows(made))
    same = saved.apply(table)
    assert set(released_rows(same)) == first
    assert min(Counter(released_rows(again)).values()) >= 8


def test_a_saved_plan_refuses_an_extract_that_it_cannot_protect() -> None:
    table = encode({"x": ["a1"] * 10 + ["b1"] * 10})
    made = plan(table, {"x": tree("x")}, PlanRequest((ClassSize(5),)))
    with pytest.raises(RiskError) as caught:
        load_plan(save_plan(made)).apply(encode({"x": ["a1"] * 10 + ["b1"]}))
    assert caught.value.code == "no-transformation"


def test_a_small_difference_between_releases_is_reported() -> None:
    first = encode({"x": ["a"] * 10 + ["b"] * 10})
    second = encode({"x": ["a"] * 11 + ["b"] * 20 + ["c"] * 2})
    (found,) = compare_releases(second, [first], 5)
    assert (found.apart, found.new_small, found.gone, found.records) == (1, 1, 0, 13)
    assert not found.safe
    (alike,) = compare_releases(first, [first], 5)
    assert alike.safe
    (other,) = compare_releases(encode({"x": ["1-5"] * 9}), [first], 5)
    assert other.other_labels == ("x",)


@needs_adult
def test_the_frontier_has_every_node_and_its_best_is_the_optimum() -> None:
    from risk.hierarchies.level_maps import map_table_levels
    from risk.lattice.frequency_table import leaf_table
    from risk.lattice.losses import LossBasis

    table = read_table(SHARED / "adult.csv", Q6)
    level_maps = map_table_levels(adult_hierarchies(), table)
    cells = leaf_table(table, level_maps)
    points = evaluate_nodes(cells, LossBasis.of(cells, level_maps), sizes=(5,))
    assert len(points) == 720
    assert len({p.node for p in points}) == 720
    clean = min((p for p in points if p.below[5] == 0), key=lambda p: p.loss)
    assert clean.loss == pytest.approx(0.5721934884833333, rel=1e-9)
    assert clean.best
    for point in (points[0], points[100], points[-1]):
        assert point.classes <= len(cells)
    assert points[0].smallest == 1


def test_the_fewest_columns_are_dropped() -> None:
    table = encode({"id": list("abcdef"), "x": ["u", "v"] * 3, "y": ["w"] * 6})
    gone = fewest_columns(table, lambda classes: int(classes.sizes.min()) >= 3)
    assert gone == ("id",)


def test_a_subsample_has_the_requested_share_and_its_seed_repeats_it() -> None:
    one, other = subsample(1000, 0.3, 7), subsample(1000, 0.3, 7)
    assert one.sum() == 300
    assert np.array_equal(one, other)
    assert not np.array_equal(one, subsample(1000, 0.3, 8))


def test_a_hierarchy_with_missing_values_is_refused_with_their_number_only() -> None:
    table = encode({"x": ["a1", "Jane Roe", "Jane Roe", "b1"]})
    with pytest.raises(RiskError) as caught:
        plan(table, {"x": tree("x")}, PlanRequest((ClassSize(2),)))
    told = f"{caught.value} {caught.value.place} {caught.value.hint}"
    assert caught.value.code == "hierarchy-incomplete"
    assert "1 of 3 values" in told
    assert "2 rows, the first is row 2" in told
    assert "Jane" not in told


@settings(max_examples=60, deadline=None)
@given(frames, st.integers(2, 5), st.randoms(use_true_random=False))
def test_row_order_changes_no_plan(table, k: int, random) -> None:
    order = list(range(table.rows))
    random.shuffle(order)
    moved = table.take(np.array(order))
    request = PlanRequest((ClassSize(k),), max_suppression=1.0)
    one, other = plan(table, TREES, request), plan(moved, TREES, request)
    assert one.levels == other.levels
    assert one.loss == other.loss
    assert Counter(released_rows(one)) == Counter(released_rows(other))
    assert Classes.of(one.table).sizes.min(initial=k) >= k


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a;1;*\nb;1\n", "hierarchy-ragged"),
        ("a;1;*\na;2;*\n", "hierarchy-duplicate"),
        ("a;1;u\nb;1;v\n", "hierarchy-not-nested"),
        ("", "hierarchy-ragged"),
    ],
)
def test_a_broken_hierarchy_is_refused(tmp_path: Path, text: str, code: str) -> None:
    (tmp_path / "x.csv").write_text(text, "utf-8")
    with pytest.raises(RiskError) as caught:
        read_hierarchies(tmp_path, ["x"])
    assert caught.value.code == code


def test_a_hierarchy_is_read_as_it_is_written(tmp_path: Path) -> None:
    with (tmp_path / "x.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, delimiter=";").writerows(tree("x").rows())
    assert read_hierarchies(tmp_path, ["x", "y"])["x"].rows() == tree("x").rows()
    assert list(read_hierarchies(tmp_path, ["x", "y"])) == ["x"]
