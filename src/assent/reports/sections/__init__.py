"""The sections of a report: each function takes the context and returns a result, or None where the section does not apply."""
