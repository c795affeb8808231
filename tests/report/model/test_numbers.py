"""The numbers of every section are those of the library, or of a slow loop over the rows."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.special import stdtrit
from tests.cli.conftest import Done
from tests.report.model.studies import KINDS, clustered_data, long_data, long_rows

import assent
from assent.analyses.advise import advise
from assent.analyses.findings.search import findings
from assent.analyses.missingness import missingness
from assent.examples import EXAMPLES
from assent.measures import find

ROWS = long_rows()


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    return assent.report(long_data(), task="standard", text="text").to_dict()


def test_the_data_by_a_loop(report: dict[str, Any]) -> None:
    part = report["data"]
    sizes = Counter(row[0] for row in ROWS)
    assert part["items"] == len(sizes)
    assert part["annotations"] == len(ROWS)
    assert part["annotators"] == 4
    assert part["pairable_items"] == sum(n > 1 for n in sizes.values())
    assert part["density"] == len(ROWS) / (len(sizes) * 4)
    per_item = Counter(sizes.values())
    assert part["per_item"] == [{"annotations": n, "items": per_item[n]} for n in sorted(per_item)]
    work = Counter(row[1] for row in ROWS)
    shown = part["per_annotator"]["shown"]
    assert {row["annotator"]: row["annotations"] for row in shown} == dict(work)
    assert [row["annotations"] for row in shown] == sorted(work.values(), reverse=True)
    assert part["per_annotator"]["quantiles"][::2] == [
        min(work.values()),
        float(np.median(list(work.values()))),
        max(work.values()),
    ]
    given = Counter(row[2] for row in ROWS)
    assert {row["label"]: row["annotations"] for row in part["label_shares"]} == dict(given)
    table = part["label_by_annotator"]
    for i, who in enumerate(table["annotators"]):
        for j, label in enumerate(table["labels"]):
            times = sum(row[1] == who and row[2] == label for row in ROWS)
            assert table["shares"][i][j] == pytest.approx(times / work[who])


@pytest.mark.parametrize("options", [{}, {"items": 130, "annotators": 5, "gaps": 0.6}, {"items": 3, "gaps": 0.0}])
def test_coverage_by_a_loop(options: dict[str, Any]) -> None:
    """Items are sorted by who labelled them and cut into blocks; each cell is the share of a block that one annotator did."""
    rows = long_rows(**options)
    part = assent.report(long_data(**options)).to_dict()["data"]["coverage"]
    did = {name: {row[0] for row in rows if row[1] == name} for name in part["annotators"]}
    assert [len(did[name]) for name in part["annotators"]] == sorted((len(one) for one in did.values()), reverse=True)
    items = list(dict.fromkeys(row[0] for row in rows))
    ranked = sorted(items, key=lambda item: tuple(item not in did[name] for name in part["annotators"]))
    size = part["items_per_block"]
    assert size == -(-len(items) // 60)
    blocks = [ranked[i : i + size] for i in range(0, len(ranked), size)]
    for name, shares in zip(part["annotators"], part["blocks"], strict=True):
        assert shares == pytest.approx([sum(item in did[name] for item in block) / len(block) for block in blocks])


def test_of_many_annotators_the_busiest_are_shown() -> None:
    rng = np.random.default_rng(0)
    rows = [
        (i, f"w{a}", "x" if rng.random() < 0.5 else "y")
        for i in range(500)
        for a in rng.choice(300, 4, replace=False).tolist()
    ]
    import polars as pl

    data = assent.Annotations.from_frame(pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row"))
    part = assent.report(data).to_dict()["data"]
    assert len(part["coverage"]["annotators"]) == 60
    assert part["coverage"]["more"] == len(data.annotators) - 60
    assert part["per_annotator"]["more"] == len(data.annotators) - 50


def test_coefficients_are_those_of_the_command(report: dict[str, Any], assent_json: Any) -> None:
    """The shape and the numbers are those of `assent measure --json`, the interval apart, which may be a bootstrap here."""
    import csv
    import io

    text = io.StringIO()
    csv.writer(text).writerows([("item", "annotator", "label"), *(row[:3] for row in ROWS)])
    printed = assent_json(text.getvalue())
    for mine, theirs in zip(report["coefficients"]["measures"], printed["measures"], strict=True):
        assert set(mine) == set(theirs)
        for name in (
            "measure",
            "title",
            "value",
            "observed",
            "expected",
            "items",
            "annotators",
            "annotations",
            "options",
            "pairs",
        ):
            assert mine[name] == theirs[name], name
        assert (mine["interpretation"] is None) == (theirs["interpretation"] is None)
        assert {key for one in mine["interpretation"] or () for key in one} == {
            key for one in theirs["interpretation"] or () for key in one
        }
    assert report["coefficients"]["quote"] == printed["chosen"]["quote"]
    assert report["coefficients"]["reasons"] == printed["chosen"]["reasons"]
    assert report["coefficients"]["findings"] == printed["findings"]


@pytest.fixture
def assent_json(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> Any:
    from assent.cli.app import run

    def call(text: str) -> Any:
        path = tmp_path / "labels.csv"
        path.write_text(text)
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            run(["measure", str(path), "--json", "--target", "standard"])
        printed = capsys.readouterr()
        return Done(end.value.code or 0, printed.out, printed.err).json

    return call


@pytest.mark.parametrize("items", [15, 100, 400])
def test_the_interval_is_that_of_the_library_however_many_items_there_are(items: int) -> None:
    found = assent.report(long_data(items=items), seed=3).to_dict()["coefficients"]["measures"][0]
    assert found["ci"] == assent.krippendorff_alpha(long_data(items=items)).confidence_interval().to_dict()
    assert found["ci"]["method"] == "etel"


def test_a_skewed_value_stays_within_its_range() -> None:
    skewed = [["a", "a"]] * 980 + [["b", "b"]] * 16 + [["a", "b"]] * 2 + [["b", "a"]] * 2
    beyond_one = [["a", "a"]] * 996 + [["b", "b"]] * 2 + [["a", "b"]] * 2
    for table in (skewed, beyond_one):
        first = assent.report(table).to_dict()["coefficients"]["measures"][0]
        assert (first["measure"], first["ci"]["method"]) == ("cohen-kappa", "etel")
        assert -1 <= first["ci"]["low"] < first["value"] < first["ci"]["high"] < 1


def test_all_agree_leaves_room_for_what_was_missed_and_says_how() -> None:
    found = assent.report([["a", "a"], ["b", "b"]] * 30).to_dict()
    agreement = assent.cohen_kappa([["a", "a"], ["b", "b"]] * 30)
    assert found["verdict"]["low"] == agreement.confidence_interval().low
    assert found["verdict"]["low"] == pytest.approx(agreement.confidence_interval(method="analytic").low, abs=0.03)
    assert "one pseudo-item" in found["how_to_report"]["methods"]


def test_labels_are_those_of_the_library(report: dict[str, Any]) -> None:
    part, found = report["labels"], assent.labels(long_data())
    rows = {row["label"]: row for row in found.to_dict()["labels"]}
    for row in part["by_label"]:
        theirs = rows[row["label"]]
        assert {name: row[name] for name in theirs} == theirs
        assert (row["low"], row["high"]) == (theirs["ci"]["low"], theirs["ci"]["high"])
    assert part["merges"] == found.to_dict()["merges"]["merges"]
    assert [(one["first"], one["second"], one["share"]) for one in part["disputed"]] == [
        (one["first"], one["second"], one["share"]) for one in found.to_dict()["disputed"]
    ]
    assert part["matrix"]["kind"] == "coincidence"
    assert part["matrix"]["counts"] == found.to_dict()["coincidences"]["matrix"]


def test_two_annotators_have_a_confusion_matrix() -> None:
    data = EXAMPLES["lecture"].data()
    matrix = assent.report(data).to_dict()["labels"]["matrix"]
    assert matrix == {
        "labels": ["positive", "negative"],
        "counts": [[20, 5], [10, 15]],
        "totals": [25, 25],
        "kind": "confusion",
        "rows": "row",
        "columns": "column",
    }


def test_of_many_labels_the_matrix_has_the_most_frequent() -> None:
    rng = np.random.default_rng(1)
    labels = np.char.add("l", np.minimum(rng.geometric(0.08, (600, 3)), 60).astype(str))
    part = assent.report(labels).to_dict()["labels"]
    often = [label for label, _ in Counter(labels.ravel().tolist()).most_common(25)]
    assert set(part["matrix"]["labels"]) == set(often)
    whole = assent.coincidences(labels)
    place = {label: i for i, label in enumerate(whole.labels)}
    kept = [place[label] for label in part["matrix"]["labels"]]
    assert np.allclose(part["matrix"]["counts"], whole.matrix()[np.ix_(kept, kept)])


def test_single_labels_of_sets_are_given_or_not() -> None:
    data = EXAMPLES["multi-label"].data()
    part = assent.report(data, ambiguity=True).to_dict()
    for row in part["labels"]["by_label"]:
        expected = assent.krippendorff_alpha(data._binarize(row["label"]))
        assert row["value"] == pytest.approx(expected.value, abs=1e-12)
        assert row["low"] == pytest.approx(expected.confidence_interval().low, abs=1e-12)
    counts = Counter(
        label
        for one, sets in zip(data.to_rows().label, [data._sets] * data.n_annotations, strict=True)
        for label in sets.names()[one]
    )
    assert {row["label"]: row["annotations"] for row in part["labels"]["by_label"]} == dict(counts)
    assert {row["annotator"]: row["mean_labels"] for row in part["multilabel"]["set_sizes"]} == {
        one.annotator: one.mean_labels for one in data.set_shares()
    }
    sweep = assent.sweep(data)
    mine = part["multilabel"]["sweep"]
    assert mine["points"] == [one.to_dict() for one in sweep.points]
    assert {one["name"]: one["items"] for one in mine["classes"]} == {one.name: one.n_items for one in sweep.classes}
    assert all(len(one["members"]) <= 10 for one in mine["classes"])
    assert mine["change"] == sweep.to_dict()["sweep"]["change"]


def test_annotators_are_those_of_the_library(report: dict[str, Any]) -> None:
    part, found = report["annotators"], assent.annotators(long_data()).to_dict()
    assert part["rows"] == found["annotators"]
    assert [row["shift"] for row in part["rows"]] == [None] * 4, "names are not higher or lower than others"
    assert (part["flagged"], part["judged"], part["total"]) == (found["team"]["flagged"], found["team"]["judged"], 4)
    assert part["schools"] == found["schools"]
    pairs = part["pairs"]
    place = {name: i for i, name in enumerate(pairs["annotators"])}
    assert set(place) == {row[1] for row in ROWS}
    for pair in found["pairs"]:
        i, j = place[pair["first"]], place[pair["second"]]
        assert pairs["values"][i][j] == pair["value"]
        assert pairs["items"][i][j] == pair["items"]
    assert all(pairs["values"][i][i] is None for i in range(4))


def test_schools_are_those_of_the_library() -> None:
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 3, 300)
    other = (truth + 1) % 3
    rows = []
    for i in range(300):
        for a in range(6):
            right = truth[i] if a < 3 or truth[i] == 0 else other[i]
            rows.append((str(i), f"a{a}", "xyz"[right if rng.random() < 0.9 else rng.integers(3)]))
    data = assent.Annotations.from_triples([(who, item, label) for item, who, label in rows])
    found = assent.annotators(data)
    assert found.clusters is not None
    content = assent.report(data).to_dict()
    assert content["annotators"]["schools"] == found.to_dict()["schools"]
    # Annotators of one school stand side by side.
    order = content["annotators"]["pairs"]["annotators"]
    assert {frozenset(order[:3]), frozenset(order[3:])} == {
        frozenset({"a0", "a1", "a2"}),
        frozenset({"a3", "a4", "a5"}),
    }


def test_shifts_on_a_scale_by_a_loop() -> None:
    data = EXAMPLES["ordinal-bias"].data()
    part = assent.report(data, scale="ordinal").to_dict()["annotators"]
    listing = data.to_rows()
    grades: dict[int, dict[int, int]] = {}
    for item, who, label in zip(listing.item.tolist(), listing.annotator.tolist(), listing.label.tolist(), strict=True):
        grades.setdefault(item, {})[who] = label
    for row in part["rows"]:
        who = data.annotators.index(row["annotator"])
        apart = [one[who] - np.mean([g for other, g in one.items() if other != who]) for one in grades.values()]
        assert row["shift"]["value"] == pytest.approx(np.mean(apart))
        # One pseudo-item: half of it does not differ, a quarter differs by the usual difference (a step at least) either way.
        mean, n, size = np.mean(apart), len(apart), max(1.0, math.sqrt(np.mean(np.square(apart))))
        pseudo = 0.5 * mean**2 + 0.25 * (size - mean) ** 2 + 0.25 * (size + mean) ** 2
        error = math.sqrt((sum((one - mean) ** 2 for one in apart) + pseudo) / n / (n - 1))
        assert row["shift"]["high"] - row["shift"]["value"] == pytest.approx(stdtrit(n - 1, 0.975) * error, rel=1e-9)
        assert row["shift"]["spread"] == pytest.approx(np.std(apart))
    clear = {row["annotator"]: row["shift"]["clear"] for row in part["rows"]}
    assert clear["pia"]


def test_items_are_those_of_the_library(report: dict[str, Any]) -> None:
    part, found = report["items"], assent.items(long_data(), text="text")
    rows = [row.to_dict() for row in found.rows() if row.n_annotations > 1]
    given = [row.pop("given") for row in part["worst"]]
    assert part["worst"] == rows[:200]
    assert [one["items"] for one in part["histogram"]] == found.histogram().tolist()
    assert (part["histogram"][0]["low"], part["histogram"][-1]["high"]) == (0.0, 1.0)
    assert part["total"] == len(found)
    assert part["single"] == sum(row.n_annotations == 1 for row in found.rows())
    for row, one in zip(part["worst"], given, strict=True):
        said = sorted((r[1], r[2]) for r in ROWS if r[0] == row["item"])
        assert [(each["annotator"], each["label"]) for each in one] == said


def test_long_texts_are_cut_and_items_of_a_crowd_are_counted() -> None:
    import polars as pl

    rows = [("1", f"a{i}", "xy"[i % 2], "long " * 1000) for i in range(40)] + [
        ("2", "a1", "x", None),
        ("2", "a2", "x", None),
    ]
    data = assent.Annotations.from_frame(
        pl.DataFrame(rows, schema=["item", "annotator", "label", "text"], orient="row"), columns=["text"]
    )
    worst, other = assent.report(data, text="text").to_dict()["items"]["worst"]
    assert len(worst["text"]) == 601
    assert worst["given"] is None
    assert worst["counts"] == {"x": 20, "y": 20}
    assert other["text"] is None
    assert other["given"] == [{"annotator": "a1", "label": "x"}, {"annotator": "a2", "label": "x"}]


def test_sparse_data_are_weighed_in_every_way(report: dict[str, Any]) -> None:
    data = long_data()
    for row in report["sparse"]["schemes"]:
        expected = assent.spa(data, scheme=row["scheme"])
        interval = expected.confidence_interval()
        assert (row["value"], row["low"], row["high"]) == (expected.value, interval.low, interval.high)
    assert report["sparse"]["missingness"] == missingness(data).to_dict()
    complete = assent.report(long_data(gaps=0.0)).to_dict()
    assert complete["sparse"] is None


def test_advice_plan_ceiling_and_findings_are_those_of_the_library(report: dict[str, Any]) -> None:
    data = long_data()
    assert report["advice"] == [one.to_dict() for one in advise(data)]
    assert report["ceiling"]["accuracy"] == assent.ceiling(data).to_dict()["accuracy"]
    assert report["coefficients"]["findings"] == json.loads(json.dumps([one.to_dict() for one in findings(data)]))
    plan = assent.plan(data, half_width=report["plan"]["half_width"])
    assert report["plan"]["more"] == plan.half_width.more
    assert report["plan"]["choices"] == plan.to_dict()["plan"]["half_width"]["choices"]


def test_of_a_crowd_nobody_is_the_ceiling() -> None:
    data = long_data(items=60, annotators=70, gaps=0.9)
    part, whole = assent.report(data).to_dict()["ceiling"], assent.ceiling(data).to_dict()
    assert part["accuracy"] == whole["accuracy"]
    assert part["majority_share"] == whole["majority_share"]
    assert (part["annotators"], part["best"]) == (None, None)
    assert part["notes"][-1] == "Of more than 50 annotators none is scored alone."
    assert not any("does not say who" in note for note in part["notes"])


@pytest.mark.parametrize(("items", "wanted"), [(30, 0.1), (100, 0.05), (300, 0.025)])
def test_the_plan_is_for_the_next_round_half_width_that_is_clearly_narrower(items: int, wanted: float) -> None:
    report = assent.report(long_data(items=items)).to_dict()
    now = (report["verdict"]["high"] - report["verdict"]["low"]) / 2
    assert report["plan"]["half_width"] == wanted
    wider = {0.1: 0.2, 0.05: 0.1, 0.025: 0.05}[wanted]
    assert wanted <= 0.8 * now < wider


def test_clusters_are_what_intervals_are_over() -> None:
    data = clustered_data()
    found = assent.report(data).to_dict()
    one = found["coefficients"]["measures"][0]
    assert (one["ci"]["unit"], one["ci"]["units"]) == ("doc", 20)
    assert "20 clusters (doc)" in found["how_to_report"]["methods"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_verdict_is_the_first_coefficient(kind: str) -> None:
    data, settings = KINDS[kind]()
    found = assent.report(data, **settings).to_dict()
    first, verdict = found["coefficients"]["measures"][0], found["verdict"]
    assert (first["measure"], first["value"]) == (verdict["measure"], verdict["value"])
    assert (first["ci"]["low"], first["ci"]["high"]) == (verdict["low"], verdict["high"])
    assert find(verdict["measure"]).chance_corrected


def test_measures_of_too_many_shares_are_left_out_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from assent.reports import context

    whole = assent.report(long_data()).to_dict()
    monkeypatch.setattr(context, "REPORT_SHARES", 11)
    part = assent.report(long_data()).to_dict()
    left = [one["measure"] for one in part["coefficients"]["measures"]]
    assert [one["measure"] for one in whole["coefficients"]["measures"] if one["measure"] not in left] == [
        "conger-kappa"
    ]
    assert "Conger's kappa is left out" in part["coefficients"]["reasons"][-1]
    assert "the share of each of 3 labels by each of 4 annotators" in part["coefficients"]["reasons"][-1]


@pytest.mark.nightly
def test_schemes_have_intervals_with_many_labels() -> None:
    rng = np.random.default_rng(0)
    truth = np.repeat(rng.integers(0, 900, 1_500), 3)
    label = np.where(rng.random(4_500) < 0.7, truth, rng.integers(0, 900, 4_500))
    frame = pl.DataFrame(
        {"item": np.repeat(np.arange(1_500), 3), "annotator": np.tile(np.arange(3), 1_500), "label": label}
    )
    data = assent.Annotations.from_frame(frame.filter(pl.Series(rng.random(4_500) < 0.9)).cast(pl.String))
    part = assent.report(data).to_dict()["sparse"]
    for one in part["schemes"]:
        expected = assent.spa(data, scheme=one["scheme"]).confidence_interval()
        assert (one["low"], one["high"]) == pytest.approx((expected.low, expected.high))
    assert part["notes"] == []


@pytest.mark.parametrize("annotators", [2, 3])
def test_shares_of_the_matrix_are_of_all_labels_not_of_those_shown(annotators: int) -> None:
    rng = np.random.default_rng(1)
    names = [f"l{i}" for i in range(40)]
    truth = rng.integers(0, 40, (800, 1))
    said = np.where(rng.random((800, annotators)) < 0.5, truth, rng.integers(0, 40, (800, annotators)))
    rows = [[names[i] for i in line] for line in said.tolist()]
    matrix = assent.report(rows).to_dict()["labels"]["matrix"]
    assert len(matrix["labels"]) == 25 < 40
    for label, line, total in zip(matrix["labels"], matrix["counts"], matrix["totals"], strict=True):
        if annotators == 2:
            assert total == sum(row[0] == label for row in rows)
        else:
            assert total == pytest.approx(sum(row.count(label) for row in rows))
        assert sum(line) < total
    own = matrix["labels"].index("l7") if "l7" in matrix["labels"] else 0
    label = matrix["labels"][own]
    with_it = [row for row in rows if row[0] == label]
    if annotators == 2:
        agreed = sum(row[1] == label for row in with_it) / len(with_it)
    else:
        agreed = sum(row.count(label) * (row.count(label) - 1) / 2 for row in rows) / sum(
            row.count(label) for row in rows
        )
    assert matrix["counts"][own][own] / matrix["totals"][own] == pytest.approx(agreed)


def test_more_labels_than_an_interval_can_have_are_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    from assent.errors import UnsuitableData
    from assent.limits import MOST_TOTALS
    from assent.reports import context

    # The schemes of SPA ask for two sums of each size of items besides the labels.
    assert context.REPORT_LABELS < MOST_TOTALS - 2 * 20
    monkeypatch.setattr(context, "REPORT_LABELS", 2)
    with pytest.raises(
        UnsuitableData, match="There are 3 different labels, and a report is made of up to 2: check that"
    ):
        assent.report(long_data())
