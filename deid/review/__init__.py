"""A person reads a fair sample of a release; what they mark becomes a bound on what still leaks."""
