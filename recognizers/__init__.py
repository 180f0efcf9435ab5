"""Where is it? Finds in text what `safe_harbor` names."""

from recognizers.finding import Finding

__all__ = ["Finding"]
