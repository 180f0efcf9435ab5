"""`deid evaluate`: measures findings against annotated text."""
