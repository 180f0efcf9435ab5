"""HTML pages for people: the evidence of a release and the side-by-side diff."""
