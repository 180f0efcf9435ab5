"""Made-up values in place of real ones, consistent per person: hiding in plain sight.

Drawn at random and kept in the crosswalk; nothing in a surrogate is computed from the value but its
form. See Carrell et al., JAMIA 2013;20:342-348.
"""

from deid.surrogates.draws import Draws
from deid.surrogates.replacing import replace, words_to_avoid

__all__ = ["Draws", "replace", "words_to_avoid"]
