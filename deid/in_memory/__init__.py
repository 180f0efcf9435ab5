"""De-identify texts and data frames of a program, with an engine that is loaded once."""
