"""HL7 v2 messages."""
