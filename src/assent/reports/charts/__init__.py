"""The charts of a report: functions of what is known and a width."""
