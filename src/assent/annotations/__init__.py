"""Annotations: the one data model. Who gave which item which label, checked, counted and never changed.

::

    model        Annotations: what they are and what can be asked of them
    making       annotations from tables, triples, arrays and counts
    converting   annotations from whatever a user holds
    remarks      what was left out of a table, and why it cannot be used
    collapsing   from annotations to the profiles of their items, of one data set or of two together
    relabelling  the same annotations in terms of other labels
    selecting    annotations one by one, some of them, or under other names
    set_sizes    how many labels the annotations hold, where they may hold several
"""

from __future__ import annotations

from assent.annotations.converting import as_annotations
from assent.annotations.model import Annotations
from assent.annotations.remarks import Dropped
from assent.annotations.set_sizes import SetShare

__all__ = ["Annotations", "Dropped", "SetShare", "as_annotations"]
