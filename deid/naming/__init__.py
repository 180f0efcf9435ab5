"""Decide which names of columns, tables, sheets, keys, files and folders are released.

A name is released if something vouches for it: a published data model, the usual words of headers,
or words of English and medicine that are not a person's name. Every other name is replaced by
its kind and position: `column_7`, `table_2`, `file_3`.
"""

from deid.naming.vouching import is_vouched

__all__ = ["is_vouched"]
