"""The text flow: documents in, findings, revised text out."""
