"""Decide which names of columns, tables, sheets, keys, files and folders are released.

A name is approved if it is in a published data model, or if it consists of usual words of headers
and of words of English and medicine that are not a person's name. Approved names are released.
Every other name is replaced by its kind and position: `column_7`, `table_2`, `file_3`.
"""

from deid.naming.vouching import is_vouched

__all__ = ["is_vouched"]
