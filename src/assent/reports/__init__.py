"""The report: everything that is known of some annotations, as one object with several renderings."""

from __future__ import annotations

from assent.reports.building import make_report
from assent.reports.model import Report

__all__ = ["Report", "make_report"]
