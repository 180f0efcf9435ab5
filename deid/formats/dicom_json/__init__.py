"""DICOM data sets as JSON (the model of DICOMweb)."""
