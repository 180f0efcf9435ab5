"""States by name, postal abbreviation and FIPS code (ANSI INCITS 38; US Census Bureau)."""

from __future__ import annotations

_STATE_LIST = (
    "AL 01 Alabama;AK 02 Alaska;AZ 04 Arizona;AR 05 Arkansas;CA 06 California;CO 08 Colorado;"
    "CT 09 Connecticut;DE 10 Delaware;DC 11 District of Columbia;FL 12 Florida;GA 13 Georgia;"
    "HI 15 Hawaii;ID 16 Idaho;IL 17 Illinois;IN 18 Indiana;IA 19 Iowa;KS 20 Kansas;"
    "KY 21 Kentucky;LA 22 Louisiana;ME 23 Maine;MD 24 Maryland;MA 25 Massachusetts;"
    "MI 26 Michigan;MN 27 Minnesota;MS 28 Mississippi;MO 29 Missouri;MT 30 Montana;"
    "NE 31 Nebraska;NV 32 Nevada;NH 33 New Hampshire;NJ 34 New Jersey;NM 35 New Mexico;"
    "NY 36 New York;NC 37 North Carolina;ND 38 North Dakota;OH 39 Ohio;OK 40 Oklahoma;"
    "OR 41 Oregon;PA 42 Pennsylvania;RI 44 Rhode Island;SC 45 South Carolina;"
    "SD 46 South Dakota;TN 47 Tennessee;TX 48 Texas;UT 49 Utah;VT 50 Vermont;VA 51 Virginia;"
    "WA 53 Washington;WV 54 West Virginia;WI 55 Wisconsin;WY 56 Wyoming;PR 72 Puerto Rico"
)
_STATE_ROWS = tuple(line.split(" ", 2) for line in _STATE_LIST.split(";"))
#: FIPS code to postal abbreviation.
FIPS = {fips: postal for postal, fips, _ in _STATE_ROWS}
#: Maps each lower-case name, abbreviation and FIPS code of a state to its postal abbreviation.
STATE_CODES = {
    key: postal
    for postal, fips, name in _STATE_ROWS
    for key in (postal.lower(), fips, str(int(fips)), name.lower())
}
#: Postal abbreviation to name.
STATE_NAMES = {postal: name for postal, _, name in _STATE_ROWS}
