"""Known names of persons, in full, shortened, as initials, misspelled or split."""
