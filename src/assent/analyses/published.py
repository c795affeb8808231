"""Agreement that others published: a few figures with their source, to be named beside one's own.

They say what was reached on tasks of a kind, not what must be reached. Coefficients, numbers of labels and shares of labels differ, so that none of
them is a target.
"""

from __future__ import annotations

from assent.records import Struct

__all__ = ["PUBLISHED", "Published"]


class Published(Struct, frozen=True, kw_only=True):
    """A published figure.

    Parameters
    ----------
    setting : str
        Who annotated what.
    title : str
        The coefficient.
    source : str
        Authors, year and link.
    """

    task: str
    setting: str
    title: str
    value: float
    source: str


_MARCHAL = "Marchal et al. 2022, Table 2, https://aclanthology.org/2022.coling-1.322"

PUBLISHED: tuple[Published, ...] = (
    Published(
        task="discourse relations, several labels allowed",
        setting="2 experts, 884 items, 19 categories",
        title="Boot-match",
        value=0.68,
        source=_MARCHAL,
    ),
    Published(
        task="discourse relations, several labels allowed",
        setting="2 experts, 884 items, 19 categories",
        title="Boot-F1",
        value=0.50,
        source=_MARCHAL,
    ),
    Published(
        task="psychiatric diagnosis",
        setting="6 of 43 psychiatrists each, 30 patients, 5 categories",
        title="Fleiss' kappa",
        value=0.430,
        source="Fleiss 1971, https://doi.org/10.1037/h0031619",
    ),
    Published(
        task="textual entailment (Czech SNLI)",
        setting="2 students, 1,499 pairs, 4 labels",
        title="Cohen's kappa",
        value=0.676,
        source="data card of CZLC/cs_snli, https://huggingface.co/datasets/CZLC/cs_snli",
    ),
)
