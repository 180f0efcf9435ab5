"""Read which tables an earlier release holds, so that the next release leaves them out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deid.errors import DeidError
from deid.policy.model import Policy
from deid.release.sealing import SEAL, files_of_release, read_manifest, seal_of


@dataclass(frozen=True, slots=True)
class EarlierRelease:
    """A finished release: its folder, and the hash of its manifest.

    `inputs` are the input files whose output it holds, by SHA-256, each with the number of its
    tables; `records` are the numbers of their records.
    """

    root: Path = field(repr=False)
    manifest_sha256: str
    inputs: Mapping[str, int] = field(repr=False)
    records: Mapping[str, int] = field(default_factory=dict, repr=False)

    def held(self, hashes: Sequence[str]) -> list[bool]:
        """Return for each table, by the SHA-256 of its file, whether the release holds it.

        If a hash occurs more often than among the inputs of the release, the additional tables are
        not held.
        """
        seen: Counter[str] = Counter()
        told = []
        for sha256 in hashes:
            seen[sha256] += 1
            told.append(seen[sha256] <= self.inputs.get(sha256, 0))
        return told

    def files(self) -> list[Path]:
        """The released files in order, without the documents of the release."""
        return files_of_release(self.root)


def read_earlier_release(root: Path, policy: Policy) -> EarlierRelease:
    """Read the manifest of a release under the same policy.

    Raises:
        DeidError: `since-not-a-release`, `since-altered`, `since-policy-differs`.
    """
    try:
        manifest = read_manifest(root)
        inputs = _released_inputs(manifest)
        seal, policy_sha256 = manifest[SEAL], manifest["policy_sha256"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise DeidError(
            "since-not-a-release",
            "the folder named by --since holds no release",
            hint="name the OUT of an earlier `deid scrub`",
        ) from None
    if seal != seal_of(manifest):
        raise DeidError(
            "since-altered",
            "the manifest of the earlier release was edited after it was written",
            hint="run `deid check` on it to see what was changed",
        )
    if policy_sha256 != policy.sha256:
        raise DeidError(
            "since-policy-differs",
            "the release named by --since was made under a different policy",
            hint="use the policy of that release, or scrub everything without --since",
        )
    return EarlierRelease(root, str(seal), inputs, earlier_copies(root))


def _released_inputs(manifest: Mapping[str, Any]) -> Counter[str]:
    """Count the inputs with an output in this release, or in the earlier one that it continues."""
    held = {*manifest["outputs"], *map(str, (manifest.get("since") or {}).get("unchanged", ()))}
    return Counter(str(manifest["inputs"][number]["sha256"]) for number in held)


def earlier_copies(root: Path | None) -> dict[str, int]:
    """The number of rows of each table that a release holds, by the SHA-256 of its input.

    The result is empty if there is no such release; `read_earlier_release` then raises the reason.
    """
    if root is None:
        return {}
    try:
        manifest = read_manifest(root)
        before = (manifest.get("since") or {}).get("records", {})
        own = {number: manifest["inputs"][number]["records"] for number in manifest["outputs"]}
        rows = {**own, **before}
        return {str(manifest["inputs"][n]["sha256"]): int(rows[n]) for n in rows}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
