"""The utility of a release for a researcher: the results of analyses before and after."""
