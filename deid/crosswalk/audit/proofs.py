"""Checks a store's schema, head and rows before its content is used."""

from __future__ import annotations

from deid.crosswalk.audit.chain import GENESIS
from deid.crosswalk.keys.keyring import Keyring
from deid.crosswalk.keys.vault import SealError
from deid.crosswalk.stores.sql_store import Store
from deid.crosswalk.stores.stored_rows import BookState
from deid.crosswalk.trouble import crosswalk_error

WEIGHT_BYTES = 40
_WEIGHT_MODULUS = 1 << (8 * WEIGHT_BYTES)


def check_schema(store: Store) -> None:
    """Refuse a store with tables, triggers, views, rules or defaults of other programs."""
    strangers = store.strangers()
    if strangers:
        raise crosswalk_error("schema-altered", store.where, what=", ".join(strangers))


def check_head(store: Store, state: BookState, keyring: Keyring) -> None:
    """Refuse a head that the book's key did not sign, or that is not the end of the audit."""
    head, public = state.head, keyring.signer.public
    if state.public != public or not head.holds(public):
        raise crosswalk_error("crosswalk-altered", store.where, what="the head")
    end = store.link_hash(head.sequence) if head.sequence else GENESIS
    if end != head.hash or store.link_hash(head.sequence + 1) is not None:
        raise crosswalk_error("crosswalk-altered", store.where, what="the end of the audit")


def check_rows(store: Store, weight: int, keyring: Keyring) -> None:
    """Refuse rows that were altered, removed or added: their weights do not add up to `weight`."""
    total, sound = 0, True
    for place, token in store.places():
        try:
            total += keyring.row_weight(place, token)
        except SealError:
            sound = False
    if not sound:
        raise crosswalk_error("crosswalk-altered", store.where, what="a row")
    if packed_weight(total) != packed_weight(weight):
        raise crosswalk_error("crosswalk-altered", store.where, what="the set of rows")


def packed_weight(total: int) -> bytes:
    """Pack the sum of the weights of all rows as a head stores it."""
    return (total % _WEIGHT_MODULUS).to_bytes(WEIGHT_BYTES, "big")


def unpacked_weight(packed: bytes) -> int:
    """Return the sum of weights that a head stores."""
    return int.from_bytes(packed, "big")
