"""Perturbation: change values so that a known value no longer leads to its record.

Perturbed values are untrue on purpose. Unlike generalization, perturbation proves no class size.
"""
