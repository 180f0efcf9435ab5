"""Risk and exposure results as self-contained HTML pages and PDF."""
