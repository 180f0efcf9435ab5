"""Known dates, and the ages over 89 that known births give."""
