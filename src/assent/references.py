"""The works that define what assent computes."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["REFERENCES", "Reference"]


@dataclass(frozen=True)
class Reference:
    """A published work.

    Parameters
    ----------
    authors, title, where : str
    year : int
    link : str
        DOI or stable address; empty if there is none.
    """

    authors: str
    year: int
    title: str
    where: str
    link: str = ""

    @property
    def short(self) -> str:
        """Authors and year."""
        return f"{self.authors} ({self.year})"

    @property
    def text(self) -> str:
        """The whole reference on one line."""
        return f"{self.authors} ({self.year}). {self.title}. {self.where}." + (f" {self.link}" if self.link else "")


REFERENCES = {
    "fleiss1971": Reference(
        "Fleiss, J. L.",
        1971,
        "Measuring nominal scale agreement among many raters",
        "Psychological Bulletin 76(5), 378-382",
        "https://doi.org/10.1037/h0031619",
    ),
    "gwet2014": Reference(
        "Gwet, K. L.",
        2014,
        "Handbook of Inter-Rater Reliability, 4th ed.",
        "Advanced Analytics",
    ),
    "hayes2007": Reference(
        "Hayes, A. F. and Krippendorff, K.",
        2007,
        "Answering the call for a standard reliability measure for coding data",
        "Communication Methods and Measures 1(1), 77-89",
        "https://doi.org/10.1080/19312450709336664",
    ),
    "krippendorff2011": Reference(
        "Krippendorff, K.",
        2011,
        "Computing Krippendorff's alpha-reliability",
        "University of Pennsylvania",
        "https://repository.upenn.edu/asc_papers/43",
    ),
    "norregaard2022": Reference(
        "Nørregaard, J. and Derczynski, L.",
        2022,
        "Sparse Probability of Agreement",
        "arXiv",
        "",
    ),
}
