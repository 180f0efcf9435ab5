"""How can values be changed so that a known value no longer leads to its record?

Perturbation makes values untrue on purpose. It is no generalization: it proves no class size.
"""
