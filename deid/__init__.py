"""Takes the identity out, proves it, releases it."""
