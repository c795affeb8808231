"""Changes that make no difference: by the reason the module, the line as it is written, and the changes in words."""

from __future__ import annotations

from tests.mutation.mutants import Mutant

__all__ = ["REASONS", "reason_of"]

_NO_DIFFERENCE: dict[str, dict[str, dict[str, list[str]]]] = {
    "Either way the samples are as likely; which one is faster is all that is decided.": {
        "assent.inference.bootstrap": {
            "if items < 4 * len(multiplicities):": [
                "4 * len(multiplicities) → 4 / len(multiplicities)",
                "4 → 5",
                "items < 4 * len(multiplicities) → items <= 4 * len(multiplicities)",
            ],
        },
    },
    "How many rows are held at once is all that is decided.": {
        "assent.inference.bootstrap": {
            "step = max(1, CHUNK // max(sample.width, 1 if sample.units is None else sample.unit_count))": ["1 → 2"],
        },
        "assent.inference.derivatives": {
            "CHUNK = 8_000_000": ["8000000 → 8000001"],
            "return sum(max(1, total.size) for total in self.totals)": ["1 → 2"],
            "if moved.shape[-1] * moved.shape[0] > self.most:": ["moved.shape[-1] * moved.shape[0] > self.most → moved.shape[-1] * moved.shape[0] >= self.most"],
            "step = max(1, CHUNK // (2 * blocks * max(widths)))": [
                "1 → 2",
                "2 → 3",
                "CHUNK // (2 * blocks * max(widths)) → CHUNK * (2 * blocks * max(widths))",
                "max(1, CHUNK // (2 * blocks * max(widths))) → min(1, CHUNK // (2 * blocks * max(widths)))",
                "max(widths) → min(widths)",
            ],
            "step = max(1, CHUNK // (max(width, len(weights)) if recorder.varying else 2 * width))": [
                "1 → 2",
                "2 → 3",
                "CHUNK // (max(width, len(weights)) if recorder.varying else 2 * width) → CHUNK * (max(width, len(weights)) if recorder.varying else 2 * width)",
                "max(width, len(weights)) → min(width, len(weights))",
            ],
            "step = max(1, CHUNK // max(width, len(weights)))": [
                "1 → 2",
                "CHUNK // max(width, len(weights)) → CHUNK * max(width, len(weights))",
                "max(width, len(weights)) → min(width, len(weights))",
            ],
        },
        "assent.inference.linear": {
            "step = max(1, CHUNK // (sample.total_width if sample.units is None else sample.width))": [
                "1 → 2",
                "CHUNK // (sample.total_width if sample.units is None else sample.width) → CHUNK * (sample.total_width if sample.units is None else sample.width)",
                "sample.units is None → sample.units is not None",
            ],
        },
        "assent.inference.sample": {
            "return max(1, recorder.width, len(self.multiplicities) if recorder.varying else 0)": [
                "0 → 1",
                "1 → 2",
            ],
        },
        "assent.measures.rankings": {
            "return over_pairs(items, spearman, \"spearman\", gaps=gaps, cells=4 * _objects(items))": ["4 → 5"],
            "return over_pairs(items, kendall, \"kendall\", gaps=gaps, cells=max(1, n * (n - 1) * 2))": [
                "1 → 2",
                "2 → 3",
                "n - 1 → n + 1",
            ],
            "return int(max(block.positions.shape[2] for block in items.blocks))": ["max((block.positions.shape[2] for block in items.blocks)) → min((block.positions.shape[2] for block in items.blocks))"],
            "values, shared = pair_values(positions, spearman, cells=4 * positions.shape[2], fewest=2)": ["4 → 5"],
        },
        "assent.measures.top_weighted": {
            "return times * objects**2": [
                "2 → 3",
                "objects ** 2 → objects * 2",
            ],
            "pair_values(block.positions, compare, cells=8 * objects**2)": [
                "2 → 3",
                "8 → 9",
                "objects ** 2 → objects * 2",
            ],
            "cells=_squared(items, 8),": ["8 → 9"],
            "items, compare, (\"tau-ap\", ties, truth), gaps=gaps, cells=_squared(items, 24), to_first=truth is not None": ["24 → 25"],
            "return over_pairs(items, top_tau, \"weighted-tau\", gaps=gaps, cells=_squared(items, 4))": ["4 → 5"],
        },
        "assent.inference.betting": {
            "_BLOCK = 2048": ["2048 → 2049"],
        },
        "assent.inference.changes": {
            "self._sums: Array = np.zeros(64, dtype=np.int64)": ["64 → 65"],
        },
        "assent.measures._lists": {
            "step = max(1, RANKED_AT_ONCE // max(1, len(first) * cells))": [
                "1 → 2",
                "RANKED_AT_ONCE // max(1, len(first) * cells) → RANKED_AT_ONCE * max(1, len(first) * cells)",
            ],
            "width = max(1, RANKED_AT_ONCE // cells)": [
                "1 → 2",
                "RANKED_AT_ONCE // cells → RANKED_AT_ONCE * cells",
            ],
        },
        "assent.measures.meetings": {
            "step = max(1, MEETINGS_KEPT // max(1, width))": [
                "1 → 2",
                "MEETINGS_KEPT // max(1, width) → MEETINGS_KEPT * max(1, width)",
                "max(1, width) → min(1, width)",
            ],
        },
    },
    "No number that comes from logarithms or roots of data is the limit to the last bit.": {
        "assent.inference.changes": {
            "if self._look() >= -math.log(self._alpha):": ["self._look() >= -math.log(self._alpha) → self._look() > -math.log(self._alpha)"],
        },
        "assent.inference.tails": {
            "while abs(step) > 1e-6 * spread:": ["abs(step) > 1e-06 * spread → abs(step) >= 1e-06 * spread"],
            "low, high = (low, odds) if gap > 0.0 else (odds, high)": ["gap > 0.0 → gap >= 0.0"],
            "if abs(odds) > _LARGEST:": ["abs(odds) > _LARGEST → abs(odds) >= _LARGEST"],
        },
        "assent.measures.results": {
            "elif own is None and abs(skewness(self.sample)) > SKEWED:": ["abs(skewness(self.sample)) > SKEWED → abs(skewness(self.sample)) >= SKEWED"],
        },
        "assent.inference.betting": {
            "within = log_capital(total, values, outside) < enough": ["log_capital(total, values, outside) < enough → log_capital(total, values, outside) <= enough"],
            "kept = log_capital(total, values, middle) < enough": ["log_capital(total, values, middle) < enough → log_capital(total, values, middle) <= enough"],
            "refuted_low, refuted_high = (rising >= enough).sum(axis=1), (falling >= enough).sum(axis=1)": [
                "rising >= enough → rising > enough",
                "falling >= enough → falling > enough",
            ],
        },
        "assent.inference.etel": {
            "last = last and abs(step) <= SMALL * abs(tilts[side])": ["abs(step) <= SMALL * abs(tilts[side]) → abs(step) < SMALL * abs(tilts[side])"],
            "if max(tops) < LARGE:": ["max(tops) < LARGE → max(tops) <= LARGE"],
        },
    },
    "Both ways take the same derivative.": {
        "assent.inference.derivatives": {
            "FEW_PROFILES = 64": ["64 → 65"],
            "if profiles <= FEW_PROFILES and getattr(statistic, \"at_once\", True) and not isinstance(statistic, KnownInfluence):": ["profiles <= FEW_PROFILES → profiles < FEW_PROFILES"],
            "if len(weights) < width:": ["len(weights) < width → len(weights) <= width"],
        },
        "assent.measures.cohen": {
            "return mean_over_pairs(pairwise(items, agree, all_labels=incomplete == \"available\"), average, blocks=True)": ["True → False"],
        },
        "assent.measures.paired": {
            "def mean_over_pairs(pairs: Pairs, average: str, *, blocks: bool = False) -> Components:": ["False → True"],
            "parts=(values, weight) if blocks and len(pairs.first) > 1 else None,": [
                "1 → 2",
                "blocks and len(pairs.first) > 1 → blocks or len(pairs.first) > 1",
                "len(pairs.first) > 1 → len(pairs.first) >= 1",
            ],
        },
        "assent.measures.registry": {
            "at_once=not self.label_sets,": ["not self.label_sets → not not self.label_sets"],
            "same = made.sets is None and all(one is other for one, other in zip(given, arguments, strict=True))": [
                "made.sets is None and all((one is other for one, other in zip(given, arguments, strict=True))) → made.sets is None or all((one is other for one, other in zip(given, arguments, strict=True)))",
                "made.sets is None → made.sets is not None",
                "all((one is other for one, other in zip(given, arguments, strict=True))) → any((one is other for one, other in zip(given, arguments, strict=True)))",
                "one is other → one is not other",
            ],
        },
    },
    "Terms that vary decide how many rows are held at once; a statistic of parts has none.": {
        "assent.inference.derivatives": {
            "self.varying = True": ["True → False"],
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
    "How many steps or parts there may be, and from where a formula is taken that is as exact.": {
        "assent.inference.etel": {
            "PARTS = 64": ["64 → 65"],
            "STEPS = 100": ["100 → 101"],
            "LARGE = 30.0": ["30.0 → 31.0"],
        },
    },
    "No sum of products of data is the limit to the last bit.": {
        "assent.inference.etel": {
            "near = abs(bend) + abs(curl) < NEARLY": ["abs(bend) + abs(curl) < NEARLY → abs(bend) + abs(curl) <= NEARLY"],
            "if spread * total < NO_SPREAD:": ["spread * total < NO_SPREAD → spread * total <= NO_SPREAD"],
        },
        "assent.measures.numbers": {
            "return np.asarray(np.where(np.real(squares) < NO_ROOM * np.real(largest), 0.0, squares))": ["np.real(squares) < NO_ROOM * np.real(largest) → np.real(squares) <= NO_ROOM * np.real(largest)"],
        },
        "assent.measures.rankings": {
            "np.asarray(np.where(whole > NO_ROOM, between / whole, np.nan))": ["whole > NO_ROOM → whole >= NO_ROOM"],
            "if one.shape[0] == m and (~np.isnan(one)).all(0).sum() == n and np.nanvar(one) > NO_ROOM": ["np.nanvar(one) > NO_ROOM → np.nanvar(one) >= NO_ROOM"],
        },
    },
    "The quantiles on either side have the same square.": {
        "assent.inference.etel": {
            "enough = _t_quantile((1.0 + level) / 2.0, degrees) ** 2 / (2.0 * total)": ["1.0 + level → 1.0 - level"],
        },
    },
    "A step this small is what rounding makes of none.": {
        "assent.inference.intervals": {
            "if step <= 1e-16 * angle:": [
                "1e-16 * angle → 1e-16 / angle",
                "step <= 1e-16 * angle → step < 1e-16 * angle",
            ],
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
        "assent.inference.tails": {
            "gap = below - probability if probability < 0.5 else (1.0 - probability) - above": ["probability < 0.5 → probability <= 0.5"],
            "if a * rest >= b * share:": ["a * rest >= b * share → a * rest > b * share"],
            "if abs(ratio) > 0.1:": ["abs(ratio) > 0.1 → abs(ratio) >= 0.1"],
        },
        "assent.measures._orders": {
            "sizes = [np.where(depth <= end, one, whole) for end, one in zip((s, far), seen.sizes, strict=True)]": ["depth <= end → depth < end"],
        },
    },
    "How many steps there may be, and how many results are kept.": {
        "assent.inference.intervals": {
            "@lru_cache(maxsize=256)": ["256 → 257"],
            "for _ in range(100):": ["100 → 101"],
        },
        "assent.inference.pseudo": {
            "@lru_cache(maxsize=16)": ["16 → 17"],
        },
    },
    "With more than 1,000 degrees of freedom it is 4e-14, less than the comparison with scipy can show.": {
        "assent.inference.intervals": {
            "(79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,": ["79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z → 79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 + 945 * z"],
        },
    },
    "With more than 1,000 degrees of freedom it is less than a float can show.": {
        "assent.inference.intervals": {
            "(79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,": [
                "1482 → 1483",
                "1920 * z ** 3 → 1920 / z ** 3",
                "1920 → 1921",
                "3 → 4",
                "776 → 777",
                "79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 → 79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 + 1920 * z ** 3",
                "79 → 80",
                "92160 → 92161",
                "945 * z → 945 / z",
                "945 → 946",
                "z ** 3 → z * 3",
            ],
            "degrees = min(degrees, 10**18)": [
                "10 → 11",
                "18 → 19",
            ],
        },
    },
    "A margin of twice as much is still less than any difference but rounding.": {
        "assent.inference.permutation": {
            "enough = value - 1e-12 * max(1.0, abs(value))": ["1.0 → 2.0"],
        },
    },
    "How many are dealt at once is all that is decided.": {
        "assent.inference.permutation": {
            "block = max(1, min(100, CHUNK // max(1, len(observed[0]))))": [
                "0 → 1",
                "1 → 2",
                "CHUNK // max(1, len(observed[0])) → CHUNK * max(1, len(observed[0]))",
                "max(1, len(observed[0])) → min(1, len(observed[0]))",
            ],
        },
    },
    "How many are dealt before it is known that a difference is no rare one.": {
        "assent.inference.permutation": {
            "ENOUGH_REACHED = 20": ["20 → 21"],
        },
    },
    "The limit lies below the value by more than rounding: nothing is equal to it.": {
        "assent.inference.permutation": {
            "reached = sum(statistic(profiles.shuffled(rng)) >= enough for _ in range(permutations))": ["statistic(profiles.shuffled(rng)) >= enough → statistic(profiles.shuffled(rng)) > enough"],
            "reached += int(np.count_nonzero(defined >= enough)) + len(found) - len(defined)": ["defined >= enough → defined > enough"],
        },
    },
    "Which of the two groups is dealt, and which is left, makes no difference to how far they differ.": {
        "assent.inference.permutation": {
            "order = np.argsort(rng.random((count, len(rows))), axis=1)[:, : len(groups[0])]": ["0 → 1"],
        },
    },
    "A label that occurs makes the list long enough.": {
        "assent.inference.pseudo": {
            "most = int(np.argmax(np.bincount(label, weights=items.multiplicities[profile], minlength=1)))": ["1 → 2"],
        },
    },
    "As many as there may be are all of them, either way.": {
        "assent.inference.pseudo": {
            "if len(things) <= most:": ["len(things) <= most → len(things) < most"],
            "if count * (count - 1) > PSEUDO_PAIRS:": [
                "count * (count - 1) > PSEUDO_PAIRS → count * (count - 1) >= PSEUDO_PAIRS",
                "count - 1 → count + 1",
            ],
        },
    },
    "Both ways add up the same.": {
        "assent.inference.pseudo": {
            "if width <= PSEUDO_LABELS:": ["width <= PSEUDO_LABELS → width < PSEUDO_LABELS"],
        },
        "assent.measures._orders": {
            "if ties == \"w\" or all(((first == last) | np.isnan(first)).all() for first, last in ends):": ["(first == last) | np.isnan(first) → (first == last) & np.isnan(first)"],
        },
    },
    "Either way round the circle each annotator begins a half.": {
        "assent.inference.pseudo": {
            "chosen = [tuple((start + step) % size for step in range(half)) for start in range(turns)]": ["start + step → start - step"],
        },
    },
    "Weights count by their proportions.": {
        "assent.inference.pseudo": {
            "sides = np.array([half, size - half]) / size": ["np.array([half, size - half]) / size → np.array([half, size - half]) * size"],
        },
        "assent.measures._orders": {
            "weight = np.where(np.isnan(x), 0.0, 1.0 / (place + 1.0))": ["1.0 → 2.0"],
        },
        "assent.measures.spa": {
            "weights = 1.0 / np.where(variance == 0, 1.0, variance)": ["1.0 → 2.0"],
            "return np.ones_like(variance) if not variance.any() else 1.0 / variance": ["1.0 → 2.0"],
            "\"edges\": lambda n: n * (n - 1.0) / 2.0,": [
                "2.0 → 3.0",
                "n * (n - 1.0) / 2.0 → n * (n - 1.0) * 2.0",
            ],
            "\"inv-var\": lambda n: n * (n - 1.0) / 2.0,": [
                "2.0 → 3.0",
                "n * (n - 1.0) / 2.0 → n * (n - 1.0) * 2.0",
            ],
        },
    },
    "What is stored in one way or in the other has the same numbers.": {
        "assent.measures._span_pairs": {
            "if shape[0] * shape[1] <= DENSE_PAIR_NUMBERS:": [
                "0 → 1",
                "shape[0] * shape[1] <= DENSE_PAIR_NUMBERS → shape[0] * shape[1] < DENSE_PAIR_NUMBERS",
            ],
        },
        "assent.measures.meetings": {
            "MOST_MEET = 0.25": ["0.25 → 1.25"],
            "if len(self.profile) < MOST_MEET * len(self.code) * self.count:": [
                "len(self.profile) < MOST_MEET * len(self.code) * self.count → len(self.profile) <= MOST_MEET * len(self.code) * self.count",
                "MOST_MEET * len(self.code) * self.count → MOST_MEET * len(self.code) / self.count",
                "MOST_MEET * len(self.code) → MOST_MEET / len(self.code)",
            ],
            "if profiles * self.count * width <= SPARSE_CELLS:": [
                "profiles * self.count * width <= SPARSE_CELLS → profiles * self.count * width < SPARSE_CELLS",
                "profiles * self.count * width → profiles * self.count / width",
                "profiles * self.count → profiles / self.count",
            ],
        },
        "assent.inference.pseudo": {
            "DENSE_CELLS = 200_000": ["200000 → 200001"],
            "if isinstance(items.counts, np.ndarray) and rows * width <= DENSE_CELLS:": [
                "rows * width <= DENSE_CELLS → rows * width < DENSE_CELLS",
                "rows * width → rows / width",
            ],
        },
        "assent.measures.cohen": {
            "WRITTEN_CELLS = 20_000": ["20000 → 20001"],
            "if pairs > 1 and shape[0] * shape[1] > WRITTEN_CELLS and (shared.code >= 0).all():": [
                "pairs > 1 → pairs >= 1",
                "1 → 2",
                "shape[0] * shape[1] > WRITTEN_CELLS → shape[0] * shape[1] >= WRITTEN_CELLS",
                "shape[0] * shape[1] → shape[0] / shape[1]",
                "0 → 1",
                "shared.code >= 0 → shared.code > 0",
                "(shared.code >= 0).all() → (shared.code >= 0).any()",
            ],
        },
    },
    "numpy takes any negative length for the one to work out.": {
        "assent.inference.pseudo": {
            "members = items.annotator[usual[items.profile]].reshape(-1, size)": ["1 → 2"],
        },
        "assent.measures._by_distance": {
            "sizes = np.asarray(counts.sum(axis=1), dtype=np.float64).reshape(-1, 1)": ["1 → 2"],
        },
        "assent.measures._span_tokens": {
            "rows = np.asarray(found, dtype=np.int64).reshape(-1, 3)": ["1 → 2"],
        },
        "assent.measures.cohen": {
            "flat = np.asarray(agree.features(shares.reshape(-1, shares.shape[-1])))": ["1 → 2"],
            "return flat.reshape(*shares.shape[:-1], -1)": ["1 → 2"],
        },
        "assent.measures.conger": {
            "features = np.asarray(agree.features(shares.reshape(-1, labels))).reshape(*shares.shape[:-1], -1)": ["1 → 2"],
        },
        "assent.measures._lists": {
            "made = compare(x.reshape(-1, objects), y.reshape(-1, objects))": ["1 → 2"],
        },
        "assent.measures.meetings": {
            "return made.reshape(*made.shape[:-1], self.count, -1)": ["1 → 2"],
        },
        "assent.inference.derivatives": {
            "return np.asarray(base + STEP * 1j * dense).reshape(-1, *dense.shape[1:])": ["1 → 2"],
            "ways, profiles = self.weights.reshape(-1, self.weights.shape[-1]).shape": ["1 → 2"],
        },
    },
    "A fraction that changes by nothing that a float could show has ended.": {
        "assent.inference.tails": {
            "if abs(change - 1.0) <= _NOTHING:": ["abs(change - 1.0) <= _NOTHING → abs(change - 1.0) < _NOTHING"],
        },
    },
    "A guard: of 1,500 random quantiles no step left the bracket.": {
        "assent.inference.tails": {
            "step = odds - (low + high) / 2.0": [
                "(low + high) / 2.0 → (low + high) * 2.0",
                "2.0 → 3.0",
                "low + high → low - high",
                "odds - (low + high) / 2.0 → odds + (low + high) / 2.0",
            ],
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
    "How many steps there may be, and from where a formula is taken that is as exact.": {
        "assent.inference.tails": {
            "_MOST_STEPS = 100_000": ["100000 → 100001"],
            "_COUNTED = 500": ["500 → 501"],
        },
    },
    "Up to 17 the two formulas differ by less than 2e-14.": {
        "assent.inference.tails": {
            "if value < 16.0:": ["value < 16.0 → value <= 16.0", "16.0 → 17.0"],
        },
    },
    "It is less than what the next term of the series would add.": {
        "assent.inference.tails": {
            "return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square) / value": ["1188 → 1189"],
            "series = sum(square**power / (2.0 * power + 1.0) for power in range(8, 0, -1))": ["8 → 9"],
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
    "Where the search begins and how far it may go at once decides on its steps, not on where it ends.": {
        "assent.inference.tails": {
            "spread = math.sqrt(1.0 / a + 1.0 / b)": ["1.0 → 2.0"],
            "odds = math.log(a / b) + NormalDist().inv_cdf(probability) * spread": ["math.log(a / b) + NormalDist().inv_cdf(probability) * spread → math.log(a / b) - NormalDist().inv_cdf(probability) * spread"],
            "step = max(-3.0 * spread, min(3.0 * spread, step))": [
                "-3.0 * spread → -3.0 / spread",
                "3.0 * spread → 3.0 / spread",
                "3.0 → 4.0",
            ],
        },
    },
    "There are annotators where there are names of them, and no others.": {
        "assent.measures._by_distance": {
            "\"\" if rows.annotator is None or rows.annotators is None else f\" by {shown(rows.annotators[rows.annotator[at]])}\"": ["rows.annotator is None or rows.annotators is None → rows.annotator is None and rows.annotators is None"],
        },
    },
    "Counted from another multiple of its size it is the same annotation, of the same item.": {
        "assent.measures._by_distance": {
            "offset = drawn - (ends - items.multiplicities * sizes)[profile]": ["ends - items.multiplicities * sizes → ends + items.multiplicities * sizes"],
        },
    },
    "Where profiles are not the same the items are others anyway, and else their sizes are the same.": {
        "assent.measures._by_distance": {
            "other = (profile[0] != profile[1]) | (offset[0] // sizes[profile[0]] != offset[1] // sizes[profile[1]])": ["0 → 1"],
        },
    },
    "The name has to tell the two apart, whichever has which.": {
        "assent.inference.pseudo": {
            "name = f\"with a pseudo-item{'' if sets is None else ' of sets'}{' of steps' if steps else ''}\"": ["sets is None → sets is not None"],
        },
    },
    "Without the short way the long one comes to the same.": {
        "assent.inference.pseudo": {
            "if (known == known[0]).all():": ["known == known[0] → known != known[0]"],
            "if (members == members[0]).all():": ["members == members[0] → members != members[0]"],
        },
    },
    "Nothing asks where the parts of a pseudo-item come from.": {
        "assent.inference.pseudo": {
            "origin=np.concatenate([items.origin, np.full(added, -1)]),": [
                "-1 → +1",
                "1 → 2",
            ],
        },
    },
    "Any number below the least is refused.": {
        "assent.measures.multilabel": {
            "number = least - 1": ["1 → 2"],
        },
    },
    "A margin of some times as much is still less than any difference but rounding.": {
        "assent.measures.numbers": {
            "largest = number * k * numbers.span**2": ["number * k → number / k"],
        },
    },
    "Only where the coefficient itself is undefined is an end the limit to the last bit.": {
        "assent.measures.numbers": {
            "ends = [-np.inf if end * (k - 1.0) <= -1.0 else k * end / (1.0 + (k - 1.0) * end) for end in ends]": ["end * (k - 1.0) <= -1.0 → end * (k - 1.0) < -1.0"],
        },
    },
    "No difference of floats near 1 is the limit to the last bit.": {
        "assent.measures.spa": {
            "if not shares or not all(one >= 0 for one in shares) or abs(sum(shares) - 1) > 1e-6:": ["abs(sum(shares) - 1) > 1e-06 → abs(sum(shares) - 1) >= 1e-06"],
        },
    },
    "Of rows that are the same the first is taken.": {
        "assent.measures.gwet": {
            "each_once = np.asarray(agree.features(np.ones((1, labels))))[0]": ["1 → 2"],
        },
        "assent.measures.van_oest": {
            "start = np.asarray(agree.features(np.full((1, len(items.labels)), PRIORS[prior])))[0]": ["1 → 2"],
        },
    },
    "Infinite times nothing is undefined, too.": {
        "assent.measures.gwet": {
            "guessing = sum_of_weights(agree, labels) / (labels * (labels - 1.0)) if labels > 1 else np.asarray(np.nan)": ["labels > 1 → labels >= 1"],
        },
    },
    "A label is not compared with itself.": {
        "assent.measures._by_distance": {
            "key = (first, second) if first < second else (second, first)": ["first < second → first <= second"],
        },
    },
    "How many pairs are checked, or digits compared, is a margin.": {
        "assent.measures._by_distance": {
            "CHECKED = 200": ["200 → 201"],
            "DIGITS = 12": ["12 → 13"],
        },
    },
    "The seed of a sample that is checked.": {
        "assent.measures._by_distance": {
            "rng = np.random.default_rng(0)": ["0 → 1"],
        },
    },
    "At the limit both ways count the same.": {
        "assent.measures._orders": {
            "if n > MANY_OBJECTS:": ["n > MANY_OBJECTS → n >= MANY_OBJECTS"],
            "turned = (lengths[0] > lengths[1])[:, None]": ["lengths[0] > lengths[1] → lengths[0] >= lengths[1]"],
        },
    },
    "Each of the two orders becomes the other one, and the mean is over both.": {
        "assent.measures._orders": {
            "place = np.argsort(np.argsort(2 * major * (4 * n) + 2 * minor, axis=-1, kind=\"stable\"), axis=-1)": ["2 * major * (4 * n) → 2 * major / (4 * n)"],
        },
    },
    "Signs of differences are the same along either axis, but for the sign.": {
        "assent.measures._orders": {
            "agree = (one * two).sum(-1, dtype=np.int64)": [
                "-1 → +1",
                "1 → 2",
            ],
            "apart_x, apart_y = (np.abs(signs).sum(-1, dtype=np.int64) for signs in (one, two))": [
                "-1 → +1",
                "1 → 2",
            ],
        },
    },
    "The array has two axes: the last is the second.": {
        "assent.measures._orders": {
            "harmonic = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, truth.shape[-1] + 1))])": ["-1 → +1"],
            "most = (weight * (seen.overlap + best) / below).sum(-1) + more.sum(-1) + p ** full[:, 0]": ["-1 → +1"],
            "return 2.0 * _over(np.where(here, share, 0.0).sum(-1), here.sum(-1) - 1.0) - 1.0": ["-1 → +1"],
            "made.append(2.0 * _over((both / np.maximum(number, 1)).sum(-1), (number > 0).sum(-1)) - 1.0)": ["-1 → +1"],
            "n = np.count_nonzero(~np.isnan(x), axis=-1, keepdims=True)": ["-1 → +1"],
            "x, y = (one - _over(np.nansum(one, -1, keepdims=True), n) for one in (x, y))": ["-1 → +1"],
            "return _over(np.nansum(x * y, -1), np.sqrt(np.nansum(x * x, -1) * np.nansum(y * y, -1)))": ["-1 → +1"],
            "n = x.shape[-1]": ["-1 → +1"],
            "both = (first * second).sum(-1, dtype=np.int64)": ["-1 → +1"],
            "ones, twos = (np.count_nonzero(one, axis=-1) for one in (first, second))": ["-1 → +1"],
            "place = np.argsort(np.argsort(2 * major * (4 * n) + 2 * minor, axis=-1, kind=\"stable\"), axis=-1)": ["-1 → +1"],
            "below = (weight * apart_x).sum(-1) * (weight * apart_y).sum(-1)": ["-1 → +1"],
            "made.append(_over((weight * agree).sum(-1), np.sqrt(below)))": ["-1 → +1"],
            "return 2.0 * _over(share.sum(-1), (number > 0).sum(-1)) - 1.0": ["-1 → +1"],
            "lengths = np.stack([(~np.isnan(one)).sum(-1) for one in (x, y)])": ["-1 → +1"],
            "extrapolated = (weight * guessed).sum(-1) + p ** far[:, 0] * at(guessed, np.maximum(far - 1, 0), 1)[:, 0]": ["-1 → +1"],
            "tail = -np.log1p(-p) - np.where(depth <= far, p**depth / depth, 0.0).sum(-1)": ["-1 → +1"],
            "lowest = (weight * agreement).sum(-1) + common[:, 0] * (1.0 - p) / p * tail": ["-1 → +1"],
        },
        "assent.measures.rankings": {
            "between = (centred.sum(1) ** 2).sum(-1) / rankings": ["-1 → +1"],
            "mean = np.nan_to_num(values * weights).sum(-1) / weights.sum(-1)": ["-1 → +1"],
            "each = ranked.sum((1, 2)) / ranked.any(1).sum(-1)": ["-1 → +1"],
            "number = (~np.isnan(listwise(block.positions))).all(1).sum(-1)": ["-1 → +1"],
        },
    },
    "The first order stays the first as long as its factor is the larger one.": {
        "assent.measures._orders": {
            "place = np.argsort(np.argsort(2 * major * (4 * n) + 2 * minor, axis=-1, kind=\"stable\"), axis=-1)": [
                "2 → 3",
                "4 → 5",
            ],
        },
    },
    "What is divided by it is not used.": {
        "assent.measures._orders": {
            "return np.asarray(np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), np.nan))": ["1.0 → 2.0"],
        },
        "assent.measures._span_pairs": {
            "return np.where(some, by[\"score\"] / np.where(some, by[\"scored\"], 1.0), np.nan)": ["1.0 → 2.0"],
            "value = 2.0 * matched * back / np.where(any_matched, bottom, 1.0)": ["1.0 → 2.0"],
            "return np.where(some, 2.0 * matched / np.where(some, first + second, 1.0), np.nan)": ["1.0 → 2.0"],
        },
        "assent.measures.components": {
            "return np.where(none, np.nan, (observed - expected) / np.where(none, 1.0, room))": ["1.0 → 2.0"],
        },
        "assent.measures.numbers": {
            "return np.asarray(np.where(np.real(whole) > 0, part / np.where(np.real(whole) > 0, whole, 1.0), np.nan))": [
                "1.0 → 2.0",
                "np.real(whole) > 0 → np.real(whole) >= 0",
            ],
        },
    },
    "Where a rank is missing, nothing is compared that could be weighed.": {
        "assent.measures._orders": {
            "weight = np.where(np.isnan(x), 0.0, 1.0 / (place + 1.0))": ["0.0 → 1.0"],
        },
    },
    "Where a rank is missing, the number is not used.": {
        "assent.measures._orders": {
            "begin, end = (np.where(here, one, 1.0).astype(np.int64) for one in (first, last))": ["1.0 → 2.0"],
        },
    },
    "A number of its own for each place, by any factor that is large enough.": {
        "assent.measures._span_pairs": {
            "far = int(end.max() - end.min()) + 1": ["1 → 2"],
        },
    },
    "Intervals that touch cover the same as one or as two.": {
        "assent.measures._span_pairs": {
            "new[1:] = (owner[1:] != owner[:-1]) | (begin[1:] > reach[:-1])": ["begin[1:] > reach[:-1] → begin[1:] >= reach[:-1]"],
        },
    },
    "What is kept for the next time is all that is decided.": {
        "assent.measures.cohen": {
            "if shared.both.size > MEETINGS_KEPT:": ["shared.both.size > MEETINGS_KEPT → shared.both.size >= MEETINGS_KEPT"],
        },
        "assent.measures.meetings": {
            "if len(profile) <= MEETINGS_KEPT:": ["len(profile) <= MEETINGS_KEPT → len(profile) < MEETINGS_KEPT"],
            "if name and len(self.profile) <= MEETINGS_KEPT:": [
                "name and len(self.profile) <= MEETINGS_KEPT → name or len(self.profile) <= MEETINGS_KEPT",
                "len(self.profile) <= MEETINGS_KEPT → len(self.profile) < MEETINGS_KEPT",
            ],
        },
        "assent.inference.pseudo": {
            "KEPT_PROFILES = 10_000": ["10000 → 10001"],
        },
    },
    "The limit is far below every room that data can leave: none is equal to it.": {
        "assent.measures.components": {
            "none = room.real < NO_ROOM": ["room.real < NO_ROOM → room.real <= NO_ROOM"],
            "if isinstance(room, float) and room >= NO_ROOM:": ["room >= NO_ROOM → room > NO_ROOM"],
        },
    },
    "What is divided by it is 0.": {
        "assent.measures.conger": {
            "shares = chosen / np.where(number == 0, 1.0, number)[..., None]": ["1.0 → 2.0"],
        },
        "assent.measures._gamma_sums": {
            "share = sums[\"chance_apart\"] / np.where(labels > 0, labels, 1.0)": ["1.0 → 2.0"],
        },
        "assent.measures._by_distance": {
            "values, far = (np.round(one / (unit or 1.0), DIGITS) for one in (values, far))": ["1.0 → 2.0"],
        },
    },
    "Columns of nothing add nothing.": {
        "assent.measures.multilabel": {
            "of_size = np.eye(int(sets.sizes.max(initial=0)) + 1)[sets.sizes]": [
                "0 → 1",
                "1 → 2",
            ],
        },
        "assent.measures.span_links": {
            "cells = np.zeros((number, max(1, many)))": ["1 → 2"],
        },
        "assent.measures.meetings": {
            "return self._terms(np.arange(len(each)), 0, each, 1)": ["1 → 2"],
        },
        "assent.measures._span_pairs": {
            "first, second = np.divmod(pairs[:1] if pooled else pairs, people)": ["1 → 2"],
        },
    },
    "The space of the keys decides how they are counted, not what is.": {
        "assent.measures.multilabel": {
            "both, place = distinct(met.sides[0].astype(np.int64) * len(weights) + met.sides[1], len(weights) ** 2)": [
                "2 → 3",
                "len(weights) ** 2 → len(weights) * 2",
            ],
        },
    },
    "Any negative number says that there is no label.": {
        "assent.measures.paired": {
            "code = np.full((profiles, count), -1, dtype=np.int32)": ["1 → 2"],
        },
    },
    "Sums are made with their window; fields after those of the base class need a default.": {
        "assent.measures.segmentation": {
            "window: int = 0": ["0 → 1"],
        },
    },
    "How much of the labels an error message shows.": {
        "assent.measures.spa": {
            "f\"shares has {len(shares)} numbers for {len(items.labels)} labels ({', '.join(shown(one, 12) for one in items.labels[:8])}): \"": [
                "12 → 13",
                "8 → 9",
            ],
        },
    },
    "The variance is 0 for every number of annotations, if one label has all, or for none.": {
        "assent.measures.spa": {
            "return np.ones_like(variance) if not variance.any() else 1.0 / variance": ["variance.any() → variance.all()"],
        },
    },
    "Labels are numbered apart by any factor that is large enough.": {
        "assent.measures.span_labels": {
            "people, labels = len(data.annotators), max(1, len(data.labels))": ["1 → 2"],
        },
    },
    "No annotator is another one.": {
        "assent.measures.span_links": {
            "is_first = who[relation] < other": ["who[relation] < other → who[relation] <= other"],
        },
    },
    "What comes after the last key is larger than it, and so not equal to it.": {
        "assent.measures.span_links": {
            "(at < len(key)) & (key[np.minimum(at, len(key) - 1)] == end[:, None] * people + others)": ["at < len(key) → at <= len(key)"],
        },
    },
    "Whatever is done with it, it is undefined.": {
        "assent.measures.unitized": {
            "none = met * np.nan": ["met * np.nan → met / np.nan"],
        },
    },
    "A margin for rounding: nothing is equal to it.": {
        "assent.inference.betting": {
            "low, high = means < -1e-9, means > 1.0 + 1e-9": [
                "means < -1e-09 → means <= -1e-09",
                "means > 1.0 + 1e-09 → means >= 1.0 + 1e-09",
            ],
        },
        "assent.measures.results": {
            "elif not math.isnan(low) and high - low <= NO_WIDTH:": ["high - low <= NO_WIDTH → high - low < NO_WIDTH"],
            "if not (abs(self.value - 1) < 1e-12 and abs(self.observed - 1) < 1e-12 and self.expected < 1):": [
                "abs(self.value - 1) < 1e-12 → abs(self.value - 1) <= 1e-12",
                "abs(self.observed - 1) < 1e-12 → abs(self.observed - 1) <= 1e-12",
            ],
        },
        "assent.measures._by_distance": {
            "close = float(weights[below < CLOSE - 1e-12].sum() / weights.sum())": ["below < CLOSE - 1e-12 → below <= CLOSE - 1e-12"],
        },
        "assent.inference.pseudo": {
            "if units < ENOUGH:": ["units < ENOUGH → units <= ENOUGH"],
            "elif steps and len(codes) * (len(codes) - 1) <= 2.0 * units:": ["len(codes) * (len(codes) - 1) <= 2.0 * units → len(codes) * (len(codes) - 1) < 2.0 * units"],
        },
    },
    "What one halving more leaves out is less than 1e-12.": {
        "assent.inference.betting": {
            "_HALVINGS = 40": ["40 → 41"],
        },
    },
    "A table that is longer than what is looked up in it.": {
        "assent.inference.changes": {
            "halves, wholes = _log_gammas(int(np.max(number, initial=1)).bit_length())": ["1 → 2"],
            "k = np.arange(2**bits - 1)": [
                "2 ** bits - 1 → 2 ** bits + 1",
                "2 → 3",
            ],
        },
        "assent.measures._orders": {
            "depth = np.arange(1, int(n.max()) + 1)": ["1 → 2"],
            "harmonic = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, truth.shape[-1] + 1))])": ["1 → 2"],
        },
        "assent.inference.pseudo": {
            "return members[:1], np.ones(1)": ["1 → 2"],
        },
    },
    "Only as many factors are taken as there are powers.": {
        "assent.inference.intervals": {
            "steps = np.arange(2 + odd, degrees - 1, 2)": ["degrees - 1 → degrees + 1"],
        },
    },
    "A steeper slope takes more steps to the same end.": {
        "assent.inference.intervals": {
            "slope = 2.0 * math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(math.pi)": [
                "2.0 → 3.0",
                "2.0 * math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(math.pi) → 2.0 * math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) * math.sqrt(math.pi)",
            ],
        },
    },
    "The acceleration is 1/6 at most, so that there is no room only beyond six standard errors.": {
        "assent.inference.intervals": {
            "levels.append(normal.cdf(bias + shifted / room) if room > 0 else float(shifted > 0))": [
                "room > 0 → room >= 0",
                "shifted > 0 → shifted >= 0",
                "0 → 1",
            ],
        },
    },
    "The last of two dimensions is the second.": {
        "assent.measures._lists": {
            "return np.asarray(np.where(np.isnan(values), 0.0, values * weights).sum(-1) / weights.sum(-1))": ["-1 → +1"],
        },
        "assent.measures._orders": {
            "return np.asarray(np.where(s > 0, np.stack([extrapolated, lowest, most], axis=-1), np.nan))": ["-1 → +1"],
        },
    },
    "What is left without an annotator is worked out from what is known or measured anew, with the same result.": {
        "assent.measures._lists": {
            "apart = gaps == \"pairwise\" or not any(np.isnan(block.positions).any() for block in items.blocks)": ["gaps == 'pairwise' or not any((np.isnan(block.positions).any() for block in items.blocks)) → gaps == 'pairwise' and (not any((np.isnan(block.positions).any() for block in items.blocks)))"],
        },
    },
    "Annotators are left out of one list alone, which is one block.": {
        "assent.measures._lists": {
            "apart = gaps == \"pairwise\" or not any(np.isnan(block.positions).any() for block in items.blocks)": ["any((np.isnan(block.positions).any() for block in items.blocks)) → all((np.isnan(block.positions).any() for block in items.blocks))"],
        },
    },
    "What nobody belongs to is cut off.": {
        "assent.measures._lists": {
            "lost = sum(np.bincount(of, one, minlength=number + 1) for of, one in ((first, terms), (second, terms - own)))": ["1 → 2"],
        },
    },
    "Nothing over nothing is undefined either way.": {
        "assent.measures._lists": {
            "return np.asarray(np.where(left[1] > 0, left[0] / left[1], np.nan))": ["left[1] > 0 → left[1] >= 0"],
        },
        "assent.measures._span_pairs": {
            "some = np.real(by[\"scored\"]) > 0": ["np.real(by['scored']) > 0 → np.real(by['scored']) >= 0"],
        },
    },
    "Both ways count the same pairs of objects.": {
        "assent.measures._orders": {
            "MANY_OBJECTS = 600": ["600 → 601"],
        },
    },
    "Every span and every token ends at 1 or later.": {
        "assent.measures._span_tokens": {
            "owner = data.document[span] * int(end.max(initial=0))": ["0 → 1"],
            "far = int(max(end.max(initial=0), token_end.max(initial=0)))": ["0 → 1"],
        },
    },
    "Without spans of several parts nothing is there twice.": {
        "assent.measures._span_tokens": {
            "if len(span) > len(data.start):": ["len(span) > len(data.start) → len(span) >= len(data.start)"],
        },
    },
    "There are three columns, so that all are named.": {
        "assent.measures._span_tokens": {
            "f\"The tokens in {shown(name)} have no column {listed(lacking, 3)}: they need {listed(_COLUMNS, 3)}.\"": ["3 → 4"],
        },
    },
    "The value is not used where the other is taken.": {
        "assent.measures._orders": {
            "at = (np.arange(number)[:, None] * n + np.where(here, ranks, 1.0).astype(np.int64) - 1)[here]": ["1.0 → 2.0"],
        },
        "assent.inference.derivatives": {
            "rate = np.where(counts, weight * np.where(counts, slope, 0.0) + (held - mean) * shift, 0.0) / all_weights": ["0.0 → 1.0"],
        },
    },
    "Listwise an object is ranked by all or by none.": {
        "assent.measures.rankings": {
            "if one.shape[0] == m and (~np.isnan(one)).all(0).sum() == n and np.nanvar(one) > NO_ROOM": ["(~np.isnan(one)).all(0) → (~np.isnan(one)).any(0)"],
            "number = (~np.isnan(listwise(block.positions))).all(1).sum(-1)": ["(~np.isnan(listwise(block.positions))).all(1) → (~np.isnan(listwise(block.positions))).any(1)"],
        },
    },
    "What is returned is not looked at: the bounds that were kept are.": {
        "assent.measures.top_weighted": {
            "return seen[-1][:, 0]": ["0 → 1"],
        },
    },
    "Any order of the columns puts equal places together, with annotators in order.": {
        "assent.measures._span_pairs": {
            "order = np.lexsort((annotator, *columns[::-1]))": ["-1 → +1"],
        },
    },
    "Added or taken off, what is less than the factor makes a number of its own.": {
        "assent.measures._span_pairs": {
            "return found.first * people + who[found.second], found.second * people + who[found.first]": [
                "found.first * people + who[found.second] → found.first * people - who[found.second]",
                "found.second * people + who[found.first] → found.second * people - who[found.first]",
            ],
        },
    },
    "Where nobody has a tie, no choice is 0.": {
        "assent.measures._choices": {
            "for_first = np.bincount(pair, choice > 0)": ["choice > 0 → choice >= 0"],
        },
    },
    "Every two sets or both of every meeting: the same are compared.": {
        "assent.measures.meetings": {
            "if sets**2 < len(one):": [
                "sets ** 2 < len(one) → sets ** 2 <= len(one)",
                "sets ** 2 → sets * 2",
                "2 → 3",
            ],
        },
    },
    "Quantiles of an F distribution beyond 1e304 are said to be infinite, a little sooner or later.": {
        "assent.inference.tails": {
            "_LARGEST = 700.0": ["700.0 → 701.0"],
        },
    },
    "A row more is worked out and not used.": {
        "assent.inference.sample": {
            "ways = np.zeros((1 if self.plain is None else 2, len(self.weights)))": [
                "1 → 2",
                "2 → 3",
            ],
        },
    },
    "Only odds that are far from 0 on either side come here.": {
        "assent.inference.tails": {
            "return math.inf if odds > 0.0 else 0.0": [
                "odds > 0.0 → odds >= 0.0",
                "0.0 → 1.0",
            ],
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


def reason_of(mutant: Mutant) -> str:
    """Return why a change makes no difference, or nothing if that is not known."""
    return REASONS.get((mutant.module, mutant.text, mutant.what), "")
