"""The report: everything that is known of some annotations, as one object with several renderings."""

from __future__ import annotations

from assent.report.building import make_report
from assent.report.model import Report

__all__ = ["Report", "make_report"]
