"""What the FHIR R4 standard says of types, paths, codes and extensions, as tables."""
