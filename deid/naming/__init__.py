"""Names of things: columns, tables, sheets, keys, files and folders.

A name leaves if something vouches for it: a published model, the words that headers are made of,
the words of English and of the clinic that are nobody's name. Every other name is replaced by what
the thing is and where it stands: `column_7`, `table_2`, `file_3`.
"""

from deid.naming.vouching import is_vouched

__all__ = ["is_vouched"]
