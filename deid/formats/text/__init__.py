"""Plain text and YAML."""
