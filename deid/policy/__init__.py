"""Policies as data: the YAML, drafts, and how two of them differ."""
