"""What does the trained model say of a text, as findings over whole words?

Imports `text` and `words`.
"""
