"""The table flow: cells are transformed, kept cells are checked, and every row is accounted for."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from scrubbed_rows import RowOut, scrub_rows
from small_extract import KnownOnly

from deid.formats import ReadOptions, open_source
from deid.people.gathering import gather_people
from deid.people.key_numbers import number_keys
from deid.policy.model import Policy, parse_policy, policy_text, read_policy
from deid.tables.column_decisions import decide_columns
from deid.tables.table_batch import read_row_batches
from deid.tables.table_flow import TableFlow
from deid.text.scrubber import Scrubber
from safe_harbor import Identifier, Residue

REFERENCE = date(2026, 11, 21)


def _run(
    folder: Path, text: str, policy: Policy | None = None, name: str = "t.csv"
) -> list[RowOut]:
    path = folder / name
    path.write_text(text, "utf-8")
    policy = policy or read_policy("safe_harbor")
    source = open_source(path)
    people = gather_people([(name, source)], [], None)
    decisions = decide_columns(policy, name, source, False, ReadOptions())
    number_keys(source.records(), decisions, people.keys)
    scrubber = Scrubber(policy, KnownOnly(), REFERENCE)
    return list(scrub_rows(source.records(), name, decisions, scrubber, people))


def _cells(rows: list[RowOut]) -> list[tuple[str | None, ...] | None]:
    return [row.cells for row in rows]


def test_identifiers_are_replaced_and_permitted_detail_is_kept(tmp_path: Path) -> None:
    rows = _run(
        tmp_path,
        "mrn,last_name,birth_date,zip,state,phone,sex\n"
        "00402817,Lowe,11/22/1936,05301,VT,802-555-0188,M\n"
        "00290076,Hoekstra,09/05/1931,5905,VT,802-555-0101,F\n"
        "00452019,Gagnon,05/12/1994,J1H 4C4,QC,+1 819 555 0136,F\n",
    )
    assert _cells(rows) == [
        ("[ID-1]", "[NAME]", "1936", "053", "VT", "[PHONE]", "M"),
        ("[ID-2]", "[NAME]", "90+", "000", "VT", "[PHONE]", "F"),
        ("[ID-3]", "[NAME]", "1994", "", "", "[PHONE]", "F"),
    ]


def test_empty_cells_stay_empty(tmp_path: Path) -> None:
    rows = _run(tmp_path, "mrn,birth_date,zip,sex\n00402817,,NULL,\n00402818,N/A,,M\n")
    assert _cells(rows) == [("[ID-1]", "", "", ""), ("[ID-2]", "", "", "M")]


def test_an_age_over_89_also_pools_the_birth_year(tmp_path: Path) -> None:
    rows = _run(tmp_path, "mrn,age,birth_year\n00402817,91,1937\n00402818,40,1986\n")
    assert _cells(rows) == [("[ID-1]", "90+", "90+"), ("[ID-2]", "40", "1986")]


def test_a_birth_year_and_a_birth_date_in_a_row_are_pooled_together(
    tmp_path: Path,
) -> None:
    text = "birth_year,birth_date,sex\n1936,1936-12-25,F\n1951,1951-07-19,M\n"
    cells = [row and row[:2] for row in _cells(_run(tmp_path, text))]
    assert cells == [("90+", "90+"), ("1951", "1951")]


def test_an_earlier_age_that_shows_a_person_now_over_89_is_pooled(
    tmp_path: Path,
) -> None:
    rows = _run(
        tmp_path, "mrn,age,visit_date\n00402817,84,2020-05-01\n00402818,6 days,2026-05-01\n"
    )
    assert _cells(rows) == [("[ID-1]", "90+", "2020"), ("[ID-2]", "6 days", "2026")]


def test_a_birth_date_under_an_unknown_header_is_not_taken_for_an_old_event(tmp_path: Path) -> None:
    born = [(f"{1944 + 5 * n}-03-04", str(2023 - 1944 - 5 * n), "2023-05-01") for n in range(9)]
    text = "BRN_DT,age,visit_date\n" + "".join(f"{','.join(row)}\n" for row in born)
    assert _cells(_run(tmp_path, text)) == [(b[:4], age, "2023") for b, age, _ in born]


def test_a_kept_cell_that_looks_like_an_identifier_is_withheld_and_counted(tmp_path: Path) -> None:
    clean = "".join(f"0040{n:04d},Glucose,normal\n" for n in range(40))
    rows = _run(tmp_path, f"mrn,test_name,flag\n{clean}00409999,call 802-555-0143,Thibodeau\n")
    assert rows[0].cells == ("[ID-1]", "Glucose", "normal")
    assert rows[-1].cells == ("[ID-41]", "", "")
    changes = [change for index in (1, 2) for change in rows[-1].changes[index]]
    assert [c.residue for c in changes] == [Residue.NOTHING] * 2
    assert {c.source for c in changes} == {"kept_cell:shape"}
    assert [c.identifier for c in changes] == [Identifier.PHONES, Identifier.OTHERS]


def test_a_kept_cell_that_contains_a_known_value_of_the_row_is_withheld(tmp_path: Path) -> None:
    clean = "".join(f"0040{n:04d},Hoekstra,Pump model {n % 7}\n" for n in range(40))
    rows = _run(
        tmp_path, f"mrn,last_name,device_type\n{clean}00409999,Quillfeather,Quillfeather pump\n"
    )
    assert rows[-1].cells == ("[ID-41]", "[NAME]", "")


def test_a_patient_with_the_name_of_a_state_is_distinguished_by_the_column(tmp_path: Path) -> None:
    rows = _run(
        tmp_path,
        "mrn,last_name,state,diagnosis\n"
        + "00441672,Washington,Washington,Hypertension\n" * 9
        + "00441672,Washington,Washington,Washington\n",
    )
    assert rows[0].cells is not None and rows[0].cells[2:] == ("Washington", "Hypertension")
    assert rows[9].cells is not None and rows[9].cells[2:] == ("Washington", "")


def test_text_is_searched_with_the_known_values_of_its_row(tmp_path: Path) -> None:
    rows = _run(tmp_path, "last_name,comments\nQuillfeather,Mr. Quillfeather is hard of hearing\n")
    assert rows[0].cells == ("[NAME]", "Mr. [NAME] is hard of hearing")


def test_a_broken_record_is_withheld_with_its_reason(tmp_path: Path) -> None:
    rows = _run(tmp_path, "mrn,sex\n00402817,F\n00402818\n00402819,M\n")
    assert [row.code for row in rows] == ["", "ragged-row", ""]
    assert rows[1].cells is None


def test_malformed_known_values_of_a_document_withhold_it(tmp_path: Path) -> None:
    good = '{"text": "Ruth is well", "known": {"names": ["Ruth"]}}'
    bad = '{"text": "x", "known": {"nick": ["y"]}}'
    rows = _run(tmp_path, f"{good}\n{bad}\n", name="d.jsonl")
    assert rows[0].cells == ("[NAME] is well",)
    assert rows[1].code == "broken-known-values"


def test_numbered_tags_keep_the_values_of_a_patient_apart(tmp_path: Path) -> None:
    policy = parse_policy(policy_text("safe_harbor").replace("tags: plain", "tags: numbered"))
    rows = _run(
        tmp_path,
        "mrn,attending,ordering_provider\n00402817,Mehta,Tran\n00402817,Tran,Mehta\n",
        policy,
    )
    assert rows[0].cells == ("[ID-1]", "[NAME-1]", "[NAME-2]")
    assert rows[1].cells == ("[ID-1]", "[NAME-2]", "[NAME-1]")


def test_a_policy_that_keeps_dates_keeps_them(tmp_path: Path) -> None:
    rows = _run(tmp_path, "mrn,visit_date\n00402817,2020-05-01\n", read_policy("limited_data_set"))
    assert rows[0].cells is not None and rows[0].cells[1] == "2020-05-01"


@pytest.mark.parametrize("count", [1, 127, 128, 129, 300])
def test_records_in_are_records_out_in_order(tmp_path: Path, count: int) -> None:
    lines = "".join(f"{n},F\n" if n % 10 else f"{n}\n" for n in range(1, count + 1))
    rows = _run(tmp_path, f"line_number,sex\n{lines}")
    assert [row.ordinal for row in rows] == list(range(1, count + 1))


def test_no_repr_of_a_row_shows_a_cell(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("last_name,comments\nQuillfeather,Mr. Quillfeather rang\n")
    policy, source = read_policy("safe_harbor"), open_source(path)
    people = gather_people([("t.csv", source)], [], None)
    decisions = decide_columns(policy, "t.csv", source, False, ReadOptions())
    flow = TableFlow("t.csv", decisions, Scrubber(policy, KnownOnly(), REFERENCE), people)
    (read,) = read_row_batches(source, texts=True)
    shown = repr((read, flow.run(read), flow))
    assert "Quillfeather" not in shown and "rang" not in shown


def test_a_row_without_a_patient_keeps_no_cell_that_repeats_its_identifier(tmp_path: Path) -> None:
    clean = "".join(f"Pickett{n},Sodium {n % 5}\n" for n in range(40))
    rows = _run(tmp_path, f"technician_name,test_name\n{clean}Quillfeather,Sodium (quillfeather)\n")
    assert rows[0].cells == ("[NAME]", "Sodium 0")
    assert rows[-1].cells == ("[NAME]", "")


def test_a_name_inside_another_word_does_not_count_as_repeated(tmp_path: Path) -> None:
    ways = ("Transfer", "Walk-in", "Transport", "Transfer (tran)")
    clean = "".join(f"Tran,{way}\n" for way in ways)
    rule = "columns:\n  - {name: mode, action: keep, reason: ways of arrival}\n"
    policy = parse_policy(policy_text("safe_harbor").replace("columns: []\n", rule))
    cells = _cells(_run(tmp_path, f"technician_name,mode\n{clean}", policy))
    assert cells == [("[NAME]", "" if "(" in way else way) for way in ways]


def test_a_cell_kept_in_one_row_without_a_patient_is_checked_again_in_the_next(
    tmp_path: Path,
) -> None:
    rule = "columns:\n  - {name: unit, action: keep, reason: units}\n"
    policy = parse_policy(policy_text("safe_harbor").replace("columns: []\n", rule))
    text = "technician_name,unit\nBrandvold,Zebulon\nZebulon,Zebulon\nBrandvold,Zebulon\n"
    cells = _cells(_run(tmp_path, text, policy))
    assert cells == [("[NAME]", "Zebulon"), ("[NAME]", ""), ("[NAME]", "Zebulon")]


def test_rows_are_linked_across_encodings_delimiters_and_lost_zeros(tmp_path: Path) -> None:
    people_file, labs = tmp_path / "demog.csv", tmp_path / "labs.csv"
    people_file.write_text(
        "Chart#|Pt Surname|Town\n"
        + "".join(
            f"{n:09d}|{name}|Peñasco\n" for n, name in ((700013, "Ostrander"), (700026, "Adeyemi"))
        ),
        "cp1252",
    )
    labs.write_text("chart\tcomment\n700026\tcalled Mrs Adeyemi\n", "utf-16")
    policy = read_policy("safe_harbor")
    sources = [(path.name, open_source(path)) for path in (labs, people_file)]
    people = gather_people(sources, [], None)
    decisions = decide_columns(policy, "labs.csv", sources[0][1], False, ReadOptions())
    scrubber = Scrubber(policy, KnownOnly(), REFERENCE)
    rows = list(scrub_rows(sources[0][1].records(), "labs.csv", decisions, scrubber, people))
    assert _cells(rows) == [("[ID]", "called Mrs [NAME]")]


def test_an_age_in_months_stays_in_months_for_infants(tmp_path: Path) -> None:
    text = "AGE_MONTHS,sex\n14,F\n1100,M\n500,F\n"
    assert _cells(_run(tmp_path, text)) == [("14", "F"), ("90+", "M"), ("41 years", "F")]


def test_an_old_patient_does_not_pool_the_birth_years_of_others(tmp_path: Path) -> None:
    text = "age,birth_date,spouse_birth_date\n93,01/02/1933,03/04/1950\n"
    assert _cells(_run(tmp_path, text)) == [("90+", "90+", "1950")]


def test_a_number_of_a_float_column_is_compared_with_known_values(tmp_path: Path) -> None:
    text = "mrn,score\n700333,700333.0\n123456,4.5\n654321,3.5\n"
    assert _cells(_run(tmp_path, text)) == [("[ID-1]", ""), ("[ID-2]", "4.5"), ("[ID-3]", "3.5")]


@pytest.mark.parametrize(
    "address", ["9 Tannery Row\nValentine, NE", "PO Box 7, Valentine, NE 69201"]
)
def test_the_town_of_an_address_in_one_cell_is_a_known_value(tmp_path: Path, address: str) -> None:
    text = f'mrn,address,remarks\n700333,"{address}",formerly of Valentine\n'
    assert "Valentine" not in str(_cells(_run(tmp_path, text)))


def test_known_values_of_a_record_are_applied_to_a_cell_kept_before(
    tmp_path: Path,
) -> None:
    rule = "columns:\n  - {name: unit, action: keep, reason: units}\n"
    policy = parse_policy(policy_text("safe_harbor").replace("columns: []\n", rule))
    line = '{"id": "%d", "patient": "P-100417", "text": "Seen.", "unit": "Zebulon"%s}\n'
    known = ', "known": {"names": ["Zebulon"]}'
    path = tmp_path / "known.csv"
    path.write_text("patient_id,last_name\nP-100417,Brandvold\n")
    (tmp_path / "t.jsonl").write_text(line % (1, "") + line % (2, known))
    source = open_source(tmp_path / "t.jsonl")
    sources = [("t.jsonl", source), (path.name, open_source(path))]
    people = gather_people(sources, [], None, by_policy=policy.stated)
    decisions = decide_columns(policy, "t.jsonl", source, False, ReadOptions())
    scrubber = Scrubber(policy, KnownOnly(), REFERENCE)
    rows = list(scrub_rows(source.records(), "t.jsonl", decisions, scrubber, people))
    place = source.columns.index("unit")
    assert [row.cells and row.cells[place] for row in rows] == ["Zebulon", ""]


def test_an_answer_to_a_question_about_an_identifier_is_withheld(tmp_path: Path) -> None:
    asked = [("PHQ-9 total", "12"), ("Pain today", "4"), ("Do you smoke?", "No")] * 6
    asked += [("What is your ZIP code?", "05301"), ("Age", "93"), ("Last name", "Rose")]
    lines = [f"{question},{answer}" for question, answer in asked]
    rows = _run(tmp_path, "\n".join(["question,answer", *lines]) + "\n")
    answers = [row.cells[1] for row in rows if row.cells is not None]
    assert answers[:18] == ["12", "4", "No"] * 6
    assert answers[18:] == ["", "", ""]
    assert all(rows[n].changes[1] for n in (18, 19, 20))
