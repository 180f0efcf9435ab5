"""Plans of a release: find, save and repeat one, compare it with other policies."""
