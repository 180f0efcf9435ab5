# ruff: noqa: E501 (tables of examples)
"""Properties of the matcher that hold for any text and any values; and each of its parts is needed."""

from __future__ import annotations

import itertools
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recognizers.known import text as known_text
from recognizers.known import values as known_values
from recognizers.known.codes import codes as known_codes
from recognizers.known.codes import forms as known_code_forms
from recognizers.known.codes import spoken as known_spoken
from recognizers.known.dates import dates as known_dates
from recognizers.known.names import names as known_names
from recognizers.known.names import people as known_people
from recognizers.known.places import organizations as known_organizations
from recognizers.known.places import places as known_places
from recognizers.known.places import zips as known_zips
from recognizers.known.values import KnownValue, KnownValueError, KnownValues
from safe_harbor import Identifier

VALUES = {
    "names": ["Theodora Marchetti-Lowe", "O'Dwyer, Siobhán M", "Li Bo", "Ashuelot Bus Company"],
    "dates": ["1936-06-14", "3/10/26", "May 2021", "Easter"],
    "phones": ["(802) 555-0143", "+48 58 555 0142"],
    "emails": ["hope.summers@orchardpost.example"],
    "ssns": ["912-34-4471"],
    "mrns": ["00402817"],
    "places": ["118 Canal Street, Apt 3B, Brattleboro, VT 05301", "Essex County", "PO Box 318"],
    "devices": ["CVT88214K"],
    "urls": ["https://share.pumpwell.example/u/malrashidi"],
}
KNOWN = KnownValues.of(VALUES)
NOTES = st.text(
    alphabet=st.one_of(
        st.sampled_from("ABCdef 0123456789.,-/'\n()#@&;\u200b\u00ad\u0301éßøŁ１\u2019ﬁİ"),
        st.characters(exclude_categories=("Cs",)),
    ),
    max_size=300,
)


@given(NOTES)
@settings(max_examples=300, deadline=None)
def test_findings_lie_inside_in_order_and_apart(text):
    found = KNOWN.find(text)
    assert all(0 <= f.start < f.end <= len(text) for f in found)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))


@given(st.lists(st.sampled_from([v for vs in VALUES.values() for v in vs]), max_size=6), NOTES)
@settings(max_examples=200, deadline=None)
def test_an_unchanged_value_is_found_in_any_surroundings(values, noise):
    text = noise + "\n\n" + "\n\n".join(f"Then {value}, and so on." for value in values)
    seen = {i for f in KNOWN.find(text) for i in range(f.start, f.end)}
    at = len(noise)
    for value in values:
        start = text.index(f"Then {value}, and", at) + 5
        at = start + len(value)
        kept = value.find(", VT")  # the state may stay
        bare = [i for i in range(start, at) if text[i].isalnum() and i not in seen]
        assert all(kept >= 0 and i - start >= kept for i in bare)


@given(
    st.dictionaries(
        st.sampled_from([word.value for word in Identifier]), st.lists(NOTES, max_size=4)
    ),
    NOTES,
)
@settings(max_examples=200, deadline=None)
def test_any_values_compile(known, text):
    found = KnownValues.of(known).find(text)
    assert all(text[f.start : f.end] for f in found)


@given(
    st.text(alphabet=string.ascii_letters + "-' .,", min_size=1, max_size=30),
    st.sampled_from(["first", "last", "full", "organization", ""]),
)
@settings(max_examples=200, deadline=None)
def test_any_name_compiles(name, part):
    KnownValues((KnownValue(Identifier.NAMES, name, part=part),)).find(
        f"Seen: {name}. {name.upper()}"
    )


def test_the_same_values_give_the_same_findings_in_any_order():
    values = KNOWN.values
    text = (
        "Theodora Marchetti-Lowe of 118 Canal St #3B, 802 555 0143, born June 14, 1936 at Ashuelot"
    )
    assert KnownValues(values[::-1]).find(text) == KNOWN.find(text)
    assert KNOWN.find(text) == KNOWN.find(text)


def test_no_repr_and_no_error_shows_a_known_value():
    shown = repr(KNOWN) + repr(KNOWN.values) + str(KNOWN)
    assert "Theodora" not in shown and "4471" not in shown and "Canal" not in shown
    with pytest.raises(KnownValueError) as caught:
        KnownValues.of({"names": ["Secretname"], "nicknames": ["Secretname"]})
    assert "Secretname" not in str(caught.value) + repr(caught.value)
    with pytest.raises(KnownValueError):
        KnownValues.of({"names": [17]})
    with pytest.raises(KnownValueError):
        KnownValue(Identifier.NAMES, "Secretname", role="nobody")


def test_values_of_two_sources_are_combined():
    both = KnownValues.of({"names": ["Ada Quill"]}) + KnownValues.of({"mrns": ["7712345"]})
    assert len(both) == 2
    assert len(both.find("Ada Quill 7712345")) == 2


def test_a_known_name_that_is_only_a_nickname_is_found():
    for name in ("(Bobbie)", '"Bobbie"', "(A\x85)", "()"):
        found = KnownValues.of({"names": [name]}).find("Asked Bobbie to come")
        assert len(found) == ("Bobbie" in name)


NEEDED = [
    (known_people, "within_one", lambda a, b: a == b, {"names": ["Kahananui"]}, "Kahanamui came"),
    (known_people, "other_forms", lambda name: frozenset(), {"names": ["Robert Hale"]}, "Asked Bob to come"),
    (known_people, "sound", lambda word: word, {"names": ["Sophia Reed"]}, "Asked Sofia to come"),
    (known_names.NameFinder, "_letters_beside", lambda s, t, c: (c[0].first, c[-1].stop), {"names": ["Grace Li"]}, "Found Grace L. there"),
    (known_names.MarkReader, "_joined", lambda s, t, i: None, {"names": ["Marchetti"]}, "Mrs. Marchet-\nti came"),
    (known_names.MarkReader, "_spaced", lambda s, t, i: None, {"names": ["Marchetti"]}, "M a r c h e t t i"),
    (known_names.MarkReader, "_camel", lambda s, t, i: None, {"names": ["Hope Summers"]}, "DrHope came"),
    (known_names.InitialFinder, "find", lambda s, t: [], {"names": ["Robert Hale"]}, "Re: R.H. your file"),
    (known_codes, "past_zeros", lambda s, offsets: offsets[:-1], {"mrns": ["402817"]}, "MRN 00402817"),
    (known_codes, "spoken_digits", lambda t: None, {"phones": ["802-555-0143"]}, "eight oh two five five five oh one four three"),
    (known_codes.CodeFinder, "_near", lambda *a: None, {"mrns": ["88402817"]}, "MRN 88402871"),
    (known_codes.CodeFinder, "_ends", lambda s, t: [], {"ssns": ["912-34-4471"]}, "last four 4471"),
    (known_code_forms, "without_zeros", lambda d: d, {"mrns": ["00402817"]}, "chart 402817"),
    (known_dates.DateFinder, "_numeric", lambda s, t: iter(()), {"dates": ["1958-03-10"]}, "on 3/10/58"),
    (known_dates.DateFinder, "_named", lambda s, t: iter(()), {"dates": ["1958-03-10"]}, "the 10th of March"),
    (known_dates.DateFinder, "_parts", lambda s, t: iter(()), {"dates": ["1989-12-25"]}, "on Christmas day"),
    (known_organizations, "same_word", lambda a, b, dotted=False: a == b, {"names": ["Windham Cold Storage Company"]}, "Windham Cold Stg."),
    (known_places.StreetFinder, "_numbered", lambda s, t, i: 0, {"places": ["812 Cedar Street"]}, "at 812 Cedar"),
    (known_places.StreetFinder, "_boxed", lambda s, t, i: 0, {"places": ["PO Box 318"]}, "P.O. Box 318"),
    (known_zips.ZipFinder, "find", lambda s, t: [], {"places": ["053016712"]}, "zip 05301"),
    (known_text, "fold_character", lambda c: c.lower(), {"names": ["Duc Tran"]}, "Đức came"),
]  # fmt: skip


@pytest.mark.parametrize("needed", NEEDED, ids=lambda n: n[1])
def test_without_this_part_a_known_value_leaks(needed, monkeypatch):
    """Break a part of the matcher, and a form that it is there for must remain: so the tests can
    fail.
    """
    owner, name, broken, values, text = needed

    def left() -> int:
        seen = {i for f in KnownValues.of(values).find(text) for i in range(f.start, f.end)}
        return sum(c.isalnum() and i not in seen for i, c in enumerate(text))

    before = left()
    monkeypatch.setattr(owner, name, broken)
    known_text.fold_character.cache_clear() if name != "fold_character" else None
    assert left() > before


def test_the_tested_parts_are_those_of_the_folder():
    assert {"first", "last", "street", "zip", "birth", "comment"} <= known_values.VALUE_PARTS
    assert known_spoken.spoken_digits(known_text.Text.of("no numbers here")) is None
