"""Known numbers and codes, in any punctuation or dictated digit by digit."""
