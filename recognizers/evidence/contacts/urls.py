# ruff: noqa: E501 -- a pattern reads best on one line
"""(N) Web addresses and social handles."""

from __future__ import annotations

from recognizers.evidence.context import Context
from recognizers.evidence.rules import Label, Pattern, Rules

URL = "URL"
TLD = (
    r"(?:com|org|net|edu|gov|mil|info|biz|io|co|us|health|care|clinic|app|dev|me|tv|ly|gl|link|page|site|online|example|test|local|lan|"
    r"internal|ca|uk|de|fr|mx|in|eu|ai|md)"
)
REST = r"(?:[:/?#][A-Za-z0-9._~:/?#@!$&'*+,;=%-]*[A-Za-z0-9/=_-])?"


class Urls(Rules):
    word = "urls"
    around = Context(
        left=r"insta(?:gram)?|twitter|facebook|\bfb\b|\big\b|tiktok|snap(?:chat)?|handle|venmo|youtube|twitch|discord|bluesky|linkedin"
    )
    patterns = (
        Pattern(
            "network share",
            r"(\\\\[A-Za-z0-9._-]+(?:\\[A-Za-z0-9._$-]*[A-Za-z0-9_$-])+)",
            URL,
            0.95,
        ),
        Pattern(
            "scheme",
            r"((?i:https?|ftp|sftp|wss?|dicom-?web|fhir)://[^\s<>\"')\]}|]+[A-Za-z0-9/=_-])",
            URL,
            0.98,
        ),
        Pattern("www", rf"\b((?i:www)\.[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+{REST})", URL, 0.97),
        Pattern(
            "domain with a path",
            rf"\b([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.{TLD}/[A-Za-z0-9._~:/?#@!$&*+=%-]*[A-Za-z0-9/=_-])",
            URL,
            0.95,
            before="@A-Za-z0-9.-",
        ),
        Pattern(
            "domain",
            r"\b([A-Za-z0-9-]{2,}(?:\.[A-Za-z0-9-]+)*\.(?:com|org|net|edu|gov|mil|info|health|care|clinic|example|io|app))\b",
            URL,
            0.8,
            before="@A-Za-z0-9._-",
            after="@",
        ),
        Pattern("spaced domain", r"(?i)\b(www ?\. ?[a-z0-9-]+ ?\. ?[a-z]{2,10})\b", URL, 0.8),
        Pattern("spoken domain", r"(?i)\b([a-z0-9-]+ dot (?:com|org|net|edu|gov))\b", URL, 0.8),
        Pattern(
            "handle",
            r"(@[A-Za-z_][A-Za-z0-9_.]{2,29})\b",
            URL,
            0.6,
            before="A-Za-z0-9.@",
            after="@:",
        ),
        Pattern(
            "social path",
            r"(?i)\b((?:facebook|fb|instagram|ig|twitter|tiktok|linkedin|venmo|x)(?:\.com)?[/:] ?@?[a-z0-9_.]{3,})\b",
            URL,
            0.7,
        ),
    )
    labels = (
        Label(
            "handle",
            r"insta(?:gram)?|twitter|tiktok|snap(?:chat)?|facebook|fb|handle|venmo|cash ?app|youtube|twitch|discord|gamertag|screen ?name",
            URL,
            0.7,
            value=r"[@$]?[A-Za-z_]+[0-9_.][A-Za-z0-9_.]*[A-Za-z0-9]|@[A-Za-z0-9_.]{3,}",
            column=False,
        ),
    )
