"""Print the software bill of materials (CycloneDX 1.6, JSON) of the locked packages.

    make sbom

The same lock gives the same bytes: there is no clock and no serial number in it. Names, versions
and SHA-256 come from `requirements.lock`, so nothing has to be installed.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
_PACKAGE = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;]+)(?: ; ([^\\]+?))? \\$")
_HASH = re.compile(r"^    --hash=sha256:([0-9a-f]{64})")


def bill(lock: str, project: Mapping[str, Any]) -> dict[str, Any]:
    """The bill of one lock file, for the package that `project` of `pyproject.toml` describes."""
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "name": project["name"],
                "version": project["version"],
                "licenses": [{"license": {"id": project["license"]}}],
                "purl": purl(project["name"], project["version"]),
            }
        },
        "components": list(components(lock)),
    }


def components(lock: str) -> Iterator[dict[str, Any]]:
    """Each locked package, with where it is installed and the hashes of its files."""
    part: dict[str, Any] | None = None
    for line in lock.splitlines():
        if found := _PACKAGE.match(line):
            if part:
                yield part
            part = component(*found.groups())
        elif (digest := _HASH.match(line)) and part:
            part["externalReferences"][0]["hashes"].append({"alg": "SHA-256", "content": digest[1]})
    if part:
        yield part


def component(name: str, version: str, marker: str | None) -> dict[str, Any]:
    """One package; `marker` says for which Python or system it is locked."""
    made: dict[str, Any] = {
        "type": "library",
        "bom-ref": purl(name, version),
        "name": name,
        "version": version,
        "purl": purl(name, version),
        "externalReferences": [{"type": "distribution", "url": purl(name, version), "hashes": []}],
    }
    if marker:
        made["properties"] = [{"name": "python:marker", "value": marker}]
    return made


def purl(name: str, version: str) -> str:
    """The package URL: `pkg:pypi/presidio-analyzer@2.2.366`."""
    return f"pkg:pypi/{re.sub(r'[-_.]+', '-', name).casefold()}@{version}"


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    json.dump(bill(lock, project), sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
