"""How spans are prepared for a measure: sums over documents, or over blocks of the only one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assent.data.span_sums import DocumentSums, blocks
from assent.errors import NothingToCompare
from assent.measures._preparation import PlainPreparation, Prepared, Weights, prepares
from assent.profiles import Array
from assent.text import counted, shown, value

if TYPE_CHECKING:
    from assent.data import Spans
    from assent.data.held_spans import HeldSpans
    from assent.inference.pseudo import PaddedProfiles
    from assent.measures.registry import Measure

__all__: list[str] = []

#: With fewer documents there is no interval (docs/spans.md).
LEAST_DOCUMENTS = 3
NOTHING_MARKED = "Undefined: nobody marked anything that could be compared."


@prepares("spans")
class _Spans(PlainPreparation):
    """Spans in documents, on no scale."""

    def prepare(
        self,
        measure: Measure,
        data: Spans | HeldSpans,
        options: Mapping[str, Any],
        *,
        scale: str | None,
        weights: Weights,
        order: Sequence[str] | None,
    ) -> Prepared:
        self.check(measure, data, scale=scale, weights=weights, order=order)
        from assent.data.held_spans import HeldSpans

        if isinstance(data, HeldSpans):
            counted_there = self._counted_there(measure, data, options)
            if counted_there is not None:
                return counted_there
            data = data.bring()
        known = data.comparable()
        if not known.n_items or len(known.annotators) < 2:
            raise NothingToCompare(data._nothing_to_compare())
        form = measure.profiles
        assert issubclass(form, DocumentSums)
        counts = blocks(known) if known.n_items == 1 and form.blockable(options) else known
        items = form.of_blocks(known, counts, **options) if counts.blocks_of else form.of(counts, **options)
        about = [
            *_about_documents(data, known.n_items),
            *_about_blocks(counts),
            *_about_options(measure, known, options),
        ]
        return Prepared(
            data=data,
            profiles=items,
            settings={"scale": None, "weights": "identity"},
            notes=lambda pair_values: (*about, *_about_pairs(np.asarray(pair_values))),
            padded=_padded(items, blocks=bool(counts.blocks_of)),
            undefined=lambda: _undefined(known),
            unit=counts.unit,
            least_units=LEAST_DOCUMENTS,
        )

    def _counted_there(self, measure: Measure, data: HeldSpans, options: Mapping[str, Any]) -> Prepared | None:
        """Prepare spans that live in an engine, if it can count what the measure needs."""
        assert issubclass(measure.profiles, DocumentSums)
        items = measure.profiles.of_tallies(data, **options)
        if items is None:
            return None
        if not items.pairable_items:
            raise NothingToCompare(data._nothing_to_compare())
        about = [*_about_documents(data, items.pairable_items), *_about_options(measure, data, options)]
        return Prepared(
            data=data,
            profiles=items,
            settings={"scale": None, "weights": "identity"},
            notes=lambda pair_values: (*about, *_about_pairs(np.asarray(pair_values))),
            padded=_padded(items, blocks=False),
            undefined=lambda: NOTHING_MARKED,
            least_units=LEAST_DOCUMENTS,
        )


def _padded(items: DocumentSums, *, blocks: bool) -> Callable[[], tuple[PaddedProfiles, tuple[Any, ...]]] | None:
    """Return what adds a pseudo-document; None for blocks of one document, or if the measure has none."""
    made = None if blocks else items.pseudo_document()
    if made is None:
        return None
    agreeing, disagreeing = made

    def padded() -> tuple[PaddedProfiles, tuple[Any, ...]]:
        from assent.inference.pseudo import with_pseudo_sums

        return with_pseudo_sums(items, agreeing, disagreeing), ()

    return padded


def _undefined(known: Spans) -> str:
    if not len(known.start):
        return NOTHING_MARKED
    return "Undefined: what was marked leaves nothing to agree on beyond chance, or nothing that could be compared."


def _about_pairs(values: Array) -> list[str]:
    known = values[~np.isnan(values)]
    if len(values) < 2 or not len(known):
        return []
    without = len(values) - len(known)
    left = f"; {counted(without, 'pair')} without any span left out" if without else ""
    return [
        f"The mean of {counted(len(known), 'pair')} of annotators, whose standard deviation is {value(float(known.std()))}{left}."
    ]


def _about_documents(data: Spans | HeldSpans, compared: int) -> list[str]:
    said = [f"Offsets count {data.offsets}."]
    single = data.n_items - compared
    if single:
        have = counted(single, "document was", "documents were")
        said.append(f"{have} judged by one annotator, whom there is nobody to compare with.")
    return said


def _about_blocks(counts: Spans) -> list[str]:
    if not counts.blocks_of:
        return []
    many = counted(counts.n_items, "block")
    return [
        f"There is one document, {shown(counts.blocks_of)}, in {many} between which no span reaches: the interval "
        "speaks for this document only, and is optimistic."
    ]


def _about_options(measure: Measure, data: Spans | HeldSpans, options: Mapping[str, Any]) -> list[str]:
    said = [text for (option, chosen), text in measure.warnings.items() if options.get(option) == chosen]
    return said if measure.remarks is None else [*said, *measure.remarks(data, options)]
