"""Changes that make no difference, with the reason: the module, the line, and the change in words."""

from __future__ import annotations

__all__ = ["REASONS"]

_LAST_OF_TWO = "The array has two axes: the last is the second."

REASONS: dict[tuple[str, str, str], str] = {
    (
        "assent.measures.components",
        "none = np.real(room) < NO_ROOM",
        "np.real(room) < NO_ROOM → np.real(room) <= NO_ROOM",
    ): "The limit is far below every room that data can leave: none is equal to it.",
    (
        "assent.inference.pseudo",
        "if isinstance(counts, np.ndarray) and (counts.shape[0] + rows) * width <= DENSE_CELLS:",
        "(counts.shape[0] + rows) * width <= DENSE_CELLS → (counts.shape[0] + rows) * width < DENSE_CELLS",
    ): "A matrix of exactly so many cells is stored in one way or in the other, with the same numbers.",
    (
        "assent.measures._orders",
        "most = (weight * (seen.overlap + best) / below).sum(-1) + more.sum(-1) + p ** full[:, 0]",
        "-1 → +1",
    ): _LAST_OF_TWO,
    (
        "assent.measures._orders",
        "return 2.0 * _over(np.where(here, share, 0.0).sum(-1), here.sum(-1) - 1.0) - 1.0",
        "-1 → +1",
    ): _LAST_OF_TWO,
    (
        "assent.measures._span_tokens",
        "rows = np.asarray(found, dtype=np.int64).reshape(-1, 3)",
        "1 → 2",
    ): "numpy takes any negative length for the one to work out.",
    (
        "assent.measures.numbers",
        "ends = [k * end / (1.0 + (k - 1.0) * end) if end * (k - 1.0) > -1.0 else -np.inf for end in ends]",
        "end * (k - 1.0) > -1.0 → end * (k - 1.0) >= -1.0",
    ): "No end that comes from quantiles of F is a bound to the last bit.",
    (
        "assent.measures.segmentation",
        "window: int = 0",
        "0 → 1",
    ): "Sums are made with their window; fields after those of the base class need a default.",
    (
        "assent.measures.span_links",
        "(at < len(key)) & (key[np.minimum(at, len(key) - 1)] == end[:, None] * people + others)",
        "at < len(key) → at <= len(key)",
    ): "What comes after the last key is larger than it, and so not equal to it.",
}
