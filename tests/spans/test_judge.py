"""A judge that marks spans among people: values by hand, intervals by leaving documents out, gates."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from tests.cli.conftest import Files, Program
from tests.support import some

import assent as library
from assent.errors import OptionError

PEOPLE = ("ada", "ben", "cem")


def crowd(documents: int, seed: int, judge: float = 0.6) -> list[tuple[str, str, int, int, str]]:
    rng = np.random.default_rng(seed)
    rows = []
    for document in range(documents):
        things = [(20 * at, 20 * at + int(rng.integers(3, 9)), str(rng.choice(["A", "B"]))) for at in range(4)]
        for who, skill in [*((one, 0.8) for one in PEOPLE), ("gpt", judge)]:
            rows += [(f"d{document:02}", who, *thing) for thing in things if rng.random() < skill]
    return rows


def data_of(rows: list[tuple[str, str, int, int, str]], documents: int) -> library.Spans:
    judged = [(f"d{at:02}", who) for at in range(documents) for who in (*PEOPLE, "gpt")]
    return library.Spans.from_rows(rows, judged=judged)


def gap_of(data: library.Spans) -> float:
    f1 = {(one.first, one.second): one.value for one in library.span_f1(data).pairs}
    mine = [value for pair, value in f1.items() if "gpt" in pair]
    return float(np.nanmean(mine) - np.nanmean([value for pair, value in f1.items() if "gpt" not in pair]))


def test_the_difference_and_its_interval_by_leaving_out_documents() -> None:
    rows = crowd(12, 3)
    data = data_of(rows, 12)
    found = library.judge(data, judge="gpt").judges[0]
    assert found.difference == pytest.approx(gap_of(data))
    left = [gap_of(data.kept(np.ones(len(data.start), dtype=bool), documents=np.arange(12) != at)) for at in range(12)]
    error = math.sqrt(11 / 12 * sum((one - np.mean(left)) ** 2 for one in left))
    reach = stats.t.ppf(0.975, 11) * error
    assert (found.interval.low, found.interval.high) == pytest.approx(
        (found.difference - reach, found.difference + reach)
    )
    assert found.lower == pytest.approx(found.difference - stats.t.ppf(0.95, 11) * error)


def test_the_alternative_annotator_test_by_hand() -> None:
    documents = 40
    rows = crowd(documents, 5)
    found = library.judge(data_of(rows, documents), judge="gpt").judges[0].alt_test
    marks = {}
    for document, who, *span in rows:
        marks.setdefault((document, who), set()).add(tuple(span))

    def close(document: str, who: str, others: list[str]) -> float:
        mine = marks.get((document, who), set())
        scores = []
        for other in others:
            theirs = marks.get((document, other), set())
            scores.append(2 * len(mine & theirs) / (len(mine) + len(theirs)) if mine or theirs else 1.0)
        return sum(scores) / len(scores)

    for human in some(found.humans):
        others = [one for one in PEOPLE if one != human.annotator]
        signs = []
        for at in range(documents):
            document = f"d{at:02}"
            apart = close(document, human.annotator, others) - close(document, "gpt", others)
            signs.append(0 if abs(apart) < 1e-9 else 1 if apart > 0 else -1)
        assert (human.human_closer, human.tie, human.judge_closer) == tuple(signs.count(one) for one in (1, 0, -1))


def rare(documents: int, seed: int) -> library.Spans:
    """People who mark something in one of twenty documents, each elsewhere; and a judge that does so as well."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"d{document:02}", who, 10 * at, 10 * at + 5, "A")
        for document in range(documents)
        for at, who in enumerate((*PEOPLE, "gpt"))
        if rng.random() < 0.05
    ]
    return data_of(rows, documents)


def test_the_constant_judge_is_the_judge_without_its_spans() -> None:
    rows = crowd(40, 5)
    found = library.judge(data_of(rows, 40), judge="gpt").judges[0]
    idle = library.judge(data_of([row for row in rows if row[1] != "gpt"], 40), judge="gpt").judges[0]
    constant = found.constant
    assert constant.label == "nothing marked"
    assert constant.alt_test.to_dict() == idle.alt_test.to_dict()
    assert constant.mean_difference.to_dict() == idle.mean_difference.to_dict()
    # Who marks nothing has an F1 of 0 with whoever marks something, so it is as far off as people agree.
    assert constant.team.human_judge == 0
    assert constant.team.difference is not None
    assert constant.team.difference.value == pytest.approx(-found.people.value)
    assert (constant.team.low, constant.team.high) == pytest.approx((idle.lower, idle.upper))
    assert [(who, items) for who, _, items in constant.team.by_person] == [(who, 40) for who in PEOPLE]
    marking = {row[:2] for row in rows}
    empty = [sum((f"d{at:02}", who) in marking for who in PEOPLE) <= 1 for at in range(40)]
    assert constant.accuracy == pytest.approx(np.mean(empty))


def test_the_constant_judge_has_the_keys_it_has_for_labels() -> None:
    spans = library.judge(data_of(crowd(40, 5), 40), judge="gpt").to_dict()["judges"][0]
    labels = library.judge(
        library.Annotations.from_array([["a", "a", "b"], ["b", "b", "b"]] * 20, annotators=["ada", "ben", "gpt"]),
        judge="gpt",
    ).to_dict()["judges"][0]
    assert set(spans["constant_judge"]) == set(labels["constant_judge"])
    for key in ("team", "alt_test", "mean_difference"):
        assert set(spans["constant_judge"][key]) == set(labels["constant_judge"][key])


def test_a_judge_that_marks_nothing_is_always_named_beside_the_verdict() -> None:
    found = library.judge(data_of(crowd(60, 7, judge=0.9), 60), judge="gpt", gate=["alt-test", "noninferior"])
    assert [one.outcome for one in found.gates] == ["pass", "pass"]
    assert "; a judge that marks nothing does not (0 % of people)." in found.gates[0].sentence
    assert "which a judge that marks nothing is not" in found.gates[1].sentence
    text = str(found)
    assert found.gates[0].sentence in " ".join(text.split())
    assert any(line.split()[:2] == ["marks", "nothing"] for line in text.splitlines())


def test_nothing_passes_that_a_judge_that_marks_nothing_passes_without_that_being_said() -> None:
    wide = library.judge(data_of(crowd(60, 7), 60), judge="gpt", margin=0.99, gate=["noninferior"])
    assert wide.judges[0].noninferior
    assert wide.judges[0].constant.team.noninferior
    assert wide.gates[0].outcome == "unclear"
    assert "but so is a judge that marks nothing" in wide.gates[0].sentence
    found = library.judge(rare(200, 1), judge="gpt", gate=["alt-test"])
    one = found.judges[0]
    assert one.alt_test.verdict
    assert one.constant.alt_test.verdict
    assert found.gates[0].outcome == "unclear"
    assert "but so does a judge that marks nothing" in found.gates[0].sentence
    assert [note for note in found.notes if "passes" in note] == [found.gates[0].sentence]


def test_people_who_mark_nothing_leave_nothing_to_compare() -> None:
    rows = [(f"d{at:02}", "gpt", 0, 4, "A") for at in range(40)]
    found = library.judge(data_of(rows, 40), judge="gpt").judges[0]
    team = found.constant.to_dict()["team"]
    assert team["difference"] is None
    assert "marked nothing either" in team["reason"]
    assert found.constant.accuracy == 1.0
    assert not found.alt_test.verdict


def test_what_is_counted() -> None:
    rows = [("d1", who, 0, 4, "A") for who in ("ada", "ben", "gpt")] + [
        ("d1", "ada", 9, 12, "B"),
        ("d2", "gpt", 1, 2, "A"),
    ]
    judged = [(one, who) for one in ("d1", "d2", "d3") for who in ("ada", "ben", "gpt")]
    found = library.judge(library.Spans.from_rows(rows, judged=judged), judge="gpt").judges[0]
    assert found.classes == {"identical": 2, "label": 0, "boundary": 0, "both": 0, "only": 2}
    assert (found.missed, found.missable) == (1, 3)
    assert found.by_person["ada"] == pytest.approx((0.5, 2 / 3))
    assert found.alt_test.verdict is None


def test_gates_on_the_command_line(assent: Program, file: Files) -> None:
    text = "document,annotator,start,end,label\n"
    text += "".join(",".join(map(str, row)) + "\n" for row in crowd(60, 7, judge=0.3))
    path = file("spans.csv", text)
    done = assent("judge", path, "-j", "gpt", "--gate", "noninferior", "--json")
    assert done.code == 1
    assert done.json["gates"][0]["outcome"] == "fail"
    assert set(done.json) == {"data", "match", "judges", "gates", "notes"}
    assert assent("judge", path, "-j", "gpt", "--match", "overlap").out
    refused = assent("judge", path, "-j", "gpt", "--scale", "ordinal")
    assert refused.code == 2
    assert "--scale does not fit spans" in refused.err


def test_refusals() -> None:
    two = library.Spans.from_rows([("d", "ada", 0, 4, "A"), ("d", "gpt", 0, 4, "A")])
    with pytest.raises(OptionError, match="two people beside the judge"):
        library.judge(two, judge="gpt")
    with pytest.raises(OptionError, match="no annotator"):
        library.judge(two, judge="claude")
    with pytest.raises(OptionError, match="`match` is about spans"):
        library.judge([["a", "a", "b"]] * 5, match="exact")
