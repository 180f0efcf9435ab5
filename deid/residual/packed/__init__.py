"""The forms of all patients, in arrays of hashes."""
