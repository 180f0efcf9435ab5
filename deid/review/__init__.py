"""`deid review`: a person reads a random sample of a release; the marks give a bound on leaks."""
