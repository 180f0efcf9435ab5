"""The parts of the finder that can be switched off, and what switching them off costs."""
