"""What does a release cost the researcher? Analyses before and after, side by side."""
