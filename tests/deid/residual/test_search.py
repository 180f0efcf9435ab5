"""The independent search must find what a scrub may leave and must not report what may stay."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import io
import json
import zipfile
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.attacks.residual_search import DRESSES, PLACES
from deid.residual.hits import Residual
from deid.residual.layers import text_layers
from deid.residual.markup import shown_text
from deid.residual.released_files import CHUNK_BYTES, file_chunks
from deid.residual.search import ResidualSearch, search_texts
from deid.residual.value_forms import forms_of
from recognizers import KnownValue, KnownValues
from safe_harbor import Identifier as I

A = KnownValues(
    (
        KnownValue(I.NAMES, "Theodora", part="first"),
        KnownValue(I.NAMES, "Rose", part="middle"),
        KnownValue(I.NAMES, "Marchetti-Lowe", part="last"),
        KnownValue(I.NAMES, "Okonkwo, Ngozi", "relative", "full"),
        KnownValue(I.NAMES, "Ashuelot Bus Company", "employer", "organization"),
        KnownValue(I.DATES, "1958-03-10", part="birth"),
        KnownValue(I.SSNS, "912-34-4471"),
        KnownValue(I.MRNS, "00402817"),
        KnownValue(I.PHONES, "(802) 555-0143"),
        KnownValue(I.EMAILS, "tmarchettilowe@valleynet.example"),
        KnownValue(I.URLS, "https://share.pumpwell.example/u/malrashidi"),
        KnownValue(I.PLANS, "3KD2-WY9-JC60"),
        KnownValue(I.DEVICES, "CVT88214K"),
        KnownValue(I.PLACES, "118 Canal Street, Apt 3B", part="street"),
        KnownValue(I.PLACES, "Brattleboro", part="city"),
        KnownValue(I.PLACES, "05301", part="zip"),
        KnownValue(I.PLACES, "Windham", part="county"),
        KnownValue(I.PHOTOS, "marchetti_m_2026_wound.jpg"),
    )
)
B = KnownValues(
    (
        KnownValue(I.NAMES, "Hope", part="first"),
        KnownValue(I.NAMES, "Summers", part="last"),
        KnownValue(I.NAMES, "Graves", part="maiden"),
        KnownValue(I.PLACES, "New York", part="city"),
        KnownValue(I.DATES, "1989-12-25", part="birth"),
        KnownValue(I.MRNS, "44019"),
        KnownValue(I.NAMES, "UNKNOWN", "relative", "full"),
        KnownValue(I.SSNS, "000-00-0000"),
    )
)
KNOWN = (("a", A), ("b", B))


def words(text: str, owner: str | None = "a", **options) -> set[str]:
    found = search_texts([(1, owner, text)], KNOWN, **options)
    return {word.value for word in found.by_word}


FORMS = {
    "names": (
        "Theodora Marchetti-Lowe",
        "MARCHETTI LOWE, THEODORA R",
        "theodora",
        "Mrs. Marchetti",
        "Marchetti-\nLowe",
        "Theodóra",
        "Theo\u00addora",
        "Ngozi Okonkwo",
        "OKONKWO, NGOZI",
        "the Ashuelot Bus depot",
    ),
    "dates": (
        "03/10/1958",
        "3/10/58",
        "1958-03-10",
        "19580310",
        "10 Mar 1958",
        "March 10",
        "the 10th of March",
        "10-MAR-58",
        "1958-03-10T08:40:00Z",
        "10.03.1958",
    ),
    "ssns": (
        "912344471",
        "912 34 4471",
        "SSN ending 4471",
        "xxx-xx-4471",
    ),
    "mrns": (
        "402817",
        "0040 2817",
        "MRN00402817",
    ),
    "phones": (
        "802.555.0143",
        "+1 802 555 0143",
        "8025550143",
        "555-0143",
    ),
    "emails": (
        "TMarchettiLowe@valleynet.example",
        "tmarchettilowe",
    ),
    "urls": (
        "share.pumpwell.example/u/malrashidi",
        "malrashidi",
    ),
    "plans": (
        "3kd2wy9jc60",
        "3KD2 WY9 JC60",
    ),
    "devices": ("CVT-88214-K",),
    "places": (
        "118 Canal St.",
        "BRATTLEBORO",
        "05301",
        "05301-6712",
        "Windham County",
    ),
    "photos": ("marchetti_m_2026_wound.jpg",),
}
LEFT = [(word, form) for word, forms in FORMS.items() for form in forms]


@pytest.mark.parametrize(("word", "left"), LEFT)
def test_every_remaining_form_of_a_known_value_is_found(word, left):
    assert word in words(f"Seen today. {left} was there.")
    assert word in words(left)


@pytest.mark.parametrize(("word", "left"), LEFT)
def test_escapes_and_encodings_do_not_hide_a_known_value(word, left):
    """The same forms, escaped and encoded."""
    if not left.isascii() or "\n" in left or "ending" in left or "xxx" in left:
        pytest.skip("told from its surroundings")
    padded = f"note: {left} end of the note"
    hidden = [
        html.escape(padded).replace("o", "&#111;").replace("4", "&#x34;"),
        quote(padded, safe=""),
        "".join(f"\\u{ord(c):04x}" for c in padded),
        base64.b64encode(padded.encode()).decode(),
        base64.b64encode(b"x" + padded.encode()).decode(),
        base64.b64encode(b"xy" + padded.encode()).decode(),
        base64.urlsafe_b64encode(padded.encode()).decode(),
        padded.encode().hex(),
        base64.b64encode(gzip.compress(padded.encode())).decode(),
        base64.b64encode(base64.b64encode(padded.encode())).decode(),
    ]
    for number, text in enumerate(hidden):
        assert word in words(f"attached {text} ok"), f"layer {number}"


@pytest.mark.parametrize("zero", "٠۰०০๐０")
def test_digits_of_another_script_are_read_as_digits(zero):
    number = "".join(chr(ord(zero) + int(digit)) for digit in "00402817")
    assert words(f"Number {number}, well.") == {"mrns"}


@pytest.mark.parametrize("dress", DRESSES)
@pytest.mark.parametrize("place", PLACES)
def test_a_value_in_another_spelling_is_found(dress, place):
    known = KnownValues(
        (
            KnownValue(I.NAMES, "Bont\u00e9", part="last"),
            KnownValue(I.NAMES, "Andr\u00e9", part="first"),
            KnownValue(I.MRNS, "88213377"),
        )
    )
    for value, word in (("Andr\u00e9 Bont\u00e9", I.NAMES), ("88213377", I.MRNS)):
        left = place.format(DRESSES[dress](value))
        assert word in search_texts([(1, "p", left)], [("p", known)]).by_word


@pytest.mark.parametrize(
    "text",
    [
        *("=41" * 60_000, "%41" * 60_000, "\\x41" * 50_000, "+AOk-" * 40_000, "<~" * 90_000),
        *("ab " * 60_000, "QUJD" * 50_000, "A1b2C3d4 " * 20_000, "12 " * 60_000),
        "\u00c3\u00a9" * 60_000,
    ],
    ids=range(10),
)
def test_hostile_texts_are_decoded_in_time(text, cpu_seconds_below):
    with cpu_seconds_below(4):
        assert sum(1 for _ in text_layers(text)) < 200


def test_base64_folded_as_in_mail_is_read():
    text = base64.encodebytes(b"a long letter " * 20 + b"Theodora Marchetti-Lowe " + b"z " * 99)
    assert words(f"Content: base64\n\n{text.decode()}") >= {"names"}


@pytest.mark.parametrize(
    "text",
    [
        "[NAME-1] was seen in 1958 at [FACILITY], aged 90+, ZIP 053, in Vermont.",
        "lot 4471, strength 3/10, 555 ml, code 99214, 118 mg, apt, 2026",
        "rose to the occasion; street; canal; a low sodium diet",
        "DOB [DATE] 1958; phone [PHONE]; 4471 steps",
        "march on; a bus company; 10 mg of march hare",
        "takes 91 2344471 units and 8025 550143 steps, 0040281 7",
        "object identifier 1.3.10.58.2 and 2.1958.3.10.1, version 3.10.58.1",
    ],
)
def test_text_that_may_stay_is_not_reported(text):
    assert words(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "There is hope; summers are worse; Graves disease; the graves; Hope was expressed",
        "State: New York. NY",
        "UNKNOWN 000-00-0000",
        "12/25 of the tablets",
    ],
)
def test_everyday_words_states_and_placeholders_are_not_reported(text):
    assert words(text, "b") == set()


POSTAL = KnownValues((KnownValue(I.PLACES, "13070", part="zip"),))


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("lives in 13070", True),
        ("Ithaca NY 13070-1234", True),
        ("ZIP: 13070.", True),
        ("1 3 0 7 0", True),
        ("BP 130/70, then 1.3070", False),
        ("heparin 13,070 units, 13070.5 g, 13070/4", False),
        ("platelets 13070; WBC: 13070; CPT 13070; $13070", False),
    ],
)
def test_a_postal_code_is_not_found_inside_a_measurement(text, seen):
    assert bool(search_texts([(1, "p", text)], [("p", POSTAL)]).hits) is seen


def test_clinical_words_are_not_taken_for_user_names():
    known = KnownValues(
        (
            KnownValue(I.EMAILS, "radiology@valleynet.example"),
            KnownValue(I.EMAILS, "hydralazine@valleynet.example"),
            KnownValue(I.URLS, "https://valleynet.example/intubation"),
            KnownValue(I.PLACES, "Anesthesia"),
            KnownValue(I.NAMES, "Zellweger III", part="last"),
        )
    )
    text = "Radiology: stage III. Intubation by anesthesia, hydralazine 10 mg."
    assert search_texts([(1, "p", text)], [("p", known)]).hits == 0
    for left in ("radiology@valleynet.example", "valleynet.example/intubation", "Zellweger III"):
        assert search_texts([(1, "p", left)], [("p", known)]).hits


def test_in_capitals_an_everyday_name_in_reverse_order_needs_its_comma():
    assert words("SUMMERS HOPE FOR MORE", "b") == set()
    assert words("NAME: SUMMERS,HOPE", "b") == {"names"}
    assert words("Name: Summers Hope", "b") == {"names"}
    assert words("She has Hope. Summers are worse.", "b") == set()


def test_an_everyday_name_is_found_only_in_full():
    assert words("Hope Summers came", "b") == {"names"}
    assert words("SUMMERS, HOPE", "b") == {"names"}
    assert words("in hope summers pass", "b") == set()


def test_a_known_value_of_another_patient_counts_only_if_distinctive():
    own = ("theodora", "March 10, 1958", "05301", "Brattleboro", "402817", "555-0143")
    assert all(words(text, "a") for text in own)
    assert not any(words(text, "b") for text in own)
    anybody = (
        "802-555-0143",
        "912-34-4471",
        "tmarchettilowe@valleynet.example",
        "Theodora Marchetti-Lowe",
        "118 Canal Street",
        "3KD2-WY9-JC60",
    )
    for text in anybody:
        assert search_texts([], KNOWN, [("notes.txt", text.encode())]).hits


@pytest.mark.parametrize(
    "data",
    [
        "call 802-555-0143".encode("utf-16"),
        "call 802-555-0143".encode("utf-16-le"),
        "\ufeffcall 802-555-0143".encode("utf-16-be"),
        b"SQLite format 3\0" + bytes(4080) + b"\x03\x17call 802-555-0143",
        b"\1\0" * 2048 + b"call 802-555-0143\0",
        gzip.compress(b"call 802-555-0143", mtime=0),
        gzip.compress(gzip.compress(b"call 802-555-0143", mtime=0), mtime=0),
        b"tel=%28802%29%20555-0143",
        b'{"tel": "\\u0038025550143"}'.replace(b"8025550143", b"802-555-0143"),
    ],
)
def test_every_byte_of_a_file_is_read(data):
    assert search_texts([], KNOWN, [("a.bin", data)]).by_word == {I.PHONES: 1}


def test_members_of_an_archive_and_their_names_are_read():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("theodora marchetti-lowe.txt", "nothing")
        archive.writestr("b.txt", "912-34-4471")
    assert set(search_texts([], KNOWN, [("x.zip", stream.getvalue())]).by_word) == {I.NAMES, I.SSNS}


def test_a_file_name_counts():
    found = search_texts([], KNOWN, [("notes/Marchetti-Lowe_Theodora.txt", b"")])
    assert [hit.kind for hit in found.places] == ["name in another order, file name"]


@pytest.mark.parametrize(
    "value", ["912-34-4471", "912344471", "00402817", "tmarchettilowe@valleynet.example"]
)
@pytest.mark.parametrize("digest", ["md5", "sha1", "sha256"])
def test_an_unkeyed_hash_of_a_known_value_is_found(value, digest):
    squeezed = "".join(c for c in value if c.isalnum())
    for form in {squeezed, value} if value[0].isdigit() else {squeezed}:
        text = f"id {hashlib.new(digest, form.encode()).hexdigest()} ok"
        assert words(text)


@pytest.mark.parametrize(("times", "seen"), [(1, True), (3, True), (4, False)])
def test_encodings_and_archives_are_opened_three_layers_deep(times, seen):
    text = "seen today: Theodora Marchetti-Lowe, of Brattleboro"
    data = text.encode()
    for _ in range(times):
        text = base64.b64encode(text.encode()).decode()
        data = gzip.compress(data)
    assert bool(words(text)) == seen
    assert bool(search_texts([], KNOWN, [("notes.gz", data)]).hits) == seen


@pytest.mark.parametrize("text", ["Theodora", "Lowe, T. Marchetti"])
def test_short_texts_in_hex_and_base64_are_read(text):
    assert words(text.encode().hex()) == words(text) != set()
    assert words(base64.b64encode(text.encode().ljust(14)).decode()) == words(text)


def test_a_value_across_two_chunks_of_a_file_is_found(tmp_path):
    path = tmp_path / "big.txt"
    path.write_bytes(b"x" * (CHUNK_BYTES - 12) + b" Theodora Marchetti-Lowe " + b"y " * 1000)
    run = ResidualSearch(KNOWN)
    run.sweep(1, path.name, file_chunks(path))
    assert run.result().hits >= 1
    data, pieces = path.read_bytes(), list(file_chunks(path))
    assert len(pieces) > 1 and all(piece in data for piece in pieces)
    assert sum(map(len, pieces)) >= len(data)


def hits_of(identifier: I, value: str, text: str, part: str = "") -> int:
    known = KnownValues((KnownValue(identifier, value, part=part),))
    return search_texts([(1, "p", text)], [("p", known)]).hits


@pytest.mark.parametrize(
    ("identifier", "value", "text"),
    [
        (I.PHONES, "555-0143", "call 555 0143 today"),
        (I.URLS, "share.pumpwell.example/malra", "posts as malra"),
        (I.VEHICLES, "QUILLONB", "plate quillonb"),
        (I.DATES, "02/29/2024", "seen 2024-02-29"),
        (I.DATES, "1958-01-02", "seen 1/2/58"),
        (I.NAMES, "Li, Bo", "seen: Bo Li"),
        (I.ACCOUNTS, "A1B2C", "account a1-b2c"),
    ],
)
def test_the_shortest_distinctive_forms_are_found(identifier, value, text):
    assert hits_of(identifier, value, text) == 1


@pytest.mark.parametrize(
    ("identifier", "value", "text"),
    [
        (I.PHONES, "55-0143", "call 55 0143 today"),
        (I.URLS, "share.pumpwell.example/malr", "posts as malr"),
        (I.PLANS, "Quillonb", "insured by Quillonb"),
        (I.VEHICLES, "silver", "a silver car"),
        (I.DATES, "1900-01-01", "since 01/01/1900"),
        (I.DATES, "01/01/1901", "since 1901-01-01"),
        (I.DATES, "9999-12-31", "until 12/31/9999"),
        (I.MRNS, "4401", "room 4401"),
        (I.ACCOUNTS, "A1B2", "account a1-b2"),
    ],
)
def test_short_or_uninformative_values_are_not_searched_for(identifier, value, text):
    assert hits_of(identifier, value, text) == 0


@pytest.mark.parametrize(
    ("town", "text", "seen"),
    [
        ("Ayre", "from ayre", 1),
        ("Ayr", "from Ayr", 0),
        ("Long Lake", "from Long Lake", 1),
        ("Long Lake", "by the long lake", 0),
    ],
)
def test_a_town_is_found_by_a_distinctive_word_or_by_its_capitals(town, text, seen):
    assert hits_of(I.PLACES, town, text, "city") == seen


def test_no_form_spans_two_cells():
    run = ResidualSearch(KNOWN)
    run.records(1, [(1, ("912", "34", "4471"), "a"), (2, ("802", "5550143"), "a")])
    assert run.result().hits == 0


def test_a_chance_match_in_a_column_of_numbers_is_no_hit():
    rows = [(n, (str(40000 + n * 7),), "b") for n in range(1, 1000)]
    chance = ResidualSearch(KNOWN)
    chance.records(1, [*rows, (1000, ("44019",), "b")])
    assert chance.result().hits == 0
    column = ResidualSearch(KNOWN)
    column.records(1, [(n, ("44019",), "b") for n in range(1, 50)])
    assert column.result().hits == 49


def test_identifiers_that_the_policy_leaves_are_not_searched_for():
    assert words("born 03/10/1958 in Brattleboro", leave={I.DATES, I.PLACES}) == set()


def test_known_values_of_a_record_are_searched_for():
    known = KnownValues.of({"names": ["Zebulon Quartermaine"]})
    run = ResidualSearch([])
    run.records(1, [(1, ("Seen: Quartermaine",), known)])
    assert run.result().by_word == {I.NAMES: 1}


def test_no_result_of_the_search_shows_a_value():
    found = search_texts(
        [(1, "a", "Theodora Marchetti-Lowe, 912-34-4471, 118 Canal Street")], KNOWN
    )
    shown = (
        repr(found) + json.dumps([hit.kind for hit in found.places]) + repr(ResidualSearch(KNOWN))
    )
    for value in ("heodora", "archetti", "4471", "anal"):
        assert value not in shown
    assert found.known_values == len(A) + len(B)


@given(st.text(max_size=400))
@settings(max_examples=150, deadline=None)
def test_any_text_and_any_bytes_can_be_searched(text):
    assert isinstance(
        search_texts([(1, "a", text)], KNOWN, [("n", text.encode("utf-8", "replace"))]), Residual
    )


@given(st.binary(max_size=300))
@settings(max_examples=150, deadline=None)
def test_broken_archives_do_not_stop_the_search(data):
    for head in (b"", b"\x1f\x8b", b"PK\x03\x04", b"\xff\xfe"):
        assert isinstance(search_texts([], KNOWN, [("n", head + data)]), Residual)


@given(
    st.sampled_from(LEFT),
    st.text(alphabet="abc xyz.,\n", max_size=60),
    st.text(alphabet="abc xyz.,\n", max_size=60),
)
@settings(max_examples=200, deadline=None)
def test_surrounding_text_makes_no_difference(left, before, after):
    word, value = left
    assert word in words(f"{before}. {value} {after}")


@pytest.mark.parametrize("known", ["03/10/27", "10-Mar-27"])
@pytest.mark.parametrize("left", ["3/10/1927", "2027-03-10", "03/10/27", "03102027"])
def test_a_date_with_a_two_digit_year_is_searched_for_in_both_centuries(
    known: str, left: str
) -> None:
    values = KnownValues((KnownValue(I.DATES, known, part="birth"),))
    assert search_texts([(1, "p", f"Seen {left} here")], [("p", values)]).hits
    assert not search_texts([(1, "p", "Seen 3/11/1927 here")], [("p", values)]).hits


@pytest.mark.parametrize(
    "known",
    [
        *("10-Mar-1958", "10MAR1958", "10.Mar.1958", "1958/03/10", "19580310", "Mar-10-1958"),
        *("March 10th, 1958", "10 March 1958 00:00", "3/10/1958 12:00:00 AM"),
        "1958-03-10T00:00:00",
    ],
)
def test_a_known_date_is_read_in_the_notation_of_any_system(known: str) -> None:
    values = KnownValues((KnownValue(I.DATES, known, part="birth"),))
    for left in ("1958-03-10", "3/10/58", "born March 10th"):
        assert search_texts([(1, "p", left)], [("p", values)]).hits


@pytest.mark.parametrize(
    "day, said", [(1, "1st"), (2, "2nd"), (3, "3rd"), (12, "12th"), (23, "23rd")]
)
def test_a_date_is_found_by_its_ordinal_day(day: int, said: str) -> None:
    values = KnownValues((KnownValue(I.DATES, f"1958-06-{day:02}", part="birth"),))
    for left in (f"born {said} June", f"born the {said} of June", f"born June {said}"):
        assert search_texts([(1, "p", left)], [("p", values)]).hits
    assert not search_texts([(1, "p", "born 4th of June")], [("p", values)]).hits


@pytest.mark.parametrize("width", [64, 76])
@pytest.mark.parametrize("break_", ["\n", "\r\n", "\n "])
def test_base64_folded_within_the_value_is_joined(width: int, break_: str) -> None:
    before = "nothing to see here, " * 4
    code = base64.b64encode(
        f"{before[: width * 3 // 4 - 10]}(802) 555-0143 {before}".encode()
    ).decode()
    lines = [code[at : at + width] for at in range(0, len(code), width)]
    assert words(f"attached:\n{break_.join(lines)}\n") == {"phones"}


@pytest.mark.parametrize(
    "text",
    [
        "T=68=65odora",
        "%2554heodora",
        "&amp;#84;heodora",
        "\\u0054heodora",
        "\\'54heodora",
        "\\u84?heodora",
    ],
)
def test_an_escaped_letter_does_not_hide_a_name(text: str) -> None:
    assert words(f"Seen: {text} was here.") == {"names"}


@pytest.mark.parametrize("text", ["mail to P.O. Box 4417", "PO BOX 4417", "pob: box 4417"])
def test_a_post_office_box_alone_is_an_address(text: str) -> None:
    known = KnownValues((KnownValue(I.PLACES, "PO Box 4417", part="street"),))
    assert [hit.kind for hit in search_texts([(1, "c", text)], [("c", known)]).places] == ["box"]


def test_a_number_is_found_without_its_leading_letters() -> None:
    known = KnownValues((KnownValue(I.MRNS, "H4402817"),))
    found = search_texts([(1, "c", "chart 4402817 pulled")], [("c", known)])
    assert [hit.kind for hit in found.places] == ["code without its letters"]


CODES = KnownValues(
    (
        KnownValue(I.OTHERS, "RoseLong"),
        KnownValue(I.OTHERS, "AB-4471-CX"),
        KnownValue(I.NAMES, "Zoltan Smith"),
    )
)


@pytest.mark.parametrize(
    "text",
    ["ID RoseLong.", "rose long", "rose-long", "<b>Rose</b><i>Long</i>", "Rose-\nLong",
     "AB4471\nCX", "Zoltan\nSmith", "<p>Zoltan <b>Smi</b>th</p>"],
)  # fmt: skip
def test_a_code_or_name_is_found_with_its_parts_side_by_side(text):
    shown = shown_text(text) or text
    assert search_texts([(1, "p", shown)], [("p", CODES)]).hits


@pytest.mark.parametrize(
    "text", ["Rose\nLong", "a rose \n long ago", "<title>Rose</title><th>Long</th>", "Rose | Long"]
)
def test_a_code_of_letters_is_not_found_across_lines_or_cells(text):
    shown = shown_text(text) or text
    assert not search_texts([(1, "p", shown)], [("p", CODES)]).hits


def test_a_code_in_place_of_a_name_is_no_part_of_a_full_name():
    given = KnownValue(I.NAMES, "Body height", part="first")
    shifted, named = (
        {form.key for form in forms_of([KnownValue(I.NAMES, last, part="last"), given])}
        for last in ("8302-2", "Abbott774")
    )
    assert not any("8302" in key and "body" in key for key in shifted)
    assert "bodyheightabbott774" in named
