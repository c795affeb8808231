"""Tables with text for names, drawn by lot: `python tables.py KIND ITEMS FILE`; the same ones every time.

It prints how many annotations there are.
"""

import sys
from collections.abc import Callable

import numpy as np
import polars as pl


def _drawn(rng: np.random.Generator, items: int, each: int, labels: int, right: float) -> np.ndarray:
    """Labels, (items, each): the true one, or any."""
    truth = rng.integers(0, labels, (items, 1))
    return np.where(rng.random((items, each)) < right, truth, rng.integers(0, labels, (items, each)))


def _rows(rng: np.random.Generator, given: np.ndarray, texts: pl.Series, annotators: int) -> pl.DataFrame:
    """Long rows in random order; `given` points into `texts`. Nobody annotates an item twice."""
    items, each = given.shape
    group = annotators // each
    who = rng.integers(0, group, (items, each)) + group * np.arange(each)
    order = rng.permutation(items * each)
    return pl.DataFrame(
        {
            "item": _names("item-", items, 7).gather(np.repeat(np.arange(items), each)[order]),
            "annotator": _names("worker_", annotators, 4).gather(who.ravel()[order]),
            "label": texts.gather(given.ravel()[order]),
        }
    )


def _names(stem: str, count: int, width: int) -> pl.Series:
    digits = pl.Series("name", np.arange(count)).cast(pl.String).str.zfill(width)
    return digits.to_frame().select(pl.format(stem + "{}", "name")).to_series()


def long(rng: np.random.Generator, items: int) -> pl.DataFrame:
    """Four annotations an item by 1,000 annotators, five labels."""
    return _rows(rng, _drawn(rng, items, 4, 5, 0.7), _names("label", 5, 1), 1000)


def numbers(rng: np.random.Generator, items: int) -> pl.DataFrame:
    """The same with whole numbers from 1 to 10, which lie near each other."""
    given = rng.integers(0, 10, (items, 1)) + rng.integers(-2, 3, (items, 4))
    return _rows(rng, given.clip(0, 9), pl.Series(range(1, 11)).cast(pl.String), 1000)


def two(rng: np.random.Generator, items: int) -> pl.DataFrame:
    """One row an item, two annotators, five labels."""
    given, texts = _drawn(rng, items, 2, 5, 0.7), _names("label", 5, 1)
    columns = {name: texts.gather(given[:, i]) for i, name in enumerate(("ann", "bob"))}
    return pl.DataFrame({"item": _names("item-", items, 7), **columns})


def grades(rng: np.random.Generator, items: int) -> pl.DataFrame:
    """One row an item, two annotators, grades from 1 to 5."""
    given = 1 + _drawn(rng, items, 2, 5, 0.7)
    return pl.DataFrame({"item": _names("item-", items, 7), "ann": given[:, 0], "bob": given[:, 1]})


def panel(rng: np.random.Generator, items: int) -> pl.DataFrame:
    """One row an item, five annotators, of whom up to three are silent."""
    given, texts = _drawn(rng, items, 5, 5, 0.7), _names("label", 5, 1)
    rank = rng.permuted(np.tile(np.arange(5), (items, 1)), axis=1)
    silent = rank < rng.integers(0, 4, (items, 1))
    columns = {}
    for i, name in enumerate(("ann", "bob", "cid", "dot", "eve")):
        said = texts.gather(given[:, i])
        columns[name] = said.to_frame("label").select(
            pl.when(pl.Series(~silent[:, i])).then(pl.col("label"))
        ).to_series()  # fmt: skip
    return pl.DataFrame({"item": _names("item-", items, 7), **columns})


def scores(rng: np.random.Generator, items: int) -> pl.DataFrame:
    """Four annotators who score every item, with one decimal."""
    given = rng.normal(50, 10, (items, 1)) + rng.normal(0, 8, (items, 4)) + np.arange(4)
    place = np.tile(np.arange(4), items)
    return pl.DataFrame(
        {
            "item": _names("item-", items, 7).gather(np.repeat(np.arange(items), 4)),
            "annotator": pl.Series(["ann", "bob", "cid", "dot"]).gather(place),
            "label": np.round(given.clip(1, 99).ravel(), 1),
        }
    )


def crowd(rng: np.random.Generator, items: int) -> pl.DataFrame:
    """Five annotations an item by 1,000 annotators, two labels: there are no ties."""
    return _rows(rng, _drawn(rng, items, 5, 2, 0.6), _names("label", 2, 1), 1000)


def sets(rng: np.random.Generator, items: int) -> pl.DataFrame:
    """Three annotators who each give one to three of six labels."""
    masks = np.array([mask for mask in range(1, 64) if mask.bit_count() <= 3])
    texts = pl.Series([";".join(letter for bit, letter in enumerate("abcdef") if mask >> bit & 1) for mask in masks])
    return _rows(rng, _drawn(rng, items, 3, len(masks), 0.6), texts, 3)


def workers(rng: np.random.Generator, items: int) -> pl.DataFrame:
    """Five annotations an item by a crowd of a worker for every twenty items, five labels."""
    return _rows(rng, _drawn(rng, items, 5, 5, 0.8), _names("label", 5, 1), max(5, items // 20))


def team(rng: np.random.Generator, items: int) -> pl.DataFrame:
    """Five annotators who all label every item, five labels."""
    return _rows(rng, _drawn(rng, items, 5, 5, 0.8), _names("label", 5, 1), 5)


def judged(rng: np.random.Generator, items: int) -> pl.DataFrame:
    """Five people and ten judges who all label every item, three labels."""
    given = _drawn(rng, items, 15, 3, 0.8)
    names = pl.Series([*(f"person{i}" for i in range(5)), *(f"judge{i}" for i in range(10))])
    order = rng.permutation(given.size)
    return pl.DataFrame(
        {
            "item": _names("item-", items, 7).gather(np.repeat(np.arange(items), 15)[order]),
            "annotator": names.gather(np.tile(np.arange(15), items)[order]),
            "label": pl.Series(["bad", "fair", "good"]).gather(given.ravel()[order]),
        }
    )


def spans(rng: np.random.Generator, items: int) -> pl.DataFrame:
    """Three annotators who find eight of ten things in a document, now and then some letters too long."""
    things = 10 * items
    start = np.tile(np.arange(10) * 50, items) + rng.integers(0, 20, things)
    parts = []
    for who in ("ada", "ben", "cem"):
        found = np.flatnonzero(rng.random(things) < 0.8)
        slip = np.where(rng.random(things) < 0.8, 0, rng.integers(1, 4, things))
        label = np.where(rng.random(things) < 0.9, np.arange(things) % 4, rng.integers(0, 4, things))
        parts.append(
            pl.DataFrame(
                {
                    "document": _names("d", items, 6).gather(found // 10),
                    "annotator": pl.Series([who]).gather(np.zeros(len(found), dtype=np.int64)),
                    "start": start[found],
                    "end": (start + 5 + slip)[found],
                    "label": pl.Series(["PER", "LOC", "ORG", "MISC"]).gather(label[found]),
                }
            )
        )
    return pl.concat(parts).sample(fraction=1.0, shuffle=True, seed=1)


def rankings(rng: np.random.Generator, items: int) -> pl.DataFrame:
    """Five annotators who put twenty objects in order for each item."""
    ranks = (rng.random((items, 1, 20)) + rng.normal(0, 0.3, (items, 5, 20))).argsort(-1).argsort(-1) + 1
    item, who, thing = (one.ravel() for one in np.indices(ranks.shape))
    columns = {"item": _names("q", items, 6).gather(item), "annotator": _names("j", 5, 1).gather(who)}
    return pl.DataFrame({**columns, "object": _names("o", 20, 2).gather(thing), "rank": ranks.ravel()})


def preferences(rng: np.random.Generator, items: int) -> pl.DataFrame:
    """Five annotators who say for each prompt which of two of ten models is better."""
    left = rng.integers(0, 10, items)
    right = (left + rng.integers(1, 10, items)) % 10
    better = rng.random((items, 5)) < 1.0 / (1.0 + np.exp((right - left)[:, None] / 3.0))
    winner = np.where(better, left[:, None], right[:, None])
    models, each = _names("model", 10, 1), np.repeat(np.arange(items), 5)
    return pl.DataFrame(
        {
            "prompt": _names("p", items, 6).gather(each),
            "judge": _names("j", 5, 1).gather(np.tile(np.arange(5), items)),
            "model_a": models.gather(left[each]),
            "model_b": models.gather(right[each]),
            "winner": models.gather(winner.ravel()),
        }
    )


def main() -> None:
    kind, items, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    made: Callable[[np.random.Generator, int], pl.DataFrame] = globals()[kind]
    table = made(np.random.default_rng([items, *kind.encode()]), items)
    table.write_csv(path)
    wide = not {"annotator", "judge"} & set(table.columns)
    print(sum(table.select(pl.exclude("item").count()).row(0)) if wide else table.height)


if __name__ == "__main__":
    main()
