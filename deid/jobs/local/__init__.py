"""One file through the flow, in a pool of worker processes on this machine."""
