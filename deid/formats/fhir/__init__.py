"""FHIR R4 and R5 resources in JSON and XML."""
