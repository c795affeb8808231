"""One test file per paper: the numbers it prints, against assent and against the slow references."""
