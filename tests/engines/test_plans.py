"""What Spark is asked to do: aggregates come to the driver, and no plan brings rows as they are."""

from __future__ import annotations

import polars as pl
import pytest
from tests.engines.test_collect import TABLES, every_measure, sets_table
from tests.engines.test_parity import made

import assent
from assent import Annotations
from assent.engines import track_transfers

#: Whatever brings rows of a Spark table to the driver.
WAYS = ("toArrow", "collect", "toPandas", "toLocalIterator", "take", "head", "first", "tail")


@pytest.fixture
def driver(spark, monkeypatch):
    """Every plan whose result came to the driver, and how many rows it had."""
    from pyspark.sql.classic.dataframe import DataFrame

    arrived = []
    original = DataFrame.toArrow

    def counting(self):
        table = original(self)
        arrived.append((str(self._jdf.queryExecution().optimizedPlan()), table.num_rows))
        return table

    def forbidden(self, *more, **options):
        raise AssertionError("rows came to the driver by another way than the one that is watched")

    for way in WAYS:
        monkeypatch.setattr(DataFrame, way, counting if way == "toArrow" else forbidden)
    return arrived


def unaggregated(plan: str) -> list[str]:
    """Return the sources of a plan that stand below no aggregate."""
    above: list[tuple[int, str]] = []
    found = []
    for line in plan.splitlines():
        text = line.lstrip(" :+-")
        depth = len(line) - len(text)
        above = [one for one in above if one[0] < depth]
        if text.startswith(("Relation", "LocalRelation", "LogicalRDD", "InMemoryRelation")) and not any(
            name.startswith("Aggregate") for _, name in above
        ):
            found.append(text)
        above.append((depth, text))
    return found


def check(plans) -> None:
    """Check that rows are gathered before they leave, and that the workers need nothing but Spark itself."""
    assert plans
    for plan in plans:
        assert "Relation" in plan
        assert unaggregated(plan) == [], plan
        assert "python" not in plan.lower(), plan


def in_spark(session, frame: pl.DataFrame, folder):
    frame.write_parquet(folder / "rows.parquet")
    return session.read.parquet(str(folder / "rows.parquet"))


def test_only_aggregates_reach_the_driver_of_pyspark(spark, driver, tmp_path):
    frame = TABLES["several annotators"]
    seen = []
    with track_transfers(seen.append):
        data = Annotations.from_frame(in_spark(spark, frame, tmp_path))
        assert len(every_measure(data)) >= 10
    assert [rows for _, rows in driver] == [one.rows for one in seen]
    assert sum(rows for _, rows in driver) <= len(data._counts.multiplicities) + len(data._ratings.multiplicities) + 10
    check([plan for plan, _ in driver])


@pytest.mark.nightly
def test_sets_of_labels_are_gathered_before_they_reach_the_driver_of_pyspark(spark, driver, tmp_path):
    data = Annotations.from_frame(in_spark(spark, sets_table(True), tmp_path), rank="place")
    assent.boot_f1(data)
    assent.krippendorff_alpha(data, distance="jaccard")
    assert max(rows for _, rows in driver) <= len(data._ratings.multiplicities)
    check([plan for plan, _ in driver])


def test_items_that_pyspark_writes_never_reach_the_driver(spark, driver, tmp_path):
    data = Annotations.from_frame(in_spark(spark, TABLES["two annotators"], tmp_path))
    before = len(driver)
    data.write_items(str(tmp_path / "items"))
    assert len(driver) == before
    check([str(data._source._items(None).to_native()._jdf.queryExecution().optimizedPlan())])
    assert pl.read_parquet(tmp_path / "items" / "*.parquet").height == data.n_items


def test_a_function_of_python_would_be_seen_in_a_plan_of_pyspark(spark, tmp_path):
    """The check above can fail: this is what it looks like when workers need Python."""
    from pyspark.sql import functions

    rows = in_spark(spark, TABLES["two annotators"], tmp_path)
    shouted = rows.select(functions.udf(str.upper)("item").alias("item")).groupBy("item").count()
    with pytest.raises(AssertionError):
        check([str(shouted._jdf.queryExecution().optimizedPlan())])


@pytest.mark.nightly
def test_very_many_labels_reach_the_driver_of_pyspark_once_for_each_kind_of_item(spark, driver, tmp_path):
    """Fingerprints of items are made by Spark's own hash function; then one item of each kind is looked up."""
    frame = made(40, 60, [f"label {k}" for k in range(3)], seed=6, density=0.9)
    frame = pl.concat([frame.with_columns(item=pl.format("{} {}", "item", pl.lit(i))) for i in range(5)])
    many = pl.DataFrame(
        {"item": "one", "annotator": [f"w{i}" for i in range(400)], "label": [f"l {i}" for i in range(400)]}
    )
    data = Annotations.from_frame(in_spark(spark, pl.concat([frame, many], how="diagonal"), tmp_path))
    assert len(data._ratings.multiplicities) == 41
    assert max(rows for _, rows in driver) <= data.n_annotations / 4
    assert all("python" not in plan.lower() for plan, _ in driver)


def test_a_listing_is_what_brings_rows_to_the_driver_of_pyspark(spark, driver, tmp_path):
    """The check above can fail: this is what it looks like when rows come as they are."""
    data = Annotations.from_frame(in_spark(spark, TABLES["two annotators"], tmp_path))
    assert len(data.to_rows().item) == data.n_annotations
    plan, rows = driver[-1]
    assert rows == data.n_annotations
    assert unaggregated(plan) != []
