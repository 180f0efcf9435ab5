"""`evidence.html`: the manifest for a person to read and sign. Holds no value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


# More notes than these, a file each, are told in one line: nobody signs below thousands.
NOTES_LISTED = 20


def evidence_page(account: Account) -> str:
    """The page, from the same account as the manifest."""
    residues = account.policy.residues()
    rows = [_row(account, word, residues[word]) for word in Identifier]
    manifest = account.as_json()
    notes = _notes(account)
    return render(
        "evidence.html",
        manifest=manifest,
        rows=rows,
        verdict=account.verdict,
        withheld=[c for c in account.columns if c["action"] == "withhold"],
        columns=_columns(account, notes),
        tables=_by_file(account, notes),
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


def _notes(account: Account) -> tuple[int, ...]:
    """The files that are one note each, if they are too many to be listed."""
    actions: dict[int, list[str]] = {}
    for column in account.columns:
        actions.setdefault(column["file"], []).append(column["action"])
    single = [n for n, tally in account.tables.items() if tally.records_in <= 1]
    notes = tuple(n for n in single if actions.get(n) == ["text"])
    return notes if len(notes) > NOTES_LISTED else ()


def _by_file(account: Account, notes: Sequence[int]) -> list[tuple[str, dict[str, Any]]]:
    told = set(notes)
    parts = [(str(n), (n,)) for n in account.tables if n not in told]
    together = [(_together(notes), tuple(notes))] if notes else []
    return [(label, account.of_table(*ordinals)) for label, ordinals in together + parts]


def _columns(account: Account, notes: Sequence[int]) -> list[Mapping[str, Any]]:
    told = set(notes)
    rows = [column for column in account.columns if column["file"] not in told]
    if not notes:
        return rows
    first = next(column for column in account.columns if column["file"] in told)
    return [{**first, "file": _together(notes)}, *rows]


def _together(notes: Sequence[int]) -> str:
    return f"{len(notes):,} notes, {notes[0]} to {notes[-1]}"
