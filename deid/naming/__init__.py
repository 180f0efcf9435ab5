"""Decide which names of columns, tables, sheets, keys, files and folders are released.

A name is released if it identifies no person (`deid.vocabularies.wording` decides). Every other
name is replaced by its kind and position: `column_7`, `table_2`, `file_3`.
"""
