"""NCPDP Telecommunication D.0: pharmacy claims and their responses."""
