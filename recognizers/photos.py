# ruff: noqa: E501 -- a pattern reads best on one line
"""(Q) Photographs and comparable images: file names, embedded images, references to them."""

from __future__ import annotations

from recognizers.rules import Label, Pattern, Rules

PHOTO = "PHOTO"
KINDS = r"(?i:jpe?g|png|gif|bmp|tiff?|heic|heif|webp|raw|cr[23]|nef|arw|dng|dcm|dicom|svs|ndpi|mp4|mov|avi|mkv|m4v|webm|3gp|mpe?g|wmv|svg|psd|jfif|jp2)"


class Photos(Rules):
    word = "photos"
    patterns = (
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
