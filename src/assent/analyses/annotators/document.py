"""What a person reads of the annotators: a verdict, who stands out and why, a table, every two of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from assent.analyses.annotators.wording import GROUPS, SHORT
from assent.documents.blocks import (
    Block,
    Card,
    Cards,
    Cell,
    Column,
    Find,
    Fold,
    Heading,
    Prose,
    Table,
    between,
    coefficient,
    count,
    name,
    names,
    number,
    share,
    table_of,
    words,
)
from assent.limits import HTML, TERMINAL
from assent.text import DASH, counted, level, listed, percent, probability, quoted
from assent.text import number as written

if TYPE_CHECKING:
    from assent.analyses.annotators.result import AnnotatorReport
    from assent.measures.results import PairAgreement

__all__ = ["every_pair", "every_two", "flag_cards", "flagged_at", "groups", "of_all", "table", "trends", "verdict"]


def verdict(team: AnnotatorReport) -> str:
    """Say in a sentence whether anybody differs."""
    if not team.n_judged:
        two = "of two annotators, each is measured by the other" if len(team) == 2 else "too few items are shared"
        return f"Nobody can be judged: {two}."
    rest = len(team) - team.n_judged
    others = f"; {counted(rest, 'more has', 'more have')} too few shared items to be judged" if rest else ""
    judged = f"{counted(team.n_judged, 'annotator')} judged"
    if not team.n_flagged:
        return f"Nobody stands out among {judged}{others}{_strict(team)}.{_unsure(team)}"
    worst = [quoted(team.annotators[one]) for one in _flagged(team)]
    stand = "stands" if team.n_flagged == 1 else "stand"
    return f"{team.n_flagged:,} of {judged} {stand} out: {listed(worst)}{others}.{_unsure(team)}"


def _strict(team: AnnotatorReport) -> str:
    """Say who rates higher or lower than the others, on a scale: nobody is flagged for that alone."""
    found = team.severity
    foremost = [] if found is None else found.foremost
    if found is None or not foremost:
        return ""
    said = [f"{quoted(team.annotators[one])} {found.said(one)}" for one in foremost]
    return f" but for being strict or lenient: {listed(said, 3)} than the others do"


def _unsure(team: AnnotatorReport) -> str:
    """Name those of whom it cannot be told yet whether they differ."""
    some = [one for one in team.order.tolist() if team.unsure[one]]
    if not some:
        return ""
    own, others = team.agreement.observed, team.relative.others
    said = [
        f"{quoted(team.annotators[one])} ({percent(float(own[one]))}, the others {percent(float(others[one]))})"
        for one in some
    ]
    return f" Not sure yet, more items would tell: {listed(said, 3)}."


def of_all(team: AnnotatorReport) -> str:
    """Say how far all of them agree."""
    whole = team.without.agreement
    known = written(whole.value, 3)
    return f"{whole.title} of all is {'undefined' if known == DASH else known}."


def flag_cards(team: AnnotatorReport) -> list[Block]:
    """Say why annotators are flagged, the worst first; of many, count what kinds they are."""
    flagged = _flagged(team)
    if not flagged:
        return []
    some, more = flagged[: HTML.cards], len(flagged) - HTML.cards
    cards = [
        Card(team.annotators[one], [team.reason(one) or ""], "warning", SHORT[team.kinds[one]], data=True)
        for one in some
    ]
    if more <= 0:
        return [Cards(cards)]
    kinds = Counter(team.kinds[one] for one in flagged)
    said = ", ".join(f"{times:,} × {SHORT[kind]}" for kind, times in kinds.most_common())
    return [Cards(cards), Prose([f"{counted(more, 'more is', 'more are')} flagged. All flagged: {said}."])]


def _flagged(team: AnnotatorReport) -> list[int]:
    return [one for one in team.order.tolist() if team.flagged[one]]


def groups(team: AnnotatorReport) -> list[Block]:
    """Say which groups read differently, and who is in them."""
    found, sentence = team.clusters, team.clusters_sentence()
    if found is None or sentence is None:
        return []
    members = [listed([quoted(team.annotators[one]) for one in group], 8) for group in found.groups]
    return [
        Heading(GROUPS),
        Prose([sentence, *(f"Group {place}: {some}." for place, some in enumerate(members, 1))]),
    ]


def trends(team: AnnotatorReport) -> list[Block]:
    """Say who gets worse; or who gets better, if nobody gets worse: beside one who falls behind, others seem to rise."""
    trend, corrected = team.trend, team.trend_corrected
    if trend is None or corrected is None:
        return []
    changing = [one for one in team.order.tolist() if corrected[one] <= team.fdr]
    told = [one for one in changing if trend.correlation[one] < 0] or changing
    if not told:
        return [Prose(["Nobody gets better or worse with time, as far as the data show."])]
    cards = []
    for one in told[: HTML.cards]:
        way = "falls behind" if trend.correlation[one] < 0 else "gets better"
        before, after = (
            written(100 * float(half[one]), 0, signed=True) for half in (trend.first_half, trend.second_half)
        )
        sure = f"({probability(float(corrected[one]))}, corrected for all annotators)"
        said = f"{before} points against the others in the first half, {after} in the second {sure}."
        cards.append(Card(f"{quoted(team.annotators[one])} {way} with time", [said], "warning"))
    more = len(told) - len(cards)
    rest = [Prose([f"{counted(more, 'more changes', 'more change')} with time."])] if more > 0 else []
    return [Cards(cards), *rest]


def table(team: AnnotatorReport, rows: int) -> Table:
    """Return what is known of each annotator, the worst first."""
    agreement, stand, moved = team.agreement, team.relative, team.severity
    left_out = len(team) - rows
    unflagged = ", none of them flagged" if team.n_flagged <= rows else ""
    sure = f"{level(team.level)} interval"
    fields: list[tuple[Column, Callable[[int], Cell]] | None] = [
        (Column("annotator", "name"), lambda one: _name(team, one)),
        (Column("flag", "words", term="stands out"), lambda one: _flag(team, one)),
        (Column("items", meaning="Shared with others.", minor=True), lambda one: count(team.shared[one])),
        (
            Column(
                "agreement",
                meaning=_agreement(team),
                term="agreement of an annotator",
            ),
            lambda one: share(agreement.observed[one]),
        ),
        (
            Column(sure, optional=True),
            lambda one: between(agreement.observed_low[one], agreement.observed_high[one], percents=True),
        ),
        (
            Column("others", meaning="The same for the others among themselves.", term="others"),
            lambda one: share(stand.others[one] if stand.items[one] >= team.least else None),
        ),
        (
            Column("beyond chance", meaning="Agreement as a kappa.", term="beyond chance"),
            lambda one: number(agreement.value[one]),
        ),
        (
            Column(f"its {sure}", optional=True),
            lambda one: between(agreement.low[one], agreement.high[one], digits=2),
        ),
        (
            Column("without", meaning=f"{team.without.agreement.title} without this annotator.", term="without"),
            lambda one: number(team.without.values[one]),
        ),
        (
            Column("change", optional=True),
            lambda one: number(team.without.values[one] - team.without.agreement.value, signed=True),
        ),
        None
        if moved is None
        else (
            Column("rates", meaning=f"{moved.unit.capitalize()} above or below the others on the same items."),
            lambda one: number(moved.mean[one], signed=True, tone="warning" if moved.clear(one) else ""),
        ),
        None
        if moved is None
        else (
            Column(
                "apart", meaning=f"How far apart they are item by item besides, in {moved.unit} (standard deviation)."
            ),
            lambda one: number(moved.spread[one]),
        ),
        (
            Column("self", meaning="Agreement with their own labels on items they saw again."),
            lambda one: share(team.agreement_with_self(one)),
        ),
        (
            Column("leans", "text", meaning="Labels given more or less often than by the others.", term="leaning"),
            lambda one: _leans(team, one),
        )
        if moved is None
        else None,
    ]
    return table_of(
        "annotators",
        "Every annotator, the worst first",
        team.order[:rows].tolist(),
        fields,
        more=f"{counted(left_out, 'more annotator')}{unflagged}." if left_out > 0 else "",
        quiet=True,
    )


def _agreement(team: AnnotatorReport) -> str:
    """Say what agreement with the others is."""
    if team.data.kind == "label-sets":
        return "Labels in common with the others on the same item (F1 of two sets, on average)."
    if team.severity is not None:
        return "Agreement with the others on the same item, near labels counted in part."
    return "Share of the others on the same item who gave the same label."


def _name(team: AnnotatorReport, one: int) -> Cell:
    shown = replace(name(team.annotators[one]), find=Find(annotators=(team.annotators[one],)))
    return replace(shown, tone="warning") if team.flagged[one] else shown


def _flag(team: AnnotatorReport, one: int) -> Cell:
    if not team.judged[one]:
        return words("not judged")
    if team.unsure[one]:
        return words("not sure yet")
    return words(SHORT[team.kinds[one]], tone="warning") if team.flagged[one] else words("")


def _leans(team: AnnotatorReport, one: int) -> Cell:
    """Say which labels an annotator gives more or less often than others, and by how much."""
    uses = team.leaning_uses(one)
    return names([(label, percent(own - others, signed=True)) for label, own, others in uses]) if uses else words("")


def flagged_at(team: AnnotatorReport) -> str:
    """Say who is flagged."""
    return (
        f"Flagged are annotators who surely agree less, by {100 * team.margin:g} points at least, than somebody would who reads {percent(team.otherwise)} of the "
        f"items in another way, or surely hardly more than by chance (false discovery rate {level(team.fdr)})."
    )


def every_two(team: AnnotatorReport) -> list[Block]:
    """Return every two annotators: crossed in a small team, listed in a larger one; folded, since few want to see them."""
    if not team.pairs:
        return []
    shown = _matrix(team, team.pairs) if len(team) <= TERMINAL.columns else every_pair(team.pairs)
    return [Fold(shown.caption, [shown])]


#: How near labels are is what the coefficient of all counts them by.
_KAPPA = "Cohen's; on a scale weighted, of label sets by the labels they share."


def every_pair(pairs: Sequence[PairAgreement]) -> Table:
    """List every two annotators who share items, lowest agreement first."""
    return table_of(
        "pairs",
        f"Every two annotators who share items, lowest agreement first ({counted(len(pairs), 'pair')})",
        sorted(pairs, key=lambda pair: pair.observed),
        [
            (Column("annotator", "name"), lambda pair: name(pair.first)),
            (Column("and", "name"), lambda pair: name(pair.second)),
            (
                Column("agreement"),
                lambda pair: replace(share(pair.observed), find=Find(annotators=(pair.first, pair.second))),
            ),
            (Column("kappa", meaning=_KAPPA, term="pairwise kappa"), lambda pair: coefficient(pair.value)),
            (Column("items", meaning="Annotated by both."), lambda pair: count(pair.n_items)),
        ],
        quiet=True,
    )


def _matrix(team: AnnotatorReport, pairs: Sequence[PairAgreement]) -> Table:
    order = team.order.tolist()
    place = {team.annotators[one]: i for i, one in enumerate(order)}
    cells = np.full((len(order), len(order)), None, dtype=object)
    for pair in pairs:
        low, high = sorted((place[pair.first], place[pair.second]))
        cells[high, low], cells[low, high] = share(pair.observed), count(pair.n_items)
    return Table(
        "pairs",
        "Every two annotators: agreement below the diagonal, shared items above it",
        [Column("annotator", "name"), *(Column(str(i + 1), data=True) for i in range(len(order)))],
        [
            [
                name(f"{i + 1} {team.annotators[one]}"),
                *(cells[i, j] or words("·" if i == j else DASH) for j in range(len(order))),
            ]
            for i, one in enumerate(order)
        ],
        quiet=True,
    )
