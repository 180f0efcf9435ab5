"""The page of `deid review`: routes, sessions, and what each request must prove."""
