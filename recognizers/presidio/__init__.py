"""Adapters: our recognizers run in Presidio, and a hospital's Presidio recognizers run here.

This folder imports from `known` and `words`.
"""
