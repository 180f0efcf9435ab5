"""Documents: word processor files, HTML pages and e-mail."""
