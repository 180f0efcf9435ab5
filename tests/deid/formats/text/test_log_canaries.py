"""Canaries in log lines, in the layouts that programs write."""

from __future__ import annotations

from pathlib import Path

from document_canaries import address, canaries_left, canaries_of, scrub_folder

LINES = """
2023-03-14T10:00:01Z INFO sent letter to %
[2023-03-14 10:00:02] WARN mail=% state=open
level=info msg="call back" user="%"
user="%" level=info state=open
<134>Mar 14 10:00:03 ward7 mailer[811]: to=<%>, relay=local, stat=Sent
10.0.0.1 - % [14/Mar/2023:10:00:04 +0000] "GET /notes HTTP/1.1" 200 512
GET /notes?owner=%&page=2 HTTP/1.1
Referer: https://portal.example/notes?mail=%
Cookie: session=open; mail=%
Traceback: KeyError: '%'
  File "mail.py", line 12, in send(to="%")
java.lang.IllegalArgumentException: no such user: %
ERROR\t%\tnot found
ERROR|%|not found
ERROR;%;not found
(%) signed out
<%> signed out
"%" signed out
'%' signed out
`%` signed out
[%] signed out
mailto:% opened
SELECT * FROM note WHERE mail = '%';
audit: subject=[%], object=note
--to=% --state open
export MAIL=%
:: % ::
user,% ,open
x-forwarded-user: %
queue %: 3 open
Reset of %, then of %.
** % **
# %
""".strip().splitlines()
KEPT = "The patient was well on lisinopril and slept through the night without pain or fever."


def test_no_canary_is_in_any_byte_of_a_released_log(tmp_path: Path) -> None:
    numbers = iter(range(200))
    lines = []
    for line in LINES:
        head, *rest = line.split("%")
        lines.append(head + "".join(address(next(numbers)) + part for part in rest))
        lines.append(KEPT)
    text = "\n".join(lines) + "\n"
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "mailer.log").write_text(text)
    assert len(canaries_of(text.encode())) >= 33
    release = scrub_folder(tmp_path / "in", tmp_path / "out")
    assert release.exit_code == 0 and release.manifest["residual"]["hits"] == 0
    assert canaries_left(tmp_path / "out") == set()
    out = (tmp_path / "out" / "mailer.log").read_text().splitlines()
    assert out[1::2] == [KEPT] * len(LINES) and len(out) == 2 * len(LINES)
    assert sum(line.count("[EMAIL]") + line.count("[URL]") for line in out) >= len(LINES) - 2
