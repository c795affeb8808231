"""Names that say nothing, for a report that must not give anybody away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec.structs import replace

from assent.data import Annotations
from assent.engines import Rows
from assent.errors import OptionError
from assent.records import Struct
from assent.text import shown

__all__ = ["Names", "anonymous"]


class Names(Struct, frozen=True):
    """What annotators and items are called in an anonymous report.

    Parameters
    ----------
    annotators : mapping of str to str
        A1, A2, …: A1 gave the most annotations; those with equally many keep their order.
    items : mapping of str to int, optional
        Numbers from 1, in the order in which items first occur in several data sets; not needed for one. Items of tables in an
        engine such as DuckDB, which has no order and keeps its items, are not among them.
    """

    annotators: Mapping[str, str]
    items: Mapping[str, int] | None = None

    @classmethod
    def of(cls, *data: Annotations) -> Names:
        """Name the annotators and items of one data set, or of several about the same items."""
        work: Counter[str] = Counter()
        items: dict[str, int] = {}
        for one in data:
            if not isinstance(one._source, Rows):
                work.update(dict.fromkeys(one.annotators or (), one.n_items))
                continue
            work.update({name: one._source.survey.annotator_rows[name] for name in one.annotators or ()})
            for name in one._source.item_names() if one.local and len(data) > 1 else ():
                items.setdefault(name, len(items) + 1)
        ranked = sorted(work, key=lambda name: -work[name])
        return cls({name: f"A{i}" for i, name in enumerate(ranked, start=1)}, items if len(data) > 1 else None)


def anonymous(data: Annotations, names: Names, by: str | None = None) -> Annotations:
    """Return the same annotations under other names.

    Notes on how the table was read name columns, which may be names of annotators, so they are left out.

    Parameters
    ----------
    by : str, optional
        A column with groups, which must not be names of annotators.
    """
    if by is not None and not names.annotators.keys().isdisjoint(text for _, text, _ in data._groups(by)):
        raise OptionError(
            f"The groups of {shown(by)} are names of annotators, which an anonymous report must not show."
        )
    made = data.rename_annotators(names.annotators)
    if not isinstance(made._source, Rows) or not data.local:
        return made
    return replace(made, _source=made._source.numbered(names.items))
