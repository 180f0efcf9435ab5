"""What stands at the head of a found value and only says what sort of thing it is.

`hospice Cedar Arch`, `Addr 12 Elm St`: the word before the name is of the form or the sentence.
"""

from __future__ import annotations

import re
from dataclasses import replace

from recognizers.finding import Finding

# Words that say what sort of thing it is and are no part of its name. Others may be: of
# `walmart Supercenter`, `san Mateo Medical`, `dollar General` the small word is what tells.
SORTS_LISTED = (
    "hospice hospital clinic pharmacy lab laboratory facility agency shelter school church ward "
    "base boat ship deck store shop plant vendor carrier transport dme pip loc addr address "
    "from frm at by via with for and or per nearest outreach fallback alternate alt "
    "ride yrs aunt uncle mother father brother sister hermana hermano pipefitter welder"
)
SMALL = re.compile(rf"(?:{'|'.join(SORTS_LISTED.split())})[:,]? (?=[A-Z])")
FORM_LISTED = "Vendor Transfer Transport Addr Address Notified Directed Called LOC Loc FTA DME PIP"
FORM = re.compile(rf"(?:{'|'.join(FORM_LISTED.split())})[:.,]? (?=[A-Z][\w'.&-]* [A-Z])")
# `Home Avenue` is a street: before a name such a word goes only with its colon.
ADDRESS = re.compile(
    r"(?:Addr(?:ess)?|ADDR(?:ESS)?|LOC|Loc|lives|resides)[:.]? (?=[A-Z0-9])|"
    r"(?:Lives|Home|Resides|residence|house|row house)(?:[:.]? (?=\d)|: (?=[A-Z]))"
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
