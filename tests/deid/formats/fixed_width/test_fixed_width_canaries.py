"""Canaries in every kind of field of fixed-width lines, and the values that must stay next to
them.
"""

from __future__ import annotations

from pathlib import Path

from document_canaries import address, canaries_left, canaries_of, canary, scrub_folder

from deid.formats import ReadOptions, read_layout

# Fields about persons, fields with uninformative names, and gaps that no field covers.
PLACES = {
    "last_name": 14, "first_name": 14, "middle_name": 14, "mrn": 14, "account_no": 14, "ssn": 14,
    "birth_date": 14, "admit_date": 14, "street": 14, "city": 14, "zip": 14, "phone": 14,
    "email": 24, "employer": 14, "next_of_kin": 14, "physician": 14, "license": 14, "qzx": 14,
    "photo": 14, "url": 28, "member_id": 14, "ip_address": 14,
}  # fmt: skip
CODES = {"sex": ("F", 1), "diagnosis": ("E11.9", 7), "dose_mg": ("12.50", 8)}
WORDS = (
    "The patient was well on lisinopril and slept through the night without any pain or fever. "
    "Breath sounds are clear on both sides; the wound is dry and the stitches come out next week."
)
COMMENT, SHORT = 240, 30


def made() -> tuple[str, str, int]:
    """The layout, the lines, and the number of canaries in them."""
    rows, at, number = ["name,start,end,type,record", "kind,1,2,record,"], 3, 0
    detail, head = "DT", "HD"
    for name, width in PLACES.items():
        rows.append(f"{name},{at},{at + width - 1},,DT")
        held = address(number)[:width] if name == "email" else canary(number)
        detail += held.upper().ljust(width)
        at, number = at + width, number + 1
    for name, (code, width) in CODES.items():
        rows.append(f"{name},{at},{at + width - 1},,DT")
        detail, at = detail + code.ljust(width), at + width
    for name, width, text in (
        ("comment", COMMENT, f"{WORDS} Write to {address(number)} soon."),
        ("remark", SHORT, f"Mail {address(number + 1)}"),
    ):
        rows.append(f"{name},{at},{at + width - 1},,DT")
        detail, at = detail + text.ljust(width), at + width
    number += 2
    detail += f"  {canary(number)}  {canary(number + 1)}"
    number += 2
    for place in range(3):
        rows.append(f"sender_{place},{3 + 20 * place},{22 + 20 * place},,HD")
        head += canary(number).ljust(20)
        number += 1
    rows.append("lines,3,22,count,TR")
    trailer = "TR" + canary(number).ljust(20) + canary(number + 1)
    lines = [head, *[detail] * 40, trailer]
    lines += [f"ZZ{canary(number + 2)}", f"DT{canary(number + 3)}", detail + canary(number + 4)]
    lines.append(f"DT\x01{canary(number + 5)}".ljust(len(detail)))
    return "\n".join(rows), "\n".join(lines) + "\n", number + 6


def test_no_canary_is_in_any_byte_of_a_released_fixed_width_file(tmp_path: Path) -> None:
    layout, text, number = made()
    (tmp_path / "layout.csv").write_text(layout)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "stays.dat").write_text(text)
    assert number >= 30 and len(canaries_of(text.encode())) >= 30
    options = ReadOptions(layout=read_layout(tmp_path / "layout.csv"))
    release = scrub_folder(tmp_path / "in", tmp_path / "out", read=options)
    assert release.exit_code == 4 and release.manifest["residual"]["hits"] == 0
    assert canaries_left(tmp_path / "out") == set()
    lines = (tmp_path / "out" / "stays.dat").read_text().split("\n")
    assert [line[:2] for line in lines] == ["HD", *["DT"] * 40, "TR", ""]
    assert [len(line) for line in lines[:42]] == [len(line) for line in text.split("\n")[:42]]
    detail, start = lines[1], 2 + sum(PLACES.values())
    assert detail[start : start + 16] == "FE11.9  12.50   "
    comment = detail[start + 16 : start + 16 + COMMENT].split()
    assert comment == [*WORDS.split(), "Write", "to", "[EMAIL]", "soon."]
