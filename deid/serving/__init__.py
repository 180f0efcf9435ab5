"""Presidio-compatible HTTP: gateways that speak to Presidio can speak to this."""
