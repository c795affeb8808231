"""What stands on the page of a report: blocks in sections, which a template turns into HTML."""
