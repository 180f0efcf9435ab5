"""How a value is taken out: one file a transform, each declaring what it leaves behind."""

from deid.transforms.contract import Context, Numbering, Outcome, Transform
from deid.transforms.register import TRANSFORMS, transform

__all__ = ["TRANSFORMS", "Context", "Numbering", "Outcome", "Transform", "transform"]
