"""Evidence of identifiers: the rows of `tables/`, and functions where grammar needs code."""
