"""Labels that are steps of a scale by what they say: the order is proposed, never taken unasked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assent.scales import numbers

__all__ = ["many_numbers", "natural_order", "whole_steps"]

#: Words of usual scales, lowest first; a label may stand for any of the words at its step.
_SCALES: tuple[tuple[tuple[str, ...], ...], ...] = (
    # Agreement
    (("strongly disagree", "completely disagree", "totally disagree"), ("disagree",), ("somewhat disagree", "slightly disagree", "rather disagree"),
     ("neutral", "neither agree nor disagree", "neither", "undecided", "neither nor"), ("somewhat agree", "slightly agree", "rather agree"), ("agree",),
     ("strongly agree", "completely agree", "totally agree")),
    (("stimme überhaupt nicht zu", "stimme gar nicht zu", "trifft überhaupt nicht zu", "trifft gar nicht zu"), ("stimme nicht zu", "trifft nicht zu"),
     ("stimme eher nicht zu", "trifft eher nicht zu"), ("neutral", "teils teils", "weder noch", "unentschieden"), ("stimme eher zu", "trifft eher zu"),
     ("stimme zu", "trifft zu"), ("stimme voll zu", "stimme voll und ganz zu", "stimme völlig zu", "trifft voll zu", "trifft voll und ganz zu")),
    (("pas du tout d'accord",), ("pas d'accord",), ("plutôt pas d'accord",), ("neutre", "ni d'accord ni pas d'accord"), ("plutôt d'accord",), ("d'accord",),
     ("tout à fait d'accord",)),
    (("totalmente en desacuerdo", "muy en desacuerdo"), ("en desacuerdo",), ("neutral", "ni de acuerdo ni en desacuerdo"), ("de acuerdo",),
     ("totalmente de acuerdo", "muy de acuerdo")),
    (("discordo totalmente", "discordo fortemente"), ("discordo",), ("discordo parcialmente", "discordo em parte"),
     ("neutro", "nem concordo nem discordo", "não concordo nem discordo", "indiferente"), ("concordo parcialmente", "concordo em parte"), ("concordo",),
     ("concordo totalmente", "concordo fortemente")),
    (("completamente in disaccordo", "totalmente in disaccordo", "fortemente in disaccordo"), ("in disaccordo",),
     ("neutrale", "né d'accordo né in disaccordo", "né in accordo né in disaccordo"), ("d'accordo",),
     ("completamente d'accordo", "totalmente d'accordo", "fortemente d'accordo")),
    (("per niente d'accordo", "per nulla d'accordo"), ("poco d'accordo",), ("abbastanza d'accordo",), ("molto d'accordo",), ("del tutto d'accordo",)),
    (("zdecydowanie się nie zgadzam", "zdecydowanie nie"), ("nie zgadzam się",), ("raczej się nie zgadzam", "raczej nie"),
     ("nie mam zdania", "trudno powiedzieć", "ani tak ani nie"), ("raczej się zgadzam", "raczej tak"), ("zgadzam się",),
     ("zdecydowanie się zgadzam", "zdecydowanie tak")),
    (("instämmer inte alls", "tar helt avstånd"), ("instämmer inte",), ("varken eller", "neutral"), ("instämmer delvis",), ("instämmer",),
     ("instämmer helt", "instämmer helt och hållet")),
    (("helt uenig", "meget uenig"), ("uenig",), ("delvis uenig",), ("hverken eller", "verken eller", "nøytral", "neutral"), ("delvis enig",), ("enig",),
     ("helt enig", "meget enig")),
    (("полностью не согласен", "совершенно не согласен"), ("не согласен",), ("скорее не согласен",), ("нейтрально", "затрудняюсь ответить"),
     ("скорее согласен",), ("согласен",), ("полностью согласен", "совершенно согласен")),
    (("kesinlikle katılmıyorum",), ("katılmıyorum",), ("kararsızım", "ne katılıyorum ne katılmıyorum"), ("katılıyorum",), ("kesinlikle katılıyorum",)),
    (("非常不同意", "完全不同意"), ("不同意",), ("一般", "中立", "不确定"), ("同意",), ("非常同意", "完全同意")),
    (("全くそう思わない", "まったくそう思わない"), ("そう思わない", "あまりそう思わない"), ("どちらともいえない", "どちらでもない"), ("そう思う", "ややそう思う"),
     ("とてもそう思う", "非常にそう思う", "強くそう思う")),
    (("helemaal mee oneens", "zeer mee oneens"), ("mee oneens", "oneens"), ("neutraal",), ("mee eens", "eens"), ("helemaal mee eens", "zeer mee eens")),
    # Frequency
    (("never",), ("almost never", "very rarely"), ("rarely", "seldom"), ("occasionally",), ("sometimes",), ("often", "frequently"),
     ("very often", "usually", "almost always"), ("always",)),
    (("nie", "niemals"), ("fast nie", "sehr selten"), ("selten",), ("manchmal", "gelegentlich"), ("oft", "häufig"), ("sehr oft", "meistens", "fast immer"),
     ("immer",)),
    (("jamais",), ("rarement",), ("parfois", "quelquefois"), ("souvent",), ("toujours",)),
    (("nunca",), ("raramente", "rara vez", "casi nunca"), ("a veces", "às vezes", "algunas veces"), ("a menudo", "frecuentemente", "frequentemente"),
     ("siempre", "sempre")),
    (("mai",), ("raramente",), ("a volte", "qualche volta"), ("spesso",), ("sempre",)),
    (("nooit",), ("zelden",), ("soms",), ("vaak",), ("altijd",)),
    # Quality, size, degree
    (("very poor", "very bad", "terrible", "awful"), ("poor", "bad"), ("fair", "acceptable", "ok", "okay", "average"), ("good",), ("very good",),
     ("excellent", "great")),
    (("ungenügend",), ("mangelhaft", "sehr schlecht"), ("ausreichend", "schlecht"), ("befriedigend", "mittel"), ("gut",), ("sehr gut",)),
    (("none", "no", "absent"), ("very low", "very mild"), ("low", "mild", "minor", "slight"), ("medium", "moderate", "mid"), ("high", "severe", "major"),
     ("very high", "very severe", "critical", "extreme")),
    (("sehr niedrig", "sehr gering"), ("niedrig", "gering"), ("mittel",), ("hoch",), ("sehr hoch",)),
    (("not at all",), ("slightly", "a little", "a bit"), ("somewhat", "moderately"), ("very", "quite a bit"), ("extremely", "very much")),
    (("gar nicht", "überhaupt nicht"), ("wenig", "kaum"), ("mittelmäßig", "etwas"), ("ziemlich",), ("sehr", "äußerst")),
    (("very negative", "strongly negative"), ("negative", "somewhat negative"), ("neutral",), ("positive", "somewhat positive"), ("very positive", "strongly positive")),
    (("very unlikely",), ("unlikely",), ("neutral", "possible"), ("likely",), ("very likely",)),
    (("very dissatisfied",), ("dissatisfied",), ("neutral",), ("satisfied",), ("very satisfied",)),
    (("very easy",), ("easy",), ("medium", "moderate"), ("hard", "difficult"), ("very hard", "very difficult")),
)  # fmt: skip
_LEAST, _MOST_STEPS = 3, 11


def _plain(label: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"[_/-]", " ", label).replace("’", "'")).strip().casefold()


def natural_order(labels: Sequence[str]) -> tuple[str, ...] | None:
    """Return the labels from lowest to highest, if all of them are steps of one usual scale of words; else None.

    Examples
    --------
    >>> natural_order(["agree", "disagree", "strongly agree"])
    ('disagree', 'agree', 'strongly agree')
    >>> natural_order(["Nie", "Oft", "Selten"])
    ('Nie', 'Selten', 'Oft')
    >>> natural_order(["cat", "dog", "often"]) is None
    True
    """
    if len(labels) < _LEAST:
        return None
    for steps in _SCALES:
        step = {word: i for i, words in enumerate(steps) for word in words}
        places = [step.get(_plain(label)) for label in labels]
        if None not in places and len(set(places)) == len(labels):
            return tuple(label for _, label in sorted(zip(places, labels, strict=True)))
    return None


def whole_steps(labels: Sequence[str], decimal: str = ".") -> bool:
    """Return whether the labels are a few whole numbers, as the steps of a rating scale are.

    Examples
    --------
    >>> whole_steps(["1", "2", "3", "5"]), whole_steps(["0", "1"]), whole_steps(["1", "250"])
    (True, False, False)
    """
    values = numbers(labels, decimal)
    if values is None or not _LEAST <= len(labels) <= _MOST_STEPS:
        return False
    steps = [float(one) for one in values]
    return all(one.is_integer() for one in steps) and max(steps) - min(steps) <= _MOST_STEPS


def many_numbers(labels: Sequence[str], decimal: str = ".") -> bool:
    """Return whether the labels are measured or rated numbers: some with a fraction, or more of them than a scale has steps.

    Examples
    --------
    >>> many_numbers(["0.5", "1", "2.5"]), many_numbers([str(n) for n in range(40)]), many_numbers(["1", "250", "999"])
    (True, True, False)
    """
    values = numbers(labels, decimal)
    if values is None or len(labels) < _LEAST:
        return False
    return len(labels) > _MOST_STEPS or not all(float(one).is_integer() for one in values)
