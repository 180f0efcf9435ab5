# ruff: noqa: E501 (tables of examples)
"""Every known value in running text, in every form that a clerk, a dictation or a scanner produces."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator

import pytest

from recognizers.known.values import KnownValue, KnownValues
from safe_harbor import Identifier as I

CARRIERS = (
    "{}",
    "Seen today: {} with chest pain since 2019.",
    "Spoke with {}, who denies fever; BP 130/80.",
    "PMH: HTN, T2DM.\n{}\nPlan: continue lisinopril 10 mg daily.",
    "(see {})",
)
PEOPLE = (
    ("Theodora", "Rose", "Marchetti-Lowe"),
    ("Siobhán", "Maeve", "O'Dwyer-Kelly"),
    ("Wilhelmina", "", "van der Zee"),
    ("Dieudonné", "", "Jean-Baptiste"),
    ("Robert", "James", "Hale"),
    ("Zoë", "Camille", "Dubois-Ferreira"),
    ("José", "Ángel", "Peña Rentería"),
    ("Kwabena", "Osei", "Asante"),
    ("Xiulan", "", "Zhang"),
    ("Björn", "Åke", "Sjöström"),
)
WORDS_AS_NAMES = (
    ("Hope", "", "Summers"),
    ("Will", "", "Park"),
    ("May", "June", "Carpenter"),
    ("Grace", "", "Long"),
    ("Mark", "Dale", "Church"),
    ("Rose", "Dawn", "Black"),
)
Form = Callable[[str, str, str], str]


def plain(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def initial(name: str) -> str:
    return name[:1]


FULL: dict[str, Form] = {
    "first last": lambda f, m, s: f"{f} {s}",
    "upper": lambda f, m, s: f"{f} {s}".upper(),
    "last, first": lambda f, m, s: f"{s}, {f}",
    "LAST, FIRST": lambda f, m, s: f"{s}, {f}".upper(),
    "LAST,FIRST": lambda f, m, s: f"{s},{f}".upper(),
    "LAST FIRST M": lambda f, m, s: f"{s} {f} {initial(m)}".upper().strip(),
    "first m. last": lambda f, m, s: f"{f} {m[:1]}. {s}" if m else f"{f} {s}",
    "first middle last": lambda f, m, s: f"{f} {m} {s}",
    "f. last": lambda f, m, s: f"{f[0]}. {s}",
    "f last": lambda f, m, s: f"{f[0]} {s}",
    "first l.": lambda f, m, s: f"{f} {s[0].upper()}.",
    "over a line end": lambda f, m, s: f"{f}\n{s}",
    "two spaces": lambda f, m, s: f"{f}  {s}",
    "nbsp": lambda f, m, s: f"{f}\u00a0{s}",
    "html": lambda f, m, s: f"{f}&nbsp;{s}",
    "tags": lambda f, m, s: f"<b>{f}</b> {s}",
    "zero width": lambda f, m, s: f"{f[:2]}\u200b{f[2:]} {s[:2]}\u00ad{s[2:]}",
    "plain": lambda f, m, s: plain(f"{f} {s}"),
    "decomposed": lambda f, m, s: unicodedata.normalize("NFD", f"{f} {s}"),
    "curly": lambda f, m, s: f"{f} {s}".replace("'", "’"),
    "no hyphen": lambda f, m, s: f"{f} {s}".replace("-", " "),
    "possessive": lambda f, m, s: f"{f} {s}'s",
    "titled": lambda f, m, s: f"Mrs. {s}",
    "titled upper": lambda f, m, s: f"MR {s}".upper(),
    "glued": lambda f, m, s: f"{f}{s}".replace(" ", ""),
    "initials": lambda f, m, s: ".".join(w[0] for w in [f, s.replace("-", " ").split()[-1]]) + ".",
    "full width": lambda f, m, s: "".join(
        chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in plain(f"{f} {s}")
    ),
    "signed": lambda f, m, s: f"{f[0]}{s}".replace(" ", "").replace("'", ""),
    "quoted": lambda f, m, s: f'{f} "Buddy" {s}',
}
ALONE: dict[str, Form] = {
    "first": lambda f, m, s: f,
    "last": lambda f, m, s: s,
    "last possessive": lambda f, m, s: f"{s}'s",
    "FIRST": lambda f, m, s: f.upper(),
    "half": lambda f, m, s: s.replace("-", " ").split()[-1],
}
LONG: dict[str, Form] = {
    "lower": lambda f, m, s: f"{f} {s}".lower(),
    "letter lost": lambda f, m, s: f"{f} {_longest(s)[:3]}{_longest(s)[4:]}",
    "letter doubled": lambda f, m, s: f"{f} {_longest(s)[:3]}{_longest(s)[2:]}",
    "letter wrong": lambda f, m, s: f"{_longest(f)[:2]}x{_longest(f)[3:]} {s}",
    "letters exchanged": lambda f, m, s: f"{f} {_swap(_longest(s))}",
    "broken at a line end": lambda f, m, s: f"{f} {_longest(s)[:4]}-\n{_longest(s)[4:]}",
    "letter by letter": lambda f, m, s: " ".join(plain(_longest(s))),
    "misread": lambda f, m, s: plain(_longest(s)).lower().replace("o", "0").replace("l", "1"),
}


def _longest(name: str) -> str:
    return max(name.replace("-", " ").replace("'", " ").split(), key=len)


def _swap(word: str) -> str:
    return word[:2] + word[3] + word[2] + word[4:]


def known_person(first: str, middle: str, last: str) -> Iterator[KnownValues]:
    """The same person once as the columns of a table and once as a single name."""
    yield KnownValues(
        (
            KnownValue(I.NAMES, first, part="first"),
            KnownValue(I.NAMES, middle, part="middle"),
            KnownValue(I.NAMES, last, part="last"),
        )
    )
    yield KnownValues(
        (KnownValue(I.NAMES, f"{first} {middle} {last}".replace("  ", " "), part="full"),)
    )
    yield KnownValues.of({"names": [f"{last}, {first} {middle}".strip()]})


def leaks(known: KnownValues, written: str, carriers: tuple[str, ...] = CARRIERS) -> list[int]:
    """The carrier sentences, by number, in which a letter or digit of the written form remains."""
    left = []
    for number, carrier in enumerate(carriers):
        text = carrier.format(written)
        start = carrier.index("{}")
        seen = {i for f in known.find(text) for i in range(f.start, f.end)}
        places = [i for i in range(start, start + len(written)) if text[i].isalnum()]
        if any(i not in seen for i in places if not _is_mark_up(written, i - start)):
            left.append(number)
    return left


def _is_mark_up(written: str, i: int) -> bool:
    """Letters of a title, a tag, an entity or a possessive may remain."""
    for piece in ("Mrs", "MR ", "<b>", "</b>", "&nbsp;", "'s", "Buddy", "Mr.", "Dr."):
        at = written.find(piece)
        if at >= 0 and at <= i < at + len(piece):
            return True
    return False


@pytest.mark.parametrize("form", FULL)
@pytest.mark.parametrize(
    "person", (*PEOPLE, *WORDS_AS_NAMES), ids=lambda p: f"{len(p[0])}{len(p[2])}"
)
def test_known_full_names_are_found_in_every_form(form, person):
    for known in known_person(*person):
        assert leaks(known, FULL[form](*person)) == []


@pytest.mark.parametrize("form", {**ALONE, **LONG})
@pytest.mark.parametrize("person", PEOPLE, ids=lambda p: f"{len(p[0])}{len(p[2])}")
def test_parts_and_damaged_forms_of_a_known_name_are_found(form, person):
    if (
        form in LONG
        and form != "lower"
        and min(len(_longest(person[0])), len(_longest(person[2]))) < 5
    ):
        pytest.skip("too short to be told when damaged")
    written = {**ALONE, **LONG}[form](*person)
    for known in known_person(*person):
        assert leaks(known, written) == []


@pytest.mark.parametrize("person", WORDS_AS_NAMES, ids=lambda p: f"{len(p[0])}{len(p[2])}")
def test_a_known_name_that_is_a_word_is_found_when_capitalized(person):
    sure = ("Seen today: {} reports pain.", "Asked {} to return.", "Dear {},", "Then {} said no.")
    for known in known_person(*person):
        for written in (person[0], person[2]):
            assert leaks(known, written, sure) == []


@pytest.mark.parametrize(
    "text",
    [
        "There is hope that this is simple cystitis.",
        "Infections in the summer of 2024; in winter she works from home.",
        "Patient in his parked car near the park behind campus.",
        "May titrate by 2 u every 3 days; may stop if BG < 80.",
        "Will call in 2 weeks. Long acting insulin. He will return as long as needed.",
        "By grace of a passer-by, who flagged the van, she may go to church.",
        "Please mark her off the list; a rose by dawn, stool was black.",
        "PT WILL RETURN IN JUNE 2024 AND MAY AMBULATE AS LONG AS TOLERATED.",
    ],
)
def test_an_ordinary_word_that_is_also_a_known_name_is_kept(text):
    months = {"june"}
    for person in WORDS_AS_NAMES:
        for known in known_person(*person):
            found = {text[f.start : f.end].lower() for f in known.find(text)}
            assert found <= months


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        (
            "Minh Do",
            "Do's K is 4.2. Do tolerated the block; DO family at bedside",
            ["Do", "Do", "DO"],
        ),
        ("Xiu Ma", "MA was seen; called MA twice. Per Ma: home.", ["MA", "MA", "Ma"]),
        ("Will Bell", "Will tolerated well. Will need labs. Will follow up.", ["Will"]),
        ("Running Two Bulls", "hemolyzed, redraw two bulls; two vials", ["two bulls"]),
        (
            "Ann White",
            "Whites wound healing. The Whites were called; egg whites",
            ["Whites", "Whites"],
        ),
        ("Leo Begay", "Saw begays son. BEGAYS CHART", ["begays", "BEGAYS"]),
        ("Ada Many Horses", "many horses seen; many visits", ["many horses"]),
    ],
)
def test_a_name_of_everyday_words_where_only_a_name_stands(name, text, found):
    known = KnownValues.of({"names": [name]})
    assert [text[f.start : f.end] for f in known.find(text)] == found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Minh Do", "Do not resuscitate. Seen by Ana Lee, DO. DO NOT CRUSH. We do this."),
        ("Xiu Ma", "Moved from Boston MA. Worcester, MA 01605."),
        ("Will Long", "He will long for home. Will need insulin."),
    ],
)
def test_an_everyday_word_is_kept_where_it_is_used_as_a_word(name, text):
    assert KnownValues.of({"names": [name]}).find(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "with Graves disease, and Addison disease was excluded",
        "No ophthalmopathy by Graves criteria; Addison's disease ruled out",
        "graves of the old meetinghouse",
    ],
)
def test_eponyms_are_kept(text):
    assert KnownValues.of({"names": ["Addison Graves"]}).find(text) == ()


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ("Doctor, James", "James Doctor tolerated warfarin well."),
        ("Doctor, Leidy", "Mrs. Doctor did not come."),
        ("Pastor, Maxwell", "Maxwell Pastor tolerated metformin well."),
        ("Machado, Pa", "Pa Machado tolerated warfarin well."),
        ("Gibson, Do", "Do Gibson tolerated metformin well."),
    ],
)
def test_a_title_or_degree_is_a_name_where_the_comma_says_so(known: str, text: str) -> None:
    (found,) = KnownValues([KnownValue(I.NAMES, known)]).find(text)
    words = set(text[found.start : found.end].split()) - {"Mrs."}
    assert words in ({*known.split(", ")}, {known.split(",")[0]})


def test_degrees_and_suffixes_after_the_comma_are_not_names() -> None:
    known = KnownValues([KnownValue(I.NAMES, "Machado, PA"), KnownValue(I.NAMES, "Gibson, Jr")])
    text = "Seen by the PA on duty, then Pa called; Jr resident."
    assert [text[f.start : f.end] for f in known.find(text)] == []


@pytest.mark.parametrize(
    ("formal", "nick"),
    [
        ("Theodora", "Teddy"), ("Harlan", "Hal"), ("William", "Bill"), ("Margaret", "Peggy"),
        ("Robert", "Bob"), ("Elizabeth", "Betsy"), ("José", "Pepe"), ("Francisco", "Paco"),
        ("Boris", "Borya"), ("Yevgenia", "Zhenya"), ("Pieter", "Piet"), ("Nathaniel", "Nate"),
        ("Gerald", "Gerry"), ("Calvin", "Cal"), ("Guadalupe", "Lupe"), ("Sophia", "Sofia"),
        ("Erik", "Eric"), ("Katherine", "Kate"), ("Aleksandr", "Sasha"), ("Richard", "Dick"),
    ],
)  # fmt: skip
def test_a_known_name_is_found_by_its_nickname_and_the_reverse(formal, nick):
    for known, written in ((formal, nick), (nick, formal)):
        for last in ("", " Quenneville"):
            values = KnownValues.of({"names": [f"{known} Quenneville"]})
            assert (
                leaks(values, f"{written}{last}", ("Spoke with {} today.", "Her son {} drove."))
                == []
            )


DIGIT_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]


def spoken(digits: str, zero: str = "zero") -> str:
    return " ".join(zero if d == "0" else DIGIT_WORDS[int(d)] for d in digits if d.isdigit())


PHONE = "802-555-0143"
PHONES = [
    "802-555-0143", "(802) 555-0143", "802.555.0143", "802 555 0143", "8025550143", "802/555-0143",
    "+1 (802) 555-0143", "1-802-555-0143", "+18025550143", "(802)555-0143", "802-5550143", "555-0143",
    "555.0143", "555 0143", "802 . 555 . 0143", "8 0 2 5 5 5 0 1 4 3", "802-555-01\n43", "802-555-\n0143",
    "8O2-555-O143", "802–555–0143", "802 - 555 - 0143", spoken(PHONE), spoken(PHONE, "oh"),
    "eight oh two, five five five, oh one four three", "eight hundred two five five five zero one forty three",
    "802-555-0134", "802-555-0142", "(802)-555-0143", "802 555-0143 ext 12"[:12], "８０２-５５５-０１４３",
    "802\u200b555\u200b0143", "802&nbsp;555&nbsp;0143",
]  # fmt: skip


@pytest.mark.parametrize("written", PHONES)
@pytest.mark.parametrize("word", ["phones", "faxes"])
def test_known_phone_numbers_are_found_in_every_form(written, word):
    if "eight hundred" in written:
        pytest.skip("eight hundred two is 8002 as often as 802")
    for value in (PHONE, "(802) 555-0143", "+1 802 555 0143", "8025550143"):
        assert leaks(KnownValues.of({word: [value]}), written) == []


@pytest.mark.parametrize(
    "written", ["+48 58 555 0142", "0048 58 555 01 42", "58 555 01 42", "058 555 0142"]
)
def test_known_foreign_phone_numbers_are_found(written):
    assert leaks(KnownValues.of({"phones": ["+48 58 555 0142"]}), written) == []


SSN = "912-34-5520"


@pytest.mark.parametrize(
    "written",
    ["912-34-5520", "912345520", "912 34 5520", "912.34.5520", "9 1 2 3 4 5 5 2 0", "912-34-\n5520",
     spoken(SSN), "912-34-5502", "91234-5520", "9l2-34-552O"],
)  # fmt: skip
def test_known_ssns_are_found_in_every_form(written):
    for value in (SSN, "912345520"):
        assert leaks(KnownValues.of({"ssns": [value]}), written) == []


@pytest.mark.parametrize(
    "carrier",
    ["SSN ending {}", "last four {}", "last 4 of social {}", "SSN: xxx-xx-{}", "***-**-{}", "ss# {}",
     "SSN last four for the birth worksheet: {}.", "verified by last four, {}", "({})", "pin {}",
     "social security number ends in {}"],
)  # fmt: skip
def test_the_last_four_digits_of_a_known_ssn_are_found(carrier):
    assert leaks(KnownValues.of({"ssns": [SSN]}), "5520", (carrier,)) == []


@pytest.mark.parametrize(
    "text", ["lot AB5520", "dose 5520 mg", "WV26-5520", "$5,520", "5520-11", "HB5520K", "15520"]
)
def test_the_same_four_digits_in_another_number_are_kept(text):
    assert KnownValues.of({"ssns": [SSN]}).find(text) == ()


@pytest.mark.parametrize(
    "written",
    ["00402817", "402817", "0040 2817", "0 0 4 0 2 8 1 7", "00-402-817", "MRN00402817"[3:], "004O2817",
     "0402817", "000402817", "00402871", "#00402817"[1:], spoken("00402817"), "4028-17", "0040\n2817"],
)  # fmt: skip
def test_known_record_numbers_are_found_in_every_form(written):
    assert leaks(KnownValues.of({"mrns": ["00402817"]}), written) == []
    if written not in {"00402871"}:
        assert leaks(KnownValues.of({"mrns": ["402817"]}), written) == []


@pytest.mark.parametrize(
    "text",
    ["chart ends in 817", "MRN ending 2817", "last three digits 817", "******2817", "xxxx2817"],
)
def test_the_end_of_a_record_number_quoted_as_such_is_found(text):
    seen = {
        i for f in KnownValues.of({"mrns": ["00402817"]}).find(text) for i in range(f.start, f.end)
    }
    assert set(range(len(text) - 3, len(text))) <= seen


CODES = {
    ("devices", "CVT88214K"): ["CVT-88214-K", "CVT 88214 K", "cvt88214k", "CVT882I4K", "C V T 8 8 2 1 4 K"],
    ("devices", "LT-20931"): ["LT20931", "LT 20931", "lt-20931", "LT/20931"],
    ("plans", "GMH 8842 1170 3"): ["GMH-8842-1170-3", "GMH884211703", "GMH 88421170 3", "8842 1170 3", "884211703"],
    ("plans", "3KD2-WY9-JC60"): ["3KD2WY9JC60", "3kd2 wy9 jc60", "3KD2.WY9.JC60", "3KD2-WY9-\nJC60"],
    ("licenses", "NH 03HER58171"): ["03HER58171", "NH03HER58171", "03-HER-58171", "NH-03HER58171"],
    ("licenses", "VT 13300482"): ["VT13300482", "13300482", "1330 0482"],
    ("vehicles", "HKR 482"): ["HKR-482", "HKR482", "hkr 482"],
    ("vehicles", "MN 418-KTD"): ["418KTD", "418 KTD", "MN 418KTD", "418-ktd"],
    ("accounts", "V26-000918"): ["V26000918", "V26 000918", "v26-000918", "000918"],
    ("accounts", "WC-2026-04418"): ["WC 2026 04418", "WC202604418", "2026-04418"],
    ("others", "WV26-C-01877"): ["WV26C01877", "WV26 C 01877", "wv26-c-01877", "26-C-01877"],
    ("ips", "10.44.7.18"): ["10.44.7.18", "10 . 44 . 7 . 18", "http://10.44.7.18/"[7:17]],
    ("ips", "00:1B:44:11:3A:B7"): ["00-1B-44-11-3A-B7", "001B44113AB7", "00:1b:44:11:3a:b7", "001b.4411.3ab7"],
    ("emails", "hope.summers89@orchardpost.example"): [
        "HOPE.SUMMERS89@ORCHARDPOST.EXAMPLE", "hope.summers89", "hope . summers89 @ orchardpost.example",
        "hope dot summers89 at orchardpost dot example", "mailto:hope.summers89@orchardpost.example"[7:],
        "hope.summers89@orchardpost.\nexample", "hope.summers89 (at) orchardpost.example",
    ],
    ("urls", "https://share.pumpwell.example/u/malrashidi"): [
        "share.pumpwell.example/u/malrashidi", "HTTPS://SHARE.PUMPWELL.EXAMPLE/u/malrashidi/", "malrashidi",
        "share.pumpwell.example/u/\nmalrashidi",
    ],
    ("urls", "djb55"): ["djb55", "DJB55", "@djb55"[1:]],
    ("photos", "lafleur_m_2026_wound.jpg"): ["lafleur_m_2026_wound.jpg", "LAFLEUR_M_2026_WOUND.JPG", "lafleur_m_2026_wound"],
    ("biometrics", "FP-26-11428"): ["FP2611428", "FP 26 11428", "fp-26-11428"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("key", "written"), [(k, w) for k, ws in CODES.items() for w in (k[1], *ws)]
)
def test_other_known_codes_are_found_in_every_form(key, written):
    word, value = key
    assert leaks(KnownValues.of({word: [value]}), written) == []


DATES = [
    "03/10/1958", "3/10/1958", "3/10/58", "3-10-58", "03.10.1958", "1958-03-10", "19580310", "03101958",
    "10 Mar 1958", "10 March 1958", "10-MAR-1958", "10MAR1958", "March 10, 1958", "March 10th, 1958",
    "Mar. 10 1958", "Mar 10 '58", "the 10th of March", "10th of March 1958", "March 10", "MARCH 10", "Mar 10th",
    "3/10", "march tenth", "March tenth, nineteen fifty-eight", "tenth of March", "03/1O/1958", "3 / 10 / 1958",
    "03/10/\n1958", "10/03/1958", "03/01/1958", "03/10/1985", "March\n10", "Monday, March 10", "3\\10\\1958",
    "10.3.1958", "1958/03/10", "03 10 1958", "adm3/10/58"[3:], "March 1958", "3/1958", "O3/10/58",
    "03\u201310\u20131958", "１９５８-０３-１０", "March ten", "oh three ten nineteen fifty-eight", "031058",
]  # fmt: skip


@pytest.mark.parametrize("written", DATES)
def test_known_dates_are_found_in_every_form(written):
    for value in (
        "1958-03-10",
        "03/10/1958",
        "10-MAR-1958",
        "1958-03-10T08:40:00-04:00",
        "19580310",
    ):
        known = KnownValues((KnownValue(I.DATES, value, part="birth"),))
        text = f"Patient born {written} in good health."
        seen = {i for f in known.find(text) for i in range(f.start, f.end)}
        start = text.index(written)
        bare = [
            i for i in range(start, start + len(written)) if text[i].isalnum() and i not in seen
        ]
        assert "".join(text[i] for i in bare) in {"", "the", "of"}


@pytest.mark.parametrize(
    "text",
    ["strength 3/10 in the left leg", "pain 3/10", "BP 130/80", "3/10 strength", "Norco 3/10 mg",
     "takes it 3-10 times", "March in place", "he may go", "level 3.10", "ratio 103/10", "rated 3/10"],
)  # fmt: skip
def test_scores_and_ratios_are_not_known_dates(text):
    known = KnownValues((KnownValue(I.DATES, "1958-03-10"), KnownValue(I.DATES, "2020-05-02")))
    assert known.find(text) == ()


ADDRESS = "118 Canal Street, Apt 3B"
STREETS = [
    "118 Canal Street, Apt 3B", "118 Canal St. #3B", "118 Canal St Apt 3B", "118 CANAL STREET", "118 Canal",
    "118 canal st", "118 Canal Str., Unit 3B", "Apt 3B, 118 Canal", "118 Canal\nStreet", "118 Canal St., apt. 3-B",
    "118  Canal  Street", "Canal Street", "Canal St.", "118 Canal St, No. 3B",
]  # fmt: skip


@pytest.mark.parametrize("written", STREETS)
def test_known_streets_are_found_in_every_form(written):
    street = KnownValues((KnownValue(I.PLACES, ADDRESS, part="street"),))
    for known in (street, KnownValues.of({"places": [f"{ADDRESS}, Brattleboro, VT 05301"]})):
        assert leaks(known, written) == []


PLACES = {
    ("street", "PO Box 318"): ["P.O. Box 318", "PO BOX 318", "Box 318", "P. O. Box 318", "POB 318"[:0] or "po box 318"],
    ("street", "RR 1 Box 212"): ["R.R. 1, Box 212", "RR 1 Box 212", "RR1 Box 212", "Box 212"],
    ("street", "615 North Cherry Street"): ["615 N. Cherry St.", "615 N Cherry", "615 Cherry Street", "615 NORTH CHERRY ST"],
    ("street", "301 California Street NE"): ["301 California NE", "301 California St. NE", "301 California St Northeast"],
    ("street", "940 Avenue E"): ["940 Ave E", "940 Ave. E", "940 AVENUE E"],
    ("street", "1450 rue Belvédère Sud"): ["1450 Belvédère Sud", "1450 rue Belvedere Sud", "1450 Belvedere"],
    ("street", "Gilsum Mine Road"): ["Gilsum Mine Rd", "GILSUM MINE RD.", "Gilsum Mine"],
    ("street", "West Street, P.O. Box 77"): ["W. Street, Box 77", "West St., PO Box 77"],
    ("city", "Saint Paul"): ["St Paul", "St. Paul", "SAINT PAUL", "Saint Paul"],
    ("city", "Palisades Park"): ["Palisades Pk", "PALISADES PARK", "Palisades Pk."[:-1]],
    ("city", "Brattleboro"): ["Brattleboro", "BRATTLEBORO", "brattleboro", "Bratt1eboro"[:0] or "Brattleboro"],
    ("city", "Gdańsk"): ["Gdansk", "GDANSK", "Gdańsk"],
    ("county", "Essex"): ["Essex County", "Essex Co.", "Essex"],
    ("zip", "5301"): ["05301", "05301-6712", "VT 5301"[3:0] or "05301"],
    ("zip", "053016712"): ["05301-6712", "05301", "053016712"],
    ("zip", "J1H 4C4"): ["J1H4C4", "J1H 4C4", "j1h 4c4", "J1H-4C4"],
    ("facility", "Whetstone Technical Institute"): ["Whetstone Tech", "Whetstone Technical", "WHETSTONE TECH. INST."],
    ("facility", "West River Union High School"): ["West River Union", "West River Union High"],
    ("facility", "Riverbend Manor"): ["Riverbend Manor", "RIVERBEND MANOR", "Riverbend"],
    ("facility", "Saint Brendan's Regional Hospital"): ["St. Brendan's", "Saint Brendan", "St Brendans Hospital"],
}  # fmt: skip


@pytest.mark.parametrize(("key", "written"), [(k, w) for k, ws in PLACES.items() for w in ws])
def test_known_places_are_found(key, written):
    part, value = key
    assert leaks(KnownValues((KnownValue(I.PLACES, value, part=part),)), written) == []


EMPLOYERS = {
    "Ashuelot Bus Company": ["Ashuelot Bus Co.", "Ashuelot", "ASHUELOT BUS", "Ashuelot Bus"],
    "Connecticut River Timber Frames": ["CT River Timber Frames", "Connecticut River Timber"],
    "Monadnock Precision Optics": ["Monadnock Optics", "Monadnock Precision"],
    "Bellows Falls Paper Mill": ["BF Paper Mill", "Bellows Falls Paper"],
    "Windham Cold Storage": ["Windham Cold Stg.", "Windham Cold Storage"],
    "Prewitt & Dunne": ["Prewitt and Dunne", "Prewitt & Dunne", "Prewitt"],
    "Sunday River Knits": ["Sunday River", "SUNDAY RIVER KNITS"],
    "Goodhue Machine Tool": ["Goodhue", "Goodhue Machine", "Goodhue Machine Tool"],
}


@pytest.mark.parametrize(("value", "written"), [(v, w) for v, ws in EMPLOYERS.items() for w in ws])
def test_known_employers_are_found(value, written):
    carriers = ("He works at {} now.", "Employer: {}", "Retired from {}, 2011.")
    assert leaks(KnownValues((KnownValue(I.NAMES, value, "employer"),)), written, carriers) == []


@pytest.mark.parametrize("text", ["she turns ninety this June", "a 92 y.o. woman", "102 yo", "turned one hundred and two",
                                  "the nonagenarian", "her ninety-first birthday", "age today 90", "aged 95"])  # fmt: skip
def test_ages_over_89_are_found_by_the_known_birth_date(text):
    known = KnownValues(
        (
            *(
                KnownValue(I.DATES, f"{year}-06-14", part="birth")
                for year in (1936, 1924, 1931, 1934, 1935)
            ),
            KnownValue(I.DATES, "2026-03-10"),
        )
    )
    assert {f.entity for f in known.find(text)} >= {"AGE_OVER_89"}


@pytest.mark.parametrize(
    "text", ["SpO2 93% RA", "HR 92", "glucose 95", "ninety percent", "dose 90 mg", "BP 90/60"]
)
def test_measurements_are_not_taken_for_ages(text):
    known = KnownValues(
        (KnownValue(I.DATES, "1933-06-14", part="birth"), KnownValue(I.DATES, "2026-03-10"))
    )
    assert known.find(text) == ()


@pytest.mark.parametrize("written", ["Damon455 Langosh790", "Langosh790, Damon455", "damon455"])
def test_a_number_that_belongs_to_a_known_name_is_found_with_it(written):
    assert leaks(KnownValues.of({"names": ["Damon455 Langosh790"]}), written) == []


@pytest.mark.parametrize(
    ("known", "text", "left"),
    [
        ({"names": ["Iretioluwa Ibikunle"]}, "Pt:IBIKUNLE,IRETIOLUWADOB:", "PtDOB"),
        ({"dates": ["2024-08-05"]}, "Admit........2024-08-05", "Admit"),
        ({"dates": ["2025-07-18"]}, "START 18/JUL/2025", "START"),
        ({"dates": ["2025-06-20"]}, "hasta junio 20", "hasta"),
        ({"dates": ["2024-12-24"]}, "shift Dec 24 2200 hours", "shift2200hours"),
        ({"dates": ["2024-10-14"]}, "afebrile since 10-14", "afebrilesince"),
        ({"phones": ["808-555-0111"]}, "at 808-555-0111 x4402", "at"),
        ({"names": ["Ben Kahale"]}, "Her husband Ben said", "Herhusbandsaid"),
        ({"names": ["Fionnuala McGettigan"]}, "Fionnuala McGettigan, M.D.", "MD"),
        ({"places": ["St. Casimir's Church"]}, "of St. Casimir's", "ofs"),
    ],
)
def test_forms_that_were_once_missed_are_found(known, text, left):
    seen = {i for f in KnownValues.of(known).find(text) for i in range(f.start, f.end)}
    assert "".join(c for i, c in enumerate(text) if c.isalnum() and i not in seen) == left


@pytest.mark.parametrize(
    "written",
    ["2024-171", "2024171", "061924", "240619", "06|19|2024", "06%2F19%2F2024"],
)  # fmt: skip
def test_known_dates_are_found_as_archives_and_logs_write_them(written):
    known = KnownValues((KnownValue(I.DATES, "2024-06-19", part="event"),))
    assert leaks(known, written) == []


@pytest.mark.parametrize(
    "written",
    [
        "[[20050501]]-[[20100430]]", "[[20050501]]/[[20100430]]", "[[20050501]]–[[20100430]]",
        "[[05012005]]-[[04302010]]", "[[05/01/2005]]-[[04/30/2010]]", "[[5/1/2005]]–[[4/30/2010]]",
        "[[05-01-2005]]/[[04-30-2010]]", "[[2005-05-01]]/[[2010-04-30]]", "[[5.1.2005]]-[[30.4.2010]]",
        "[[2005-05-01]]..[[2010-04-30]]", "[[20050501]]-20100431",
    ],
)  # fmt: skip
def test_both_ends_of_a_known_period_are_found(written):
    known = KnownValues((KnownValue(I.DATES, "2005-05-01"), KnownValue(I.DATES, "2010-04-30")))
    text = f"Dates: {written}".replace("[[", "").replace("]]", "")
    found = [text[f.start : f.end] for f in known.find(text)]
    assert found == [part.split("]]")[0] for part in written.split("[[")[1:]]


@pytest.mark.parametrize(
    "written",
    [
        "scan_[[20050501]]_1.pdf", "scan_[[2005-05-01]].pdf", "_[[05/01/2005]]_", "x_[[05-01-2005]]",
        "lab[[05012005]].pdf", "[[20050501]]lab", "ECG_[[May1_2005]].pdf", "[[May_1_2005]]",
        "[[1May2005]]_ecg", "[[01-May-2005]]_scan", "stored_[[2005-05]]_a", "[[20050501]]T08:12",
        "[[20050501]]T0812", "[[200505010812]]", "[[20050501081200]]", "[[20050501]]-081200",
        "[[20050501]]_2010", "120050501", "200505019912", "20050501-4471",
    ],
)  # fmt: skip
def test_a_known_day_is_found_in_file_names_and_time_stamps(written):
    known = KnownValues((KnownValue(I.DATES, "2005-05-01"),))
    text = f"Stored as {written}".replace("[[", "").replace("]]", "")
    found = [text[f.start : f.end] for f in known.find(text)]
    assert found == [part.split("]]")[0] for part in written.split("[[")[1:]]


@pytest.mark.parametrize("text", ["2024-172", "call 555-2024171", "061923", "06|19"])
def test_other_numbers_are_not_known_dates(text):
    known = KnownValues((KnownValue(I.DATES, "2024-06-19", part="event"),))
    assert known.find(text) == ()


@pytest.mark.parametrize("text", ["Phone ends {}, verify.", "cell ending {}", "number ends in {}"])
def test_the_end_of_a_known_telephone_number_is_found_even_if_it_could_be_a_year(text):
    assert leaks(KnownValues.of({"phones": ["(802) 555-1914"]}), "1914", (text,)) == []


@pytest.mark.parametrize(
    "written",
    ["Z-I-E-M-B-A", "Z as in zebra, I as in ice, E as in echo, M as in Mary, B as in boy, A as in apple",
     "Z for Zulu I for India E for Echo M for Mike B for Bravo A for Alpha",
     "Zulu India Echo Mike Bravo Alpha", "zulu, india, echo, mike, bravo, alpha"],
)  # fmt: skip
def test_a_known_name_spelled_letter_by_letter_is_found(written):
    known = KnownValues((KnownValue(I.NAMES, "Ziemba", part="last"),))
    assert leaks(known, written) == []


def test_words_of_the_spelling_alphabet_that_spell_no_known_name_are_kept():
    known = KnownValues((KnownValue(I.NAMES, "Ziemba", part="last"),))
    assert known.find("Hotel in India, echo done by Mike, seen for a fall; B for breakfast.") == ()


def test_a_known_name_in_look_alike_letters_of_another_alphabet_is_found():
    known = KnownValues((KnownValue(I.NAMES, "Pacheco", part="last"),))
    assert leaks(known, "\u0420\u0430\u0441h\u0435\u0441\u043e") == []


@pytest.mark.parametrize("carrier", ["ss# {}", "SSN, digits {}", "soc, final four digits {} ok"])
def test_the_last_four_digits_of_a_known_ssn_are_found_even_if_they_could_be_a_year(carrier):
    assert leaks(KnownValues.of({"ssns": ["912-34-1914"]}), "1914", (carrier,)) == []


@pytest.mark.parametrize(
    ("value", "text", "found"),
    [
        ("118 Canal St Apt 4C", "He is in apt 4C upstairs", "apt 4C"),
        ("9 Elm St Trailer 12", "left in trailer 12 by the road", "trailer 12"),
        ("118 Canal Street Unit 7", "Home: Unit 7, 118 Canal Street", "Unit 7, 118 Canal Street"),
        ("118 Canal Street Room 117", "in Rm 117, 118 Canal St now", "Rm 117, 118 Canal St"),
        ("118 Canal", "lives 118 Canal Street now", "118 Canal Street"),
    ],
)
def test_text_that_belongs_to_a_known_street_is_found_with_it(value, text, found):
    known = KnownValues((KnownValue(I.PLACES, value, part="street"),))
    assert [text[f.start : f.end] for f in known.find(text)] == [found]


@pytest.mark.parametrize("sign", ["may", "al", "ed", "mo"])
@pytest.mark.parametrize("carrier", ["Plan as above.\n{}", "reviewed by: {}", "seen today, {}/rn"])
def test_known_initials_that_are_a_word_are_found_only_as_a_signature(sign, carrier):
    known = KnownValues((KnownValue(I.NAMES, sign, "provider", "initials"),))
    assert [f.identifier for f in known.find(carrier.format(sign))] == [I.NAMES]
    assert known.find(f"the {sign} be given, and so on") == ()


@pytest.mark.parametrize("written", ["3/10/1985", "03/01/1958", "3-16-58", "1958-02-10"])
def test_a_known_date_with_a_typing_error_is_found(written):
    known = KnownValues((KnownValue(I.DATES, "1958-03-10", part="birth"),))
    assert leaks(known, written) == []


@pytest.mark.parametrize("written", ["7/10/1961", "3/27/1958", "1958-11-10"])
def test_a_date_that_differs_by_more_than_a_typing_error_is_kept(written):
    known = KnownValues((KnownValue(I.DATES, "1958-03-10", part="birth"),))
    assert known.find(written) == ()
