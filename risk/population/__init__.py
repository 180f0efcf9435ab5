"""Populations: counted cells with a source, records matched to them, tables by name."""
