"""The word lists, and functions that look up one word. Imports no other package here."""
