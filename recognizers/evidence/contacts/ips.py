"""(O) Network addresses: IPv4, IPv6, MAC. A version or an outline number is not an address."""

from __future__ import annotations

import ipaddress

from recognizers.evidence.context import Context
from recognizers.evidence.rules import Pattern, Rules

IP, MAC = "IP_ADDRESS", "MAC_ADDRESS"


def routable(value: str) -> float:
    try:
        ipaddress.ip_address(value.split("%")[0].split("/")[0])
    except ValueError:
        return -0.4
    return 0.1


class Ips(Rules):
    word = "ips"
    around = Context(
        left=r"\bip\b|addr|host|server|gateway|workstation|\bws\b|endpoint|node|vpn|login|from",
        not_left=r"(?:version|ver\.?|v\.?|firmware|fw|sw|software|section|oid|release|rev\.?) ?",
    )
    patterns = (
        Pattern(
            "ipv4",
            r"(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})",
            IP,
            0.75,
            before="0-9.A-Za-z",
            after="0-9",
            check=routable,
        ),
        Pattern(
            "ipv4, spaced",
            r"(\d{1,3} ?\. ?\d{1,3} ?\. ?\d{1,3} ?\. ?\d{1,3})\b",
            IP,
            0.3,
            before="0-9.",
            after="0-9.",
        ),
        Pattern(
            "mac",
            r"\b((?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2})\b",
            MAC,
            0.97,
            before=":-",
            after=":-",
        ),
        Pattern("mac, dotted", r"\b([0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4})\b", MAC, 0.85),
        Pattern(
            "ipv6",
            r"((?:[0-9A-Fa-f]{1,4}:){2,7}(?::?[0-9A-Fa-f]{1,4})+(?:%[A-Za-z0-9]+)?)",
            IP,
            0.75,
            before="0-9A-Za-z:",
            after="0-9A-Za-z:",
            check=routable,
        ),
        Pattern(
            "ipv6, shortened",
            r"((?:[0-9A-Fa-f]{1,4}:)+(?::[0-9A-Fa-f]{1,4})+)",
            IP,
            0.85,
            before="0-9A-Za-z:",
            after="0-9A-Za-z:",
            check=routable,
        ),
        Pattern(
            "mac after its label",
            r"(?i)\b(?:mac|bluetooth|bt)(?: address| addr)?[ :=#]*([0-9a-f]{12})\b",
            MAC,
            0.9,
        ),
    )
