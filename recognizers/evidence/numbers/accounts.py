# ruff: noqa: E501 -- a pattern reads best on one line
"""(J) Account numbers: visits, encounters, claims, guarantors, invoices, cards and bank accounts."""

from __future__ import annotations

import re

from recognizers.evidence.rules import Label, Pattern, Rules, luhn
from recognizers.text.shapes import CLOCK, three_digits

ACCOUNT = "ACCOUNT_NUMBER"
WORDS = (
    r"acc(?:oun)?ts?(?: (?:id|no|number|#))?|acct\.?|a/c no|csn|fin|har|hsp acct|hospital account|visit(?: (?:id|no|number|#|har))?|vst(?: ?#)?|"
    r"enc(?:ounter)?(?: (?:id|no|number|#|csn))?|contact serial(?: number)?|claims?(?: (?:id|no|number|#))?|wc claim|icn|dcn|"
    r"guarantor(?: (?:id|no|number|#|acct))?|guar(?: ?#)?|invoice(?: (?:id|no|number|#))?|statement (?:no|number|#)|bill(?: (?:no|number|#))|"
    r"billing (?:no|number|id|account)|patient account|routing(?: (?:no|number))?|checking|savings|iban|"
    r"visa|mastercard|amex|discover|credit card|debit card|card ending(?: in)?|bank acct|receipt(?: (?:no|#))?|payment ref|adm acct|admission (?:no|number|#)|"
    r"v#|a#|cheque(?: (?:no|number|#))?|check (?:no|number|#)|case acct|prior auth(?:orization)?(?: (?:no|number|#))?"
)


def card(value: str) -> float:
    return 0.3 if luhn("".join(c for c in value if c.isdigit())) else 0.0


def mod_97(value: str) -> float:
    """ISO 13616: the number moved behind its first four places leaves 1 of 97."""
    code = value.replace(" ", "")
    return 0.2 if int("".join(str(int(c, 36)) for c in code[4:] + code[:4])) % 97 == 1 else -0.2


def numbered(value: str) -> bool:
    """Three digits at least, and not from one hour to another: `Visit 0035-0150`."""
    if re.fullmatch(rf"{CLOCK} ?-+ ?{CLOCK}", value):
        return False
    return three_digits(value)


class Accounts(Rules):
    word = "accounts"
    patterns = (
        Pattern(
            "payment card",
            r"\b([3-6]\d{3}[ -]?\d{4}[ -]?\d{4}[ -]?\d{2,4})\b",
            ACCOUNT,
            0.45,
            before="0-9-",
            after="0-9-",
            check=card,
        ),
        Pattern(
            "iban",
            r"\b([A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?)\b",
            ACCOUNT,
            0.6,
            check=mod_97,
        ),
        Pattern(
            "card ending",
            r"(?i)\b(?:visa|mastercard|amex|discover|[a-z]*card)(?: card)? (?:ending|ends)(?: in)? (\d{4})\b",
            ACCOUNT,
            0.9,
        ),
        Pattern(
            "glued to its label", r"(?i)\b(?:csn|fin|acct|har|enc)[#:]?(\d{5,})\b", ACCOUNT, 0.9
        ),
        Pattern(
            "receipt of a payment",
            r"(?i)(?:\$ ?\d{1,4}(?:\.\d\d)?|\bpaid|\bcash|\bcopay|\bcheck)[^.;\n]{0,16}[ ,(]rec(?:eip)?t?\.?(?: (?:no\.?|number))? ?#? ?(\d{3,7})\b",
            ACCOUNT,
            0.92,
            after="0-9/:%.-",
        ),
        Pattern(
            "second of a pair",
            r"(?i)\b(?:claims?|accounts?|invoices?) [A-Z0-9-]*\d[A-Z0-9-]* (?:and|&|,|/) ([A-Z]{0,3}-?\d[A-Z0-9-]{3,})\b",
            ACCOUNT,
            0.7,
        ),
    )
    labels = (
        Label(
            "account",
            WORDS,
            ACCOUNT,
            0.9,
            glued=True,
            keep=numbered,
        ),
    )
