"""Tables of the types, paths, codes and extensions of the FHIR R4 and R5 standards."""
