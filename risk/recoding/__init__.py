"""Recoding methods: full-domain, local, Mondrian, cell suppression, k^m code sets."""
