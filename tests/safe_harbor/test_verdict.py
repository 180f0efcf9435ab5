"""The claim is computed from what remains, and every breach is reported at once."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safe_harbor import (
    BY_HAND,
    Claim,
    Identifier,
    Residue,
    State,
    check_claim,
    permission,
    permissions,
    permitted,
    refusal,
    rules_sha256,
)

CLAIMS = (Claim.SAFE_HARBOR, Claim.LIMITED_DATA_SET, Claim.EXPERT_DETERMINATION)
COARSER = {
    Residue.VALUE: [
        Residue.SHIFTED_DATE,
        Residue.YEAR,
        Residue.AGE,
        Residue.TOWN,
        Residue.ZIP5,
        Residue.DERIVED_CODE,
        Residue.SURROGATE,
    ],
    Residue.SHIFTED_DATE: [Residue.YEAR, Residue.INTERVAL, Residue.TAG],
    Residue.INTERVAL: [Residue.TAG],
    Residue.YEAR: [Residue.AGE_90_PLUS, Residue.TAG],
    Residue.AGE: [Residue.AGE_90_PLUS],
    Residue.AGE_90_PLUS: [Residue.TAG],
    Residue.ZIP5: [Residue.ZIP3],
    Residue.TOWN: [Residue.STATE],
    Residue.ZIP3: [Residue.STATE],
    Residue.STATE: [Residue.TAG],
    Residue.DERIVED_CODE: [Residue.RANDOM_CODE],
    Residue.RANDOM_CODE: [Residue.TAG],
    Residue.SURROGATE: [Residue.TAG],
    Residue.TAG: [Residue.NOTHING],
    Residue.NOTHING: [],
}
"""The residues that show less than each residue, where the identifier can have them."""
KINDS = {
    Residue.SHIFTED_DATE: {Identifier.DATES},
    Residue.YEAR: {Identifier.DATES},
    Residue.INTERVAL: {Identifier.DATES},
    Residue.AGE: {Identifier.DATES},
    Residue.AGE_90_PLUS: {Identifier.DATES},
    Residue.TOWN: {Identifier.PLACES},
    Residue.ZIP5: {Identifier.PLACES},
    Residue.ZIP3: {Identifier.PLACES},
    Residue.STATE: {Identifier.PLACES},
    # A code for a town or a date is not coarser than the town or the year.
    Residue.RANDOM_CODE: set(Identifier) - BY_HAND,
    Residue.DERIVED_CODE: set(Identifier) - BY_HAND,
    Residue.SURROGATE: set(Identifier) - BY_HAND,
}


def makes_sense(word, residue):
    return word in KINDS.get(residue, set(Identifier))


def tagged(**left):
    residues = {word: {Residue.TAG} for word in Identifier}
    return residues | {Identifier(word): {Residue(r) for r in rs} for word, rs in left.items()}


def places_of(verdict):
    return [(b.identifier.value, b.residue and b.residue.value) for b in verdict.breaches]


def test_tags_alone_are_safe_harbor():
    verdict = check_claim(tagged(), "safe_harbor")
    assert (verdict.supported, verdict.holds, verdict.breaches) == (Claim.SAFE_HARBOR, True, ())
    assert set(verdict.states.values()) == {State.PASS}
    assert verdict.rule == "45 CFR 164.514(b)(2)"


def test_every_breach_is_reported_at_once_in_the_order_of_the_rule():
    left = tagged(ssns=["value"], dates=["shifted_date", "value", "year"], mrns=["derived_code"])
    verdict = check_claim(left)
    assert places_of(verdict) == [
        ("dates", "shifted_date"),
        ("dates", "value"),
        ("ssns", "value"),
        ("mrns", "derived_code"),
    ]
    assert not verdict.holds
    assert verdict.supported is Claim.NONE
    assert verdict.rule == verdict.breaches[0].citation == "45 CFR 164.514(b)(2)(i)(C)"
    assert verdict.states[Identifier.SSNS] is State.FAIL
    assert verdict.states[Identifier.NAMES] is State.PASS
    assert "dates (shifted_date)" in verdict.reason


@pytest.mark.parametrize(
    ("left", "claim", "supported"),
    [
        ({}, "safe_harbor", "safe_harbor"),
        ({}, "limited_data_set", "safe_harbor"),
        ({}, "none", "safe_harbor"),
        ({"dates": ["year", "age", "age_90_plus"]}, "safe_harbor", "safe_harbor"),
        ({"places": ["state", "zip3"]}, "safe_harbor", "safe_harbor"),
        ({"mrns": ["random_code"], "names": ["surrogate"]}, "safe_harbor", "safe_harbor"),
        ({"dates": ["shifted_date"]}, "safe_harbor", "limited_data_set"),
        ({"dates": ["shifted_date"]}, "expert_determination", "expert_determination"),
        ({"dates": ["value"], "others": ["value"]}, "limited_data_set", "limited_data_set"),
        ({"dates": ["value"], "others": ["value"]}, "none", "limited_data_set"),
        ({"places": ["town", "zip5", "state"]}, "limited_data_set", "limited_data_set"),
        ({"mrns": ["derived_code"]}, "safe_harbor", "limited_data_set"),
        ({"devices": ["value"]}, "safe_harbor", "expert_determination"),
        ({"devices": ["value"], "dates": ["value"]}, "limited_data_set", "expert_determination"),
        ({"names": ["value"]}, "safe_harbor", "none"),
        ({"names": ["value"]}, "expert_determination", "none"),
        ({"places": ["value"]}, "limited_data_set", "none"),
        ({"ssns": ["value"]}, "limited_data_set", "none"),
        ({"photos": ["value"]}, "expert_determination", "none"),
    ],
)
def test_the_supported_claim_follows_from_what_is_left(left, claim, supported):
    assert check_claim(tagged(**left), claim).supported == supported


def test_the_claim_holds_exactly_if_nothing_breaches_it():
    assert check_claim(tagged(dates=["value"]), Claim.LIMITED_DATA_SET).holds
    assert not check_claim(tagged(dates=["value"]), Claim.SAFE_HARBOR).holds
    assert check_claim(tagged(names=["value"]), Claim.NONE).holds


def test_identifiers_that_were_not_evaluated_never_pass():
    verdict = check_claim({})
    assert set(verdict.states.values()) == {State.NOT_EVALUATED}
    assert verdict.supported is Claim.NONE
    assert {b.identifier for b in verdict.breaches} == set(Identifier) - BY_HAND
    assert all(b.residue is None for b in verdict.breaches)
    assert "not evaluated" in str(verdict.breaches[0])
    empty = check_claim(tagged(names=[]))
    assert empty.states[Identifier.NAMES] is State.NOT_EVALUATED
    assert not empty.holds


def test_biometrics_and_photos_may_be_left_to_a_person():
    left = {w: r for w, r in tagged().items() if w not in BY_HAND}
    verdict = check_claim(left)
    assert verdict.supported is Claim.SAFE_HARBOR
    assert [word for word, state in verdict.states.items() if state is State.NOT_EVALUATED] == [
        Identifier.BIOMETRICS,
        Identifier.PHOTOS,
    ]


def test_identifiers_may_be_given_as_strings_and_unknown_ones_are_refused():
    assert check_claim({word.value: ["tag"] for word in Identifier}, "safe_harbor").holds
    for wrong in ({"surnames": ["tag"]}, {"names": ["blurred"]}):
        with pytest.raises(ValueError, match="is not a valid"):
            check_claim(wrong, "safe_harbor")
    with pytest.raises(ValueError, match="is not a valid Claim"):
        check_claim({}, "gdpr")


def test_the_table_cites_a_paragraph_and_a_reason_for_every_cell():
    cells = [(row.claim, row.identifier, row.residue) for row in permissions()]
    assert len(set(cells)) == len(cells)
    assert all(row.citation.startswith("45 CFR 164.514(") and row.why for row in permissions())
    assert {row.claim for row in permissions()} == set(CLAIMS)
    assert len(rules_sha256()) == 64
    assert permission(Claim.NONE, Identifier.NAMES, Residue.TAG) is None


def test_every_refused_cell_has_a_reason():
    for claim, word, residue in product(CLAIMS, Identifier, Residue):
        if residue not in permitted(claim, word):
            assert refusal(residue)
            verdict = check_claim(tagged(**{word.value: [residue.value]}), claim)
            assert [(b.identifier, b.residue) for b in verdict.breaches] == [(word, residue)]
            assert verdict.breaches[0].citation.startswith("45 CFR 164.514(")


def test_removing_and_tagging_is_always_permitted():
    for claim, word in product(CLAIMS, Identifier):
        assert {Residue.NOTHING, Residue.TAG} <= permitted(claim, word)


def test_other_claims_permit_everything_that_safe_harbor_permits():
    for word in Identifier:
        strict = permitted(Claim.SAFE_HARBOR, word)
        assert strict <= permitted(Claim.LIMITED_DATA_SET, word)
        assert strict <= permitted(Claim.EXPERT_DETERMINATION, word)


LEFT = st.fixed_dictionaries(
    {word: st.frozensets(st.sampled_from(Residue), min_size=1, max_size=3) for word in Identifier}
)


@given(LEFT, st.sampled_from(CLAIMS), st.data())
def test_leaving_less_never_adds_a_breach(left, claim, data):
    word = data.draw(st.sampled_from(Identifier))
    residue = data.draw(st.sampled_from(sorted(left[word])))
    coarser = [r for r in COARSER[residue] if makes_sense(word, r) and makes_sense(word, residue)]
    if claim is Claim.SAFE_HARBOR and word in {Identifier.PLACES, Identifier.DATES}:
        coarser = [r for r in coarser if r is not Residue.RANDOM_CODE]
    for less in coarser:
        changed = left | {word: left[word] - {residue} | {less}}
        assert len(check_claim(changed, claim).breaches) <= len(check_claim(left, claim).breaches)


@given(LEFT, st.sampled_from(CLAIMS), st.sampled_from(Identifier))
def test_dropping_a_residue_never_adds_a_breach(left, claim, word):
    for residue in left[word]:
        fewer = left | {word: (left[word] - {residue}) or {Residue.NOTHING}}
        assert set(check_claim(fewer, claim).breaches) <= set(check_claim(left, claim).breaches)


@given(LEFT, st.sampled_from(CLAIMS))
def test_breaches_are_exactly_the_residues_that_the_table_does_not_permit(left, claim):
    missing = {(w, r) for w, rs in left.items() for r in rs if r not in permitted(claim, w)}
    assert {(b.identifier, b.residue) for b in check_claim(left, claim).breaches} == missing


@given(LEFT, st.sampled_from(Claim))
def test_the_supported_claim_itself_holds(left, claim):
    supported = check_claim(left, claim).supported
    assert check_claim(left, supported).holds
    assert check_claim(left, supported).supported is supported
