"""The de-identification rule, 45 CFR 164.514, as data. It uses only the standard library.

Check the residues that a policy leaves; the supported claim is computed from the table of the rule:

>>> from safe_harbor import Claim, Identifier, Residue, check_claim
>>> left = {word: {Residue.TAG} for word in Identifier}
>>> left[Identifier.DATES] = {Residue.YEAR, Residue.AGE, Residue.AGE_90_PLUS}
>>> check_claim(left, Claim.SAFE_HARBOR).supported
<Claim.SAFE_HARBOR: 'safe_harbor'>
>>> left[Identifier.DATES] = {Residue.SHIFTED_DATE}
>>> left[Identifier.MRNS] = {Residue.DERIVED_CODE}
>>> verdict = check_claim(left, Claim.SAFE_HARBOR)
>>> [(str(b.identifier), b.citation) for b in verdict.breaches]
[('dates', '45 CFR 164.514(b)(2)(i)(C)'), ('mrns', '45 CFR 164.514(c)(1)')]
>>> str(verdict.supported)
'limited_data_set'

Reduce ZIP codes, dates and ages to what may stay; the reference date is always an argument:

>>> from datetime import date
>>> from safe_harbor import cap_age, year_of, zip3
>>> reference = date(2026, 11, 21)
>>> zip3("5301").text, zip3("03608-0412").text, zip3("J1H 4C4").text
('053', '000', '')
>>> year_of("14-MAR-2023", reference), year_of("06/14/1936", reference, birth=True)
('2023', '90+')
>>> cap_age("89 y").text, cap_age("ninety-two").text, cap_age("5 mo").text
('89 y', '90+', '5 mo')
"""

from safe_harbor.age_limits import (
    NINETY_OR_OLDER,
    CappedAge,
    age_on,
    birth_year,
    cap_age,
    oldest_birth_year,
)
from safe_harbor.ages import LONGEST_LIFE, OLDEST_AGE, Age, AgeUnit, read_age
from safe_harbor.birth_bounds import AgeAt, BirthBound, Born, Fact, bound_birth, effective_reference
from safe_harbor.day_counts import may_be_counted_otherwise
from safe_harbor.event_ages import LifeEvent, life_events
from safe_harbor.identifiers import Identifier
from safe_harbor.locked import TableError, check_files, csv_rows, read_hashes
from safe_harbor.partial_dates import PartialDate
from safe_harbor.residues import Residue
from safe_harbor.rules import (
    Claim,
    Permission,
    permission,
    permissions,
    permitted,
    refusal,
    rules_sha256,
)
from safe_harbor.states import NAMES_BY_STATE, is_state
from safe_harbor.verdict import BY_HAND, Breach, State, Verdict, check_claim
from safe_harbor.years import read_date, year_of
from safe_harbor.zips import (
    CENSUSES,
    RESTRICTED,
    Census,
    Zip3,
    Zip3Table,
    ZipReason,
    zip3,
    zip3_table,
)

__all__ = [
    "BY_HAND",
    "CENSUSES",
    "LONGEST_LIFE",
    "NAMES_BY_STATE",
    "NINETY_OR_OLDER",
    "OLDEST_AGE",
    "RESTRICTED",
    "Age",
    "AgeAt",
    "AgeUnit",
    "BirthBound",
    "Born",
    "Breach",
    "CappedAge",
    "Census",
    "Claim",
    "Fact",
    "Identifier",
    "LifeEvent",
    "PartialDate",
    "Permission",
    "Residue",
    "State",
    "TableError",
    "Verdict",
    "Zip3",
    "Zip3Table",
    "ZipReason",
    "age_on",
    "birth_year",
    "bound_birth",
    "cap_age",
    "check_claim",
    "check_files",
    "csv_rows",
    "effective_reference",
    "is_state",
    "life_events",
    "may_be_counted_otherwise",
    "oldest_birth_year",
    "permission",
    "permissions",
    "permitted",
    "read_age",
    "read_date",
    "read_hashes",
    "refusal",
    "rules_sha256",
    "year_of",
    "zip3",
    "zip3_table",
]
