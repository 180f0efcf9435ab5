"""Adapters that run our recognizers in Presidio, and a hospital's Presidio recognizers here.

Imports `known` and `words`.
"""
