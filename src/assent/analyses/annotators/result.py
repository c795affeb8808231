"""Everything that is known of each annotator, the worst first: for people, for programs, as a table."""

from __future__ import annotations

import json
import math
import secrets
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from assent.analyses.annotators import document
from assent.analyses.annotators.agreement import WithConsensus, WithOthers
from assent.analyses.annotators.annotator_clusters import AnnotatorClusters
from assent.analyses.annotators.flag_reasons import Swap
from assent.analyses.annotators.flags import Flags
from assent.analyses.annotators.label_bias import LabelBias
from assent.analyses.annotators.leave_one_out import Without
from assent.analyses.annotators.pairs import PairMap, pair_map
from assent.analyses.annotators.relative_agreement import RelativeAgreement
from assent.analyses.annotators.repeats import SelfConsistency
from assent.analyses.annotators.severity import Severity
from assent.analyses.annotators.table import rounded
from assent.analyses.annotators.trend import Trend
from assent.analyses.annotators.wording import Case, leans_where, reason, two_readings
from assent.analyses.findings.finding import with_step
from assent.data import Annotations
from assent.documents import Document, Result
from assent.documents.blocks import Prose, notes
from assent.limits import ANNOTATORS_LISTED, CROWD, LABELS_OF_AN_ANNOTATOR, LABELS_OF_ONE_IN_A_CROWD
from assent.measures.results import PairAgreement
from assent.profiles import Array
from assent.records import cached_property, plain
from assent.text import counted

__all__ = ["AnnotatorReport"]


class AnnotatorReport(Result, frozen=True, kw_only=True, eq=False, dict=True):
    """What is known of each annotator of a team; made by `assent.annotators`.

    Parameters
    ----------
    data : Annotations
        What was looked at.
    annotators : tuple of str
        Names, in the order of the data; arrays below have one entry for each.
    order : array (annotators,)
        Positions, the worst first: those flagged, then by how far they are below the others, then those not judged.
    flagged, judged : array (annotators,) of bool
    kinds : mapping of int to str
        What kind of trouble each flagged annotator is.
    pairs : tuple of PairAgreement or None
        Every two annotators; None for a team too large for that.
    clusters : AnnotatorClusters or None
        Groups who read alike, if there are several.
    severity : Severity or None
        Who rates higher or lower than the others, on a scale.
    level, fdr, margin, least, otherwise, seed
        As they were given to `assent.annotators`.
    notes : tuple of str
        What a reader must know.
    """

    data: Annotations
    annotators: tuple[str, ...]
    labels: tuple[str, ...]
    order: Array
    given: Array
    shared: Array
    partners: Array
    agreement: WithOthers
    consensus: WithConsensus
    relative: RelativeAgreement
    label_bias: LabelBias
    leans: Array
    lean_corrected: Array
    without: Without
    flags: Flags
    kinds: Mapping[int, str]
    swaps: Mapping[int, Swap | None]
    pairs: tuple[PairAgreement, ...] | None
    clusters: AnnotatorClusters | None
    consistency: SelfConsistency | None
    trend: Trend | None
    trend_corrected: Array | None
    severity: Severity | None
    level: float
    fdr: float
    margin: float
    least: int
    otherwise: float
    seed: int
    notes: tuple[str, ...]

    @property
    def flagged(self) -> Array:
        """True for annotators who are flagged: (annotators,)."""
        return self.flags.flagged

    @property
    def judged(self) -> Array:
        """True for annotators with enough to judge by: (annotators,)."""
        return self.flags.judged

    @property
    def unsure(self) -> Array:
        """True for annotators of whom it cannot be told yet whether they differ: (annotators,)."""
        return self.flags.unsure

    @property
    def n_flagged(self) -> int:
        """How many are flagged."""
        return int(np.count_nonzero(self.flagged))

    @property
    def n_judged(self) -> int:
        """How many have enough to judge by."""
        return int(np.count_nonzero(self.judged))

    @property
    def settings(self) -> dict[str, float]:
        """How they were judged."""
        return {name: getattr(self, name) for name in ("level", "fdr", "margin", "least", "otherwise", "seed")}

    def __len__(self) -> int:
        """Return the number of annotators."""
        return len(self.annotators)

    def rows(self, limit: int | None = None) -> Iterator[dict[str, Any]]:
        """Yield what is known of each annotator as plain values, the worst first.

        Parameters
        ----------
        limit : int, optional
            At most so many.
        """
        for one in self.order[:limit].tolist():
            yield self._row(one)

    @cached_property
    def _plain(self) -> dict[str, list[Any]]:
        """What is known of every annotator, by name, as numbers that JSON can hold: lists are quicker to look up than arrays."""
        agreement, consensus, stand, flag = self.agreement, self.consensus, self.relative, self.flags
        found: dict[str, Array] = {
            "annotations": self.given,
            "items": self.shared,
            "partners": self.partners,
            "flagged": flag.flagged,
            "judged": flag.judged,
            "without": self.without.values,
            "without_difference": self.without.values - self.without.agreement.value,
            "p_corrected": flag.corrected,
            "unsure": flag.unsure,
        }
        parts: tuple[tuple[str, Any, tuple[str, ...]], ...] = (
            ("agreement", agreement, ("observed", "observed_low", "observed_high", "expected")),
            ("coefficient", agreement, ("value", "low", "high", "standard_error")),
            ("others", stand, ("items", "others", "difference", "p_value")),
            ("consensus", consensus, ("agreement", "low", "high", "items", "ties")),
        )
        for part, source, names in parts:
            found |= {f"{part}_{name}": getattr(source, name) for name in names}
        if self.trend is not None and self.trend_corrected is not None:
            names = ("items", "correlation", "first_half", "second_half", "p_value")
            found |= {f"trend_{name}": getattr(self.trend, name) for name in names}
            found["trend_corrected"] = self.trend_corrected
        uses = self.label_bias
        of_uses = {"use_times": uses.times, "use_share": uses.share, "use_others": uses.others, "use_p": uses.p_value}
        # Uses that differ by a hair from the others' are alike, whatever order sums were taken in.
        of_uses["use_apart"] = rounded(np.abs(uses.share - uses.others))
        found |= of_uses | {"use_corrected": self.lean_corrected, "use_leans": self.leans, "use_label": uses.label}
        return {name: _listed(values) for name, values in found.items()}

    def _row(self, one: int) -> dict[str, Any]:
        known = self._plain
        uses = self.label_bias.of(one)
        return {
            "annotator": self.annotators[one],
            "flagged": known["flagged"][one],
            "kind": self.kinds.get(one),
            "reason": self.reason(one),
            "judged": known["judged"][one],
            "unsure": known["unsure"][one],
            "annotations": known["annotations"][one],
            "items": known["items"][one],
            "partners": known["partners"][one],
            "agreement": {
                "value": known["agreement_observed"][one],
                "low": known["agreement_observed_low"][one],
                "high": known["agreement_observed_high"][one],
                "expected": known["agreement_expected"][one],
            },
            "coefficient": {
                "value": known["coefficient_value"][one],
                "low": known["coefficient_low"][one],
                "high": known["coefficient_high"][one],
                "standard_error": known["coefficient_standard_error"][one],
            },
            "others": {
                "items": known["others_items"][one],
                "agreement": known["others_others"][one],
                "difference": known["others_difference"][one],
                "p_value": known["others_p_value"][one],
                "p_corrected": known["p_corrected"][one],
            },
            "without": {"value": known["without"][one], "difference": known["without_difference"][one]},
            "consensus": {
                name: known[f"consensus_{name}"][one] for name in ("agreement", "low", "high", "items", "ties")
            },
            "leans": [
                self.labels[known["use_label"][i]] for i in range(uses.start, uses.stop) if known["use_leans"][i]
            ],
            "labels": self._labels(uses),
            "labels_left_out": max(0, uses.stop - uses.start - self._most_labels),
            "consistency": self._consistency(one),
            "trend": self._trend(one),
            "school": None if self.clusters is None else self.clusters.group_of(one),
            "notes": self._notes(one),
            "shift": None if self.severity is None else self.severity.of(one),
        }

    @property
    def _most_labels(self) -> int:
        """How many labels of an annotator are listed."""
        return LABELS_OF_AN_ANNOTATOR if len(self) <= CROWD else LABELS_OF_ONE_IN_A_CROWD

    def _labels(self, uses: slice) -> list[dict[str, Any]]:
        """List the labels whose use differs most from the others'."""
        known = self._plain
        share, others = known["use_share"], known["use_others"]
        order = sorted(range(uses.start, uses.stop), key=lambda i: -known["use_apart"][i])
        return [
            {
                "label": self.labels[known["use_label"][i]],
                "times": known["use_times"][i],
                "share": share[i],
                "others": others[i],
                "difference": share[i] - others[i],
                "p_value": known["use_p"][i],
                "p_corrected": known["use_corrected"][i],
                "leans": known["use_leans"][i],
            }
            for i in order[: self._most_labels]
        ]

    @cached_property
    def _seen_again(self) -> dict[str, int]:
        """Where annotators stand among those who saw items again."""
        return {} if self.consistency is None else {name: i for i, name in enumerate(self.consistency.annotators)}

    def agreement_with_self(self, one: int) -> float | None:
        """Return how far the annotator at a position agrees with themselves; None for one who saw nothing again."""
        found, place = self.consistency, self._seen_again.get(self.annotators[one])
        return None if found is None or place is None else float(found.observed[place])

    def _consistency(self, one: int) -> dict[str, Any] | None:
        found, place = self.consistency, self._seen_again.get(self.annotators[one])
        if found is None or place is None:
            return None
        numbers = {"agreement": found.observed, "low": found.low, "high": found.high, "coefficient": found.value}
        return {"items": int(found.items[place]), **{name: plain(float(part[place])) for name, part in numbers.items()}}

    def _trend(self, one: int) -> dict[str, Any] | None:
        if self.trend is None:
            return None
        known = self._plain
        corrected, correlation = known["trend_corrected"][one], known["trend_correlation"][one]
        changes = corrected is not None and corrected <= self.fdr
        return {
            **{
                name: known[f"trend_{name}"][one]
                for name in ("items", "correlation", "first_half", "second_half", "p_value")
            },
            "p_corrected": corrected,
            "direction": ("falls" if correlation < 0 else "rises") if changes else None,
        }

    def _notes(self, one: int) -> list[str]:
        """Say what is undefined for an annotator, and why."""
        notes = []
        items, judged = int(self.shared[one]), int(self.relative.items[one])
        if not items:
            return ["Shares no item with anybody: there is nothing to compare."]
        if judged < self.least:
            notes.append(self._why_not_judged(items, judged))
        if int(self.agreement.units[one]) == 1:
            notes.append(
                f"No interval: one {'shared item' if items == 1 else 'cluster'} does not show how much agreement varies."
            )
        if math.isnan(self.agreement.value[one]):
            notes.append(
                "The chance-corrected agreement is undefined: the annotator and the others gave these items one and the same label."
            )
        if math.isnan(self.without.values[one]):
            notes.append("Without this annotator the coefficient is undefined: too little is left to compare.")
        return notes

    def _why_not_judged(self, items: int, judged: int) -> str:
        least = self.least
        if len(self.annotators) == 2:
            return "Not judged by agreement: of two annotators who disagree, nothing says which one is right."
        if items < least:
            return f"Not judged by agreement: {counted(items, 'shared item')}, fewer than {least}."
        return (
            f"Not judged by agreement: of {items:,} shared items {judged:,} say who is to blame, fewer than {least}; the others have two annotations, "
            "and the partner has too few elsewhere."
        )

    def reason(self, one: int) -> str | None:
        """Say why the annotator at a position is flagged, and what to do first; None for one who is not."""
        why = self.observation(one)
        return None if why is None else with_step(*why)

    def observation(self, one: int) -> tuple[str, str] | None:
        """Say why the annotator at a position is flagged and, apart from that, what to do first; None for one who is not."""
        if not self.flags.flagged[one]:
            return None
        uses = self.label_bias.of(one)
        most = uses.start + int(np.argmax(self.label_bias.share[uses]))
        group = None if self.clusters is None else self.clusters.group_of(one)
        case = Case(
            kind=self.kinds[one],
            annotator=self.annotators[one],
            n_items=int(self.shared[one]),
            own=float(self.agreement.observed[one]),
            expected=float(self.agreement.expected[one]),
            others=float(self.relative.others[one]),
            by_partner=bool(2 * self.relative.by_partner[one] > self.relative.items[one]),
            label=self.labels[int(self.label_bias.label[most])],
            share=float(self.label_bias.share[most]),
            others_share=float(self.label_bias.others[most]),
            swap=self.swaps.get(one),
            labels=self.labels,
            group=None
            if self.clusters is None or group is None
            else (len(self.clusters.groups[group]), self.clusters.within[group]),
            corrected=float(self.flags.corrected[one]),
            leaning=self.leaning(one),
        )
        return reason(case)

    def leaning(self, one: int) -> str:
        """Say where the annotator at a position leans; empty for one who does not."""
        return leans_where(self.leaning_uses(one))

    def leaning_uses(self, one: int) -> list[tuple[str, float, float]]:
        """Return the labels to which the annotator at a position leans, with their share and that of the others, farthest apart first."""
        uses = self.label_bias.of(one)
        found = uses.start + np.flatnonzero(self.leans[uses])
        share, others = self.label_bias.share[found], self.label_bias.others[found]
        order = np.argsort(-rounded(np.abs(share - others)), kind="stable").tolist()
        labels = [self.labels[int(self.label_bias.label[found[i]])] for i in order]
        return list(zip(labels, share[order].tolist(), others[order].tolist(), strict=True))

    def clusters_sentence(self) -> str | None:
        """Say which groups read differently; None if all read alike."""
        return None if self.clusters is None else two_readings(self.clusters, self.annotators, self.labels)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, in the shape the command line prints as JSON."""
        return self._content(list(self.rows()))

    def _content(self, rows: list[dict[str, Any]] | str) -> dict[str, Any]:
        """Return everything as plain values, with the annotators or what stands in their place."""
        whole = self.without.agreement
        team = {
            "measure": whole.measure,
            "title": whole.title,
            "value": whole.value,
            "observed": whole.observed,
            "expected": whole.expected,
            "options": dict(whole.options),
            "annotators": len(self),
            "judged": self.n_judged,
            "not_judged": len(self) - self.n_judged,
            "flagged": self.n_flagged,
            "leaning": len(np.unique(self.label_bias.annotator[self.leans])),
        }
        return {
            "data": self.data.to_dict(),
            "team": plain(team),
            "settings": self.settings,
            "annotators": rows,
            "pairs": None if self.pairs is None else [pair.to_dict() for pair in self.pairs],
            "schools": self.clusters_to_dict(),
            "notes": list(self.notes),
        }

    def json(self) -> str:
        """Return the result as JSON; a crowd has one annotator a line: indented, it would take longer to print than to judge."""
        if len(self) <= CROWD:
            return super().json()
        place, encode = secrets.token_hex(16), json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
        rows = ",\n    ".join(map(encode, self.rows()))
        text = json.dumps(self._content(place), ensure_ascii=False, allow_nan=False, indent=2)
        return text.replace(f'"{place}"', f"[\n    {rows}\n  ]") + "\n"

    def document(self, *, rows: int = ANNOTATORS_LISTED) -> Document:
        """Return what a person reads.

        Parameters
        ----------
        rows : int
            At most so many annotators are in the table.
        """
        return Document(
            title="Annotators",
            summary=self.data.describe(),
            blocks=[
                Prose([f"{document.verdict(self)} {document.of_all(self)}"], strong=True),
                document.table(self, rows),
                *document.flag_cards(self),
                *document.groups(self),
                *document.trends(self),
                *document.every_two(self),
                *notes(self.data._reading_notes(), [document.flagged_at(self)], self.notes),
            ],
        )

    def pair_map(self) -> PairMap | None:
        """Arrange every two annotators for a map; None if they are too many, or share nothing."""
        return pair_map(self.annotators, self.shared, self.pairs) if self.pairs else None

    def clusters_to_dict(self) -> dict[str, Any] | None:
        """Return the groups who read differently as plain values."""
        found = self.clusters
        if found is None:
            return None
        differ = None
        if found.differ is not None:
            first, second, share = found.differ
            differ = {"first": self.labels[first], "second": self.labels[second], "share": share}
        content = {
            "groups": [[self.annotators[i] for i in group] for group in found.groups],
            "within": found.within,
            "between": found.between,
            "p_value": found.p_value,
            "differ": differ,
            "sentence": self.clusters_sentence(),
        }
        return {name: plain(value) for name, value in content.items()}

    def columns(self) -> dict[str, list[Any]]:
        """Return a flat table, one row an annotator, the worst first, as columns by name."""
        columns: dict[str, list[Any]] = {}
        for row in self.rows():
            for name, value in _flat(row).items():
                columns.setdefault(name, []).append(value)
        return columns


def _listed(values: Array) -> list[Any]:
    """Return an array as a list of plain values, None for NaN."""
    if values.dtype.kind != "f":
        return list(values.tolist())
    found = values.astype(object)
    found[np.isnan(values)] = None
    return list(found.tolist())


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a table holds of an annotator: numbers and texts, no lists."""
    simple = ("annotator", "flagged", "kind", "reason", "judged", "annotations", "items", "partners")
    first = row["labels"][0] if row["labels"] else {}
    consistency, trend = row["consistency"] or {}, row["trend"] or {}
    return {
        **{name: row[name] for name in simple},
        **{f"agreement_{name}": value for name, value in row["agreement"].items()},
        **{f"coefficient_{name}": value for name, value in row["coefficient"].items()},
        **{f"others_{name}": value for name, value in row["others"].items()},
        **{f"without_{name}": value for name, value in row["without"].items()},
        **{f"consensus_{name}": value for name, value in row["consensus"].items()},
        "leans": ", ".join(row["leans"]) or None,
        **{f"label_{name}": first.get(name) for name in ("label", "share", "others", "p_corrected")},
        **{
            f"consistency_{name}": consistency.get(name)
            for name in ("items", "agreement", "low", "high", "coefficient")
        },
        **{f"trend_{name}": trend.get(name) for name in ("correlation", "p_corrected", "direction")},
        "school": row["school"],
        "notes": " ".join(row["notes"]) or None,
    }
