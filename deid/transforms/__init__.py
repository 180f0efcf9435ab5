"""How a value is taken out: one file a transform, each declaring what it leaves behind."""

from deid.transforms.contract import Numbering, Outcome, Transform, TransformContext, apply
from deid.transforms.register import TRANSFORMS, WITH_ARGUMENT, is_transform, transform

__all__ = [
    "TRANSFORMS",
    "WITH_ARGUMENT",
    "Numbering",
    "Outcome",
    "Transform",
    "TransformContext",
    "apply",
    "is_transform",
    "transform",
]
