"""The sections of a report: each function here takes the ground and gives plain values."""
