"""Where a text contains the known values of its patient."""
