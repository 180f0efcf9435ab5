"""`derived_code`: a code computed from the value with a secret key.

This is not a code under 164.514(c). It serves limited data sets and expert determinations.
According to HHS, a keyed hash is derived from the value, so a Safe Harbor policy that uses this
transform is refused.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from deid.crosswalk.normalization import normalize_value
from deid.transforms.code import allocator_of
from deid.transforms.contract import Outcome, TransformContext
from safe_harbor import Residue

_HEX_DIGITS = 32
_KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class DerivedCode:
    """HMAC-SHA-256 (RFC 2104) of the category and normal form, cut to 128 bits, in hexadecimal.

    The key is drawn once per crosswalk and kept in it. A value has the same code for every person.
    """

    name: str = "derived_code"
    needs_crosswalk: bool = True
    draw_key: Callable[[int], str] = field(default=secrets.token_hex, repr=False)

    def residues(self, entity: str) -> frozenset[Residue]:
        return frozenset({Residue.DERIVED_CODE})

    def apply(self, value: str, context: TransformContext) -> Outcome:
        kept = allocator_of(context).keep(
            "derived.key", None, "key", lambda: self.draw_key(_KEY_BYTES)
        )
        _, form = normalize_value(context.identifier, None, value)
        message = f"{context.identifier.value}\x00{form}".encode("utf-8", "surrogatepass")
        digest = hmac.new(bytes.fromhex(kept), message, hashlib.sha256).hexdigest()
        return Outcome(digest[:_HEX_DIGITS], Residue.DERIVED_CODE)


TRANSFORM = DerivedCode()
