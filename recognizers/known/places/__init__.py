"""Known addresses, organizations and ZIP codes."""
