"""Decide whether a text may be released unchanged, because its words identify no person.

`judge_words` answers for a text and a `Use` (what kind of text it is), with the reason;
`names_nobody` answers without it. `uses.py` lists the uses side by side.
"""

from deid.vocabularies.wording.judging import Use, judge_words, names_nobody
from deid.vocabularies.wording.uses import (
    CODED,
    DESCRIPTION,
    KEY_PATH,
    LOCAL_CODE,
    NAME,
    NAME_OF_FILE,
    PAYER,
    TERM,
    WORDED_KEY,
)

__all__ = [
    "CODED",
    "DESCRIPTION",
    "KEY_PATH",
    "LOCAL_CODE",
    "NAME",
    "NAME_OF_FILE",
    "PAYER",
    "TERM",
    "WORDED_KEY",
    "Use",
    "judge_words",
    "names_nobody",
]
