"""Where does a text contain the known values of its patient?

Imports `decide`, `text` and `words`.
"""
