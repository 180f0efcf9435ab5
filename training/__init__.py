"""How the model of `recognizers` was trained. Never part of installation or of a run."""
