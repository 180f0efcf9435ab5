"""What does one cell look like, and may it be released in its column?"""
