"""Master keys and the keys they wrap. Only `vault` imports `cryptography`."""
