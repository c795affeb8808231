"""Models beside people, where the data say which annotators are models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from assent.analyses.baseline import JUDGE_KAPPA, read_baseline
from assent.data.dataset import kind_in_words
from assent.data.judge_names import runs_of_judges
from assent.documents.blocks import Block, Heading, Section, notes
from assent.errors import OptionError, did_you_mean
from assent.reports.anonymous import Names
from assent.reports.context import ReportContext, Settings, attempt
from assent.reports.sections.answer import AnswerSection
from assent.text import shown

if TYPE_CHECKING:
    from assent.reports.kinds import ReportKind

__all__ = ["baseline_of_judges", "judges_section", "with_judges"]


def _flat(blocks: Sequence[Block]) -> list[Block]:
    """Return blocks with headings in place of sections."""
    made: list[Block] = []
    for one in blocks:
        made += [Heading(one.title), *one.blocks] if isinstance(one, Section) else [one]
    return made


def with_judges(
    data: Any, kind: ReportKind, settings: Settings, names: Names | None
) -> tuple[Any, tuple[Any, tuple[str, ...]]]:
    """Take the judges out of the data that a report is about.

    Returns
    -------
    data
        The people alone, prepared as the kind does it.
    judged
        All of them, and what the judges are called there.
    """
    if all(one.name != "judges" for one in kind.sections):
        raise OptionError(f"`judge` names judges of labels, and these are {kind_in_words(data.kind)}: leave it out.")
    known = data.annotators or ()
    runs = runs_of_judges(known, settings.judges)
    for one in settings.judges:
        if one not in known and one not in runs:
            raise OptionError(f"`judge` names {shown(one)}, who is no annotator; {did_you_mean(one, known)}")
    apart = dict.fromkeys([*settings.judges, *(run for some in runs.values() for run in some)])
    if sum(one not in apart for one in known) < 2:
        raise OptionError(
            "A report is about the agreement of people, and beside the judges there are fewer than two: see `assent judge`."
        )
    names = names or Names.of(data)
    whole = kind.prepare(data, settings, names)
    if not settings.anonymise:
        return whole.without_annotators([one for one in apart if one in known]), (whole, settings.judges)
    # Names that say nothing do not say which annotators are runs either: of each judge one run stays.
    called = names.annotators
    judges = tuple(called[runs[one][0] if one in runs else one] for one in settings.judges)
    people = whole.without_annotators([called[one] for one in apart if one in known])
    return people, (whole.only_annotators([*(people.annotators or ()), *judges]), judges)


def _judged(context: ReportContext) -> tuple[Any, tuple[str, ...]]:
    """Return the data with the judges, and what these are called: those that were named, or the models of an export."""
    if context.judged is not None:
        return context.judged
    export = getattr(context.data, "_export", None)
    known = context.data.annotators or ()
    return context.data, tuple(name for name in (export.models if export is not None else ()) if name in known)


def baseline_of_judges(context: ReportContext) -> str | None:
    """Return the earlier result if it holds the judges of this report, or one judge where there is one, whatever it was called; None where names are hidden."""
    path, (_, models) = context.settings.baseline, _judged(context)
    if path is None or not models or context.settings.anonymise:
        return None
    before = {one.measure for one in read_baseline(path) if one.measure.startswith(JUDGE_KAPPA)}
    named = before.issuperset(f"{JUDGE_KAPPA}{one}" for one in models)
    return path if named or len(before) == len(models) == 1 else None


def judges_section(context: ReportContext) -> AnswerSection | None:
    """Return the judges that were named, or the models of an export, beside the people; None if there are none, or nobody beside them."""
    data, models = _judged(context)
    if not models or len(models) == len(data.annotators or ()):
        return None
    # Few reports have judges, and the others need not wait for it.
    from assent.analyses.judge import judge
    from assent.analyses.judge.document import blocks_of, takeaway

    settings = context.settings
    found = attempt(
        lambda: judge(
            data,
            judge=models,
            scale=settings.scale,
            level=settings.level,
            seed=settings.seed,
            baseline=baseline_of_judges(context),
        )
    )
    if found is None:
        return None
    before = [one.sentence[:1].upper() + one.sentence[1:] for one in found.against]
    return AnswerSection(
        name="judges",
        title="Models beside people",
        takeaway=takeaway(found),
        found=found,
        blocks=[*_flat(blocks_of(found)), *notes(before, found.notes, *(one.notes for one in found.judges))],
        elsewhere=("data", "gates"),
    )
