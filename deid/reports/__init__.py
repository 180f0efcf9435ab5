"""Pages for a person: the evidence of a release, the side-by-side diff."""
