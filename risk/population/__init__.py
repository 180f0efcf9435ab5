"""Populations: census counts with their source, and the people that each record could be."""
