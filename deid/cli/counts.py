"""`deid counts TABLE --where COL=V|V`: a cohort count with noise, audited."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from deid.errors import DeidError
from risk import CountingService, Rules, read_table

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def run(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="A released table.")],
    user: Annotated[str, typer.Option(metavar="NAME", help="Who asks; stands in the trail.")],
    trail: Annotated[Path, typer.Option(metavar="F", help="The audit trail, mode 0600.")],
    where: Annotated[
        list[str] | None, typer.Option(metavar="COL=V|V", help="A condition; all must hold.")
    ] = None,
    person_column: Annotated[
        str | None, typer.Option(metavar="C", help="Persons, not rows, are counted.")
    ] = None,
    floor: Annotated[int, typer.Option(help="Counts below are told as below.")] = 11,
    sigma: Annotated[float, typer.Option(help="Deviation of the noise at large counts.")] = 2.0,
    repeats: Annotated[int, typer.Option(help="Related queries before the lock-out.")] = 6,
    unlock: Annotated[
        str | None, typer.Option(metavar="USER", help="Lift a lock-out, as --user.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The result as one JSON object.")] = False,
) -> None:
    """How many match, give or take: noise grows as counts fall, repeated queries are stopped."""
    pairs = [part.partition("=") for part in where or []]
    if any(not equals or not column for column, equals, _ in pairs):
        raise DeidError(
            "bad-condition",
            "a condition is not written column=value|value",
            hint="--where sex=F, --where state='DE|RI'",
        )
    query = {column: values.split("|") for column, _, values in pairs}
    needed = [*query, *([person_column] if person_column else [])]
    rules = Rules(sigma=sigma, floor=floor, repeats=repeats)
    desk = CountingService(read_table(table, needed), trail, rules, person_column)
    now = datetime.now(UTC)
    if unlock is not None:
        desk.unlock(unlock, by=user, now=now)
        return
    answer = desk.count(user, query, now=now, chance=random.SystemRandom())
    if as_json:
        print(json.dumps(answer.as_json(), indent=2))
    else:
        print(f"fewer than {answer.below}" if answer.count is None else f"about {answer.count:,}")
