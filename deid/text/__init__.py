"""The text flow: find the identifiers of documents and revise their text."""
