"""`deid counts TABLE --where COL=V|V`: an audited cohort count with noise."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from deid.cli.table_arguments import AsJson, PersonColumn
from deid.errors import DeidError
from risk import CohortCounter, CountRules, read_table

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def run(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="A released table.")],
    user: Annotated[
        str, typer.Option(metavar="NAME", help="The person who asks, for the audit trail.")
    ],
    trail: Annotated[
        Path, typer.Option(metavar="F", help="Audit trail file, readable only by its owner.")
    ],
    where: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COL=V|V", help="Condition on a column (repeatable); every condition must hold."
        ),
    ] = None,
    person_column: PersonColumn = None,
    floor: Annotated[
        int, typer.Option(help="Report a smaller count only as `fewer than` this number.")
    ] = 11,
    sigma: Annotated[
        float, typer.Option(help="Standard deviation of the noise at large counts.")
    ] = 2.0,
    repeats: Annotated[
        int, typer.Option(help="Number of related queries after which a user is locked out.")
    ] = 6,
    unlock: Annotated[
        str | None, typer.Option(metavar="USER", help="Lift the lock-out of this user.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Count matching records, add noise that grows as counts fall, and audit the query."""
    pairs = [part.partition("=") for part in where or []]
    if any(not equals or not column for column, equals, _ in pairs):
        raise DeidError(
            "bad-condition",
            "a condition must have the form column=value|value",
            hint="for example --where sex=F or --where state='DE|RI'",
        )
    query = {column: values.split("|") for column, _, values in pairs}
    needed = [*query, *([person_column] if person_column else [])]
    rules = CountRules(sigma=sigma, floor=floor, repeats=repeats)
    counter = CohortCounter(read_table(table, needed), trail, rules, person_column)
    now = datetime.now(UTC)
    if unlock is not None:
        counter.unlock(unlock, by=user, now=now)
        return
    answer = counter.count(user, query, now=now, chance=random.SystemRandom())
    if as_json:
        print(json.dumps(answer.as_json(), indent=2))
    else:
        print(f"fewer than {answer.below}" if answer.count is None else f"about {answer.count:,}")
