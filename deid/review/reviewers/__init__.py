"""The reviewers: what each is given, how fast they read, how far they agree."""
