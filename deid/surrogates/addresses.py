"""Surrogates of e-mail and web addresses: made-up domains and the person's surrogate name."""

from __future__ import annotations

import re

from deid.surrogates import lists
from deid.surrogates.draws import Draws
from deid.surrogates.names import FAMILY, GIVEN, folded_word, look_of, replace_word
from deid.surrogates.numbers import same_shape

_ENDS = ("mail", "net", "post", "link", "web", "line")
_ZONES = ("com", "net", "org")
_URL = re.compile(
    r"^((?:[a-z][a-z0-9+.-]*://)?(?:www\.)?)([^/\s?#]+)(.*)$", re.IGNORECASE | re.DOTALL
)


def replace_email(value: str, draws: Draws) -> str:
    """A surrogate e-mail address; names in it become the person's surrogate names."""
    scheme = "mailto:" if value.lower().startswith("mailto:") else ""
    local, at, domain = value[len(scheme) :].rpartition("@")
    if not at:
        local, domain = domain, ""
    new = draws.kept("local", local.lower(), lambda: _local(local.lower(), draws))
    return scheme + new + at + (_domain(domain, draws) if domain else "")


def replace_url(value: str, draws: Draws) -> str:
    """A surrogate URL. The surrogate of a handle (`@name`) is a handle, too."""
    found = _URL.match(value)
    if found is None or value.startswith("@") or "." not in value:
        return draws.kept("handle", value.lower(), lambda: _handle(value, draws))
    scheme, host, path = found.groups()
    new = draws.kept(
        "path", path, lambda: re.sub(r"[^\W_]+", lambda w: _address_word(w[0], draws), path)
    )
    return scheme + _domain(host, draws) + new


def _local(local: str, draws: Draws) -> str:
    """The part before `@`, word by word; joined words become an initial and a family name."""
    return re.sub(r"\d+|[^\W\d_]+", lambda found: _address_word(found[0], draws), local)


def _address_word(word: str, draws: Draws) -> str:
    if word.isdigit():
        return same_shape(word, draws)
    known = folded_word(word)
    if known in draws.avoid and len(known) > 2:
        role = GIVEN if known in lists.given_names() else FAMILY
        return replace_word(known, role, look_of(known), draws)
    return _family(draws)


def _handle(value: str, draws: Draws) -> str:
    return ("@" if value.startswith("@") else "") + _family(draws) + str(10 + draws.below(90))


def _family(draws: Draws) -> str:
    for _ in range(40):
        urn = lists.family_urn(lists.GENERAL_GROUP, lists.first_letters().draw(draws.below))
        name = urn.draw(draws.below) if urn else "field"
        if name not in draws.avoid:
            break
    return name


def _domain(domain: str, draws: Draws) -> str:
    low = domain.lower()

    def draw() -> str:
        name = draws.one_of(lists.streets()).lower() + draws.one_of(_ENDS)
        return f"{name}.{draws.one_of(_ZONES)}"

    return draws.shared("domain", low, lambda: draws.fresh("domain", low, draw))
