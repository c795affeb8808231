"""Several rows of an annotator for an item taken as one annotation that holds several labels."""

from __future__ import annotations

from collections.abc import Collection

from assent.engines import Rows
from assent.errors import InputError
from assent.label_sets import Parse, checked
from assent.text import shown

__all__ = ["gathered"]

#: Words for ranks; numbers from 1 on are the other way to say them.
_RANKS = {"primary": 1, "secondary": 2, "tertiary": 3}
#: A rank beyond this is no rank but some other number.
_LARGEST_RANK = 1000


def gathered(rows: Rows, none: Collection[str], *, ranked: bool) -> tuple[Rows, Parse]:
    """Gather rows into one annotation an item and annotator, and say how to read the labels of the result.

    Parameters
    ----------
    none : collection of str
        Label texts that mean "none of the labels".
    ranked : bool
        The rows have a rank column.
    """
    repeated = rows.repeated_labels()
    if repeated is not None:
        extra, item, annotator, label = repeated
        noun = "row gives" if extra == 1 else "rows give"
        raise InputError(
            f"{extra:,} {noun} an item a label that the same annotator gave it before, as {shown(annotator)} gave {shown(label)} to "
            f"{shown(item)} twice: an annotation holds a label once at most, so remove the repetition."
        )
    ranks = _ranks(rows) if ranked else None
    whole, spelled = rows.gathered(ranks)
    empty = {*none}

    def parse(text: str) -> tuple[str, ...]:
        found = sorted(spelled(text)) if ranked else spelled(text)
        names = [label for _, label in found]
        tied = next((i for i in range(1, len(found)) if ranked and found[i][0] == found[i - 1][0]), None)
        if tied is not None:
            item, annotator = whole.where(text)
            raise InputError(
                f"Annotator {shown(annotator)} gave item {shown(item)} the labels {shown(names[tied - 1])} and "
                f"{shown(names[tied])} at the same rank, {found[tied][0]}: each label of an annotation needs a rank of its own."
            )
        return checked(names, ";".join(names), empty)

    return whole, parse


def _ranks(rows: Rows) -> dict[object, int]:
    """Read the ranks that occur; refuse what is none."""
    ranks: dict[object, int] = {}
    for text, (value, count) in rows.values_of("rank").items():
        word = (text or "").strip().casefold()
        rank = _RANKS.get(word) or (int(word) if word.isascii() and word.isdigit() else 0)
        if not 0 < rank <= _LARGEST_RANK:
            what = "no rank" if text is None else f"the rank {shown(text)}"
            noun = "row has" if count == 1 else "rows have"
            raise InputError(f"{count:,} {noun} {what}: it must be 1, 2, … or primary, secondary.")
        ranks[value] = rank
    return ranks
