"""Census counts with their source, and the number of people who match each record.

This folder imports from `risk.tables`.
"""
