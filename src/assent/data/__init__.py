"""Annotated data, of one kind each: checked, counted and never changed.

::

    dataset         what all kinds have in common

    export_origin   which question of which tool's export data are
    spans           Spans: who marked which part of which document as what
    preferences     Preferences and BestWorst: who preferred which of two, or of several
    rankings        Rankings: who put which object of which list at which place
    ranking_profiles  lists of ranked objects as measures see them

    annotations     Annotations: what they are and what can be asked of them
    constructors    annotations from tables, triples, arrays and counts
    coerce          annotations from whatever a user holds
    messages        what was left out of a table, and why it cannot be used
    reading_notes   what was recognised, and which options change it
    to_profiles     from annotations to the profiles of their items, of one data set or of two together
    relabel         the same annotations in terms of other labels
    subsets         annotations one by one, some of them, or under other names
    set_sizes       how many labels the annotations hold, where they may hold several
    count_source    annotations that come as counts, with no rows behind them
    long_rows       every annotation one by one, as columns
    multilabel_rows several rows of an annotator for an item, as one annotation
    label_order     labels and names as texts: their order, and which of them look alike
    natural_order   labels that are steps of a scale by what they say
    missing_texts   labels that usually mean that there is none
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assent.data.annotations import Annotations
from assent.data.coerce import as_annotations, as_dataset
from assent.data.dataset import Dataset
from assent.data.export_origin import ExportOrigin, Question
from assent.data.messages import Dropped
from assent.data.set_sizes import SetShare

if TYPE_CHECKING:
    from assent.data.preferences import BestWorst, Preferences
    from assent.data.rankings import Rankings
    from assent.data.spans import Spans

__all__ = [
    "Annotations",
    "BestWorst",
    "Dataset",
    "Dropped",
    "ExportOrigin",
    "Preferences",
    "Question",
    "Rankings",
    "SetShare",
    "Spans",
    "as_annotations",
    "as_dataset",
]

#: Kinds that most tables are not of, by their modules, which are imported when they are asked for.
_OTHERS = {"BestWorst": "preferences", "Preferences": "preferences", "Rankings": "rankings", "Spans": "spans"}


def __getattr__(name: str) -> Any:
    """Import a kind of data that is not labels."""
    if name not in _OTHERS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_OTHERS[name]}"), name)
