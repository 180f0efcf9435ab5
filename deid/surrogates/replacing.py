"""Chooses the kind of surrogate for an entity."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from deid.surrogates.addresses import replace_email, replace_url
from deid.surrogates.draws import Draws
from deid.surrogates.names import folded_word, replace_name
from deid.surrogates.numbers import (
    different_same_shape,
    replace_network,
    replace_number,
    replace_phone,
    replace_point,
)
from deid.surrogates.places import (
    replace_employer,
    replace_facility,
    replace_street,
    replace_town,
)
from safe_harbor import Identifier

_MAKERS: dict[str, Callable[[str, Draws], str]] = {
    "PERSON": replace_name,
    "EMPLOYER": replace_employer,
    "STREET_ADDRESS": replace_street,
    "CITY": replace_town,
    "COUNTY": replace_town,
    "LOCATION": replace_town,
    "FACILITY": replace_facility,
    "COORDINATES": replace_point,
    "PHONE_NUMBER": replace_phone,
    "FAX_NUMBER": replace_phone,
    "EMAIL_ADDRESS": replace_email,
    "URL": replace_url,
    "IP_ADDRESS": replace_network,
    "MAC_ADDRESS": replace_network,
}
# A generic word alone, such as `the hospital`, is not a name.
_OF_A_KIND = frozenset(("EMPLOYER", "STREET_ADDRESS", "FACILITY"))


def replace(identifier: Identifier, entity: str, value: str, draws: Draws) -> str:
    """A surrogate in the form of the value. Dates and ages are handled elsewhere."""
    maker = _MAKERS.get(entity)
    if maker is None:
        return replace_number(identifier, value, draws)
    made = maker(value, draws)
    if entity in _OF_A_KIND or _signs(made) != _signs(value):
        return made
    # No part has a known form, as in "forty-two degrees north".
    return draws.kept("unread", value.lower(), lambda: different_same_shape(value, draws))


def _signs(text: str) -> str:
    return "".join(sign for sign in text.lower() if sign.isalnum())


def words_to_avoid(values: Iterable[str]) -> frozenset[str]:
    """The lower-case values and words of a person, which no surrogate of the person may equal."""
    found: set[str] = set()
    for value in values:
        low = value.lower()
        found.update((low, "".join(sign for sign in low if sign.isalnum())))
        found.update(
            word for piece in re.split(r"[\W_]+", low) if len(word := folded_word(piece)) > 1
        )
    return frozenset(found - {""})
