"""Packages with whole families of coefficients for any number of annotators."""

from __future__ import annotations

from typing import Any

from asking import GWET, Ask, Table, Teller


def irrcac() -> Ask:
    """Ask irrCAC: Gwet's coefficients with their standard errors and intervals."""
    import pandas as pd
    from irrCAC.raw import CAC
    from irrCAC.table import CAC as TableCAC  # noqa: N811

    def part(name: Any) -> Any:
        return lambda result: result["est"][name]

    ends = {"low": lambda result: result["est"]["confidence_interval"][0]}
    ends["high"] = lambda result: result["est"]["confidence_interval"][1]
    value = {"value": part("coefficient_value")}
    precise = {**value, "standard-error": part("se")}
    raw = {
        "gwet": "gwet-ac",
        "fleiss": "fleiss-kappa",
        "conger": "conger-kappa",
        "bp": "brennan-prediger",
        "krippendorff": "krippendorff-alpha",
    }
    crossed = {
        "cohen": "cohen-kappa",
        "scott": "scott-pi",
        "gwet": "gwet-ac",
        "bp": "brennan-prediger",
        "krippendorff": "krippendorff-alpha",
        "pa2": "percent-agreement",
    }

    def ask(table: Table, teller: Teller) -> None:
        def ratings() -> Any:
            # It sorts text labels by the alphabet; numbers stay numbers.
            return pd.DataFrame(table.with_nan, dtype=float if table.numeric else object)

        categories = table.labels if table.declared else None
        for weights in table.weights:
            for method, measure in raw.items():
                alpha = method == "krippendorff"
                parts = value if weights in GWET[4:] or (alpha and weights != "identity") else precise
                if weights == "identity":
                    parts = {**parts, **ends}
                options = {} if weights == "identity" else {"weights": weights}

                def call(w: Any = weights, m: Any = method) -> Any:
                    return getattr(CAC(ratings(), weights=w, categories=categories, digits=10), m)()

                teller.tell(f"raw.CAC.{method}", measure, call, options=options, parts=parts)
                if alpha and weights in ("ordinal", "ratio") and table.numeric:
                    teller.tell(f"raw.CAC.{method}", measure, call, options={"scale": weights}, parts=value)
        if table.annotators == 2 and table.complete:
            for weights in ("identity", "linear", "quadratic") if table.ordered else ("identity",):
                for method, measure in crossed.items():
                    if method == "krippendorff" and weights != "identity":
                        continue
                    options = {} if weights == "identity" else {"weights": weights}

                    def call(w: Any = weights, m: Any = method) -> Any:
                        confusion = pd.DataFrame(table.confusion, index=table.named, columns=table.named)
                        return getattr(TableCAC(confusion, weights=w, digits=10), m)()

                    teller.tell(f"table.CAC.{method}", measure, call, options=options, parts=precise)

    return ask


def agreement() -> Ask:
    """Ask agreement: the coefficients of Gwet's handbook, from counts of labels by item and by annotator."""
    import agreement as package
    import numpy as np
    from agreement.utils import kernels

    kernel = {
        "identity": kernels.identity_kernel,
        "linear": kernels.linear_kernel,
        "quadratic": kernels.quadratic_kernel,
        "ordinal": kernels.ordinal_kernel,
        "radical": kernels.radical_kernel,
        "ratio": kernels.radio_kernel,
        "circular": kernels.circular_kernel,
        "bipolar": kernels.bipolar_kernel,
    }
    by_item = {
        "observed_agreement": "percent-agreement",
        "s_score": "brennan-prediger",
        "gwets_gamma": "gwet-ac",
        "krippendorffs_alpha": "krippendorff-alpha",
        "scotts_pi": "fleiss-kappa",
    }

    def ask(table: Table, teller: Teller) -> None:
        counts = np.asarray(table.counts, dtype=float)
        columns = list(zip(*table.rows, strict=True))
        users = np.asarray([[column.count(label) for label in table.named] for column in columns], dtype=float)
        for weights in table.weights:
            options = {} if weights == "identity" else {"weights": weights}
            for function, measure in by_item.items():
                teller.tell(
                    function,
                    measure,
                    lambda f=function, w=weights: getattr(package, f)(counts, weights_kernel=kernel[w]),
                    options=options,
                )
            teller.tell(
                "cohens_kappa",
                "conger-kappa",
                lambda w=weights: package.cohens_kappa(counts, users, weights_kernel=kernel[w]),
                options=options,
            )

    return ask


def interrater() -> Ask:
    """Ask interrater: its analyzers, with the interval by the standard error of the null hypothesis where there is one."""
    import interrater as package
    import numpy as np

    group = {
        "FleissKappa": "fleiss-kappa",
        "GwetAC1": "gwet-ac",
        "BrennanPrediger": "brennan-prediger",
        "KrippendorffAlpha": "krippendorff-alpha",
        "CongerKappa": "conger-kappa",
        "LightKappa": "light-kappa",
        "CohenKappa": "cohen-kappa",
        "Scotts": "scott-pi",
    }
    ends = {
        "low": lambda result: result.confidence_interval[0],
        "high": lambda result: result.confidence_interval[1],
    }

    def ask(table: Table, teller: Teller) -> None:
        def ratings() -> Any:
            kind = package.OrderedCategories if table.ordered else package.UnorderedCategories
            names = kind([str(label) for label in table.named])
            codes = [[-1 if code is None else code for code in row] for row in table.codes]
            semantics = package.RatingsSemantics(raters=table.annotators, categories=names)
            return package.Ratings(np.asarray(codes, dtype=np.int8), semantics)

        for name, measure in group.items():
            if table.annotators != 2 and name in ("CohenKappa", "Scotts"):
                continue
            for weights in ("identity", "linear", "quadratic") if table.ordered else ("identity",):
                if weights != "identity" and name not in (
                    "FleissKappa",
                    "BrennanPrediger",
                    "KrippendorffAlpha",
                    "CohenKappa",
                ):
                    continue
                null = name in ("CohenKappa", "FleissKappa") and weights == "identity"

                def call(name: Any = name, weights: Any = weights, null: Any = null) -> Any:
                    config = getattr(package, f"{name}Config")
                    # A bootstrap comes with every other estimate; it is not looked at, and so may be small.
                    settings = {"ci_method": "parametric_null" if null else "percentile", "n_resamples": 200}
                    if weights != "identity":
                        settings["weights_type"] = weights
                    if name == "FleissKappa" and not table.complete:
                        settings |= {"balanced_data_only": False, "ci_method": "percentile"}
                    return getattr(package, f"{name}Analyzer")(ratings(), config(**settings)).estimate()

                parts = {"value": lambda result: result.point}
                if null and (table.complete or name == "CohenKappa"):
                    parts |= ends
                options = {} if weights == "identity" else {"weights": weights}
                ours = measure
                if measure == "light-kappa":
                    ours, options = "cohen-kappa", {**options, "average": "plain"}
                teller.tell(f"{name}Analyzer", ours, call, options=options, parts=parts)

    return ask


def krippendorff() -> Ask:
    """Ask krippendorff: alpha on the four scales."""
    import krippendorff as package
    import numpy as np

    def ask(table: Table, teller: Teller) -> None:
        for scale in ("nominal", "ordinal", "interval", "ratio") if table.ordered else ("nominal",):
            options = {"scale": scale}
            if table.numeric:
                data = np.asarray(table.with_nan, dtype=float).T

                def call(s: Any = scale, data: Any = data) -> Any:
                    return package.alpha(reliability_data=data, level_of_measurement=s)

            else:
                if scale in ("interval", "ratio"):
                    continue
                counts = np.asarray(table.counts, dtype=float)

                def call(s: Any = scale, counts: Any = counts) -> Any:
                    return package.alpha(
                        value_counts=counts, value_domain=[str(label) for label in table.named], level_of_measurement=s
                    )

            teller.tell("alpha", "krippendorff-alpha", call, options=options)

    return ask


def simpledorff() -> Ask:
    """Ask simpledorff: nominal and interval alpha."""
    import pandas as pd
    import simpledorff as package
    from simpledorff.metrics import interval_metric, nominal_metric

    metrics = {"nominal": nominal_metric, "interval": interval_metric}

    def ask(table: Table, teller: Teller) -> None:
        frame = pd.DataFrame(table.triples, columns=["annotator", "item", "label"])
        for scale, metric in metrics.items():
            if scale == "interval" and not (table.ordered and table.numeric):
                continue
            teller.tell(
                "calculate_krippendorffs_alpha_for_df",
                "krippendorff-alpha",
                lambda m=metric: package.calculate_krippendorffs_alpha_for_df(frame, "item", "annotator", "label", m),
                options={"scale": scale},
            )

    return ask


def disagree() -> Ask:
    """Ask disagree."""
    import disagree  # noqa: F401

    raise NotImplementedError("no adapter")


ADAPTERS = {
    "irrCAC": irrcac,
    "agreement": agreement,
    "interrater": interrater,
    "krippendorff": krippendorff,
    "simpledorff": simpledorff,
    "disagree": disagree,
}
