"""Every coefficient: one small function in one file, found and not listed.

Importing this package registers them all. A new file here, or a module that an installed package names under the entry point
``assent.measures``, adds its coefficients to the library, the command line, the documentation and the common checks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assent.measures.components import Components
from assent.measures.registry import MEASURES, Measure, all_measures, find

if TYPE_CHECKING:
    # Without these, a type checker takes the name for the module.
    from assent.measures.gamma import gamma as gamma
    from assent.measures.spa import spa as spa
    from assent.measures.van_oest import van_oest as van_oest

MEASURES.look_inside()
# Modules called like the measure they hold, as `spa` is, give way to it.
globals().update({name.replace("-", "_"): found for name, found in MEASURES.known().items()})

__all__ = ["Components", "Measure", "all_measures", "find"]


def __getattr__(name: str) -> Measure:
    """Return a measure by the name of its function."""
    found = MEASURES.known().get(name.replace("_", "-"))
    if found is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return found
