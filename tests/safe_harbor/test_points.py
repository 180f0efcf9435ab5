"""Points that tools get wrong, each with its paragraph of 45 CFR 164.514 or a quotation from
HHS.
"""

import re
from datetime import date
from importlib.resources import files

import pytest

from safe_harbor import (
    AgeAt,
    Claim,
    Identifier,
    PartialDate,
    Residue,
    State,
    bound_birth,
    cap_age,
    check_claim,
    oldest_birth_year,
    permitted,
    read_date,
    year_of,
    zip3,
    zip3_table,
)
from safe_harbor.tables import read_rows

REFERENCE = date(2026, 11, 21)


def removed(**left):
    residues = {word: {Residue.NOTHING} for word in Identifier}
    return residues | {Identifier(word): {Residue(r) for r in rs} for word, rs in left.items()}


class TestEightyNineStaysNinetyGoes:
    """164.514(b)(2)(i)(C): "all ages over 89 and all elements of dates (including year)
    indicative of such age ... may be aggregated into a single category of age 90 or older"."""

    def test_the_line(self):
        assert [cap_age(age).text for age in (88, 89, 90, 91)] == ["88", "89", "90+", "90+"]

    def test_the_birth_year_does_not_give_the_age_back(self):
        """Birth 1910, service 2010: "1920 or earlier", the reference year less 90."""
        service = date(2010, 6, 1)
        assert year_of("03/05/1910", service, birth=True) == "90+"
        assert oldest_birth_year(service) - 1 == service.year - 90 == 1920
        assert year_of("1920", service, birth=True) == "90+"
        assert year_of("1921", service, birth=True) == "1921"

    @pytest.mark.parametrize(
        "hidden", ["ninety-two", "93F", "93 y.o.", "in her 90s", "nonagenarian", "centenarian"]
    )
    def test_ages_hide_in_words(self, hidden):
        assert cap_age(hidden).text == "90+"

    def test_ages_hide_in_birth_years(self):
        assert year_of("born in 1931", REFERENCE, birth=True) == "90+"

    @pytest.mark.parametrize("age", ["6 days", "4 wk", "5 mo", "18 hours"])
    def test_infants_may_keep_months_days_and_hours(self, age):
        """HHS, December 2000: "would not prohibit age of an individual from being
        expressed as an age in months, days, or hours"."""
        assert cap_age(age).text == age

    def test_the_reference_date_is_an_argument(self):
        born = "06/14/1936"
        assert year_of(born, date(2026, 6, 13), birth=True) == "1936"
        assert year_of(born, date(2026, 6, 14), birth=True) == "90+"

    def test_an_age_and_the_year_of_the_visit_are_a_birth_year(self):
        for age, shown in ((87, True), (60, False)):
            told = AgeAt(PartialDate(2021, 5, 1), age, age)
            assert bound_birth([told], REFERENCE).shows_over_89(REFERENCE) is shown


class TestDatesKeepTheYear:
    """164.514(b)(2)(i)(C): "All elements of dates (except year)"."""

    def test_only_the_year_of_a_date_is_kept(self):
        assert year_of("03/14/2023", REFERENCE) == "2023"
        assert year_of("March 14th", REFERENCE) == ""

    @pytest.mark.parametrize("interval", ["3 days later", "POD 2", "x5 days"])
    def test_intervals_are_not_read_as_dates(self, interval):
        assert read_date(interval, REFERENCE) is None

    @pytest.mark.parametrize("number", ["5/97", "10/20", "L4-5", "3/5", "120/80"])
    def test_ratios_doses_levels_and_strengths_are_not_read_as_dates(self, number):
        assert read_date(number, REFERENCE) is None

    @pytest.mark.parametrize("finer", ["value", "shifted_date", "random_code", "derived_code"])
    def test_a_date_finer_than_the_year_breaks_safe_harbor(self, finer):
        verdict = check_claim(removed(dates=[finer]))
        assert not verdict.holds
        assert verdict.breaches[0].identifier is Identifier.DATES


class TestThreeDigitZipCodes:
    """164.514(b)(2)(i)(B)(1)-(2): "contains more than 20,000 people", else "changed to 000"."""

    def test_the_list_that_hhs_printed_for_2000(self):
        """HHS, August 2002: "The 17 restricted zip codes are"."""
        printed = "036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893"
        assert sorted(zip3_table("2000").restricted) == printed.split()

    def test_current_data_is_the_2020_census(self):
        assert len(zip3_table().restricted) == 18
        assert zip3_table() == zip3_table("2020")
        assert zip3("89001").text == "890", "over 700,000 people by 2020; restricted by 2000"
        assert zip3("89001", "conservative").text == "000"
        assert len(zip3_table("conservative").restricted) == 23

    def test_the_smallest_prefix_over_20000_people_is_kept(self):
        assert zip3("57601").text == "576"
        assert zip3_table().populations["576"] == 20_310

    @pytest.mark.parametrize("zip5", ["09012", "96201", "20201", "00501", "00801", "34002"])
    def test_a_prefix_outside_of_the_census_table_becomes_000(self, zip5):
        assert zip3(zip5).text == "000"

    @pytest.mark.parametrize("spelling", ["02139-4307", "021394307", "2139", 2139, "02139.0"])
    def test_every_spelling_is_a_zip_code(self, spelling):
        assert zip3(spelling).text == "021"

    def test_the_table_names_its_census_and_hash(self):
        assert zip3_table("2010").census == "2010"
        assert re.fullmatch(r"[0-9a-f]{64}", zip3_table("2010").sha256)


class TestCodes:
    """164.514(c)(1): "not derived from or related to information about the individual"."""

    def test_a_random_code_is_permitted(self):
        codes = {w.value: ["random_code"] for w in Identifier if w.value in ("mrns", "others")}
        assert check_claim(removed(**codes)).holds

    def test_a_keyed_hash_is_derived(self):
        """HHS, August 2002: "The HMAC does not meet the conditions for use as a re-identification
        code for de-identified information"."""
        verdict = check_claim(removed(mrns=["derived_code"]))
        assert verdict.breaches[0].citation == "45 CFR 164.514(c)(1)"
        assert not verdict.holds

    def test_a_keyed_hash_is_permitted_in_a_limited_data_set(self):
        """HHS, August 2002: "The HMAC methodology, however, may be used in the context of the
        limited data set"."""
        verdict = check_claim(removed(mrns=["derived_code"]), Claim.LIMITED_DATA_SET)
        assert verdict.holds
        assert verdict.supported is Claim.LIMITED_DATA_SET

    def test_no_derived_code_of_any_identifier_is_safe_harbor(self):
        for word in Identifier:
            assert Residue.DERIVED_CODE not in permitted(Claim.SAFE_HARBOR, word)


class TestDateShifting:
    """A shifted date is still an element of a date: 164.514(b)(2)(i)(C)."""

    def test_shifted_dates_are_a_limited_data_set_not_safe_harbor(self):
        assert check_claim(removed(dates=["shifted_date"])).supported is Claim.LIMITED_DATA_SET

    def test_shifted_dates_are_permitted_for_expert_determination(self):
        verdict = check_claim(removed(dates=["shifted_date"]), Claim.EXPERT_DETERMINATION)
        assert verdict.supported is Claim.EXPERT_DETERMINATION


class TestLimitedDataSet:
    """164.514(e)(2)(i)-(xvi)."""

    def test_sixteen_identifiers_are_removed_from_a_limited_data_set(self):
        sixteen = [w for w in Identifier if w.limited_data_set_citation]
        assert len(sixteen) == 16
        assert set(Identifier) - set(sixteen) == {Identifier.DATES, Identifier.OTHERS}
        for word in sixteen:
            assert Residue.VALUE not in permitted(Claim.LIMITED_DATA_SET, word)

    def test_dates_town_zip_and_other_codes_are_permitted_in_a_limited_data_set(self):
        left = removed(dates=["value"], places=["town", "zip5", "state"], others=["value"])
        assert check_claim(left, Claim.LIMITED_DATA_SET).supported is Claim.LIMITED_DATA_SET

    def test_a_street_is_not_permitted_in_a_limited_data_set(self):
        verdict = check_claim(removed(places=["value"]), Claim.LIMITED_DATA_SET)
        assert verdict.breaches[0].citation == "45 CFR 164.514(e)(2)(ii)"

    def test_a_limited_data_set_is_still_called_protected_health_information(self):
        reason = check_claim(removed(dates=["value"]), Claim.LIMITED_DATA_SET).reason
        assert "protected health information" in reason
        assert "data use agreement" in reason
        assert "de-identified" not in reason


class TestActualKnowledge:
    """164.514(b)(2)(ii) is a second condition that no scan can prove."""

    def test_the_verdict_leaves_actual_knowledge_to_a_person(self):
        reason = check_claim(removed()).reason
        assert "(b)(2)(ii)" in reason
        assert "sign" in reason

    def test_no_reason_says_anonymous_hipaa_compliant_or_certified(self):
        folder = files("safe_harbor.tables")
        names = ("permitted.csv", "refused.csv", "identifiers.csv")
        texts = [folder.joinpath(name).read_text(encoding="utf-8") for name in names]
        texts += [check_claim(removed(), claim).reason for claim in Claim]
        texts += [check_claim(removed(dates=["value"]), claim).reason for claim in Claim]
        for text in texts:
            assert not re.search(r"anonymous|hipaa\s+compliant|certified", text, re.IGNORECASE)


class TestPartsAreIdentifiers:
    """A part of an identifier is an identifier: the last four digits of an SSN, the local part of
    an e-mail address, initials. No residue counts as less than the value for them.
    """

    @pytest.mark.parametrize("word", ["ssns", "emails", "names", "mrns", "photos", "biometrics"])
    def test_no_part_of_an_identifier_is_permitted(self, word):
        for claim in (Claim.SAFE_HARBOR, Claim.LIMITED_DATA_SET, Claim.EXPERT_DETERMINATION):
            assert Residue.VALUE not in permitted(claim, Identifier(word))


class TestWhatWasNotLookedAt:
    """164.514(b)(2)(i)(P), (Q): identifiers that were not searched for are NOT_EVALUATED, never "0
    found".
    """

    def test_photographs(self):
        left = {w: r for w, r in removed().items() if w is not Identifier.PHOTOS}
        verdict = check_claim(left)
        left_out = [w for w, state in verdict.states.items() if state is State.NOT_EVALUATED]
        assert left_out == [Identifier.PHOTOS]


class TestExpertDetermination:
    """164.514(b)(1)(ii): "Documents the methods and results of the analysis"."""

    def test_the_reason_asks_for_the_document(self):
        reason = check_claim(removed(dates=["value"]), Claim.EXPERT_DETERMINATION).reason
        assert "document" in reason
        assert "very small" in reason


class TestTheEighteen:
    """164.514(b)(2)(i)(A)-(R)."""

    def test_letters_titles_and_texts(self):
        rows = read_rows("identifiers.csv")
        assert [row["letter"] for row in rows] == list("ABCDEFGHIJKLMNOPQR")
        assert [row["identifier"] for row in rows] == [word.value for word in Identifier]
        for word, row in zip(Identifier, rows, strict=True):
            assert word.letter == row["letter"]
            assert word.citation == f"45 CFR 164.514(b)(2)(i)({row['letter']})"
            assert (word.heading, word.text) == (row["title"], row["text"])
            assert word.heading and word.text
