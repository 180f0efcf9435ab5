"""A transform: the value becomes three asterisks."""

from deid.transforms import Outcome, TransformContext
from safe_harbor import Residue


class Asterisks:
    """Leaves a tag, whatever the value was."""

    name = "asterisks"
    needs_crosswalk = False

    def residues(self, entity: str) -> frozenset[Residue]:
        """Everything that `apply` may leave. The claim of a policy is computed from this."""
        return frozenset({Residue.TAG})

    def apply(self, value: str, context: TransformContext) -> Outcome:
        """The value is not used, so nothing of it is left."""
        return Outcome("***", Residue.TAG)


TRANSFORM = Asterisks()
