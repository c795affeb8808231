"""A consensus by Dawid and Skene's model against crowd-kit: the same answer first, then how much faster, and how much memory.

    python benchmarks/consensus.py             10^5 items x 4 by 1,000 annotators, and 10^6 x 5; a few minutes
    python benchmarks/consensus.py --quick     a tenth of that, once; changes no file
    python benchmarks/consensus.py --oracles   what crowd-kit and crowdtruth answer on small tables, for the tests

Both run the same number of rounds from the same start, each in a process of its own, taking turns; only the fitting is timed.
crowd-kit is for comparison alone and needs an environment of its own:

    python -m venv benchmarks/data/consensus-venv
    benchmarks/data/consensus-venv/bin/pip install crowd-kit==1.4.2 crowdtruth==2.1
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pages import DOCS, insert, table

ROOT = Path(__file__).resolve().parent.parent
PEERS = Path(__file__).resolve().parent / "data" / "consensus-venv" / "bin" / "python"
ORACLES = ROOT / "tests" / "oracles" / "consensus"
ITERATIONS, ROUNDS, SEED = 100, 3, 1
#: Items, annotations of each, annotators and labels of the simulations.
SETTINGS = ((500, 3, 201, 5), (500, 3, 60, 5), (2000, 4, 200, 4), (2000, 4, 100, 4), (2000, 4, 40, 4), (1000, 5, 25, 2))

OURS = """
import sys, time
import numpy as np
import scipy.sparse
from assent.analyses.consensus import dawid_skene
from assent.analyses.consensus.votes import Votes
from assent.data.long_rows import LongRows
with np.load(sys.argv[1]) as file:
    item, annotator, label, truth = (file[name] for name in ("item", "annotator", "label", "truth"))
sizes = [int(one.max()) + 1 for one in (item, annotator, label)]
items, annotators, labels = ([str(i) for i in range(size)] for size in sizes)
start = time.perf_counter()
listing = LongRows(
    items=items, annotators=tuple(annotators), labels=tuple(labels), item=item, annotator=annotator, label=label
)
outcome = dawid_skene.function(Votes.of(listing), tolerance=0, max_iterations=int(sys.argv[3]))
best = outcome.probabilities.best()
print(time.perf_counter() - start)
np.save(sys.argv[2], outcome.probabilities.given)
"""
THEIRS = """
import sys, time
import numpy as np, pandas as pd
from crowdkit.aggregation import DawidSkene
with np.load(sys.argv[1]) as file:
    rows = pd.DataFrame({"task": file["item"], "worker": file["annotator"], "label": file["label"]})
    labels = range(int(file["label"].max()) + 1)
    items = range(int(file["item"].max()) + 1)
start = time.perf_counter()
model = DawidSkene(n_iter=int(sys.argv[3]), tol=-np.inf).fit(rows)
print(time.perf_counter() - start)
np.save(sys.argv[2], model.probas_.reindex(items)[list(labels)].to_numpy())
"""
MEMORY = """
import resource, sys
import numpy as np, polars as pl
import assent
with np.load(sys.argv[1]) as file:
    frame = pl.DataFrame({
        "item": pl.Series(file["item"]).cast(pl.String),
        "annotator": pl.Series(file["annotator"]).cast(pl.String),
        "label": pl.Series(file["label"]).cast(pl.String),
    })
data = assent.Annotations.from_frame(frame)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
options = {"majority": {}, "mace": {"max_iterations": 5, "restarts": 1}}.get(sys.argv[2], {"max_iterations": 5})
consensus = assent.consensus(data, sys.argv[2], **options)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(before / 2**20, after / 2**20, len(consensus.items))
"""
#: Rounds after which the answers are written down: in the middle, and where nothing moves any more.
ORACLE_ROUNDS = {"dawid-skene": (1, 10, 600), "one-coin": (1, 10, 100)}
ASK = """
import json, sys, warnings
import numpy as np, pandas as pd
from types import SimpleNamespace
from collections import Counter
from crowdkit.aggregation import MACE, DawidSkene, MajorityVote, OneCoinDawidSkene
from crowdtruth.models.metrics import Metrics
warnings.simplefilter("ignore")

def plain(frame):
    return {str(i): {str(c): float(v) for c, v in row.items()} for i, row in frame.to_dict("index").items()}

def series(values):
    return {str(i): float(v) for i, v in values.items()}

asked, answers = json.load(sys.stdin), {}
for table in asked["tables"]:
    rows = pd.DataFrame(table["annotations"], columns=["task", "worker", "label"])
    found = {"majority": plain(MajorityVote().fit_predict_proba(rows))}
    for name, kind in (("dawid-skene", DawidSkene), ("one-coin", OneCoinDawidSkene)):
        found[name] = []
        for rounds in asked["rounds"][name]:
            model = kind(n_iter=rounds, tol=-np.inf).fit(rows)
            found[name].append({"rounds": rounds, "probabilities": plain(model.probas_)})
    found["mace"] = []
    # Its counts come back in sorted order and are taken to be in the order of first appearance: names that sort so.
    whole, ranks = rows.copy(), {}
    for column in ("worker", "label"):
        ranks[column] = {f"{rank:03}": name for rank, name in enumerate(rows[column].unique())}
        whole[column] = rows[column].map({name: rank for rank, name in ranks[column].items()})
    for way in ("em", "vb"):
        model = MACE(method=way, n_restarts=1, n_iter=800).fit(whole)
        labels = ranks["label"]
        found["mace"].append({
            "estimation": "em" if way == "em" else "variational",
            "smoothing": 0.01 / len(labels) if way == "em" else None,
            "probabilities": plain(model.probas_.rename(columns=labels)),
            "competence": {w: float(p / (p + s)) for w, (s, p) in zip(ranks["worker"].values(), model.spamming_)},
        })
    judgments = rows.rename(columns={"task": "unit"})
    labels = sorted(rows["label"].unique())
    judgments["vector"] = [Counter({label: 1}) for label in judgments["label"]]
    units = pd.DataFrame({"vector": {
        unit: Counter({label: int((group["label"] == label).sum()) for label in labels})
        for unit, group in judgments.groupby("unit")
    }})
    results = {"judgments": judgments[["unit", "worker", "vector"]], "units": units.copy(),
               "workers": pd.DataFrame(index=sorted(rows["worker"].unique())), "annotations": pd.DataFrame(index=labels)}
    done = Metrics.run(results, SimpleNamespace(output={"vector": "vector"}, open_ended_task=False))
    found["crowdtruth"] = {
        "units": series(done["units"]["uqs"]), "workers": series(done["workers"]["wqs"]),
        "labels": series(done["annotations"]["aqs"]),
        "probabilities": {u: {c: float(v) for c, v in row.items()} for u, row in done["units"]["unit_annotation_score"].items()},
    }
    answers[table["id"]] = found
print(json.dumps(answers))
"""


def simulated(items: int, each: int, annotators: int, labels: int, seed: int) -> dict[str, np.ndarray]:
    """Draw annotations by annotators with confusions of their own: 50 to 95 % right."""
    lot = np.random.default_rng(seed)
    truth = lot.choice(labels, items, p=lot.dirichlet(np.full(labels, 3.0)))
    right = lot.uniform(0.5, 0.95, (annotators, 1, 1))
    errors = lot.dirichlet(np.ones(labels - 1), (annotators, labels)) * (1 - right)
    confusion = np.zeros((annotators, labels, labels))
    for true in range(labels):
        confusion[:, true, true] = right[:, 0, 0]
        confusion[:, true, np.arange(labels) != true] = errors[:, true]
    # As many groups of annotators as annotations of an item, one of each: nobody annotates an item twice.
    group = annotators // each
    annotator = (lot.integers(0, group, (items, each)) + group * np.arange(each)).ravel()
    item = np.repeat(np.arange(items), each)
    reached = confusion[annotator, truth[item]].cumsum(axis=1)
    label = (lot.random((len(item), 1)) > reached[:, :-1]).sum(axis=1)
    return {"item": item, "annotator": annotator, "label": label, "truth": truth}


def run(python: str | Path, code: str, *arguments: object, stdin: str | None = None) -> str:
    """Run a program in a process of its own and return what it printed."""
    command = [str(python), "-c", code, *map(str, arguments)]
    return subprocess.run(command, check=True, input=stdin, stdout=subprocess.PIPE, text=True).stdout


def peers(given: str | None) -> Path | None:
    """Return a Python that has crowd-kit, or say how to get one."""
    for python in (Path(given) if given else PEERS, Path(sys.executable)):
        if (
            python.exists()
            and not subprocess.run([str(python), "-c", "import crowdkit"], capture_output=True).returncode
        ):
            return python
    print(f"crowd-kit is not installed, so there is no comparison. To get one:\n{__doc__.rpartition('its own:')[2]}")
    return None


def comparison(python: Path, folder: Path, items: int, rounds: int) -> str:
    """Compare with crowd-kit: first the answers, then the time."""
    drawn = simulated(items, 4, 1000, 5, SEED)
    path = folder / "annotations.npz"
    np.savez(path, **drawn)
    times: dict[str, list[float]] = {"ours": [], "theirs": []}
    for number in range(rounds):
        for who, program, interpreter in (("ours", OURS, sys.executable), ("theirs", THEIRS, python)):
            _say(f"round {number + 1}: {who}")
            printed = run(interpreter, program, path, folder / f"{who}.npy", ITERATIONS)
            times[who].append(float(printed.split()[-1]))
    ours, theirs = np.load(folder / "ours.npy"), np.load(folder / "theirs.npy")
    apart = float(np.abs(ours - theirs).max())
    right = [float((one.argmax(axis=1) == drawn["truth"]).mean()) for one in (ours, theirs)]
    if apart > 1e-6 or abs(right[0] - right[1]) > 0.002:
        raise SystemExit(
            f"The answers differ: probabilities by {apart:.2g}, accuracies {right[0]:.4f} and {right[1]:.4f}."
        )
    ratio = min(times["theirs"]) / min(times["ours"])
    rows = [
        ["crowd-kit 1.4.2", "1.0", f"{100 * right[1]:.2f} %"],
        ["assent", f"{ratio:.1f}", f"{100 * right[0]:.2f} %"],
    ]
    goal = f"Goal, at least 5 times as fast: {'yes' if ratio >= 5 else '**no**'}."
    head = [f"{items:,} items x 4, {ITERATIONS} rounds", "times as fast", "labels that are right"]
    return f"{table(head, rows)}\n\nLargest difference of a probability: {apart:.1g}. {goal}"


def memory(folder: Path, items: int) -> str:
    """Measure the peak memory of whole processes that find a consensus."""
    path = folder / "many.npz"
    np.savez(path, **simulated(items, 5, 1000, 5, SEED))
    rows, peaks = [], []
    for method in ("majority", "dawid-skene", "one-coin", "mace", "sharpening", "crowdtruth"):
        _say(f"memory: {method}")
        before, after, _ = map(float, run(sys.executable, MEMORY, path, method).split())
        rows.append([method, f"{before:.2f} GB", f"{after:.2f} GB"])
        peaks.append(after)
    goal = f"Goal, all below 2 GB: {'yes' if max(peaks) < 2 else '**no**'}."
    return f"{table([f'{items:,} items x 5', 'data alone', 'peak'], rows)}\n\n{goal}"


def accuracy(runs: int) -> str:
    """Say how many labels are right by each method, by how much there is to learn from."""
    from assent.analyses.consensus import all_methods
    from assent.analyses.consensus.votes import Votes
    from assent.data.long_rows import LongRows

    rows = []
    for items, each, annotators, labels in SETTINGS:
        right: dict[str, list[float]] = {name: [] for name in all_methods()}
        numbers = []
        for seed in range(runs):
            drawn = simulated(items, each, annotators, labels, seed)
            listing = LongRows(
                items=[str(i) for i in range(items)],
                annotators=tuple(str(i) for i in range(annotators)),
                labels=tuple(str(i) for i in range(labels)),
                **{name: drawn[name] for name in ("item", "annotator", "label")},
            )
            ballots = Votes.of(listing)
            numbers.append(float(((np.diff(ballots.pair_starts) - 1) * labels).sum() + labels - 1) / len(drawn["item"]))
            for name, method in all_methods().items():
                found = method.function(ballots).probabilities
                best, lot = found.best(), np.random.default_rng(seed)
                label = best.label.copy()
                for i in np.flatnonzero(best.tied):
                    label[i] = lot.choice(found.equal(int(i)))
                right[name].append(float((label == drawn["truth"]).mean()))
        shape = f"{items:,} x {each}, {annotators} annotators, {labels} labels"
        rows.append([shape, f"{np.mean(numbers):.2f}", *(f"{100 * np.mean(right[name]):.1f}" for name in right)])
        _say(f"accuracy: {shape}")
    return table(["items", "numbers", *all_methods()], rows)


def oracles(python: Path) -> None:
    """Write what the other programs answer on small tables."""
    shapes = {"few-annotators": (40, 4, 6, 3), "many-annotators": (50, 3, 25, 4), "two-labels": (30, 3, 5, 2)}
    asked: dict[str, Any] = {"rounds": ORACLE_ROUNDS, "tables": []}
    for seed, (key, shape) in enumerate(shapes.items()):
        drawn = simulated(*shape, seed)
        lot = np.random.default_rng(seed)
        rows = [
            [f"i{i:02}", f"w{w:02}", f"L{c}"]
            for i, w, c in zip(drawn["item"], drawn["annotator"], drawn["label"], strict=True)
        ]
        kept = sorted(lot.choice(len(rows), int(0.85 * len(rows)), replace=False).tolist())
        asked["tables"].append({"id": key, "annotations": [rows[i] for i in kept]})
    answers = json.loads(run(python, ASK, stdin=json.dumps(asked)))
    tables = [{**one, "answers": answers[one["id"]]} for one in asked["tables"]]
    source = (
        "crowd-kit 1.4.2 (MajorityVote, DawidSkene and OneCoinDawidSkene with tol=-inf, MACE with one start and 800 rounds) and "
        "crowdtruth 2.1 (Metrics.run, closed task), asked by benchmarks/consensus.py --oracles"
    )
    ORACLES.mkdir(exist_ok=True)
    text = json.dumps({"source": source, "tables": tables}, indent=None, separators=(",", ":"))
    (ORACLES / "programs.json").write_text(text.replace('{"id"', '\n{"id"') + "\n", encoding="utf-8")


def _say(what: str) -> None:
    if sys.stderr.isatty():
        print(f"… {what}", file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and write the tables."""
    parser = argparse.ArgumentParser(description="How fast a consensus is found, compared with crowd-kit.")
    parser.add_argument("--quick", action="store_true", help="a tenth of the items, one round; change no file")
    parser.add_argument("--python", help="a Python that has crowd-kit")
    parser.add_argument("--oracles", action="store_true", help="write the answers of other programs for the tests")
    options = parser.parse_args(arguments)
    python = peers(options.python)
    if options.oracles:
        if python is not None:
            oracles(python)
        return
    items, rounds = (10_000, 1) if options.quick else (100_000, ROUNDS)
    with tempfile.TemporaryDirectory() as made:
        parts = {"crowd-kit": comparison(python, Path(made), items, rounds)} if python is not None else {}
        parts["memory"] = memory(Path(made), 10 * items)
    parts["accuracy"] = accuracy(1 if options.quick else 6)
    for name, text in parts.items():
        print(text, end="\n\n")
        if not options.quick:
            insert(DOCS / "consensus.md", name, text)


if __name__ == "__main__":
    main()
