"""Every coefficient: one small function in one file, found and not listed.

Importing this package registers them all. A new file here, or a module that an installed package names under the entry point
``assent.measures``, adds its coefficients to the library, the command line, the documentation and the common checks.
"""

from __future__ import annotations

from assent.measures.components import Components
from assent.measures.registry import MEASURES, Measure, all_measures, find

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
