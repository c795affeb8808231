"""What is timed, one function a package: from a file to the number.

    python programs.py NAME FILE OPTIONS          answer once, and print the answer
    python programs.py NAME FILE OPTIONS SMALL    answer for a small file first; print how long FILE takes then

Each function imports what it needs and does what a person would write who has that package and that file. The file runs in the
environment of the package, so nothing is imported here that not everybody has.
"""

import json
import sys
import time
import warnings
from typing import Any

#: Answering once more ends when so many seconds have passed, or so many answers were given.
ENOUGH, TIMES = 3.0, 5


def polars_reads(path: str) -> dict[str, Any]:
    """Do nothing but read: the floor."""
    import polars

    return {"rows": polars.read_csv(path).height}


def assent_measures(
    path: str,
    measure: str,
    ci: str | None = None,
    bootstrap: str = "bca",
    separator: str | None = None,
    **options: Any,
) -> dict[str, Any]:
    """One coefficient, and its interval if one is wanted."""
    import assent

    agreement = assent.all_measures()[measure](assent.read(path, separator=separator), **options)
    found = {"value": agreement.value}
    if ci is not None:
        interval = agreement.confidence_interval(method=ci, kind=bootstrap)
        found |= {"error": interval.standard_error, "low": interval.low, "high": interval.high}
    return found


def assent_aggregates(path: str, method: str, output: str, **options: Any) -> dict[str, Any]:
    """One label for every item."""
    import polars

    import assent

    found = assent.consensus(assent.read(path), method, **options)
    polars.DataFrame({"item": found.items, "label": found.decided}).write_csv(output)
    return {}


def krippendorff_alpha(path: str, level: str) -> dict[str, Any]:
    """Count the labels of each item, which is what the package is fastest on."""
    import krippendorff
    import numpy as np
    import pandas as pd

    counts, labels = _counts(pd.read_csv(path))
    domain = None if level == "nominal" else labels.astype(np.float64)
    return {"value": float(krippendorff.alpha(value_counts=counts, value_domain=domain, level_of_measurement=level))}


def krippendorff_bootstrap(path: str, replicates: int, seed: int = 0) -> dict[str, Any]:
    """Draw items with replacement in a loop: the package has no interval of its own."""
    import krippendorff
    import numpy as np
    import pandas as pd

    counts, _ = _counts(pd.read_csv(path))
    rng = np.random.default_rng(seed)
    drawn = []
    for _ in range(replicates):
        some = counts[rng.integers(0, len(counts), len(counts))]
        drawn.append(krippendorff.alpha(value_counts=some, level_of_measurement="nominal"))
    low, high = np.quantile(drawn, [0.025, 0.975])
    value = krippendorff.alpha(value_counts=counts, level_of_measurement="nominal")
    return {"value": float(value), "low": float(low), "high": float(high)}


def _counts(rows: Any) -> tuple[Any, Any]:
    """Return how often each item (row) has each label (column), and the labels in their order."""
    import numpy as np
    import pandas as pd

    item, items = pd.factorize(rows["item"])
    label, labels = pd.factorize(rows["label"], sort=True)
    cells = len(items) * len(labels)
    return np.bincount(item * len(labels) + label, minlength=cells).reshape(len(items), len(labels)), labels


def simpledorff_alpha(path: str) -> dict[str, Any]:
    import pandas as pd
    import simpledorff

    value = simpledorff.calculate_krippendorffs_alpha_for_df(
        pd.read_csv(path), experiment_col="item", annotator_col="annotator", class_col="label"
    )
    return {"value": float(value)}


def nltk_alpha(path: str, distance: str | None = None) -> dict[str, Any]:
    import csv

    from nltk.metrics import agreement
    from nltk.metrics import distance as distances

    if distance is None:
        task = agreement.AnnotationTask()
    else:
        task = agreement.AnnotationTask(distance=getattr(distances, f"{distance}_distance"))
    with open(path, encoding="utf-8", newline="") as file:
        rows = [(row["annotator"], row["item"], row["label"]) for row in csv.DictReader(file)]
    if distance is not None:
        rows = [(annotator, item, frozenset(label.split(";"))) for annotator, item, label in rows]
    task.load_array(rows)
    return {"value": float(task.alpha())}


def nltk_kappa(path: str) -> dict[str, Any]:
    import csv

    from nltk.metrics.agreement import AnnotationTask

    with open(path, encoding="utf-8", newline="") as file:
        rows = [(name, row["item"], row[name]) for row in csv.DictReader(file) for name in ("ann", "bob")]
    return {"value": float(AnnotationTask(data=rows).kappa())}


def sklearn_kappa(path: str, weights: str | None = None) -> dict[str, Any]:
    import pandas as pd
    from sklearn.metrics import cohen_kappa_score

    rows = pd.read_csv(path)
    return {"value": float(cohen_kappa_score(rows["ann"], rows["bob"], weights=weights))}


def statsmodels_kappa(path: str, weights: str | None = None, interval: bool = False) -> dict[str, Any]:
    import pandas as pd
    from statsmodels.stats.inter_rater import cohens_kappa

    rows = pd.read_csv(path)
    found = cohens_kappa(pd.crosstab(rows["ann"], rows["bob"]).to_numpy(), wt=weights, return_results=interval)
    if not interval:
        return {"value": float(found)}
    # Its variance divides by the number of items, ours by one less.
    error = float(found.std_kappa) * (len(rows) / (len(rows) - 1)) ** 0.5
    return {"value": float(found.kappa), "error": error, "low": float(found.kappa_low), "high": float(found.kappa_upp)}


def statsmodels_fleiss(path: str) -> dict[str, Any]:
    import pandas as pd
    from statsmodels.stats.inter_rater import fleiss_kappa

    rows = pd.read_csv(path)
    return {"value": float(fleiss_kappa(pd.crosstab(rows["item"], rows["label"]).to_numpy()))}


def irrcac_raw(path: str, measure: str) -> dict[str, Any]:
    import pandas as pd
    from irrCAC.raw import CAC

    found = getattr(CAC(pd.read_csv(path, index_col="item"), digits=12), measure)()["est"]
    low, high = found["confidence_interval"]
    return {
        "value": float(found["coefficient_value"]),
        "error": float(found["se"]),
        "low": float(low),
        "high": float(high),
    }


def pingouin_icc(path: str) -> dict[str, Any]:
    import pandas as pd
    import pingouin

    # Two decimals of the interval would leave little to compare.
    pingouin.options["round.column.CI95"] = None
    forms = pingouin.intraclass_corr(pd.read_csv(path), targets="item", raters="annotator", ratings="label")
    found = forms.set_index("Type").loc["ICC(A,1)"]
    return {"value": float(found["ICC"]), "low": float(found["CI95"][0]), "high": float(found["CI95"][1])}


def crowdkit_majority(path: str, output: str) -> dict[str, Any]:
    from crowdkit.aggregation import MajorityVote

    MajorityVote().fit_predict(_crowd(path)).rename("label").rename_axis("item").to_csv(output)
    return {}


def crowdkit_dawid_skene(path: str, output: str, rounds: int) -> dict[str, Any]:
    from crowdkit.aggregation import DawidSkene

    model = DawidSkene(n_iter=rounds, tol=-float("inf"))
    model.fit_predict(_crowd(path)).rename("label").rename_axis("item").to_csv(output)
    return {}


def _crowd(path: str) -> Any:
    import pandas as pd

    return pd.read_csv(path).rename(columns={"item": "task", "annotator": "worker"})


def digest(path: str) -> dict[str, Any]:
    """Boil a file with the columns item and label down to what two equal ones have in common."""
    import csv
    import hashlib

    with open(path, encoding="utf-8", newline="") as file:
        pairs = sorted((row["item"], row["label"]) for row in csv.DictReader(file))
    return {"items": len(pairs), "labels": hashlib.sha256(repr(pairs).encode()).hexdigest()}


def main() -> None:
    warnings.simplefilter("ignore")
    name, path, options, *small = sys.argv[1:]
    answer = globals()[name]
    given = json.loads(options)
    if not small:
        print(json.dumps(answer(path, **given)))
        return
    answer(small[0], **given)
    taken: list[float] = []
    while not taken or (sum(taken) < ENOUGH and len(taken) < TIMES):
        start = time.perf_counter()
        answer(path, **given)
        taken.append(time.perf_counter() - start)
    print(json.dumps(min(taken)))


if __name__ == "__main__":
    main()
