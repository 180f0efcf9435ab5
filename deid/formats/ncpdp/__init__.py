"""NCPDP Telecommunication D.0: claims of pharmacies and their responses."""
