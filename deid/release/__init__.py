"""Make a release from finished files: manifest and verdict; check a release on disk."""
