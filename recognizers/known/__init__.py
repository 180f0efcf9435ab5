"""Where does a text hold what is known of its patient?

Imports `decide`, `text` and `words`.
"""
