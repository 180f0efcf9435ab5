"""PLINK pedigree files are read without a header; genotypes are not released."""

from __future__ import annotations

from pathlib import Path

from deid.formats import Record, RecordFault, format_of, open_source

PED = "F7 F7-1 0 0 1 2 A A G T\nF7 F7-2 0 0 2 1 A C G G\nF7 F7-3\n"


def test_a_pedigree_has_six_columns_and_its_genotypes(tmp_path: Path) -> None:
    path = tmp_path / "family.ped"
    path.write_text(PED)
    source = open_source(path)
    first, second, third = source.records()
    assert source.columns[:2] == ("pedigree_id", "individual_id")
    assert isinstance(first, Record) and first.cells[-2:] == ("2", "A A G T")
    assert isinstance(second, Record) and isinstance(third, RecordFault)


def test_kept_persons_are_written_unchanged(tmp_path: Path) -> None:
    path, target = tmp_path / "family.fam", tmp_path / "out.fam"
    path.write_text("F7\tF7-1\t0\t0\t1\t2\nF7\tF7-3\tF7-1\tF7-2\t2\t-9\n")
    source, found = open_source(path), format_of(path)
    assert found is not None
    sink = found.create(target, source, dict(enumerate(source.columns)))
    for record in source.records():
        assert isinstance(record, Record)
        sink.write(record.cells)
    sink.close()
    assert target.read_text() == path.read_text()


def test_a_pedigree_with_a_header_is_a_table(tmp_path: Path) -> None:
    path = tmp_path / "family.ped"
    path.write_text("FAMID,IID,SEX,NAME\nF7,1,1,Ngozi Do\nF7,2,2,Will Long\n")
    assert open_source(path).columns == ("FAMID", "IID", "SEX", "NAME")


def test_a_pedigree_that_loses_a_column_is_released_as_a_table(tmp_path: Path) -> None:
    path, target = tmp_path / "family.ped", tmp_path / "out.ped"
    path.write_text("F7 F7-1 0 0 1 2 A A\nF7 F7-2 0 0 2 1 A C\n")
    source, found = open_source(path), format_of(path)
    assert found is not None
    sink = found.create(target, source, {4: "sex", 5: "phenotype"})
    sink.write(("1", "2"))
    sink.close()
    back = open_source(target)
    assert back.columns == ("sex", "phenotype")
    assert [r.cells for r in back.records() if isinstance(r, Record)] == [("1", "2")]
