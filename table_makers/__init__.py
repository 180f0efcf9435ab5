"""Scripts that make the packages' tables from published sources; run by hand, not installed.

Each script makes one table or a family of tables. Its first lines say what it reads, and it writes
into the package that uses the table; the `SOURCE.md` beside the table has source, date and license.
"""

from pathlib import Path

PACKAGES = Path(__file__).parents[1]
