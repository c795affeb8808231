"""Packages about numeric labels, and the Python port of R's irr, which is about those and others."""

from __future__ import annotations

from typing import Any

from asking import Ask, Table, Teller

#: Shrout and Fleiss's names by the names of others.
FORMS = {
    "ICC(1,1)": "1,1",
    "ICC(A,1)": "2,1",
    "ICC(C,1)": "3,1",
    "ICC(1,k)": "1,k",
    "ICC(A,k)": "2,k",
    "ICC(C,k)": "3,k",
}


def pingouin() -> Ask:
    """Ask pingouin: the six intraclass correlations with their intervals."""
    import pandas as pd
    import pingouin as package

    def ask(table: Table, teller: Teller) -> None:
        if not table.scores:
            return
        # Two decimals are the default, too few to compare with.
        package.options["round.column.CI95"] = 12
        frame = pd.DataFrame(table.triples, columns=["annotator", "item", "label"])
        for name, form in FORMS.items():
            # The column of the types has had other names in other versions.
            def call(name: Any = name) -> Any:
                table_of_all = package.intraclass_corr(frame, "item", "annotator", "label", nan_policy="omit")
                return table_of_all.set_index("Type").loc[name]

            parts = {
                "value": lambda row: row["ICC"],
                "low": lambda row: row["CI95"][0],
                "high": lambda row: row["CI95"][1],
            }
            teller.tell("intraclass_corr", "icc", call, options={"form": form}, parts=parts)

    return ask


def audmetric() -> Ask:
    """Ask audmetric: Lin's concordance."""
    import audmetric as package

    def ask(table: Table, teller: Teller) -> None:
        if table.scores and table.annotators == 2:
            one, two = table.column(0), table.column(1)
            teller.tell("concordance_cc", "lin-concordance", lambda: package.concordance_cc(one, two, ignore_nan=True))

    return ask


def pyirr() -> Ask:
    """Ask pyirr: a port of R irr 0.84.1, line by line."""
    import pandas as pd
    import pyirr as package

    null = {
        "value": lambda result: result.value,
        "standard-error:value / statistic": lambda result: result.value / result.statistic,
    }
    models = {"1": ("oneway", "consistency"), "2": ("twoway", "agreement"), "3": ("twoway", "consistency")}

    def ask(table: Table, teller: Teller) -> None:
        if not table.numeric:
            return

        def ratings() -> Any:
            return pd.DataFrame(table.with_nan, dtype=float)

        teller.tell("agree", "percent-agreement", lambda: package.agree(ratings()).value / 100)
        teller.tell("kappam_fleiss", "fleiss-kappa", lambda: package.kappam_fleiss(ratings()), parts=null)
        teller.tell("kappam_fleiss(exact)", "conger-kappa", lambda: package.kappam_fleiss(ratings(), exact=True).value)
        if table.complete and len(table.used) > 2:
            for label in table.used:
                teller.tell(
                    "kappam_fleiss(detail)",
                    "fleiss-kappa",
                    lambda k=label: package.kappam_fleiss(ratings(), detail=True).detail.loc[k, "Kappa"],
                    category=label,
                    decimals=3,
                )
        if table.annotators == 2:
            kinds = {"unweighted": {}, "equal": {"weights": "linear"}, "squared": {"weights": "quadratic"}}
            for weight, options in kinds.items():
                if table.ordered or not options:
                    teller.tell(
                        "kappa2",
                        "cohen-kappa",
                        lambda w=weight: package.kappa2(ratings(), w),
                        options=options,
                        parts=null,
                    )
        else:
            teller.tell(
                "kappam_light",
                "cohen-kappa",
                lambda: package.kappam_light(ratings()).value,
                options={"average": "plain"},
            )
        for scale in ("nominal", "ordinal", "interval", "ratio") if table.ordered else ("nominal",):
            teller.tell(
                "kripp_alpha",
                "krippendorff-alpha",
                lambda s=scale: package.kripp_alpha(ratings(), s).value,
                options={"scale": scale},
            )
        if not table.scores:
            return
        parts = {
            "value": lambda result: result.value,
            "low": lambda result: result.lower_bound,
            "high": lambda result: result.upper_bound,
        }
        for form in FORMS.values():
            model, kind = models[form[0]]
            unit = "single" if form.endswith("1") else "average"
            teller.tell(
                "intraclass_correlation",
                "icc",
                lambda m=model, k=kind, u=unit: package.intraclass_correlation(ratings(), m, k, u),
                options={"form": form},
                parts=parts,
            )

    return ask


ADAPTERS = {"pingouin": pingouin, "audmetric": audmetric, "pyirr": pyirr}
