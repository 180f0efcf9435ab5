"""The tables behind the built-in hierarchies; SOURCE.md says where each comes from."""
