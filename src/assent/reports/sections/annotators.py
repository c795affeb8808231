"""The annotators: who agrees with whom, who leans, who stands out."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from assent.analyses.annotators import AnnotatorReport
from assent.analyses.annotators import document as parts
from assent.analyses.annotators.pairs import PairMap
from assent.documents import Document, Result
from assent.documents.blocks import Block, Figure, Fold, Heading, Section, notes
from assent.limits import ANNOTATORS_LISTED
from assent.records import plain
from assent.reports.charts import annotators as charts
from assent.reports.charts.heat import FADED, faded
from assent.reports.context import ReportContext

__all__ = ["AnnotatorsSection", "annotators_section"]


class AnnotatorsSection(Result, frozen=True, kw_only=True, eq=False):
    """The section on annotators.

    Parameters
    ----------
    pairs : PairMap or None
        Every two annotators.
    """

    team: AnnotatorReport
    pairs: PairMap | None

    def to_dict(self) -> dict[str, Any]:
        """Return what is known of each annotator, the worst first."""
        team, whole = self.team, self.team.without.agreement
        return {
            "rows": list(team.rows(ANNOTATORS_LISTED)),
            "total": len(team),
            "flagged": team.n_flagged,
            "judged": team.n_judged,
            "measure": whole.measure,
            "title": whole.title,
            "value": plain(whole.value),
            "pairs": plain(self.pairs),
            "schools": team.clusters_to_dict(),
            "settings": team.settings,
            "notes": list(team.notes),
        }

    def document(self) -> Document:
        """Return the section."""
        team = self.team
        section = Section(
            name="annotators",
            title="Annotators",
            takeaway=parts.verdict(team),
            blocks=[
                *parts.flag_cards(team),
                *parts.groups(team),
                Figure(
                    "annotators",
                    partial(charts.agreement, team),
                    "Chart of each annotator's agreement with the others; the table below has the numbers.",
                    charts.how_to_read(team),
                    find=charts.their_items(team) if len(team) > 2 else {},
                ),
                parts.table(team, ANNOTATORS_LISTED),
                *self._every_two(),
                *notes([parts.flagged_at(team)], team.notes),
            ],
        )
        return Document(title="Annotators", blocks=[section])

    def _every_two(self) -> list[Block]:
        if self.pairs is None or not self.team.pairs:
            return []
        listed = parts.every_pair(self.team.pairs)
        if not charts.drawn(self.pairs):
            return [Heading("Every two annotators"), listed]
        left_out = self.pairs.n_left_out
        some = f" The {len(self.pairs.annotators):,} with the most items in common; {left_out:,} more are left out."
        return [
            Heading("Every two annotators"),
            Figure(
                "annotator-pairs",
                partial(charts.pairs, self.pairs),
                "Heat map of the agreement of every two annotators; the table that follows has the numbers.",
                "Cohen's kappa of every two annotators. Those who agree with the same others stand side by side; – means no items in "
                f"common or no value.{some if left_out else ''}{f' {FADED}' if self._faded() else ''}",
                twice=False,
                find=charts.items_of_pairs(self.pairs),
            ),
            Fold("Pairs as a table", [listed]),
        ]

    def _faded(self) -> bool:
        if self.pairs is None:
            return False
        items = self.pairs.items
        return faded(items[np.tril_indices(len(items), -1)].tolist())


def annotators_section(context: ReportContext) -> AnnotatorsSection | None:
    """Return what is known of each annotator; None if nobody can be compared."""
    team = context.team
    return None if team is None else AnnotatorsSection(team=team, pairs=team.pair_map())
