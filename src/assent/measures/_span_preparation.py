"""How spans are prepared for a measure: sums over documents, or over blocks of the only one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assent.data import Spans
from assent.data.span_sums import DocumentSums, blocks
from assent.errors import NothingToCompare, OptionError, UnsuitableData
from assent.measures._preparation import Prepared, Weights, prepares
from assent.profiles import Array
from assent.text import counted, shown

if TYPE_CHECKING:
    from assent.measures.registry import Measure

__all__: list[str] = []

#: With fewer documents there is no interval (docs/spans.md).
LEAST_DOCUMENTS = 3


@prepares("spans")
class _Spans:
    """Spans in documents, on no scale."""

    def unsuitable(self, measure: Measure, data: Spans, scale: str | None) -> str | None:
        if scale is not None:
            return f"{measure.name} is about spans, which are on no scale: leave the scale out."
        if measure.annotators is not None and len(data.annotators) != measure.annotators:
            return f"{measure.name} is for {measure.annotators} annotators, and there are {len(data.annotators)}."
        return None

    def prepare(
        self,
        measure: Measure,
        data: Spans,
        options: Mapping[str, Any],
        *,
        scale: str | None,
        weights: Weights,
        order: Sequence[str] | None,
    ) -> Prepared:
        reason = self.unsuitable(measure, data, scale)
        if reason:
            raise UnsuitableData(reason)
        for name, given in (("weights", weights), ("order", order)):
            if given is not None:
                raise OptionError(f"{measure.name} is about spans and takes no {name}.")
        known = data.comparable()
        if not known.items or len(known.annotators) < 2:
            raise NothingToCompare(data.nothing_to_compare())
        counts = blocks(known) if known.items == 1 else known
        items = counts.profiles(measure.profiles, **options)
        assert isinstance(items, DocumentSums)

        def notes(pair_values: Sequence[float] | Array) -> tuple[str, ...]:
            said = _about_documents(data, known, counts)
            said += [text for (option, chosen), text in measure.warnings.items() if options.get(option) == chosen]
            said += [] if measure.remarks is None else list(measure.remarks(known, options))
            return tuple(said)

        return Prepared(
            data=data,
            profiles=items,
            settings={"scale": None, "weights": "identity"},
            notes=notes,
            undefined=lambda: "Undefined: nobody marked anything that could be compared.",
            unit=counts.unit,
            least_units=LEAST_DOCUMENTS,
        )


def _about_documents(data: Spans, known: Spans, counts: Spans) -> list[str]:
    said = [f"Offsets count {data.offsets}."]
    single = data.items - known.items
    if single:
        have = counted(single, "document was", "documents were")
        said.append(f"{have} judged by one annotator, whom there is nobody to compare with.")
    if counts.blocks_of:
        many = counted(counts.items, "block")
        said.append(
            f"There is one document, {shown(counts.blocks_of)}, in {many} between which no span reaches: the interval "
            "speaks for this document only, and is optimistic."
        )
    return said
