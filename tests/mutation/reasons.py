"""Changes that make no difference, with the reason: the module, and the change in words."""

from __future__ import annotations

__all__ = ["REASONS"]

REASONS: dict[tuple[str, str], str] = {
    ("assent.measures.components", "np.real(room) < NO_ROOM → np.real(room) <= NO_ROOM"): (
        "The limit is far below every room that data can leave: none is equal to it."
    ),
    (
        "assent.inference.pseudo",
        "(counts.shape[0] + rows) * width <= DENSE_CELLS → (counts.shape[0] + rows) * width < DENSE_CELLS",
    ): "A matrix of exactly so many cells is stored in one way or in the other, with the same numbers.",
}
