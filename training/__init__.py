"""Trains the model of `recognizers`. Neither installation nor a run uses it."""
