"""The forms of all patients, stored in arrays of hashes."""
