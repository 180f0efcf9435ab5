"""The transforms, one module each. Each declares the residues that it leaves."""

from deid.transforms.contract import Numbering, Outcome, Transform, TransformContext, apply
from deid.transforms.register import (
    TRANSFORMS,
    WITH_ARGUMENT,
    is_transform,
    plain_transforms,
    transform,
)

__all__ = [
    "TRANSFORMS",
    "WITH_ARGUMENT",
    "Numbering",
    "Outcome",
    "Transform",
    "TransformContext",
    "apply",
    "is_transform",
    "plain_transforms",
    "transform",
]
