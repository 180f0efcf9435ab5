"""The independent search of the output for known values. It shares no code with `recognizers`."""
