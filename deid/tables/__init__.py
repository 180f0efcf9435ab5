"""The table flow: rows and cells changed as the decision on each column says."""
