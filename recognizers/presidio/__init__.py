"""The interface to Presidio and spaCy, in both directions.

This folder imports from `known` and `words`. Neither package may use the network
(docs/decisions/0039-no-network.md).
"""

from __future__ import annotations

import sys


def import_urllib3() -> None:
    """Import urllib3, where it is installed, without the socket that it opens to look for IPv6.

    spaCy and Presidio import it. Afterward, IPv6 counts as available wherever Python supports it,
    so a program that uses urllib3 itself can reach the same hosts as before.
    """
    if "urllib3" in sys.modules:
        return
    import socket

    available = socket.has_ipv6
    socket.has_ipv6 = False
    try:
        from urllib3.util import connection
    except ImportError:
        return
    finally:
        socket.has_ipv6 = available
    connection.HAS_IPV6 = available
