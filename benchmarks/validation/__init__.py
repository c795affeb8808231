"""What other packages say about the same tables: asking them, comparing, and explaining every difference."""
