"""Known numbers and codes, with any punctuation or dictated digit by digit."""
