"""Known numbers and codes, in any punctuation and read out digit by digit."""
