"""`deid evaluate`: findings measured against annotated text."""
