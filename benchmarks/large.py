"""Tables that do not fit into memory: what an annotation costs, from 10^5 of them to 2 x 10^8.

    python benchmarks/large.py                                all sizes with polars and DuckDB; writes docs/benchmarks.md
    python benchmarks/large.py --sizes 1e6,1e8 --engines polars    only these; changes no file
    python benchmarks/large.py --quick                        10^5 and 10^6; changes no file

The table is drawn in pieces and written as Parquet files under benchmarks/data, which are deleted at the end. Whoever measures is
a process of its own, and the system says how much memory it needed at most. Alpha, Fleiss' kappa, AC1 and SPA with all its
schemes, each with an analytic interval and one from 1,000 bootstrap samples.
"""

from __future__ import annotations

import argparse
import itertools
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if not __package__:
    # This folder holds a file with the name of a well-known package, which must not be found first.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from benchmarks.pages import DOCS, insert, table
from benchmarks.processes import CORES, DATA, GB, Failed, Run, best, machine, python, run, say

SIZES = (100_000, 1_000_000, 10_000_000, 100_000_000, 200_000_000)
QUICK = (100_000, 1_000_000)
ENGINES = ("polars", "duckdb")
#: The memory that the largest table may need.
GOAL = 6 * GB
#: What DuckDB may take before it puts things on the disk.
LIMIT = "4GB"
#: A file takes so many bytes an annotation; as much again is kept free.
BYTES = 6
#: Growth is linear if a further annotation never costs more than so many times what it costs at first.
LINEAR = 1.5
#: Up to here times are the best of three.
OFTEN = 10_000_000
#: Annotations of five items in a row, of a block of items, and of a block.
PATTERN = (2, 4, 5, 6, 8)
BLOCK = 10_000_000
ANNOTATORS_A_PLACE = 125

GENERATE = f"""
import sys
from pathlib import Path
import numpy as np, polars as pl
first, annotations, folder = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
pattern = np.array({PATTERN})
items = annotations // 5
rng = np.random.default_rng([annotations, first])
name = pl.Series(np.arange(items) + first).cast(pl.String).str.zfill(8)
name = pl.select("item-" + name).to_series()
truth = rng.choice(6, items, p=[.4, .25, .15, .1, .06, .04])
texts = dict(
    annotator=pl.Series([f"worker_{{i:04}}" for i in range({ANNOTATORS_A_PLACE * max(PATTERN)})]),
    label=pl.Series([f"label{{i}}" for i in range(6)]),
)
size = pattern[np.arange(items) % len(pattern)]
for place in range(pattern.max()):
    # The first annotations of all items of the block, in random order, then the second ones, and so on: an item's are far apart.
    some = rng.permutation(np.flatnonzero(size > place))
    # No annotator has an item twice: each place of an item has annotators of its own.
    who = rng.integers(0, {ANNOTATORS_A_PLACE}, len(some)) + {ANNOTATORS_A_PLACE} * place
    said = np.where(rng.random(len(some)) < .75, truth[some], rng.integers(0, 6, len(some)))
    pl.DataFrame(dict(
        item=name.gather(some),
        annotator=texts["annotator"].gather(who).cast(pl.Categorical),
        label=texts["label"].gather(said).cast(pl.Categorical),
    )).write_parquet(folder / f"part-{{first:09}}-{{place}}.parquet")
"""
FLOOR = """
import sys
import polars as pl
rows = pl.scan_parquet(sys.argv[1])
print(rows.select(pl.all().cast(pl.String).str.len_bytes().sum()).collect(engine="streaming").row(0))
"""
MEASURE = """
import json, sys, time
start = time.perf_counter()
import assent
if sys.argv[2] == "duckdb":
    import duckdb
    connection = duckdb.connect(config={"memory_limit": sys.argv[3], "temp_directory": sys.argv[4]})
    data = assent.Annotations.from_frame(connection.read_parquet(sys.argv[1] + "/*.parquet"))
else:
    data = assent.read(sys.argv[1], engine=sys.argv[2])
read = time.perf_counter()
asked = [(name, {}) for name in ("krippendorff-alpha", "fleiss-kappa", "gwet-ac")]
asked += [("spa", {"scheme": scheme}) for scheme in
          ("annotations-m1", "flat", "annotations", "edges", "inv-var", "inv-var-class")]
found, counted = {}, None
for name, options in asked:
    agreement = assent.all_measures()[name](data, **options)
    counted = counted or time.perf_counter()
    analytic = agreement.confidence_interval()
    bootstrap = agreement.confidence_interval(method="bootstrap", replicates=1000)
    found[" ".join([name, *options.values()])] = [
        agreement.value, analytic.low, analytic.high, bootstrap.low, bootstrap.high
    ]
end = time.perf_counter()
print(json.dumps({
    "annotations": data.n_annotations, "items": data.n_items, "found": found, "profiles": len(data._counts.multiplicities),
    "read": read - start, "count": counted - read, "infer": end - counted,
}))
"""


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One engine on one size: the process, and what it found and printed."""

    size: int
    engine: str
    run: Run
    floor: Run
    printed: Mapping[str, Any]

    @property
    def each(self) -> float:
        """Nanoseconds an annotation."""
        return 1e9 * self.run.wall / self.size


def blocks(size: int) -> Iterator[tuple[int, int]]:
    """Cut a size into blocks: the first item of each, and its annotations."""
    for start in range(0, size, BLOCK):
        yield start // 5, min(BLOCK, size - start)


def written(folder: Path, sizes: Sequence[int]) -> Iterator[tuple[int, Path]]:
    """Write tables one after the other, the smallest first; a larger one goes on where the one before ended, if it can."""
    there: list[tuple[int, int]] = []
    for size in sorted(sizes):
        wanted = list(blocks(size))
        if wanted[: len(there)] != there:
            for file in folder.glob("*.parquet"):
                file.unlink()
            there = []
        for first, rows in wanted[len(there) :]:
            say(f"{size:,}: writing from item {first:,}")
            run(python(GENERATE, first, rows, folder))
        there = wanted
        yield size, folder


def measured(size: int, folder: Path, engines: Sequence[str]) -> Iterator[Measured]:
    """Let the engines take turns."""
    rounds = 3 if size <= OFTEN else 1
    commands = {"floor": python(FLOOR, folder / "*.parquet")}
    commands |= {engine: python(MEASURE, folder, engine, LIMIT, folder / "scratch") for engine in engines}
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            say(f"{size:,}: {name}")
            try:
                runs[name].append(run(command))
            except Failed as error:
                raise SystemExit(f"{size:,} annotations, {name}: {error}") from None
    for engine in engines:
        # An engine may have drawn a progress bar before.
        printed = json.loads(runs[engine][0].printed.splitlines()[-1])
        if printed["annotations"] != size:
            raise SystemExit(f"{engine} counted {printed['annotations']:,} annotations of {size:,}.")
        yield Measured(size=size, engine=engine, run=best(runs[engine]), floor=best(runs["floor"]), printed=printed)


def same(results: Sequence[Measured]) -> None:
    """Refuse to compare engines that do not give the same digits."""
    for one in results:
        if one.printed["found"] != results[0].printed["found"]:
            raise SystemExit(f"{one.engine} and {results[0].engine} differ: {one.printed}, {results[0].printed}.")


def report(results: Sequence[Measured]) -> str:
    """Write the table and whether the goals were reached."""
    rows = [
        [
            one.engine,
            f"{one.size:,}",
            f"{one.printed['items']:,}",
            f"{one.each:,.0f} ns",
            f"{1e9 * one.run.processor / one.size:,.0f} ns",
            f"{one.run.wall / one.floor.wall:.2f}",
            f"{one.run.peak / GB:.2f} GB",
            f"{one.run.wall:,.1f} s",
        ]
        for one in results
    ]
    head = [
        "engine",
        "annotations",
        "items",
        "an annotation",
        "its processor time",
        "in passes over the file",
        "peak memory",
        "in all",
    ]
    lines = [table(head, rows), ""]
    largest = max(one.size for one in results)
    for one in results:
        if one.size == largest:
            enough = "yes" if one.run.peak < GOAL else "**no**"
            parts = ", ".join(f"{what} {one.printed[key]:.1f} s" for what, key in PHASES.items())
            lines.append(
                f"- {one.engine}, {one.size:,} annotations in less than {GOAL / GB:.0f} GB on {CORES} cores: {enough} "
                f"({one.run.peak / GB:.2f} GB; {parts}; {one.printed['profiles']:,} profiles)"
            )
    for engine in dict.fromkeys(one.engine for one in results):
        costs = further([one for one in results if one.engine == engine])
        if len(costs) > 1:
            linear = "yes" if max(costs) <= LINEAR * costs[0] else "**no**"
            shown = ", ".join(f"{cost:,.0f}" for cost in costs)
            lines.append(f"- {engine}, linear: from size to size each further annotation costs {shown} ns: {linear}")
    lines.append("- the same digits from all engines: yes")
    return "\n".join(lines)


def further(results: Sequence[Measured]) -> list[float]:
    """Return what each further annotation costs from one size to the next, in nanoseconds; starting up counts for nothing."""
    large = [one for one in results if one.size >= 1_000_000]
    return [
        1e9 * (after.run.wall - before.run.wall) / (after.size - before.size)
        for before, after in itertools.pairwise(large)
    ]


PHASES = {"reading": "read", "counting": "count", "18 intervals": "infer"}


TICKS = (100_000, 1_000_000, 10_000_000, 100_000_000)


def chart(results: Sequence[Measured]) -> Any:
    """Draw what an annotation costs, and how much memory, by the number of annotations."""
    import altair as alt

    values = [
        {"annotations": one.size, "engine": one.engine, "cost": one.each / 1000, "memory": one.run.peak / GB}
        for one in results
    ]
    base = alt.Chart(alt.Data(values=values)).encode(
        x=alt.X("annotations:Q", title="annotations")
        .scale(type="log", domain=[1e5, 3e8])
        .axis(format="~s", values=list(TICKS)),
        color=alt.Color("engine:N", title=None).legend(orient="top"),
    )
    ticks = [10.0**power for power in range(-2, 4)]
    cost = base.mark_line(point=True).encode(
        y=alt.Y("cost:Q", title="microseconds an annotation").scale(type="log").axis(format="~g", values=ticks)
    )
    memory = base.mark_line(point=True).encode(y=alt.Y("memory:Q", title="peak memory, GB"))
    goal = alt.Chart(alt.Data(values=[{"memory": GOAL / GB}])).mark_rule(strokeDash=[4, 4]).encode(y="memory:Q")
    return alt.hconcat(
        cost.properties(width=280, height=220), alt.layer(memory, goal).properties(width=280, height=220)
    )


def numbers(text: str) -> tuple[int, ...]:
    """Read sizes such as 1e5,2e8."""
    sizes = tuple(int(float(part)) for part in text.split(","))
    if any(size < 1000 or size % 1000 for size in sizes):
        raise argparse.ArgumentTypeError("sizes are whole thousands")
    return sizes


def main(arguments: Sequence[str] | None = None) -> None:
    """Write, measure, delete."""
    parser = argparse.ArgumentParser(description="Tables that do not fit into memory.")
    parser.add_argument("--sizes", type=numbers, help="annotations, as in 1e5,1e6; change no file")
    parser.add_argument("--engines", default=",".join(ENGINES), help="of polars,duckdb")
    parser.add_argument("--quick", action="store_true", help="10^5 and 10^6; change no file")
    options = parser.parse_args(arguments)
    sizes = options.sizes or (QUICK if options.quick else SIZES)
    engines = [name for name in options.engines.split(",") if name]
    if not engines or set(engines) - set(ENGINES):
        parser.error(f"the engines are {', '.join(ENGINES)}")
    DATA.mkdir(exist_ok=True)
    needed = 2 * BYTES * max(sizes)
    free = shutil.disk_usage(DATA).free
    if free < needed:
        raise SystemExit(
            f"{max(sizes):,} annotations need {needed / GB:.1f} GB on the disk, and {free / GB:.1f} GB are free."
        )
    about = machine()
    results: list[Measured] = []
    with tempfile.TemporaryDirectory(dir=DATA, prefix="large-") as place:
        for size, folder in written(Path(place), sizes):
            found = list(measured(size, folder, engines))
            same(found)
            results += found
            disk = sum(file.stat().st_size for file in folder.glob("*.parquet"))
            say(f"{size:,}: {disk / size:.1f} bytes an annotation on the disk")
    results.sort(key=lambda one: (one.engine != engines[0], one.engine, one.size))
    text = f"{about}\n\n{report(results)}"
    print(text)
    if not options.quick and options.sizes is None and tuple(engines) == ENGINES:
        insert(DOCS / "benchmarks.md", "large", text)
        from assent.documents.charts import save

        save(chart(results), DOCS / "benchmarks-large.svg")


if __name__ == "__main__":
    main()
