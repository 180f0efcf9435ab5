"""Where is it? Finds in text what `safe_harbor` names."""

from recognizers.entities import ENTITIES, LABELS
from recognizers.finding import Finding

__all__ = ["ENTITIES", "LABELS", "Finding"]
