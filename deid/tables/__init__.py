"""The table flow: change the rows and cells of a table as the decision on each column says."""
