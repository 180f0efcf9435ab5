"""A draft policy: the proposals of the column profile as YAML for a privacy officer to edit."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from deid.columns.column_profiles import DescribedColumn, joins_tables
from deid.naming.columns import keys_of
from deid.policy.model import SHIPPED_POLICIES, policy_text
from deid.vocabularies.wording import NAME, names_nobody
from recognizers import ColumnProfile

_CLINICAL = ("code", "coded", "concept", "duration", "measure", "number", "result", "term")


@dataclass(frozen=True, slots=True)
class Proposal:
    """The proposal for one column. `header` is None if it is not an approved name."""

    file: int
    table: str | None
    position: int
    header: str | None
    role: str
    action: str
    identifier: str | None
    entity: str
    confidence: float
    reason: str

    def as_json(self) -> dict[str, Any]:
        """The entry of `deid profile --json`."""
        return {
            "file": self.file,
            "table": self.table,
            "position": self.position,
            "header": self.header,
            "role": self.role,
            "action": self.action,
            "identifier": self.identifier,
            "entity": self.entity or None,
            "confidence": round(self.confidence, 2),
            "reason": self.reason,
        }


def propose_columns(
    file: int, name: str, columns: Sequence[str], described: Sequence[DescribedColumn]
) -> list[Proposal]:
    """Propose role, identifier, transform and reason for each column.

    Roles are direct, quasi, sensitive, text, keep and unsure. A path that several columns of a
    published format share gets one proposal.
    """
    table = _drafted_table(name)
    proposals = []
    paths: set[str] = set()
    for index, (header, found) in enumerate(zip(columns, described, strict=True)):
        seen = found.profile
        if found.path and header in paths:
            continue
        paths.add(header)
        hidden = found.path == "*" or not _is_shown(found, header)
        proposals.append(
            Proposal(
                file=file,
                table=table,
                position=index + 1,
                header=None if hidden else header,
                role=_profile_role(seen),
                action=_drafted_action(found),
                identifier=None if seen.identifier is None else seen.identifier.value,
                entity=seen.entity,
                confidence=seen.confidence,
                reason="; ".join(seen.reasons),
            )
        )
    return proposals


def _is_shown(found: DescribedColumn, header: str) -> bool:
    """Whether the header is a path of a published format or an approved name."""
    published = bool(found.path) and found.by_schema
    keys = keys_of(header) if found.path else [header]
    return published or all(names_nobody(key, NAME) for key in keys)


def _drafted_table(name: str) -> str | None:
    """The table name for a policy; unapproved parts become `*`; None if no part is approved."""
    parts = PurePosixPath(name).parts
    told = [part if names_nobody(PurePosixPath(part).stem, NAME) else "*" for part in parts]
    return None if set(told) <= {"*"} else "/".join(told)


def _drafted_action(described: DescribedColumn) -> str:
    named = described.profile.transform
    return "number" if named == "tag" and joins_tables(described) else named


def _profile_role(seen: ColumnProfile) -> str:
    """The role by kind: direct, quasi or text; kept clinical columns are sensitive."""
    if seen.kind == "keep" and seen.shape in _CLINICAL:
        return "sensitive"
    return "direct" if seen.kind == "identifier" else seen.kind


def draft_policy(base: str, proposals: Sequence[Proposal]) -> str:
    """The YAML text of a policy with the proposals as rules, each with its reason.

    >>> draft_policy("safe_harbor", []).splitlines()[-1]
    'columns: []'
    """
    head, _, _ = policy_text(base).partition("columns:")
    # Evidence names the policy: an edited copy must not carry the name of a shipped one.
    head = (
        re.sub(r"(?m)^name: .*$", f"name: draft_of_{base}", head)
        if base in SHIPPED_POLICIES
        else head
    )
    lines = [head.rstrip(), "columns:"]
    for proposal in proposals:
        lines += _draft_lines(proposal)
    return "\n".join(lines if proposals else [*lines[:-1], "columns: []"]) + "\n"


def _draft_lines(proposal: Proposal) -> list[str]:
    told = f"{proposal.role}, confidence {proposal.confidence:.2f}: {proposal.reason}"
    if proposal.header is None:
        return [
            f"# file {proposal.file}, column {proposal.position}: no rule, its header may identify"
        ]
    lines = [f"- name: {_quoted_yaml(proposal.header)}  # {told}"]
    if proposal.table is not None:
        lines.append(f"  table: {_quoted_yaml(proposal.table)}")
    if proposal.identifier is not None:
        lines.append(f"  identifier: {proposal.identifier}")
        lines.append(f"  entity: {proposal.entity}")
    lines.append(f"  role: {proposal.role}")
    lines.append(f"  action: {proposal.action}")
    if proposal.action == "keep":
        lines.append(f"  reason: {_quoted_yaml(proposal.reason)}")
    return lines


def _quoted_yaml(text: str) -> str:
    """A JSON string, which YAML reads as the same string."""
    return json.dumps(text, ensure_ascii=False)
