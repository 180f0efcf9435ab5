"""Scripts of SQL Server with batches, brackets and N'...', as its own tools write them."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from deid.errors import DeidError
from deid.formats import Record, left_behind, members_of, open_source
from deid.jobs import Job, run_job
from deid.policy.model import read_policy
from deid.text.engine import load_finder

DAY = date(2026, 11, 22)
SCRIPT = """USE [Clinic]
GO
/****** Object:  Table [dbo].[Patient]    Script Date: 3/4/2023 ******/
SET ANSI_NULLS ON
GO
CREATE TABLE [dbo].[Patient](
\t[PatientID] [int] IDENTITY(1,1) NOT NULL,
\t[Last]]Name] [nvarchar](50) NULL,
\t[BirthDate] [date] NULL,
\t[Weight] [decimal](6, 2) NULL,
\t[Smoker] [bit] NULL,
\t[Photo] [varbinary](max) NULL,
 CONSTRAINT [PK_Patient] PRIMARY KEY CLUSTERED ([PatientID] ASC)
) ON [PRIMARY]
GO
SET IDENTITY_INSERT [dbo].[Patient] ON
INSERT [dbo].[Patient] COLUMNS VALUES (8800012, N'O''Neil', CAST(N'1951-07-19' AS Date),
  CAST(70.50 AS Decimal(6, 2)), 1, 0x4F6B61666F72)
INSERT [dbo].[Patient] COLUMNS VALUES (8800007, N'Żółkiewska',
  CAST(N'2001-02-03T00:00:00.000' AS DateTime2), NULL, 0, NULL)
SET IDENTITY_INSERT [dbo].[Patient] OFF
GO
INSERT INTO [dbo].[Note] ([PatientID], [NoteText]) VALUES
 (8800012, N'Path C:\\temp\\'),
 (8800012, N'Ms. O''Neil called; she
GO
INSERT of a line')
GO
PRINT N'Kasia Okafor'
GO 2
ALTER TABLE [dbo].[Patient] ADD DEFAULT ((0)) FOR [Smoker]
""".replace("COLUMNS", "([PatientID], [Last]]Name], [BirthDate], [Weight], [Smoker], [Photo])")


def _script(folder: Path, encoding: str = "utf-8") -> Path:
    path = folder / "clinic.sql"
    path.write_text(SCRIPT.replace("\\\\", "\\"), encoding)
    return path


def _rows(path: Path, member: str) -> list[tuple[str | None, ...]]:
    records = list(open_source(path, None, member).records())
    assert all(isinstance(record, Record) for record in records), records
    return [record.cells for record in records if isinstance(record, Record)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_row_of_every_batch_is_read(tmp_path: Path, encoding: str, end: str) -> None:
    path = _script(tmp_path)
    text = path.read_text("utf-8").replace("\n", end)
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    path.write_bytes((mark + text).encode(encoding))
    assert members_of(path) == ("dbo.Patient", "dbo.Note")
    assert open_source(path, None, "dbo.Patient").columns[:2] == ("PatientID", "Last]Name")
    assert _rows(path, "dbo.Patient") == [
        ("8800012", "O'Neil", "1951-07-19", "70.50", "1", "Okafor"),
        ("8800007", "Żółkiewska", "2001-02-03T00:00:00.000", None, "0", None),
    ]
    assert _rows(path, "dbo.Note") == [
        ("8800012", "Path C:\\temp\\"),
        ("8800012", f"Ms. O'Neil called; she{end}GO{end}INSERT of a line"),
    ]
    behind = left_behind(path, "dbo.Patient")
    assert behind["create-statements"] == behind["alter-statements"] == 1
    assert behind["set-statements"] == 3


def test_a_script_is_released_as_a_script_that_reads_the_same(tmp_path: Path) -> None:
    path = _script(tmp_path, "utf-16")
    known = tmp_path / "known.csv"
    known.write_text("PatientID,last_name\n8800012,O'Neil\n8800007,Żółkiewska\n", "utf-8")
    job = Job((path,), tmp_path / "out", read_policy("safe_harbor"), DAY, known=(known,),
              patient_key="PatientID")  # fmt: skip
    release = run_job(job, load_finder(DAY))
    assert release.out is not None and release.manifest["residual"]["hits"] == 0
    made = (release.out / "clinic.sql").read_text("utf-8")
    for word in ("Neil", "kiewska", "Okafor", "1951-07", "4F6B"):
        assert word not in made
    assert made.startswith("-- SQL Server script") and "GO\n" in made and "COPY" not in made
    members = members_of(release.out / "clinic.sql")
    assert [len(_rows(release.out / "clinic.sql", member)) for member in members] == [2, 2]
    assert release.manifest["records_in"] == release.manifest["records_out"] == 4


def test_rows_in_another_file_are_refused(tmp_path: Path) -> None:
    path = _script(tmp_path)
    path.write_text(SCRIPT + "GO\nBULK INSERT [dbo].[Lab] FROM 'C:\\lab.bcp'\nGO\n")
    with pytest.raises(DeidError) as refused:
        members_of(path)
    assert refused.value.code == "bulk-insert"


def test_an_expression_instead_of_a_value_withholds_only_its_statement(tmp_path: Path) -> None:
    path = tmp_path / "d.sql"
    path.write_text(
        "INSERT [T] ([a]) VALUES (GETDATE())\nINSERT [T] ([a]) VALUES (N'x')\nGO\n", "utf-8"
    )
    told = [getattr(r, "code", None) or r.cells for r in open_source(path, None, "T").records()]  # type: ignore[union-attr]
    assert told == ["statement-not-understood", ("x",)]
