"""Delimited tables: every record is accounted for, and the output has the same punctuation."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deid.errors import DeidError
from deid.formats import ReadOptions, Record, RecordFault, format_of, open_source
from deid.formats.delimited.csv_table import LONGEST_FIELD


def _read(path: Path) -> tuple[tuple[str, ...], list[Record | RecordFault]]:
    source = open_source(path)
    return source.columns, list(source.records())


def _copy(path: Path, target: Path) -> None:
    source, found = open_source(path), format_of(path)
    assert found is not None
    sink = found.create(target, source, dict(enumerate(source.columns)))
    for record in source.records():
        assert isinstance(record, Record)
        sink.write(record.cells)
    sink.close()


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", "*", "\x01"])
def test_the_delimiter_is_detected(tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "t.csv"
    rows = [["Name", "Note, long"], ["LOWE, HARLAN", "a; b, c"], ["HALE, R", "x"]]
    path.write_text("\n".join(delimiter.join(f'"{c}"' for c in row) for row in rows) + "\n")
    columns, records = _read(path)
    assert columns == ("Name", "Note, long")
    assert [r.cells for r in records if isinstance(r, Record)] == [tuple(r) for r in rows[1:]]


@pytest.mark.parametrize(
    "content",
    [
        b"a,b\r\n1,2\r\n",
        b"a;b\n1;2\n",
        codecs.BOM_UTF8 + b"a,b\n1,\xc3\xa9\n",
        b'"a","b"\n"1","two\nlines"\n',
        codecs.BOM_UTF16_LE + "a\tb\r\nZoë\tx\r\n".encode("utf-16-le"),
        "a,b\nZoë,Peña\n".encode("cp1252"),
        b'a,b\n"say ""hi""",2\n',
    ],
)
def test_a_table_is_written_back_byte_for_byte(tmp_path: Path, content: bytes) -> None:
    path, target = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_bytes(content)
    _copy(path, target)
    assert target.read_bytes() == content


_CELL = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=12
).filter(lambda text: text == text.strip())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.lists(st.tuples(_CELL, _CELL, _CELL), min_size=1, max_size=6))
def test_cells_survive_writing_and_reading(
    tmp_path: Path, rows: list[tuple[str, str, str]]
) -> None:
    path, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source_text = "\n".join(
        ",".join('"' + cell.replace('"', '""') + '"' for cell in row)
        for row in [("c1", "c2", "c3"), *rows]
    )
    path.write_bytes((source_text + "\n").encode())
    _copy(path, target)
    assert [r.cells for r in _read(target)[1] if isinstance(r, Record)] == rows


def test_a_ragged_row_is_a_fault_and_its_neighbours_are_not(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n3\n4,5,6\n7,8\n")
    _, records = _read(path)
    assert [type(r).__name__ for r in records] == ["Record", "RecordFault", "RecordFault", "Record"]
    assert [r.code for r in records if isinstance(r, RecordFault)] == ["ragged-row"] * 2
    assert [r.ordinal for r in records] == [1, 2, 3, 4]


def test_a_table_with_the_row_names_of_r_is_read(tmp_path: Path) -> None:
    """R's `write.table` gives the column of row names no header."""
    path, target = tmp_path / "t.csv", tmp_path / "out.csv"
    path.write_text('"age";"arm"\n"1";26;"left"\n"2";31;"right"\n"3";40;"left"\n')
    columns, records = _read(path)
    assert columns == ("row.names", "age", "arm")
    cells = [("1", "26", "left"), ("2", "31", "right"), ("3", "40", "left")]
    assert [r.cells for r in records if isinstance(r, Record)] == cells
    _copy(path, target)
    assert [r.cells for r in _read(target)[1] if isinstance(r, Record)] == cells


@pytest.mark.parametrize(
    "content",
    [
        "id,name\n1,Okafor, Ann\n2,Abel, Leo\n3,Vang, Mai\n",
        '"id","name"\n1,"Okafor","Ann"\n2,"Abel","Leo"\n3,"Vang","Mai"\n',
        '"id","name"\n"1","Okafor","Ann"\n"2","Abel","Leo"\n"3","Vang","Mai"\n',
        '"id","name"\n"1",7,"Ann"\n"2",8,"Leo"\n"4",9,"Mai"\n',
    ],
    ids=["bare commas", "numbers not quoted", "all quoted", "no row numbers"],
)
def test_other_rows_that_are_wider_than_the_header_are_faults(content: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(content)
    _, records = _read(path)
    assert [r.code for r in records if isinstance(r, RecordFault)] == ["ragged-row"] * 3


def test_broken_quotes_and_an_open_quote_are_faults(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('a,b\n"x"y,2\n3,4\n"open,5\n6,7\n')
    _, records = _read(path)
    assert [r.code for r in records if isinstance(r, RecordFault)] == ["broken-quotes"] * 2
    assert [r.cells for r in records if isinstance(r, Record)] == [("3", "4")]


def test_a_damaged_byte_withholds_only_its_record(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("a,b\nZoë,1\nPeña,2\n".encode() + b"bad\xff,3\n" + "Nguyễn,4\n".encode())
    _, records = _read(path)
    assert [r.code for r in records if isinstance(r, RecordFault)] == ["undecodable-bytes"]
    assert [r.cells[0] for r in records if isinstance(r, Record)] == ["Zoë", "Peña", "Nguyễn"]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty-table"),
        (b"a,b\n\x81\x8d\x8f\x90,2\n\x00\n", "unreadable-encoding"),
    ],
)
def test_an_unreadable_table_is_an_error_that_names_the_reason(
    tmp_path: Path, content: bytes, code: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(DeidError) as raised:
        open_source(path)
    assert raised.value.code == code
    assert raised.value.exit_code == 6


def test_the_delimiter_of_the_command_line_has_priority(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b;c\n1,2;3\n")
    assert open_source(path, ReadOptions(delimiter=";")).columns == ("a,b", "c")


@pytest.mark.parametrize("named", ["tab", "\\t", "\t"])
def test_a_delimiter_may_be_named(tmp_path: Path, named: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\tc\n1,2\t3\n")
    assert open_source(path, ReadOptions(delimiter=named)).columns == ("a,b", "c")


def test_a_delimiter_of_two_characters_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(DeidError) as raised:
        open_source(path, ReadOptions(delimiter="::"))
    assert raised.value.code == "delimiter-invalid"


def test_no_repr_shows_a_cell(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\nTheodora,Lowe\n")
    source = open_source(path)
    assert "Theodora" not in f"{source!r}{list(source.records())!r}"


def test_a_field_that_is_too_long_withholds_only_its_record(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    note = "one line, of many\n" * (LONGEST_FIELD // 17)
    path.write_text(f'key,note\n1,short\n2,"{note}"\n3,short\n')
    _, records = _read(path)
    assert [r.code if isinstance(r, RecordFault) else r.cells[0] for r in records] == [
        "1",
        "field-too-long",
        "3",
    ]


_DUMP = "ACCT_NO|PT_NM|B_DT|CC\nV1|LOWE,HARLAN|19310402|SOB\nV2|HALE,R|19780101|FALL, HOME\n"


@pytest.mark.parametrize("name", ["adm.20230914.txt", "adm.dat", "adm", "adm.OUT"])
@pytest.mark.parametrize("mark", ["|", "\t", "^", "~"])
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_delimited_file_with_a_text_suffix_is_recognized_by_its_header(
    tmp_path: Path, name: str, mark: str, codec: str
) -> None:
    path = tmp_path / name
    path.write_bytes(_DUMP.replace("|", mark).encode(codec))
    columns, records = _read(path)
    assert columns == ("ACCT_NO", "PT_NM", "B_DT", "CC")
    assert [type(record) for record in records] == [Record, Record]


@pytest.mark.parametrize("mark", [",", ";", "^", "~", "|"])
@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize("end", ["", "mark"])
def test_a_delimited_file_with_any_delimiter_is_recognized_by_its_header(
    tmp_path: Path, mark: str, quote: str, end: str
) -> None:
    rows = [("MRN", "PatientName", "B_DT", "CHIEF_COMPLAINT")]
    rows += [(f"0047{n}", "Lowe Harlan", "19310402", "chest pain") for n in range(4)]
    lines = [mark.join(f"{quote}{cell}{quote}" for cell in row) for row in rows]
    lines += [mark.join(["00480", f'"Hale{mark} Rae"', "19780101", '"fall\nat home"'])]
    path = tmp_path / "pts.dat"
    path.write_text("".join(line + (mark if end else "") + "\n" for line in lines))
    columns, records = _read(path)
    assert columns[:4] == rows[0] and len(columns) == 4 + bool(end)
    assert [type(record) for record in records] == [Record] * 5


def test_utf_16_prose_without_a_byte_order_mark_is_decoded(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    text = "Seen by Zoë Marsh, stable; home.\n"
    path.write_bytes(text.encode("utf-16-le"))
    source = open_source(path)
    assert list(source.records()) == [Record(1, (text,))]


def test_a_delimited_file_with_a_ragged_row_is_not_taken_for_prose(tmp_path: Path) -> None:
    path = tmp_path / "adm.txt"
    path.write_text(_DUMP + "V3|A|B|C\n" * 20 + "V4|ragged\n")
    _, records = _read(path)
    assert sum(isinstance(record, RecordFault) for record in records) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Seen today | stable | home\nCalls: a|b|c once.\nPlan as above.\n",
        "WBC 9.1|7.2|8.0\nHGB 12|11|12\nPLT 180|190|200\n" + "The rest is prose.\n" * 3,
        "3/14|7.2|8.0\n3/15|11|12\n3/16|190|200\n",
        "a|b|c\n",
        "Denies fever, cough, pain\nDenies chills, rash, falls\nTakes aspirin, zinc, iron\n",
        "Aspirin, 81 mg, daily\nZinc, 50 mg, daily\nIron, 65 mg, weekly\n",
        "Dear Dr Lowe, thank you, Rae\nSeen by Hale, Marsh, Orr\nHome, well, happy\n",
        "Labs: ok; plan: same; home\nDay 2: ok; plan: same; home\nDay 3: ok; plan: new; home\n",
        "BP^HR^T were noted\nwith pain^2 on day 3\nas before\n",
        "~5 days, ~6 nights, ~7 meals\n~1 day, ~2 nights, ~3 meals\n~8 a, ~9 b, ~1 c\n",
    ],
)
def test_prose_that_contains_delimiters_is_read_as_prose(tmp_path: Path, text: str) -> None:
    path = tmp_path / "note.txt"
    path.write_text(text)
    assert open_source(path).columns == ("text",)


@pytest.mark.parametrize(
    "content",
    [
        "1,F,1980-01-02,Okafor\n2,M,1970-03-04,Quispe\n3,F,1960-03-04,Li\n",
        "00441037;4.1\n00441074;3.9\n",
        "A-1,2024-01-02 10:00\nA-2,2024-01-03 11:30\n",
    ],
)
def test_a_file_without_a_header_keeps_its_first_record(tmp_path: Path, content: str) -> None:
    path, target = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_text(content)
    columns, records = _read(path)
    assert columns == tuple(f"column_{n}" for n in range(1, len(columns) + 1))
    assert [r.ordinal for r in records] == list(range(1, len(content.splitlines()) + 1))
    _copy(path, target)
    names, records = target.read_text().split("\n", 1)
    assert names in (",".join(columns), ";".join(columns)) and records == content
    assert _read(target)[0] == columns


@pytest.mark.parametrize(
    "content",
    [
        "state,2019,2020\nOhio,1204,1188\nUtah,998,1002\n",
        "id,F\n1,M\n2,F\n",
        "who,when\nKasia,2024-01-02\nEwa,2024-01-03\n",
        "7,x\nab,1\ncd,2\n",
    ],
)
def test_a_header_that_contains_a_number_is_still_a_header(tmp_path: Path, content: str) -> None:
    path = tmp_path / "in.csv"
    path.write_text(content)
    columns, records = _read(path)
    assert list(columns) == content.splitlines()[0].split(",")
    assert len(records) == len(content.splitlines()) - 1


def test_a_table_cut_to_one_column_is_read_back_with_one_column(tmp_path: Path) -> None:
    path, target = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_text("key;drug\n" + "".join(f"{n};Iron, {n} mg, oral\n" for n in range(9)))
    source = open_source(path)
    found = format_of(path)
    assert found is not None
    sink = found.create(target, source, {1: source.columns[1]})
    for record in source.records():
        assert isinstance(record, Record)
        sink.write(record.cells[1:])
    sink.close()
    columns, records = _read(target)
    assert columns == ("drug",) and len(records) == 9


def test_an_unclosed_quote_withholds_only_its_line(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = [f"{n},E11.9,4.{n % 9}" for n in range(1000)]
    rows[500] = '500,"E11.9,4.1'
    rows[700] = '700,"E11.9, E11.8",4.1'
    path.write_text("\n".join(["mrn,dx,potassium", *rows]) + "\n")
    _, records = _read(path)
    faults = [r for r in records if isinstance(r, RecordFault)]
    assert [(r.code, r.ordinal) for r in faults] == [("broken-quotes", 501)]
    assert len(records) == 1000
    assert [r.ordinal for r in records] == list(range(1, 1001))


def test_lines_of_an_unclosed_comment_are_not_read_as_rows(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    text = 'mrn,dx,comment\n1,E11.9,fine\n2,I10,"Seen by Olejniczak\nwho said, well\nnothing\nmore'
    path.write_text(text)
    _, records = _read(path)
    assert [type(r).__name__ for r in records] == ["Record", "RecordFault"]


def test_reading_a_file_full_of_broken_quotes_ends(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,c\n" + '1,"x,2\n1,2,3\n' * 400)
    _, records = _read(path)
    assert 100 <= len(records) <= 800


def test_identical_rows_have_no_header(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("E11.9\n" * 40)
    columns, records = _read(path)
    assert columns == ("column_1",) and len(records) == 40


_MEMBERS = "member{0}plan{0}sex\n1{0}HMO{0}F\n2{0}PPO{0}M\n3{0}HMO{0}F\n"


@pytest.mark.parametrize("delimiter", ["*", "\x01"])
def test_a_text_file_with_a_delimiter_unused_in_prose_is_a_table(
    tmp_path: Path, delimiter: str
) -> None:
    path = tmp_path / "members.txt"
    path.write_text(_MEMBERS.format(delimiter))
    assert _read(path)[0] == ("member", "plan", "sex")


def test_a_text_file_is_a_table_if_the_given_delimiter_fits(tmp_path: Path) -> None:
    path = tmp_path / "members.txt"
    path.write_text(_MEMBERS.format("!"))
    assert open_source(path).columns == ("text",)
    assert open_source(path, ReadOptions("!")).columns == ("member", "plan", "sex")
    path.write_text("Seen today! She is well.\nNo fever.\nTo be seen again.\n")
    assert open_source(path, ReadOptions("!")).columns == ("text",)
