"""Scrub files in a pool of worker processes on this machine."""
