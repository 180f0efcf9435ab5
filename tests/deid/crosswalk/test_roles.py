"""Reveal is a separate right: in PostgreSQL a role may allocate codes without reading a value."""

from __future__ import annotations

from importlib.resources import files

import pytest

from deid.crosswalk import Crosswalk, CrosswalkError, events, rotate
from deid.crosswalk.keys.master_keys import SecretKey
from safe_harbor import Identifier as I


def test_an_allocator_role_allocates_codes_and_reveals_nothing(
    own_database: str, key: SecretKey
) -> None:
    import psycopg

    grants = (files("deid") / "crosswalk" / "stores" / "allocator.sql").read_text("utf-8")
    with Crosswalk.create(own_database, key) as owner:
        first = owner.codes(I.MRNS, [("p", "1")])
        role = "allocator_" + own_database[-8:]
        with psycopg.connect(own_database, autocommit=True) as admin:
            admin.execute(f"CREATE ROLE {role} LOGIN")  # type: ignore[arg-type]
            admin.execute(grants.replace("ALLOCATOR", role))  # type: ignore[arg-type]
        with Crosswalk.open(own_database.replace("tester@", f"{role}@"), key) as allocator:
            codes = allocator.codes(I.MRNS, [("p", "1"), ("p", "2")])
            names = allocator.keep("names", [("p", "ana")], lambda at: "Rosa")
            assert codes[:1] == first and names == ["Rosa"]
            for forbidden in (
                lambda: allocator.reveal(codes[0], user="etl", reason="curious"),
                lambda: rotate(allocator),
            ):
                with pytest.raises(CrosswalkError) as refused:
                    forbidden()
                assert refused.value.code == "not-allowed"
        # The attempt is recorded, and the owner can reveal.
        assert [event["event"] for event in events(owner)][-1] == "reveal"
        assert owner.reveal(codes[1], user="officer", reason="recall").value == "2"
