"""Headers in Spanish, German and French, and numbers under a header that suggests something
else.
"""

from __future__ import annotations

import pytest

from recognizers import profile

NUMBERS = ["4.1", "3.9", "5.0", "4.4"] * 10


@pytest.mark.parametrize(
    "header",
    ["Glucemia", "Creatinina", "Talla", "Hämoglobin", "Kreatinin", "Körpergröße", "Größe",
     "Glycémie", "Triglicéridos", "Herzfrequenz"],
)  # fmt: skip
def test_measurements_under_headers_of_other_languages_are_kept(header: str) -> None:
    assert profile(header, NUMBERS).kind == "keep"


@pytest.mark.parametrize(
    ("header", "values", "kind"),
    [
        ("Familienstand", ["verheiratet", "ledig"] * 20, "keep"),
        ("EstadoCivil", ["Casado", "Soltera"] * 20, "keep"),
        ("Alter", ["41", "67", "93", "20"] * 10, "quasi"),
        ("Hausarzt", ["Dr. Olejniczak", "Dr. Hoekstra"] * 20, "identifier"),
        ("Geburtsname", ["Olejniczak", "Hoekstra"] * 20, "identifier"),
        ("Krankenversichertennummer", ["A123456780", "A123456781"] * 20, "identifier"),
        ("Wohnort", ["Berlin", "Bonn"] * 20, "identifier"),
        ("Domicilio", ["Calle Mayor 4", "Calle Mayor 5"] * 20, "identifier"),
        ("Notizen", ["kommt mit Tochter Liesl", "keine Beschwerden"] * 20, "text"),
        ("BENRES_IP", ["0.00", "1068.00", "12.50"] * 10, "keep"),
        ("SP_STATE_CODE", ["26", "39", "1"] * 10, "keep"),
        ("STATE", ["VT", "NH"] * 20, "quasi"),
        ("client_ip", ["10.1.2.3", "10.1.2.4"] * 20, "identifier"),
    ],
)
def test_headers_of_other_languages_are_understood(
    header: str, values: list[str], kind: str
) -> None:
    assert profile(header, values).kind == kind
