"""The word lists, and what they say of one word. Imports no other room."""
