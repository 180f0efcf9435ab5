"""The table flow: change rows and cells as the decision on each column says."""
