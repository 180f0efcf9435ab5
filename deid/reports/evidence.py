"""`evidence.html`: the manifest for a person to read and sign. Holds no value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deid.manifest import Account
from deid.reports.pages import render
from safe_harbor import Identifier, Residue

_LEFT = {
    Residue.NOTHING: "nothing",
    Residue.TAG: "the name of the category",
    Residue.YEAR: "the year",
    Residue.INTERVAL: "days between two dates",
    Residue.STATE: "the state",
    Residue.TOWN: "town or city",
    Residue.ZIP5: "five-digit ZIP code",
    Residue.ZIP3: "three ZIP digits, 000 where few people live",
    Residue.AGE: "ages up to 89",
    Residue.AGE_90_PLUS: "90+",
    Residue.RANDOM_CODE: "a random code",
    Residue.DERIVED_CODE: "a code computed from the value",
    Residue.SHIFTED_DATE: "a shifted date",
    Residue.SURROGATE: "a random surrogate",
    Residue.VALUE: "the value itself",
}


def evidence_page(account: Account) -> str:
    """The page, from the same account as the manifest."""
    residues = account.policy.residues()
    rows = [_row(account, word, residues[word]) for word in Identifier]
    manifest = account.as_json()
    return render(
        "evidence.html",
        manifest=manifest,
        rows=rows,
        verdict=account.policy.verdict(),
        withheld=[c for c in account.columns if c["action"] == "withhold"],
        columns=account.columns,
        tables={number: account.of_table(number) for number in account.tables},
        unseen=[row for row in rows if row["state"] == "NOT_EVALUATED"],
    )


def _row(account: Account, word: Identifier, residues: frozenset[Residue]) -> Mapping[str, Any]:
    left = sorted(_LEFT[residue] for residue in residues)
    return {
        "letter": word.letter,
        "word": word.value,
        "citation": word.citation,
        "found": account.tally.found[word],
        "replaced": account.tally.replaced[word],
        "second": account.tally.second_search[word],
        "hits": account.hits.get(word, 0),
        "left": "; ".join(left),
        "state": account.state(word),
    }
