"""Packages that are about two annotators above all."""

from __future__ import annotations

from typing import Any

from asking import Ask, Table, Teller

WEIGHTS = ("linear", "quadratic")


def scikit_learn() -> Ask:
    """Ask scikit-learn: Cohen's kappa."""
    from sklearn.metrics import cohen_kappa_score

    def ask(table: Table, teller: Teller) -> None:
        if table.annotators != 2:
            return
        one, two = table.column(0), table.column(1)
        labels = table.labels if table.declared else None
        teller.tell("cohen_kappa_score", "cohen-kappa", lambda: cohen_kappa_score(one, two))
        if not table.ordered:
            return
        for weights in WEIGHTS:
            options = {"weights": weights}
            teller.tell(
                "cohen_kappa_score",
                "cohen-kappa",
                lambda w=weights: cohen_kappa_score(one, two, weights=w, labels=labels),
                options=options,
            )
            if not table.numeric:
                teller.tell(
                    "cohen_kappa_score(labels=…)",
                    "cohen-kappa",
                    lambda w=weights: cohen_kappa_score(one, two, weights=w, labels=table.labels),
                    options=options,
                )

    return ask


def statsmodels() -> Ask:
    """Ask statsmodels: Cohen's kappa with its two standard errors, Fleiss' and Randolph's kappa."""
    from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa, to_table

    parts = {
        "value": lambda result: result.kappa,
        "standard-error:std_kappa": lambda result: result.std_kappa,
        "standard-error:std_kappa0": lambda result: result.std_kappa0,
        "low:kappa_low": lambda result: result.kappa_low,
        "high:kappa_upp": lambda result: result.kappa_upp,
    }

    def ask(table: Table, teller: Teller) -> None:
        # Labels that nobody used can only be told by handing it the counts.
        crossed, counts = (
            (lambda: table.confusion, lambda: table.counts)
            if table.declared
            else (
                lambda: to_table(table.with_nan)[0],
                lambda: aggregate_raters(table.with_nan)[0],
            )
        )
        if table.annotators == 2:
            teller.tell("cohens_kappa", "cohen-kappa", lambda: cohens_kappa(crossed()), parts=parts)
            if table.ordered:
                for weights in WEIGHTS:
                    teller.tell(
                        "cohens_kappa",
                        "cohen-kappa",
                        lambda w=weights: cohens_kappa(crossed(), wt=w),
                        options={"weights": weights},
                        parts=parts,
                    )
        teller.tell("fleiss_kappa", "fleiss-kappa", lambda: fleiss_kappa(counts()))
        teller.tell("fleiss_kappa(randolph)", "brennan-prediger", lambda: fleiss_kappa(counts(), "randolph"))
        if not table.complete:
            teller.tell("fleiss_kappa(counts)", "fleiss-kappa", lambda: fleiss_kappa(table.counts))

    return ask


def pycm() -> Ask:
    """Ask pycm: everything about one confusion matrix that is a coefficient of agreement."""
    from pycm import ConfusionMatrix

    def weights(table: Table, power: int) -> dict[str, dict[str, int]]:
        places = range(len(table.named))
        return {str(table.named[i]): {str(table.named[j]): abs(i - j) ** power for j in places} for i in places}

    def ask(table: Table, teller: Teller) -> None:
        if table.annotators != 2 or not table.complete:
            return

        def matrix() -> Any:
            first, second = ([str(label) for label in table.column(j)] for j in (0, 1))
            labels = [str(label) for label in table.named] if table.declared else None
            return ConfusionMatrix(first, second, classes=labels)

        parts = {
            "value": lambda cm: cm.Kappa,
            "standard-error": lambda cm: cm.Kappa_SE,
            "low": lambda cm: cm.Kappa_CI[0],
            "high": lambda cm: cm.Kappa_CI[1],
        }
        teller.tell("Kappa", "cohen-kappa", matrix, parts=parts)
        for via, measure in (
            ("PI", "scott-pi"),
            ("AC1", "gwet-ac"),
            ("S", "brennan-prediger"),
            ("Alpha", "krippendorff-alpha"),
            ("Overall_ACC", "percent-agreement"),
        ):
            teller.tell(via, measure, lambda name=via: getattr(matrix(), name))
        if table.ordered:
            for power, name in enumerate(WEIGHTS, start=1):
                options = {"weights": name}
                teller.tell(
                    "weighted_kappa",
                    "cohen-kappa",
                    lambda p=power: matrix().weighted_kappa(weight=weights(table, p)),
                    options=options,
                )
                teller.tell(
                    "weighted_alpha",
                    "krippendorff-alpha",
                    lambda p=power: matrix().weighted_alpha(weight=weights(table, p)),
                    options=options,
                )

    return ask


def nltk() -> Ask:
    """Ask NLTK: its AnnotationTask."""
    from nltk.metrics.agreement import AnnotationTask
    from nltk.metrics.distance import interval_distance

    def ask(table: Table, teller: Teller) -> None:
        def task(**options: Any) -> Any:
            return AnnotationTask(data=table.triples, **options)

        two = table.annotators == 2
        teller.tell("avg_Ao", "percent-agreement", lambda: task().avg_Ao())
        teller.tell("S", "brennan-prediger", lambda: task().S())
        teller.tell("pi", "scott-pi" if two else "fleiss-kappa", lambda: task().pi())
        average = {} if two else {"average": "plain"}
        teller.tell("kappa", "cohen-kappa", lambda: task().kappa(), options=average)
        teller.tell("multi_kappa", "conger-kappa", lambda: task().multi_kappa())
        teller.tell("alpha", "krippendorff-alpha", lambda: task().alpha())
        if not table.ordered or not table.numeric:
            return
        teller.tell(
            "alpha(interval_distance)",
            "krippendorff-alpha",
            lambda: task(distance=interval_distance).alpha(),
            options={"scale": "interval"},
        )
        if two:
            distances = {"linear": lambda a, b: abs(a - b), "quadratic": interval_distance}
            for weights, distance in distances.items():
                teller.tell(
                    "weighted_kappa",
                    "cohen-kappa",
                    lambda d=distance: task(distance=d).weighted_kappa(),
                    options={"weights": weights},
                )

    return ask


def raterkit() -> Ask:
    """Ask raterkit: its statistics of counts and confusion matrices."""
    import numpy as np
    from raterkit import stats

    def ask(table: Table, teller: Teller) -> None:
        counts = np.asarray(table.counts, dtype=float)
        values = [float(label) for label in table.named] if table.numeric else list(range(len(table.named)))
        teller.tell("percent_agreement", "percent-agreement", lambda: stats.percent_agreement(counts))
        teller.tell("fleiss_kappa", "fleiss-kappa", lambda: stats.fleiss_kappa(counts))
        for level in ("nominal", "ordinal", "interval") if table.ordered else ("nominal",):
            if level == "interval" and not table.numeric:
                continue
            teller.tell(
                "krippendorff_alpha",
                "krippendorff-alpha",
                lambda name=level: stats.krippendorff_alpha(counts, values, name),
                options={"scale": level},
            )
        if table.annotators == 2:
            confusion = np.asarray(table.confusion, dtype=float)
            teller.tell("cohen_kappa", "cohen-kappa", lambda: stats.cohen_kappa(confusion))
            if table.ordered:
                teller.tell(
                    "cohen_kappa",
                    "cohen-kappa",
                    lambda: stats.cohen_kappa(confusion, "quadratic"),
                    options={"weights": "quadratic"},
                )

    return ask


ADAPTERS = {"scikit-learn": scikit_learn, "statsmodels": statsmodels, "pycm": pycm, "nltk": nltk, "raterkit": raterkit}
