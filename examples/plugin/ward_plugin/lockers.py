"""A recognizer of Presidio: the lockers of this ward, which are assigned to one patient each."""

from presidio_analyzer import Pattern, PatternRecognizer


def make_recognizer() -> PatternRecognizer:
    """Called once per process; may return a list."""
    pattern = Pattern("locker", r"\blocker [A-Z]\d{1,2}\b", 0.9)
    return PatternRecognizer("LOCKER", name="lockers", patterns=[pattern])
