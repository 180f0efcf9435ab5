"""The web page of `deid review`: routes, sessions and request checks."""
