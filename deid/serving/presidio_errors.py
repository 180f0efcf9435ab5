"""Errors with the messages and status codes of Presidio's own services.

Some clients compare these messages, which quote nothing from the request.
"""

from __future__ import annotations

_NOT_JSON = "The browser (or proxy) sent a request that this server could not understand."
_NO_RECOGNIZERS = "No matching recognizers were found to serve the request."
_NOT_PARSED = (
    "Failed to parse /analyze request for AnalyzerEngine.analyze(). "
    "Pattern.__init__() got an unexpected keyword argument"
)
_NO_TEXT = "No text provided"
_PRESIDIO_ERRORS: dict[tuple[str, str], tuple[str, int]] = {
    ("/analyze", "text-missing"): (_NO_TEXT, 500),
    ("/analyze", "language-missing"): ("No language provided", 500),
    ("/analyze", "language-unsupported"): (_NO_RECOGNIZERS, 500),
    ("/analyze", "entities-unknown"): (_NO_RECOGNIZERS, 500),
    ("/supportedentities", "language-unsupported"): (_NO_RECOGNIZERS, 500),
    ("/recognizers", "language-unsupported"): (_NO_RECOGNIZERS, 500),
    ("/anonymize", "body-not-json"): (_NOT_JSON, 400),
    ("/deanonymize", "body-not-json"): (_NOT_JSON, 400),
    ("/anonymize", "body-empty"): ("Invalid request json", 400),
    ("/deanonymize", "body-empty"): ("Invalid request json", 400),
    ("/anonymize", "operator-custom"): ("Custom type anonymizer is not supported", 400),
    ("/anonymize", "key-invalid"): (
        "Invalid input, key must be of length 128, 192 or 256 bits",
        422,
    ),
    ("/deanonymize", "key-invalid"): (
        "Invalid input, key must be of length 128, 192 or 256 bits",
        422,
    ),
}


def presidio_error(path: str, code: str, status: int, key: str = "") -> tuple[str, int]:
    """Presidio's message and status for an error of this service, or ours if Presidio has none.

    >>> presidio_error("/analyze", "text-missing", 400)
    ('No text provided', 500)
    """
    if code == "ad-hoc-recognizers-invalid" and key:
        return f"{_NOT_PARSED} '{key}'", 400
    return _PRESIDIO_ERRORS.get((path, code), (code, status))
