"""From finished files to a release: manifest, verdict, and the check of a release on disk."""
