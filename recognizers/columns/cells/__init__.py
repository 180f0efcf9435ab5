"""What does one cell look like, and may it stand in its column?"""
