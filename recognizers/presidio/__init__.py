"""Adapters: our recognizers in Presidio, and a hospital's own Presidio recognizers in this engine.

Imports `known` and `words`.
"""
