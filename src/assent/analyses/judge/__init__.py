"""A judge beside the people."""
