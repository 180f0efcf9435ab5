"""Column decisions: the policy first, then a data model, then the profile; unclassified columns are
withheld.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from deid.decision import ColumnDecision
from deid.formats import ReadOptions, open_source
from deid.policy.model import Policy, parse_policy, policy_text, read_policy
from deid.tables.column_decisions import decide_columns

SHARED = Path(__file__).parents[4] / "shared"


def _decide(
    folder: Path,
    text: str,
    policy: Policy | None = None,
    name: str = "t.csv",
    strict: bool = False,
    options: ReadOptions = ReadOptions(),  # noqa: B008
) -> dict[str, ColumnDecision]:
    path = folder / name
    path.write_text(text, "utf-8")
    source = open_source(path)
    found = decide_columns(policy or read_policy("safe_harbor"), name, source, strict, options)
    return dict(zip(source.columns, found, strict=True))


def _with_columns(lines: str) -> Policy:
    return parse_policy(policy_text("safe_harbor").replace("columns: []", f"columns:\n{lines}"))


def test_an_unclassified_column_is_withheld_from_the_table(tmp_path: Path) -> None:
    seen = _decide(tmp_path, "mrn,xq7\n00402817,41\n00402818,77\n")
    assert seen["xq7"].action == "withhold" and not seen["xq7"].leaves
    assert seen["mrn"].action == "number" and seen["mrn"].decided_by == "profiled"


def test_the_policy_overrides_the_profile(tmp_path: Path) -> None:
    lines = "- {name: xq7, action: keep, reason: a score}\n- {name: mrn, action: drop}"
    policy = _with_columns(lines)
    seen = _decide(tmp_path, "mrn,xq7\n00402817,41\n00402818,77\n", policy)
    assert seen["xq7"].action == "keep" and seen["xq7"].decided_by == "policy"
    assert not seen["mrn"].leaves


def test_with_strict_columns_only_the_policy_decides(tmp_path: Path) -> None:
    policy = _with_columns("- {name: sex, action: keep, reason: not an identifier}")
    seen = _decide(tmp_path, "sex,result_value\nF,1.5\n", policy, strict=True)
    assert seen["sex"].leaves and not seen["result_value"].leaves


def test_the_text_column_of_the_command_line_is_text(tmp_path: Path) -> None:
    seen = _decide(tmp_path, "a,xq7\n1,short\n", options=ReadOptions(text_column="xq7"))
    assert seen["xq7"].action == "text"


def test_a_header_that_contains_a_value_is_neither_shown_nor_written(tmp_path: Path) -> None:
    seen = _decide(tmp_path, "sex,2023-03-14\nF,1.5\n")["2023-03-14"]
    assert seen.header is None and seen.out_header == "column_2"
    assert "2023" not in str(seen.as_json(1))


def test_a_published_data_model_overrides_the_profile(tmp_path: Path) -> None:
    header = "person_id,gender_concept_id,year_of_birth,month_of_birth,person_source_value"
    seen = _decide(tmp_path, f"{header}\n1,8507,1998,4,abc\n", name="PERSON.csv")
    assert all(decision.decided_by == "schema" for decision in seen.values())
    assert seen["year_of_birth"].birth and seen["year_of_birth"].action == "year"
    assert seen["month_of_birth"].action == "year"
    assert seen["gender_concept_id"].action == "keep"


def test_nested_values_of_json_lines_are_withheld(tmp_path: Path) -> None:
    seen = _decide(tmp_path, '{"text": "t", "id": "1", "spans": [{"a": 1}]}\n', name="d.jsonl")
    assert seen["spans"].action == "withhold"
    assert seen["text"].action == "text"


def test_document_ids_that_are_a_running_number_are_kept_and_others_are_not(tmp_path: Path) -> None:
    counted = "".join(f'{{"id": "n{i}", "text": "t"}}\n' for i in range(1, 4))
    assert _decide(tmp_path, counted, name="d.jsonl")["id"].action == "keep"
    others = "".join(f'{{"id": "{i}", "text": "t"}}\n' for i in (402817, 402818, 500_000))
    assert _decide(tmp_path, others, name="d.jsonl")["id"].action == "number"


@pytest.mark.parametrize(
    ("edit", "action"),
    [
        ("", "number"),
        ("keys: numbered -> keys: as_transforms", "tag"),
        ("mrns: tag -> mrns: remove", "remove"),
        ("mrns: tag -> mrns: code", "code"),
    ],
)
def test_keys_are_numbered_where_the_policy_uses_a_plain_tag(
    tmp_path: Path, edit: str, action: str
) -> None:
    old, _, new = edit.partition(" -> ")
    policy = parse_policy(policy_text("safe_harbor").replace(old, new))
    assert _decide(tmp_path, "mrn,sex\n00402817,F\n", policy)["mrn"].action == action


def test_a_plan_number_joins_tables_only_in_a_published_data_model(
    tmp_path: Path,
) -> None:
    assert _decide(tmp_path, "member_id,sex\nA-4471,F\n")["member_id"].action == "tag"
    header = "PATIENT,MEMBERID,START_DATE,END_DATE,PAYER"
    seen = _decide(tmp_path, f"{header}\np,m,2020,2021,x\n", name="payer_transitions.csv")
    assert seen["MEMBERID"].action == "number"


@pytest.mark.parametrize(
    ("folder", "schema_tables"),
    [("synthea-csv-unmc", 15), ("i2b2-cumulus", 7)],
)
def test_real_extracts_are_recognized_by_their_data_model(folder: str, schema_tables: int) -> None:
    root = SHARED / "data" / "extracts" / folder
    if not root.exists():
        pytest.skip("the shared extracts are absent")
    known = 0
    for path in sorted(root.glob("*.csv")):
        source = open_source(path)
        found = decide_columns(read_policy("safe_harbor"), path.name, source, False, ReadOptions())
        assert all(decision.leaves for decision in found), path.name
        known += all(decision.decided_by == "schema" for decision in found)
    assert known == schema_tables


def test_columns_with_the_same_name_are_withheld_unless_the_policy_names_them(
    tmp_path: Path,
) -> None:
    text = "sex,ssn,ssn,hemoglobin\nF,219-09-9977,219-09-9978,12.5\nM,219-09-9979,,13.5\n"
    path = tmp_path / "t.csv"
    path.write_text(text, "utf-8")
    source = open_source(path)
    policy = read_policy("safe_harbor")
    seen = decide_columns(policy, "t.csv", source, False, ReadOptions())
    assert [d.action for d in seen] == ["keep", "withhold", "withhold", "keep"]
    assert seen[1].reason == "another column has the same name"


def test_the_first_row_of_a_table_without_headers_is_not_shown(tmp_path: Path) -> None:
    text = "7734120,Opelousas,70570,Grafton,F\n" * 6
    shown = [seen.header for seen in _decide(tmp_path, text.replace("F\n", "F,\n")).values()]
    assert not {"7734120", "Opelousas", "70570", "Grafton"} & set(shown)


_USUAL = "consent,eligibility,saffl,outcome,nosocomial,hepatica,aedecod,"


@pytest.mark.parametrize(
    ("header", "kept"),
    [
        ("visit_no,sex,Okafor,Kowalczyk,Stone", set()),
        (_USUAL + "visit_no,sex,Okafor,Kowalczyk,Stone", set(_USUAL[:-1].split(","))),
    ],
    ids=["most headers may be names", "two of many are names"],
)
def test_headers_beside_names_are_kept_only_if_they_are_no_name(
    tmp_path: Path, header: str, kept: set[str]
) -> None:
    """Before, two headers that are names cost the names of all unusual columns of a wide table."""
    row = ",".join("1" for _ in header.split(","))
    decided = _decide(tmp_path, f"{header}\n" + f"{row}\n" * 6)
    shown = {seen.out_header for seen in decided.values()}
    assert kept <= shown
    assert not {"Okafor", "Kowalczyk", "Stone"} & shown


def _births(folder: Path, days: list[int]) -> ColumnDecision:
    rows = "".join(f"P{n},{day}\n" for n, day in enumerate(days))
    return _decide(folder, f"patient_id,birth_date\n{rows}")["birth_date"]


@pytest.mark.parametrize(
    "days",
    [[22000, 14000, 18250, 21000], [-3000, 1958, 14000, 22000], [9131, 4000, 14000]],
    ids=["sas-or-sheet", "sas", "short"],
)
def test_birth_numbers_with_an_unknown_start_date_are_withheld(
    tmp_path: Path, days: list[int]
) -> None:
    assert not _births(tmp_path, days).leaves


@pytest.mark.parametrize(
    "days", [[22000, 14000, 36250, 21000], [1951, 1962, 2004]], ids=["sheet", "years"]
)
def test_birth_numbers_with_one_possible_start_date_keep_their_year(
    tmp_path: Path, days: list[int]
) -> None:
    assert _births(tmp_path, days).action == "year"


def test_a_studyid_that_numbers_rows_is_not_a_protocol(tmp_path: Path) -> None:
    rows = "".join(f"{4417 + n},{n + 30},F,WHITE,US,1\n" for n in range(12))
    subjects = _decide(tmp_path, f"studyid,age,sex,race,country,visitnum\n{rows}")
    assert subjects["studyid"].action == "number"
    rows = "".join(f"CDISCPILOT01,{n + 30},F,WHITE,US,1\n" for n in range(12))
    trial = _decide(tmp_path, f"STUDYID,AGE,SEX,RACE,COUNTRY,VISITNUM\n{rows}")
    assert trial["STUDYID"].action == "keep" and trial["STUDYID"].decided_by == "schema"


def test_a_studyid_column_that_holds_subjects_is_not_kept(tmp_path: Path) -> None:
    header = "STUDYID,DOMAIN,VISIT,VSTESTCD,VSORRES\n"
    rows = [f"ABC-{n:03},VS,V{v},SYSBP,12{v}\n" for n in range(9) for v in range(3)]
    assert _decide(tmp_path, header + "".join(rows))["STUDYID"].action != "keep"
    assert _decide(tmp_path, header + "".join(rows[::3][:3]))["STUDYID"].action != "keep"
    trials = [f"ABC-{n % 2},VS,V1,SYSBP,120\n" for n in range(12)]
    assert _decide(tmp_path, header + "".join(trials))["STUDYID"].action == "keep"
