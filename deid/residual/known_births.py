"""The forms of birth years and ages that show an age over 89. A release must not contain them.

164.514(b)(2)(i)(C): a birth year may stay unless it shows an age over 89.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from deid.residual.forms import OWN, PLAIN, ValueForm
from deid.residual.value_forms import parse_known_date
from recognizers import KnownValue
from safe_harbor import OLDEST_AGE, Born, PartialDate, age_on, bound_birth
from safe_harbor import Identifier as I

_BORN = ("born", "bornin", "bornon", "birthyear", "yearofbirth", "yob", "dob", "dateofbirth")
_YEARS_OLD_WORDS = ("yo", "yearold", "yearsold", "yrold", "yrsold", "yof", "yom")


def birth_forms(known: Iterable[KnownValue], reference: date | None) -> Iterator[ValueForm]:
    """Forms such as `born in 1931` and `95 yo` for an age over 89 on the reference date.

    A year or a number alone is not a form, because it may mean anything. Without a reference date
    there are no forms.
    """
    for value in known if reference is not None else ():
        born = parse_known_date(value.value) if value.part == "birth" else None
        if born is None or reference is None:
            continue
        when = PartialDate(born.year, born.month, born.day)
        if not bound_birth([Born(when)], reference).shows_over_89(reference):
            continue
        for words in _BORN:
            yield ValueForm(f"{words}{born.year}", I.DATES, OWN, PLAIN, "birth year over 89")
        for age in range(OLDEST_AGE + 1, age_on(born, reference) + 1):
            yield from (
                ValueForm(f"{age}{unit}", I.DATES, OWN, PLAIN, "age over 89")
                for unit in _YEARS_OLD_WORDS
            )
