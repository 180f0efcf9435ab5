"""Presidio-compatible HTTP service: clients of Presidio can use it unchanged."""
