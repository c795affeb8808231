"""Every way to a consensus: a small function in a file, found and not listed."""
