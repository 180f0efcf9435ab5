"""Initials known from one place of a text are found elsewhere in it; clinical abbreviations are
not.
"""

from __future__ import annotations

import pytest

from recognizers.propagate.certain import initials_of, letters_of
from recognizers.propagate.propagation import find_initials


def found(text: str, named: str = "", seen: str = "") -> list[str]:
    spans = find_initials(text, frozenset(named.split()), frozenset(seen.split()))
    return [text[f.start : f.end] for f in spans]


@pytest.mark.parametrize(
    ("value", "made", "are"),
    [
        ("Rosalind Akers", {"RA"}, set()),
        ("Akers, Rosalind Mae", {"RMA", "RA"}, set()),
        ("KB", set(), {"KB"}),
        ("k.b.", set(), {"kb"}),
        ("ws / bc", set(), {"ws", "bc"}),
        ("RA HB", set(), {"RA", "HB"}),
        ("may", set(), set()),
        ("ml", set(), set()),
        ("le thi", set(), set()),
    ],
)
def test_a_name_gives_its_initials(value: str, made: set[str], are: set[str]) -> None:
    assert (initials_of(value), letters_of(value)) == (made, are)


@pytest.mark.parametrize(
    ("text", "seen", "expected"),
    [
        ("drained 390 kb\n0230 asleep, kb had her walk", "kb", ["kb", "kb"]),
        ("1/6 rb: faxed. Told RB, closed by RB.", "rb", ["rb", "RB", "RB"]),
        ("RA approves. RA 86%, on RA. Told RA.", "RA", ["RA", "RA"]),
        ("PT/OT eval. PT 12.3. Ask PT? PT: done", "PT", []),
        ("08:40 PT: sent. PT called. PT ordered", "PT", ["PT", "PT"]),
        ("FROM: RA \u2192 PT, HB, ED", "RA HB PT ED", ["RA", "PT", "HB", "ED"]),
        ("Truck 4, WI 54911. Levels in WI.", "WI", []),
        ("U/S by JB: clot. The tj value.", "JB", ["JB"]),
        ("Count VQ/jz final, VQ/RN, VQ/mrn.", "VQ", ["jz", "VQ", "VQ", "VQ"]),
        ("  2145 RM walked\n  2200 RM asleep\n  RM 4 empty", "RM", ["RM", "RM"]),
    ],
)
def test_known_initials_are_found_elsewhere(text: str, seen: str, expected: list[str]) -> None:
    assert found(text, seen=seen) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Joints: no RA, RA factor 12.", []),
        ("Grafted (HB), HB / VH, HB 9.1 g", ["HB", "HB"]),
        ("initialed H.B. and gone", ["H.B."]),
        ("Wound seen, QJK measured it.", ["QJK"]),
        ("Helena, MT 59601. Plate MT 44. From MT.", []),
        ("Heel dry (MT), skin check", ["MT"]),
    ],
)
def test_initials_of_a_full_name_are_found(text: str, expected: list[str]) -> None:
    assert found(text, named="RA HB QJK MT") == expected
