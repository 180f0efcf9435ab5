"""Which single cells of a withheld column become known values."""

import pytest

from recognizers import identifier_told_by
from safe_harbor import Identifier


@pytest.mark.parametrize(
    "cell",
    [
        "QUISPE",
        "Atcitty",
        "choquehuanca",
        "Ccoyllo, Ana",
        "Springfield",
        "Zirkle Fruit Warehouse",
        "ccoyllo, ana",
        "smith jane",
    ],
)
def test_a_cell_that_is_only_a_name_is_a_known_name(cell: str) -> None:
    assert identifier_told_by(cell) is Identifier.NAMES


@pytest.mark.parametrize("cell", ["4471903", "MR-4471903", "A 8812-4471"])
def test_a_cell_that_is_a_long_number_is_a_known_number(cell: str) -> None:
    assert identifier_told_by(cell) is Identifier.OTHERS


@pytest.mark.parametrize(
    "cell",
    [
        "",
        "Completed",
        "Left Arm",
        "Cardiology",
        "Medtronic",
        "nml",
        "Room 4",
        "447190",
        "12345.6789",
        "73211009",
        "NM_004972.4",
        "ACGTACGTACGTACGTACGTACGT",
        "pt was seen with her sister Ccoyllo today",
        "hemolyzed, redraw",
    ],
)
def test_words_counts_and_codes_are_not_known_values(cell: str) -> None:
    assert identifier_told_by(cell) is None
