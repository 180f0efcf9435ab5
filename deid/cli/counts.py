"""`deid counts TABLE --where COL=V|V`: an audited cohort count with noise."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime
from pathlib import Path

from deid.cli.option_groups import command, command_app
from deid.errors import DeidError
from risk import CohortCounter, CountRules, read_table

app = command_app()


@command(app)
def run(
    table: str,
    user: str,
    trail: Path,
    where: list[str] | None = None,
    person_column: str | None = None,
    floor: int = 11,
    sigma: float = 2.0,
    repeats: int = 6,
    unlock: str | None = None,
    as_json: bool = False,
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
