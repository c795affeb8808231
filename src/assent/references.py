"""The works that define what assent computes."""

from __future__ import annotations

from assent.errors import OptionError, did_you_mean
from assent.records import Struct
from assent.text import shown

__all__ = ["REFERENCES", "Reference", "cite"]


class Reference(Struct, frozen=True):
    """A published work.

    Parameters
    ----------
    authors, title, where : str
    year : int
    link : str
        DOI or stable address; empty if there is none.
    book : bool
        It is a book, and `where` its publisher.
    """

    authors: str
    year: int
    title: str
    where: str
    link: str = ""
    book: bool = False

    @property
    def short(self) -> str:
        """Authors and year."""
        return f"{self.authors} ({self.year})"

    @property
    def text(self) -> str:
        """The whole reference on one line."""
        return f"{self.authors} ({self.year}). {self.title.removesuffix('.')}. {self.where}." + (
            f" {self.link}" if self.link else ""
        )


REFERENCES = {
    "braylan2022": Reference(
        "Braylan, A., Alonso, O. and Lease, M.",
        2022,
        "Measuring annotator agreement generally across complex structured, multi-object, and free-text annotation tasks",
        "Proceedings of WWW 2022, 1720-1730",
        "https://doi.org/10.1145/3485447.3512242",
    ),
    "kendall1940": Reference(
        "Kendall, M. G. and Babington Smith, B.",
        1940,
        "On the method of paired comparisons",
        "Biometrika 31(3/4), 324-345",
        "https://doi.org/10.1093/biomet/31.3-4.324",
    ),
    "kiritchenko2017": Reference(
        "Kiritchenko, S. and Mohammad, S. M.",
        2017,
        "Best-worst scaling more reliable than rating scales: a case study on sentiment intensity annotation",
        "Proceedings of ACL 2017, 465-470",
        "https://doi.org/10.18653/v1/P17-2074",
    ),
    "spearman1904": Reference(
        "Spearman, C.",
        1904,
        "The proof and measurement of association between two things",
        "American Journal of Psychology 15(1), 72-101",
        "https://doi.org/10.2307/1412159",
    ),
    "kendall1939": Reference(
        "Kendall, M. G. and Babington Smith, B.",
        1939,
        "The problem of m rankings",
        "Annals of Mathematical Statistics 10(3), 275-287",
        "https://doi.org/10.1214/aoms/1177732186",
    ),
    "kendall1945": Reference(
        "Kendall, M. G.",
        1945,
        "The treatment of ties in ranking problems",
        "Biometrika 33(3), 239-251",
        "https://doi.org/10.1093/biomet/33.3.239",
    ),
    "bruckl2011": Reference(
        "Brückl, M.",
        2011,
        "Statistische Verfahren zur Ermittlung der Urteilerübereinstimmung",
        "Logos, p. 88-103",
        book=True,
    ),
    "webber2010": Reference(
        "Webber, W., Moffat, A. and Zobel, J.",
        2010,
        "A similarity measure for indefinite rankings",
        "ACM Transactions on Information Systems 28(4), 1-38",
        "https://doi.org/10.1145/1852102.1852106",
    ),
    "corsi2024": Reference(
        "Corsi, M. and Urbano, J.",
        2024,
        "The treatment of ties in rank-biased overlap",
        "Proceedings of SIGIR 2024, 251-260",
        "https://doi.org/10.1145/3626772.3657700",
    ),
    "yilmaz2008": Reference(
        "Yilmaz, E., Aslam, J. A. and Robertson, S.",
        2008,
        "A new rank correlation coefficient for information retrieval",
        "Proceedings of SIGIR 2008, 587-594",
        "https://doi.org/10.1145/1390334.1390435",
    ),
    "urbano2017": Reference(
        "Urbano, J. and Marrero, M.",
        2017,
        "The treatment of ties in AP correlation",
        "Proceedings of ICTIR 2017, 321-324",
        "https://doi.org/10.1145/3121050.3121106",
    ),
    "vigna2015": Reference(
        "Vigna, S.",
        2015,
        "A weighted correlation index for rankings with ties",
        "Proceedings of WWW 2015, 1166-1176",
        "https://doi.org/10.1145/2736277.2741088",
    ),
    "brennan1981": Reference(
        "Brennan, R. L. and Prediger, D. J.",
        1981,
        "Coefficient kappa: some uses, misuses, and alternatives",
        "Educational and Psychological Measurement 41(3), 687-699",
        "https://doi.org/10.1177/001316448104100307",
    ),
    "cohen1960": Reference(
        "Cohen, J.",
        1960,
        "A coefficient of agreement for nominal scales",
        "Educational and Psychological Measurement 20(1), 37-46",
        "https://doi.org/10.1177/001316446002000104",
    ),
    "cohen1968": Reference(
        "Cohen, J.",
        1968,
        "Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial credit",
        "Psychological Bulletin 70(4), 213-220",
        "https://doi.org/10.1037/h0026256",
    ),
    "conger1980": Reference(
        "Conger, A. J.",
        1980,
        "Integration and generalization of kappas for multiple raters",
        "Psychological Bulletin 88(2), 322-328",
        "https://doi.org/10.1037/0033-2909.88.2.322",
    ),
    "dawid1979": Reference(
        "Dawid, A. P. and Skene, A. M.",
        1979,
        "Maximum likelihood estimation of observer error-rates using the EM algorithm",
        "Applied Statistics 28(1), 20-28",
        "https://doi.org/10.2307/2346806",
    ),
    "dumitrache2018": Reference(
        "Dumitrache, A., Inel, O., Aroyo, L., Timmermans, B. and Welty, C.",
        2018,
        "CrowdTruth 2.0: quality metrics for crowdsourcing with disagreement",
        "arXiv:1808.06080",
        "https://arxiv.org/abs/1808.06080",
    ),
    "hovy2013": Reference(
        "Hovy, D., Berg-Kirkpatrick, T., Vaswani, A. and Hovy, E.",
        2013,
        "Learning whom to trust with MACE",
        "Proceedings of NAACL-HLT 2013, 1120-1130",
        "https://aclanthology.org/N13-1132",
    ),
    "paun2018": Reference(
        "Paun, S., Carpenter, B., Chamberlain, J., Hovy, D., Kruschwitz, U. and Poesio, M.",
        2018,
        "Comparing Bayesian models of annotation",
        "Transactions of the Association for Computational Linguistics 6, 571-585",
        "https://doi.org/10.1162/tacl_a_00040",
    ),
    "patz2002": Reference(
        "Patz, R. J., Junker, B. W., Johnson, M. S. and Mariano, L. T.",
        2002,
        "The hierarchical rater model for rated test items and its application to large-scale educational assessment data",
        "Journal of Educational and Behavioral Statistics 27(4), 341-384",
        "https://doi.org/10.3102/10769986027004341",
    ),
    "varadhan2008": Reference(
        "Varadhan, R. and Roland, C.",
        2008,
        "Simple and globally convergent methods for accelerating the convergence of any EM algorithm",
        "Scandinavian Journal of Statistics 35(2), 335-353",
        "https://doi.org/10.1111/j.1467-9469.2007.00585.x",
    ),
    "zhang2016": Reference(
        "Zhang, Y., Chen, X., Zhou, D. and Jordan, M. I.",
        2016,
        "Spectral methods meet EM: a provably optimal algorithm for crowdsourcing",
        "Journal of Machine Learning Research 17(102), 1-44",
        "https://arxiv.org/abs/1406.3824",
    ),
    "deraadt2019": Reference(
        "De Raadt, A., Warrens, M. J., Bosker, R. J. and Kiers, H. A. L.",
        2019,
        "Kappa coefficients for missing data",
        "Educational and Psychological Measurement 79(3), 558-576",
        "https://doi.org/10.1177/0013164418823249",
    ),
    "gwet2008": Reference(
        "Gwet, K. L.",
        2008,
        "Computing inter-rater reliability and its variance in the presence of high agreement",
        "British Journal of Mathematical and Statistical Psychology 61(1), 29-48",
        "https://doi.org/10.1348/000711006X126600",
    ),
    "light1971": Reference(
        "Light, R. J.",
        1971,
        "Measures of response agreement for qualitative data: some generalizations and alternatives",
        "Psychological Bulletin 76(5), 365-377",
        "https://doi.org/10.1037/h0031643",
    ),
    "lin1989": Reference(
        "Lin, L. I.",
        1989,
        "A concordance correlation coefficient to evaluate reproducibility",
        "Biometrics 45(1), 255-268",
        "https://doi.org/10.2307/2532051",
    ),
    "mcgraw1996": Reference(
        "McGraw, K. O. and Wong, S. P.",
        1996,
        "Forming inferences about some intraclass correlation coefficients",
        "Psychological Methods 1(1), 30-46",
        "https://doi.org/10.1037/1082-989X.1.1.30",
    ),
    "passonneau2006": Reference(
        "Passonneau, R. J.",
        2006,
        "Measuring agreement on set-valued items (MASI) for semantic and pragmatic annotation",
        "Proceedings of LREC 2006, 831-836",
        "https://aclanthology.org/L06-1392",
    ),
    "rosenberg2004": Reference(
        "Rosenberg, A. and Binkowski, E.",
        2004,
        "Augmenting the kappa statistic to determine interannotator reliability for multiply labeled data points",
        "Proceedings of HLT-NAACL 2004: Short Papers, 77-80",
        "https://aclanthology.org/N04-4020",
    ),
    "scott1955": Reference(
        "Scott, W. A.",
        1955,
        "Reliability of content analysis: the case of nominal scale coding",
        "Public Opinion Quarterly 19(3), 321-325",
        "https://doi.org/10.1086/266577",
    ),
    "shrout1979": Reference(
        "Shrout, P. E. and Fleiss, J. L.",
        1979,
        "Intraclass correlations: uses in assessing rater reliability",
        "Psychological Bulletin 86(2), 420-428",
        "https://doi.org/10.1037/0033-2909.86.2.420",
    ),
    "vanoest2019": Reference(
        "van Oest, R.",
        2019,
        "A new coefficient of interrater agreement: the challenge of highly unequal category proportions",
        "Psychological Methods 24(4), 439-451",
        "https://doi.org/10.1037/met0000183",
    ),
    "vanoest2022": Reference(
        "van Oest, R. and Girard, J. M.",
        2022,
        "Weighting schemes and incomplete data: a generalized Bayesian framework for chance-corrected interrater agreement",
        "Psychological Methods 27(6), 1069-1088",
        "https://doi.org/10.1037/met0000412",
    ),
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
        book=True,
    ),
    "hripcsak2005": Reference(
        "Hripcsak, G. and Rothschild, A. S.",
        2005,
        "Agreement, the F-measure, and reliability in information retrieval",
        "Journal of the American Medical Informatics Association 12(3), 296-298",
        "https://doi.org/10.1197/jamia.M1733",
    ),
    "segurabedmar2013": Reference(
        "Segura-Bedmar, I., Martínez, P. and Herrero-Zazo, M.",
        2013,
        "SemEval-2013 task 9: extraction of drug-drug interactions from biomedical texts",
        "Proceedings of SemEval 2013, 341-350",
        "https://aclanthology.org/S13-2056/",
    ),
    "mathet2015": Reference(
        "Mathet, Y., Widlöcher, A. and Métivier, J.-P.",
        2015,
        "The unified and holistic method gamma (γ) for inter-annotator agreement measure and alignment",
        "Computational Linguistics 41(3), 437-479",
        "https://doi.org/10.1162/COLI_a_00227",
    ),
    "mathet2017": Reference(
        "Mathet, Y.",
        2017,
        "The agreement measure γcat: a complement to γ focused on categorization of a continuum",
        "Computational Linguistics 43(3), 661-681",
        "https://doi.org/10.1162/COLI_a_00296",
    ),
    "krippendorff1995": Reference(
        "Krippendorff, K.",
        1995,
        "On the reliability of unitizing continuous data",
        "Sociological Methodology 25, 47-76",
        "https://doi.org/10.2307/271061",
    ),
    "krippendorff2016": Reference(
        "Krippendorff, K., Mathet, Y., Bouvry, S. and Widlöcher, A.",
        2016,
        "On the reliability of unitizing textual continua: further developments",
        "Quality & Quantity 50(6), 2347-2364",
        "https://doi.org/10.1007/s11135-015-0266-1",
    ),
    "bookstein2002": Reference(
        "Bookstein, A., Kulyukin, V. A. and Raita, T.",
        2002,
        "Generalized Hamming distance",
        "Information Retrieval 5, 353-375",
        "https://doi.org/10.1023/A:1020499411651",
    ),
    "fournier2013": Reference(
        "Fournier, C.",
        2013,
        "Evaluating text segmentation using boundary edit distance",
        "Proceedings of ACL 2013, 1702-1712",
        "https://aclanthology.org/P13-1167",
    ),
    "pevzner2002": Reference(
        "Pevzner, L. and Hearst, M. A.",
        2002,
        "A critique and improvement of an evaluation metric for text segmentation",
        "Computational Linguistics 28(1), 19-36",
        "https://doi.org/10.1162/089120102317341756",
    ),
    "beeferman1999": Reference(
        "Beeferman, D., Berger, A. and Lafferty, J.",
        1999,
        "Statistical models for text segmentation",
        "Machine Learning 34, 177-210",
        "https://doi.org/10.1023/A:1007506220214",
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
    "marchal2022": Reference(
        "Marchal, M., Scholman, M., Yung, F. and Demberg, V.",
        2022,
        "Establishing annotation quality in multi-label annotations",
        "Proceedings of COLING 2022, 3659-3668",
        "https://aclanthology.org/2022.coling-1.322",
    ),
    "norregaard2022": Reference(
        "Nørregaard, J. and Derczynski, L.",
        2022,
        "Sparse Probability of Agreement",
        "arXiv",
        "",
    ),
    "waudbysmith2024": Reference(
        "Waudby-Smith, I. and Ramdas, A.",
        2024,
        "Estimating means of bounded random variables by betting",
        "Journal of the Royal Statistical Society B 86(1), 1-27",
        "https://doi.org/10.1093/jrsssb/qkad009",
    ),
    "landis1977": Reference(
        "Landis, J. R. and Koch, G. G.",
        1977,
        "The measurement of observer agreement for categorical data",
        "Biometrics 33(1), 159-174",
        "https://doi.org/10.2307/2529310",
    ),
    "krippendorff2004": Reference(
        "Krippendorff, K.",
        2004,
        "Content Analysis: An Introduction to Its Methodology, 2nd ed.",
        "Sage",
        book=True,
    ),
    "cicchetti1994": Reference(
        "Cicchetti, D. V.",
        1994,
        "Guidelines, criteria, and rules of thumb for evaluating normed and standardized assessment instruments in psychology",
        "Psychological Assessment 6(4), 284-290",
        "https://doi.org/10.1037/1040-3590.6.4.284",
    ),
    "mcbride2005": Reference(
        "McBride, G. B.",
        2005,
        "A proposal for strength-of-agreement criteria for Lin's concordance correlation coefficient",
        "National Institute of Water and Atmospheric Research",
    ),
    "efron1981": Reference(
        "Efron, B.",
        1981,
        "Nonparametric standard errors and confidence intervals",
        "Canadian Journal of Statistics 9(2), 139-158",
        "https://doi.org/10.2307/3314608",
    ),
    "diciccio1990": Reference(
        "DiCiccio, T. J. and Romano, J. P.",
        1990,
        "Nonparametric confidence limits by resampling methods and least favorable families",
        "International Statistical Review 58(1), 59-76",
        "https://doi.org/10.2307/1403474",
    ),
    "agresti1998": Reference(
        "Agresti, A. and Coull, B. A.",
        1998,
        "Approximate is better than 'exact' for interval estimation of binomial proportions",
        "The American Statistician 52(2), 119-126",
        "https://doi.org/10.1080/00031305.1998.10480550",
    ),
    "efron1987": Reference(
        "Efron, B.",
        1987,
        "Better bootstrap confidence intervals",
        "Journal of the American Statistical Association 82(397), 171-185",
        "https://doi.org/10.1080/01621459.1987.10478410",
    ),
    "holm1979": Reference(
        "Holm, S.",
        1979,
        "A simple sequentially rejective multiple test procedure",
        "Scandinavian Journal of Statistics 6(2), 65-70",
        "https://www.jstor.org/stable/4615733",
    ),
    "benjamini1995": Reference(
        "Benjamini, Y. and Hochberg, Y.",
        1995,
        "Controlling the false discovery rate: a practical and powerful approach to multiple testing",
        "Journal of the Royal Statistical Society B 57(1), 289-300",
        "https://doi.org/10.1111/j.2517-6161.1995.tb02031.x",
    ),
}


def cite(work: str | Reference) -> str:
    """Return the key of a work; one that has none yet gets it from its first author and year.

    Examples
    --------
    >>> cite("cohen1960")
    'cohen1960'
    """
    if isinstance(work, str):
        if work not in REFERENCES:
            raise OptionError(f"There is no reference {shown(work)}: {did_you_mean(work, REFERENCES)}")
        return work
    surname = "".join(c for c in work.authors.split(",")[0].lower() if c.isalnum())
    key = f"{surname}{work.year}"
    REFERENCES.setdefault(key, work)
    return key
