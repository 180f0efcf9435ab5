"""Reads `fhirPathRules` configurations of Microsoft's Tools for Health Data Anonymization."""
