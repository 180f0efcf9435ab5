# ruff: noqa: E501 -- a pattern reads best on one line
"""(F) E-mail addresses. No list of top-level domains: hospitals use names of their own."""

from __future__ import annotations

from recognizers.evidence.rules import Label, Pattern, Rules

MAIL = "EMAIL_ADDRESS"


class Emails(Rules):
    word = "emails"
    patterns = (
        Pattern(
            "address",
            r"([A-Za-z0-9][A-Za-z0-9._%+'&=-]*[ ]?@[ ]?[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,24})\b",
            MAIL,
            0.97,
        ),
        Pattern(
            "address, spaced dots",
            r"([A-Za-z0-9][A-Za-z0-9._%+-]* ?@ ?[A-Za-z0-9-]+(?: ?\. ?[A-Za-z0-9-]{2,12}){0,2} ?\. ?[a-z]{2,8})\b",
            MAIL,
            0.7,
        ),
        Pattern(
            "address without a dot",
            r"\b([A-Za-z0-9][A-Za-z0-9._%+-]{2,}@[A-Za-z][A-Za-z0-9-]{2,})\b",
            MAIL,
            0.6,
        ),
        Pattern(
            "address over a line",
            r"([A-Za-z0-9._%+-]{2,}@\n? *[A-Za-z0-9.-]+-?\n? *[A-Za-z0-9-]*\.[A-Za-z]{2,8})\b",
            MAIL,
            0.9,
        ),
        Pattern(
            "written out",
            r"(?i)\b([A-Za-z0-9._-]+(?: (?:dot|underscore|dash) [A-Za-z0-9_-]+)* ?(?:\(at\)|\[at\]|\bat\b) ?"
            r"[A-Za-z0-9-]+(?: ?(?:\(dot\)|\[dot\]|\bdot\b) ?[A-Za-z0-9-]+)+)",
            MAIL,
            0.9,
        ),
        Pattern(
            "direct message",
            r"(?i)\b(?:direct|secure)[: ]+([A-Za-z0-9._-]+@[A-Za-z0-9.-]+)",
            MAIL,
            0.95,
        ),
    )
    labels = (
        Label(
            "local part",
            r"e-?mail(?: user| id| local part)?|inbox",
            MAIL,
            0.6,
            value=r"[a-z][a-z0-9]*[._][a-z0-9._]+|[a-z]+\d+\b",
            column=False,
        ),
    )
