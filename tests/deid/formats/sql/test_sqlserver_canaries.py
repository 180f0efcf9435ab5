"""Canaries in scripts of SQL Server: in statements, comments, names, texts, bytes and columns."""

from __future__ import annotations

from pathlib import Path

from document_canaries import address, canaries_left, canaries_of, canary, scrub_folder

SCRIPT = """USE [%]
GO
/****** Object:  Table [dbo].[Patient]  % ******/
-- written by %
CREATE LOGIN [%] WITH PASSWORD = N'%';
EXEC sys.sp_addextendedproperty @name=N'MS_Description', @value=N'%'
GO
CREATE TABLE [dbo].[Patient]([MRN] [nvarchar](50) DEFAULT ('%'), [% Name] [nvarchar](50) NULL)
GO
INSERT [dbo].[Patient] ([MRN], [LastName], [FirstName], [SSN], [Phone], [EMail], [Street], [City],
  [BirthDate], [AccountNo], [Employer], [Photo], [Doctor], [MemberId], [License], [Url], [Qzx],
  [Sex], [Comment])
 VALUES (N'%', N'%', N'%', N'%', N'%', N'@', N'%', N'%', N'%', N'%', N'%', 0xHEX, N'%', N'%', N'%',
  N'https://%.example/a', N'%', N'F', N'KEPT Write to @ soon.')
GO
PRINT N'%'
RAISERROR (N'%', 16, 1)
DECLARE @a nvarchar(50) = N'%'
UPDATE [dbo].[Patient] SET [LastName] = N'%' WHERE [MRN] = N'%'
DELETE FROM [dbo].[Patient] WHERE [LastName] = N'%'
CREATE VIEW [dbo].[%] AS SELECT '%' AS [x]
GO
CREATE PROCEDURE [dbo].[p] AS SELECT N'%' -- %
GO
"""
KEPT = "The patient was well on lisinopril and slept through the night without pain or fever."


def test_no_canary_is_in_any_byte_of_a_released_sql_server_script(tmp_path: Path) -> None:
    text, number = SCRIPT.replace("KEPT", KEPT), 0
    while any(mark in text for mark in ("%", "@'", " @ ")):
        place = min(at for mark in ("%", "@'", " @ ") if (at := text.find(mark)) >= 0)
        place += text[place] == " "
        told = canary(number) if text[place] == "%" else address(number)
        text, number = text[:place] + told.replace("@", "\0") + text[place + 1 :], number + 1
    text = text.replace("\0", "@").replace("HEX", canary(number).encode().hex())
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "clinic.sql").write_text(text)
    assert number >= 35 and len(canaries_of(text.encode())) >= 35
    release = scrub_folder(tmp_path / "in", tmp_path / "out")
    assert release.exit_code == 0 and release.manifest["residual"]["hits"] == 0
    assert canaries_left(tmp_path / "out") == set()
    out = (tmp_path / "out" / "clinic.sql").read_text()
    assert f"{KEPT} Write to [EMAIL] soon." in out and "INSERT" in out
