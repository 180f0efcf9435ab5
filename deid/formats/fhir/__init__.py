"""FHIR R4 resources in JSON."""
