"""Policies as data: YAML files, drafts, and the differences between two policies."""
