"""XML records of clinical systems: openEHR, NCPDP SCRIPT, CDISC ODM, XDS, ITK, HL7 v2 and v3."""
