"""The reviewers: which notes each one reads, how fast they read, and how far they agree."""
