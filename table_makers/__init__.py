"""Makes the tables of the packages from published sources; run by hand, never shipped or installed.

One file per table or family of tables. Each says in its first lines what it reads, and writes the
table into the package that uses it; the `SOURCE.md` beside the table has source, date and license.
"""

from pathlib import Path

PACKAGES = Path(__file__).parents[1]
