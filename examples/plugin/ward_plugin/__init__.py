"""An example of a plug-in: three small modules and their entry points in `pyproject.toml`."""
