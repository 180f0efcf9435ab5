"""The signed, hash-chained record of every use of a crosswalk."""
