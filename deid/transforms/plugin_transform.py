"""Transforms of other packages, checked against the residues that they declare."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from deid.plugins import Plugin, installed_plugins
from deid.transforms.contract import Outcome, Transform, TransformContext
from safe_harbor import Residue

_NAME = re.compile(r"[a-z][a-z0-9_]*")


_NOTHING_OF_IT = (Residue.NOTHING, Residue.TAG)


@dataclass(frozen=True, slots=True)
class PluginTransform:
    """A plug-in's transform, which stops the job if it leaves an undeclared residue.

    The claim of a policy is computed from `residues`, so an undeclared residue would make the
    claim false.
    """

    name: str
    needs_crosswalk: bool
    plugin: Plugin = field(repr=False)
    inner: Transform = field(repr=False)

    def residues(self, entity: str) -> frozenset[Residue]:
        """The residues that the plug-in declares for a value of that type.

        Raises:
            DeidError: `plugin-invalid`: nothing is declared; `plugin-failed`.
        """
        try:
            declared = self.inner.residues(entity)
        except Exception:
            raise self.plugin.fault("plugin-failed", "does not declare its residues") from None
        if not isinstance(declared, frozenset) or not declared:
            raise self.plugin.fault("plugin-invalid", "declares no residue")
        if not all(isinstance(one, Residue) for one in declared):
            raise self.plugin.fault("plugin-invalid", "declares a residue that does not exist")
        return declared

    def apply(self, value: str, context: TransformContext) -> Outcome:
        """The outcome of the plug-in's own transform.

        Raises:
            DeidError: `plugin-failed`, without the value; `plugin-residue`: the residue was not
            declared, or the value itself is left where only a tag or nothing may be.
        """
        try:
            outcome = self.inner.apply(value, context)
            text, residue = outcome.text, outcome.residue
        except Exception:
            raise self.plugin.fault("plugin-failed", "failed on a value") from None
        if not isinstance(text, str) or residue not in self.residues(context.entity):
            raise self.plugin.fault("plugin-residue", "left a residue that it does not declare")
        if residue in _NOTHING_OF_IT and _still_is_value(text, value):
            raise self.plugin.fault("plugin-residue", "left the value itself")
        return Outcome(text, residue)


def _still_is_value(text: str, value: str) -> bool:
    """Whether the text is still the value, and the value is no tag of an earlier job."""
    left = text.strip().casefold()
    named = any(map(str.isalnum, left)) and not left.startswith("[")
    return named and left == value.strip().casefold()


def plugin_transforms(shipped: Collection[str]) -> dict[str, Plugin]:
    """The transforms of other packages by name.

    Raises:
        DeidError: `plugin-invalid`: a name is taken, or is not valid in a policy.
    """
    found = {plugin.name: plugin for plugin in installed_plugins("transforms")}
    for name, plugin in found.items():
        if name in shipped:
            raise plugin.fault("plugin-invalid", "has the name of a shipped transform")
        if not _NAME.fullmatch(name):
            raise plugin.fault(
                "plugin-invalid", "needs a name of lower-case letters, digits and `_`"
            )
    return found


def guarded_transform(plugin: Plugin) -> Transform:
    """The transform of a plug-in, checked against what it declares.

    Raises:
        DeidError: `plugin-failed`, `plugin-invalid`.
    """
    inner = plugin.load()
    if getattr(inner, "name", None) != plugin.name:
        raise plugin.fault("plugin-invalid", "has a `name` that differs from its entry point")
    if not callable(getattr(inner, "residues", None)) or not callable(
        getattr(inner, "apply", None)
    ):
        raise plugin.fault("plugin-invalid", "lacks `residues` or `apply`")
    made = PluginTransform(
        plugin.name, bool(getattr(inner, "needs_crosswalk", False)), plugin, inner
    )
    made.residues("PERSON")
    return made
