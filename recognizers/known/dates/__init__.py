"""Known dates, and the ages over 89 that follow from known birth dates."""
