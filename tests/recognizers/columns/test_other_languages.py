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


_CODES = [f"{n % 29}0".zfill(3) for n in range(120)]
_FEW_CODES = ["120020", "120033", "120047", "120058", "120061"] * 30


@pytest.mark.parametrize(
    "header",
    ["codigo_localidad", "Cód. Comuna", "localidade_code", "kommune_code", "kelurahan_code",
     "taluk code", "codigo indec departamento", "gmina_cd", "arrondissement_code", "city_code",
     "village_cd", "district_id", "region_code", "zone_code", "locality_code", "subdistrict_cd",
     "prefecture_code", "branch code", "community_code", "poblacion_code"],
)  # fmt: skip
@pytest.mark.parametrize("values", [_CODES, _FEW_CODES])
def test_a_code_of_a_place_is_withheld(header: str, values: list[str]) -> None:
    assert profile(header, values).kind != "keep"


def test_the_number_of_a_house_is_an_address_in_spanish_too() -> None:
    values = ["9", "S/N", "22 -", "261", "3", "40"] * 20
    assert profile("Número Vía", values).identifier == "places"
    assert profile("altura calle", values).identifier == "places"


@pytest.mark.parametrize(
    "header", ["cpf", "CURP", "aadhaar_number", "PESEL", "bsn", "dni_paciente"]
)
def test_national_numbers_are_removed(header: str) -> None:
    assert profile(header, [str(30_441_037 + 7 * n) for n in range(40)]).kind == "identifier"


@pytest.mark.parametrize("header", ["casos", "obitos", "deaths", "no_of_deaths", "Cases", "camas"])
def test_counts_are_kept(header: str) -> None:
    values = [str(n * n % 47) for n in range(120)]
    assert profile(header, values).transform == "keep"


@pytest.mark.parametrize("header", ["cases", "casos", "beds", "amostras"])
def test_numbers_of_what_the_header_counts_are_withheld(header: str) -> None:
    assert profile(header, [str(33_000 + 7 * n) for n in range(14)]).kind != "keep"


# Under headers that count: numbers of unequal length, ZIP codes, codes with zeros, and ages.
_NO_COUNTS = (
    [str(700 * n + 31 * (n % 7) + 1_100) for n in range(100)],
    ["44301", "43604", "10001", "90210", "60614"] * 20,
    ["013", "099", "037", "005", "201"] * 20,
    [str(80 + n % 25) for n in range(100)],
    [str(n * 37 % 99 + 1) for n in range(100)],
)


@pytest.mark.parametrize(
    "header",
    ["casos", "obitos", "confirmados", "pruebas", "deaths", "cases", "lits", "ricoverati",
     "muestras", "ativos", "recuperados"],
)  # fmt: skip
@pytest.mark.parametrize("values", _NO_COUNTS)
def test_keys_codes_and_ages_under_a_count_are_withheld(header: str, values: list[str]) -> None:
    assert profile(header, values).kind != "keep"


@pytest.mark.parametrize("values", [["4471", "88120"], ["551204"], ["1931", "1940"], ["013"]])
@pytest.mark.parametrize("header", ["time_in_hospital", "icu_time", "cases", "no_of_deaths"])
def test_long_numbers_in_small_tables_are_no_counts(header: str, values: list[str]) -> None:
    assert profile(header, values).kind != "keep"


def test_numbers_of_rows_are_no_counts() -> None:
    header = "num_lab_procedures"
    assert profile(header, [str(n + 1) for n in range(120)]).kind != "keep"
    assert profile(header, [str(n * n % 80 + 1) for n in range(120)]).kind == "keep"


@pytest.mark.parametrize("header", ["codpostal", "codigopostal"])
def test_postal_codes_of_other_countries_are_removed_whole(header: str) -> None:
    seen = profile(header, ["28013", "42100", "08001", "41004"] * 20)
    assert seen.identifier == "places" and seen.transform != "zip3"
