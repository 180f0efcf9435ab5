"""Surrogates: made-up values in place of real ones, consistent per person.

Surrogates are drawn at random and kept in the crosswalk; they share only their form with the value
("hiding in plain sight"). See Carrell et al., JAMIA 2013;20:342-348.
"""

from deid.surrogates.draws import Draws
from deid.surrogates.replacing import replace, words_to_avoid

__all__ = ["Draws", "replace", "words_to_avoid"]
