"""Master keys and the keys they wrap; the one door to `cryptography`."""
