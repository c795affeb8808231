"""Changes that make no difference: by the reason the module, the line as it is written, and the changes in words."""

from __future__ import annotations

__all__ = ["REASONS"]

_NO_DIFFERENCE: dict[str, dict[str, dict[str, list[str]]]] = {
    "Either way the samples are as likely; which one is faster is all that is decided.": {
        "assent.inference.bootstrap": {
            "if items < 4 * len(multiplicities):": ["4 * len(multiplicities) → 4 / len(multiplicities)"],
        },
    },
    "No number that comes from logarithms or roots of data is the limit to the last bit.": {
        "assent.inference.changes": {
            "if self._look() >= -math.log(self._alpha):": ["self._look() >= -math.log(self._alpha) → self._look() > -math.log(self._alpha)"],
        },
        "assent.measures.results": {
            "elif not exact and abs(skewness(self.sample)) > SKEWED:": ["abs(skewness(self.sample)) > SKEWED → abs(skewness(self.sample)) >= SKEWED"],
        },
    },
    "Totals that are too wide to be moved at once are moved one by one: the same derivative in less memory.": {
        "assent.inference.derivatives": {
            "if moved.shape[-1] * moved.shape[0] > self.most:": [
                "if moved.shape[-1] * moved.shape[0] > self.most: → if False:",
                "moved.shape[-1] * moved.shape[0] → moved.shape[-1] / moved.shape[0]",
            ],
        },
    },
    "A step this small leaves less than rounding, and so does one ten times as large: it is the last or the last but one.": {
        "assent.inference.etel": {
            "if (np.abs(step) <= SMALL * np.abs(tilts)).all():": [
                "SMALL * np.abs(tilts) → SMALL / np.abs(tilts)",
                "np.abs(step) <= SMALL * np.abs(tilts) → np.abs(step) < SMALL * np.abs(tilts)",
            ],
        },
    },
    "Between the two limits both ways are exact.": {
        "assent.inference.etel": {
            "if top.max() < LARGE:": [
                "top.max() < LARGE → top.max() <= LARGE",
                "top.max() → top.min()",
            ],
        },
    },
    "No sum of products of data is the limit to the last bit.": {
        "assent.inference.etel": {
            "if spread * total < NO_SPREAD:": ["spread * total < NO_SPREAD → spread * total <= NO_SPREAD"],
        },
    },
    "The quantiles on either side have the same square.": {
        "assent.inference.etel": {
            "enough = _t_quantile((1.0 + level) / 2.0, degrees) ** 2 / (2.0 * total)": ["1.0 + level → 1.0 - level"],
        },
    },
    "The second derivative decides how many steps there are, not where they end.": {
        "assent.inference.etel": {
            "return top + np.log(mean), slope, second / mean - slope * slope": [
                "second / mean - slope * slope → second / mean + slope * slope",
                "second / mean → second * mean",
            ],
        },
    },
    "Where the start changes from one formula to another only the number of steps does.": {
        "assent.inference.etel": {
            "factors = [1.0 + side * bend + curl if abs(bend) + abs(curl) < NEARLY else 1.0 for side in (-1.0, 1.0)]": ["abs(bend) + abs(curl) < NEARLY → abs(bend) + abs(curl) <= NEARLY"],
        },
    },
    "With an influence that is undefined the ends are undefined either way.": {
        "assent.inference.etel": {
            "if not np.isfinite(slopes).all():": ["np.isfinite(slopes).all() → np.isfinite(slopes).any()"],
        },
    },
    "At the limit both formulas give the same number.": {
        "assent.inference.intervals": {
            "if bend * quantile > 0.0 and abs(quantile) > 1.0 / abs(4.0 * bend):": ["abs(quantile) > 1.0 / abs(4.0 * bend) → abs(quantile) >= 1.0 / abs(4.0 * bend)"],
            "if abs(bend) < 1e-12:": ["abs(bend) < 1e-12 → abs(bend) <= 1e-12"],
            "if room < 0.0:": ["room < 0.0 → room <= 0.0"],
            "if degrees > 1000:": [
                "1000 → 1001",
                "degrees > 1000 → degrees >= 1000",
            ],
        },
    },
    "With more than 1,000 degrees of freedom it is 4e-14, less than the comparison with scipy can show.": {
        "assent.inference.intervals": {
            "(79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,": ["79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z → 79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 + 945 * z"],
        },
    },
    "With more than 1,000 degrees of freedom it is less than a float can show.": {
        "assent.inference.intervals": {
            "(79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,": ["3 → 4"],
        },
    },
    "The limit lies below the value by more than rounding: nothing is equal to it.": {
        "assent.inference.permutation": {
            "reached = sum(statistic(profiles.shuffled(rng)) >= enough for _ in range(permutations))": ["statistic(profiles.shuffled(rng)) >= enough → statistic(profiles.shuffled(rng)) > enough"],
            "reached += int(np.count_nonzero(defined >= enough)) + len(found) - len(defined)": ["defined >= enough → defined > enough"],
        },
    },
    "A matrix of exactly so many cells is stored in one way or in the other, with the same numbers.": {
        "assent.inference.pseudo": {
            "if isinstance(counts, np.ndarray) and (counts.shape[0] + rows) * width <= DENSE_CELLS:": ["(counts.shape[0] + rows) * width <= DENSE_CELLS → (counts.shape[0] + rows) * width < DENSE_CELLS"],
        },
    },
    "A value of 0 has been answered before.": {
        "assent.inference.tails": {
            "return beyond / 2.0 if value < 0 else 1.0 - beyond / 2.0": ["value < 0 → value <= 0"],
        },
    },
    "Both ways give all digits of so many coins.": {
        "assent.inference.tails": {
            "if trials <= _COUNTED:": ["trials <= _COUNTED → trials < _COUNTED"],
        },
    },
    "Only a value whose square is infinite comes here.": {
        "assent.inference.tails": {
            "return 0.0 if value < 0 else 1.0": [
                "0 → 1",
                "value < 0 → value <= 0",
            ],
        },
    },
    "Which of its neighbours an annotation is compared with in place of itself makes no difference on average.": {
        "assent.measures._by_distance": {
            "drawn[1] = np.where(drawn[0] == drawn[1], (drawn[1] + 1) % int(ends[-1]), drawn[1])": ["drawn[1] + 1 → drawn[1] - 1"],
        },
    },
    "Each of the two orders becomes the other one, and the mean is over both.": {
        "assent.measures._orders": {
            "place = np.argsort(np.argsort(2 * major * (4 * n) + 2 * minor, axis=-1, kind=\"stable\"), axis=-1)": ["2 * major * (4 * n) → 2 * major / (4 * n)"],
        },
    },
    "The array has two axes: the last is the second.": {
        "assent.measures._orders": {
            "most = (weight * (seen.overlap + best) / below).sum(-1) + more.sum(-1) + p ** full[:, 0]": ["-1 → +1"],
            "return 2.0 * _over(np.where(here, share, 0.0).sum(-1), here.sum(-1) - 1.0) - 1.0": ["-1 → +1"],
            "made.append(2.0 * _over((both / np.maximum(number, 1)).sum(-1), (number > 0).sum(-1)) - 1.0)": ["-1 → +1"],
        },
    },
    "numpy takes any negative length for the one to work out.": {
        "assent.measures._span_tokens": {
            "rows = np.asarray(found, dtype=np.int64).reshape(-1, 3)": ["1 → 2"],
        },
    },
    "The limit is far below every room that data can leave: none is equal to it.": {
        "assent.measures.components": {
            "none = np.real(room) < NO_ROOM": ["np.real(room) < NO_ROOM → np.real(room) <= NO_ROOM"],
        },
    },
    "No end that comes from quantiles of F is a bound to the last bit.": {
        "assent.measures.numbers": {
            "ends = [k * end / (1.0 + (k - 1.0) * end) if end * (k - 1.0) > -1.0 else -np.inf for end in ends]": ["end * (k - 1.0) > -1.0 → end * (k - 1.0) >= -1.0"],
        },
    },
    "Where nothing is corrected for chance, none is expected: either way it is what is observed.": {
        "assent.measures.results": {
            "if not self.chance_corrected and self.lowest < 0:": ["self.lowest < 0 → self.lowest <= 0"],
        },
    },
    "Sums are made with their window; fields after those of the base class need a default.": {
        "assent.measures.segmentation": {
            "window: int = 0": ["0 → 1"],
        },
    },
    "What is divided by it is not used.": {
        "assent.measures.span_labels": {
            "\"apart\": np.where(marks > 0, marks - (sums[\"values\"] ** 2).sum(-1) / np.where(marks > 0, marks, 1.0), 0.0)": ["1.0 → 2.0"],
        },
    },
    "What comes after the last key is larger than it, and so not equal to it.": {
        "assent.measures.span_links": {
            "(at < len(key)) & (key[np.minimum(at, len(key) - 1)] == end[:, None] * people + others)": ["at < len(key) → at <= len(key)"],
        },
    },
}  # fmt: skip

#: The reason by module, line and change.
REASONS: dict[tuple[str, str, str], str] = {
    (module, line, change): reason
    for reason, modules in _NO_DIFFERENCE.items()
    for module, lines in modules.items()
    for line, changes in lines.items()
    for change in changes
}
