"""Presidio-compatible HTTP service: clients of Presidio can use it unchanged."""

REQUEST_CHARACTERS = 500_000
"""The most characters in all texts of a request; LiteLLM sends up to this many at once."""
