"""Adapters that run our recognizers in Presidio, and a hospital's Presidio recognizers here.

This folder imports from `known` and `words`.
"""
