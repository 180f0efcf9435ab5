"""What stands at the head of a found value and only says what sort of thing it is.

`hospice Cedar Arch`, `Addr 12 Elm St`: the word before the name is of the form or the sentence.
"""

from __future__ import annotations

import re
from dataclasses import replace

from recognizers.finding import Finding

# A small word before a capital one; what belongs to names in small letters stays.
SMALL = re.compile(
    r"(?!(?:the|an?|of|on|at|in|de|del|de la|la|las|el|los|le|les|du|van|von|al|our|st|ste|mt|ft|"
    r"masjid|colmado|bayou|mc|old)\b)[a-z]{2,}[a-z-]*[:,]? (?=[A-Z])"
)
FORM_LISTED = (
    "Vendor Transfer Transport Addr Address Notified Directed Called Carrier LOC Loc FTA DME PIP"
)
FORM = re.compile(rf"(?:{'|'.join(FORM_LISTED.split())})[:.,]? (?=[A-Z][\w'.&-]* [A-Z])")
ADDRESS = re.compile(
    r"(?:Addr(?:ess)?|ADDR(?:ESS)?|LOC|Loc|Lives|lives|Home|Resides|resides|"
    r"residence|house|row house)[:.]? (?=[A-Z0-9])"
)
HEADS = {"FACILITY": (SMALL, FORM), "EMPLOYER": (SMALL, FORM), "STREET_ADDRESS": (ADDRESS,)}


def headless(text: str, finding: Finding) -> Finding:
    """The finding without such words; as it is where nothing but them would go."""
    start = finding.start
    for form in HEADS.get(finding.entity, ()):
        match = form.match(text, start, finding.end)
        if match and finding.end - match.end() > 3:
            start = match.end()
    return finding if start == finding.start else replace(finding, start=start)
