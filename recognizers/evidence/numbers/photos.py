# ruff: noqa: E501 -- a pattern reads best on one line
"""(Q) Photographs and comparable images: file names, embedded images, references to them."""

from __future__ import annotations

import re
from itertools import pairwise

from recognizers.evidence.rules import Label, Pattern, Rules

PHOTO = "PHOTO"
KINDS = r"(?i:jpe?g|png|gif|bmp|tiff?|heic|heif|webp|raw|cr[23]|nef|arw|dng|dcm|dicom|svs|ndpi|mp4|mov|avi|mkv|m4v|webm|3gp|mpe?g|wmv|svg|psd|jfif|jp2)"

# Of neighbours in base64, most are of different sorts; in words, paths and sequences few are.
_MIXED, _LOOKED_AT = 0.3, 400
# Two of its 64 signs are no letters and no figures; `CBC/BMP/TSH/HbA1c/B12` has more of them.
_PARTED = 1 / 8
_SORTS = (str.isupper, str.islower, str.isdigit)


def drawn(value: str) -> float:
    """Nothing where capitals, small letters and digits alternate as in base64; else far less."""
    seen = re.sub(r"[\r\n=]", "", value[:_LOOKED_AT])
    bare = re.sub(r"[^A-Za-z0-9]", "", seen)
    if len(seen) - len(bare) > _PARTED * len(seen):
        return -1.0
    sorts = [next(n for n, is_of in enumerate(_SORTS) if is_of(c)) for c in bare]
    changes = sum(left != right for left, right in pairwise(sorts))
    return 0.0 if len(set(sorts)) == 3 and changes >= _MIXED * len(bare) else -1.0


def of_digits_and_letters(value: str) -> float:
    """Nothing where both are in it: a number or a word may be as long."""
    letters = sum(c.isalpha() for c in value)
    return 0.0 if 3 <= letters <= len(value) - 3 else -1.0


class Photos(Rules):
    word = "photos"
    patterns = (
        # What is written in another alphabet cannot be searched: bytes, whole notes.
        Pattern(
            "base64",
            r"((?:[A-Za-z0-9+/]{40,}[\r\n]{1,2})+[A-Za-z0-9+/]+={0,2}|[A-Za-z0-9+/]{40,}={0,2}|[A-Za-z0-9_-]{40,}={0,2})",
            PHOTO,
            1.0,
            check=drawn,
        ),
        Pattern(
            "bytes in hex",
            r"\b((?:0x)?[0-9A-Fa-f]{40,})\b",
            PHOTO,
            1.0,
            check=of_digits_and_letters,
        ),
        Pattern(
            "letters by number",
            r"((?:[\w.,:+/-]{0,30}%[0-9A-Fa-f]{2}){4,}[\w.,:+/-]*)",
            PHOTO,
            1.0,
        ),
        Pattern(
            "embedded image", r"(data:image/[a-z+.-]+;base64,[A-Za-z0-9+/=\s]{8,})", PHOTO, 0.98
        ),
        Pattern(
            "image file",
            rf"([A-Za-z0-9][A-Za-z0-9_().~&'-]*(?:[ _]\d[A-Za-z0-9_()-]*)?\.{KINDS})\b",
            PHOTO,
            0.93,
            before="/\\\\A-Za-z0-9",
        ),
        Pattern(
            "image path",
            rf"((?:[A-Za-z]:)?(?:[\\/][A-Za-z0-9_ .~-]+){{1,8}}\.{KINDS})\b",
            PHOTO,
            0.95,
        ),
        Pattern(
            "image file, damaged dot",
            rf"\b([A-Za-z]+_[A-Za-z0-9_]*\d[A-Za-z0-9_]* ?[.,] ?{KINDS})\b",
            PHOTO,
            0.7,
        ),
        Pattern(
            "camera name",
            r"\b((?:IMG|DSC|DSCN|DSCF|PXL|VID|MVI|GOPR|PICT|Screenshot|SNAP|CAM|CLIP|EMU|WP)[_-]\d[\w.-]*)\b",
            PHOTO,
            0.9,
        ),
        Pattern(
            "camera name, bare",
            r"\b((?:IMG|DSC|DSCN|DSCF|PXL|VID|MVI|GOPR|PICT)[_ -]?\d{3,})\b",
            PHOTO,
            0.85,
        ),
        Pattern(
            "range of images",
            r"(?:IMG|DSC)[_-]?\d+ ?(?:-|to|through|thru) ?((?:(?:IMG|DSC)[_-]?)?\d{3,})\b",
            PHOTO,
            0.7,
        ),
    )
    labels = (
        Label(
            "photo",
            r"photos?(?: (?:id|no|number|#|file|ref))?|pics?|images? (?:id|no|#|file|ref)|mug photo|fotos?|clip (?:id|file|named)|video (?:file|id)|scan file|frame(?:s)? (?:no|#)",
            PHOTO,
            0.65,
            value=r"[A-Za-z]{1,8}[-_ ]?\d{2,}[A-Za-z0-9_.-]*|[A-Za-z0-9]+_[A-Za-z0-9_.-]+",
            column=False,
        ),
    )
