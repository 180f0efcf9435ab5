"""The independent search of the output for known values; shares no code with `recognizers`."""
