"""Recognizers, transforms and formats that other packages add through entry points.

A package names what it adds in its metadata, in the groups of `ENTRY_POINT_GROUPS`. A recognizer
of an installed package searches every text; a transform is used where a policy names it; a format
reads the files that no format of this package reads. See docs/guides/plugins.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from itertools import pairwise
from typing import Any

from deid.errors import DeidError

ENTRY_POINT_GROUPS = {
    "recognizers": "safe_harbor_deid.recognizers",
    "transforms": "safe_harbor_deid.transforms",
    "formats": "safe_harbor_deid.formats",
}


@dataclass(frozen=True, slots=True)
class Plugin:
    """One object that another package adds: kind, name, and package with its version."""

    kind: str
    name: str
    package: str
    version: str
    entry: EntryPoint = field(repr=False, compare=False)

    def load(self) -> Any:
        """The object that the entry point names.

        Raises:
            DeidError: `plugin-failed`. The message of the package's own error is not shown, since
                it may hold a value.
        """
        try:
            return self.entry.load()
        except Exception:
            raise self.fault("plugin-failed", "cannot be imported") from None

    def fault(self, code: str, what: str) -> DeidError:
        """The error of this plug-in, which names the package and no value."""
        return DeidError(
            code,
            f"{self.kind[:-1]} `{self.name}` of {self.package} {self.version} {what}",
            hint="see docs/guides/plugins.md, or uninstall that package",
        )


@cache
def installed_plugins(kind: str) -> tuple[Plugin, ...]:
    """The plug-ins of a kind of `ENTRY_POINT_GROUPS`, ordered by name.

    Raises:
        DeidError: `plugin-invalid`: two packages use one name.
    """
    found = sorted(
        (_plugin(kind, entry) for entry in entry_points(group=ENTRY_POINT_GROUPS[kind])),
        key=lambda plugin: (plugin.name, plugin.package),
    )
    for one, other in pairwise(found):
        if one.name == other.name and one.package != other.package:
            raise other.fault("plugin-invalid", f"has the same name as one of {one.package}")
    return tuple(dict.fromkeys(found))


def describe_plugins() -> dict[str, str]:
    """Installed plug-ins for the manifest: `{"plugin recognizers:lockers": "ward-plugin 1.0"}`."""
    return {
        f"plugin {plugin.kind}:{plugin.name}": f"{plugin.package} {plugin.version}"
        for kind in ENTRY_POINT_GROUPS
        for plugin in installed_plugins(kind)
    }


def _plugin(kind: str, entry: EntryPoint) -> Plugin:
    package = entry.dist
    name, version = ("unknown", "") if package is None else (package.name, package.version)
    return Plugin(kind, entry.name, name, version, entry)
