"""Broken X12 files."""

from __future__ import annotations

from broken_files import C

ISA = (
    b"ISA*00*          *00*          *ZZ*A              *ZZ*B              "
    b"*230314*1253*^*00501*000000905*0*T*:~"
)
HEAD = ISA + b"GS*HC*A*B*20230314*1253*1*X*005010X222A1~ST*837*0021~"
TAIL = b"SE*3*0021~GE*1*1~IEA*1*000000905~"
NOTE = b"NTE*ADD*" + C + b"~"
X12_FILES: dict[str, tuple[bytes, str]] = {
    "empty.837": (b"", "broken-interchange"),
    "text.837": (C + b" was seen", "broken-interchange"),
    "cut.837": (HEAD + NOTE, "broken-interchange"),
    "half_segment.837": (HEAD + b"NTE*ADD*" + C, "broken-interchange"),
    "no_group.837": (ISA + b"ST*837*1~" + NOTE + b"SE*3*1~IEA*1*1~", "broken-interchange"),
    "no_set.837": (HEAD.replace(b"ST*837*0021~", NOTE) + TAIL, "broken-interchange"),
    "crossed.837": (HEAD + NOTE + b"GE*1*1~SE*3*0021~IEA*1*1~", "broken-interchange"),
    "behind.837": (HEAD + NOTE + TAIL + C, "broken-interchange"),
    "short_head.837": (HEAD.replace(b"*230314", b"", 1) + NOTE + TAIL, "broken-interchange"),
    "same_signs.837": (HEAD.replace(b"*T*:~", b"*T*~~", 1) + NOTE + TAIL, "broken-interchange"),
    "letters.837": (HEAD.replace(b"*T*:~", b"*T*:Q", 1) + NOTE + TAIL, "broken-interchange"),
    "odd_tag.837": (HEAD + b"nte1*" + C + b"~" + TAIL, "broken-interchange"),
    "long.837": (HEAD + b"NTE*ADD*" + C * 9000 + b"~" + TAIL, "broken-interchange"),
    "controls.837": (HEAD + b"NTE*ADD*" + C + b"\x01~" + TAIL, "control-characters"),
    "inner.txt": (b"Seen today.\n" + HEAD + NOTE + TAIL, "x12-interchange"),
    "edifact.837": (b"UNA:+.? 'UNB+UNOA:1+" + C, "edifact-interchange"),
}
GOOD = HEAD + b"NTE*ADD*The patient is well.~" + TAIL
