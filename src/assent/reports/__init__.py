"""The report: everything that is known of some annotations, as one object with several renderings."""

from __future__ import annotations

from assent.reports.building import report
from assent.reports.kinds import SectionMaker, register_report
from assent.reports.model import Report

__all__ = ["Report", "SectionMaker", "register_report", "report"]
