"""From documents to findings to revised text."""
