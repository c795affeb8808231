"""Parquet files that DuckDB or Spark reads, by name."""

from __future__ import annotations

import polars as pl
import pytest
from tests.engines.test_parity import TABLES

import assent
from assent.engines import track_transfers
from assent.errors import OptionError, UnreadableFile


@pytest.fixture
def folder(tmp_path):
    """A table in several files, one folder for each annotator; the annotator is in the folder's name alone."""
    frame = TABLES["text"]
    for (who,), part in frame.group_by("annotator"):
        (tmp_path / "labels" / f"annotator={who}").mkdir(parents=True)
        part.drop("annotator", "group").write_parquet(tmp_path / "labels" / f"annotator={who}" / "part.parquet")
    return tmp_path / "labels"


def test_folders_and_patterns_are_read_by_every_engine(engine, folder):
    here = assent.Annotations.from_frame(TABLES["text"])
    for source in (folder, f"{folder}/*/*.parquet"):
        there = assent.read(source, engine=engine)
        assert not there.local
        assert (there.annotators, there.labels, there.n_items) == (here.annotators, here.labels, here.n_items)
        assert repr(assent.cohen_kappa(there).value) == repr(assent.cohen_kappa(here).value)


@pytest.mark.nightly_on_spark
def test_only_a_sample_comes_here_to_see_which_column_is_what(engine, tmp_path):
    frame = pl.DataFrame({"unit": range(30_000), "coder": "a", "code": "x"}).cast({"unit": pl.String})
    frame = pl.concat([frame, frame.with_columns(coder=pl.lit("b"))])
    frame.write_parquet(tmp_path / "rows.parquet")
    seen = []
    with track_transfers(seen.append):
        data = assent.read(tmp_path / "rows.parquet", engine=engine)
        assert data.n_items == 30_000
    # A label, two annotators, whether a pair is repeated, a kind of items.
    assert sum(one.rows for one in seen) <= 5


@pytest.mark.nightly_on_spark
def test_sets_and_clusters_are_read_by_every_engine(engine, tmp_path):
    rows = [(f"i{i}", who, label, f"d{i % 3}") for i in range(12) for who in "ab" for label in "xyz"[: 1 + i % 3]]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label", "document"], orient="row")
    frame.write_parquet(tmp_path / "rows.parquet")
    options = {"multilabel": True, "cluster": "document"}
    here, there = (assent.read(tmp_path / "rows.parquet", engine=one, **options) for one in ("polars", engine))
    assert here.labels == there.labels
    assert repr(assent.boot_match(here).confidence_interval()) == repr(assent.boot_match(there).confidence_interval())


def test_what_is_no_parquet_file_is_refused(engine, tmp_path):
    (tmp_path / "rows.csv").write_text("item,annotator,label\n1,a,x\n1,b,x\n")
    with pytest.raises(OptionError, match=r"reads Parquet files, and .*rows.csv.* is none: leave `engine` out"):
        assent.read(tmp_path / "rows.csv", engine=engine)
    with pytest.raises(UnreadableFile, match="There is no file"):
        assent.read(tmp_path / "rows.parquet", engine=engine)


def test_a_broken_file_is_said_in_one_sentence(engine, tmp_path):
    TABLES["text"].write_parquet(tmp_path / "rows.parquet")
    content = (tmp_path / "rows.parquet").read_bytes()
    (tmp_path / "rows.parquet").write_bytes(content[:400] + b"PAR1")
    with pytest.raises(UnreadableFile, match=r"(DuckDB|Spark) cannot read .*rows.parquet") as raised:
        assent.read(tmp_path / "rows.parquet", engine=engine)
    assert "\n" not in str(raised.value)


@pytest.mark.nightly_on_spark
def test_a_file_that_vanishes_is_said_in_one_sentence(engine, tmp_path):
    path = tmp_path / "rows.parquet"
    TABLES["text"].write_parquet(path)
    data = assent.read(path, engine=engine)
    path.unlink()
    with pytest.raises(
        assent.InputError, match=r"(DuckDB|Spark) gave up \(.*\): check that its files are whole"
    ) as raised:
        data.n_items  # noqa: B018
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("master", ["nonsense", "http://host", "spark://", "local]", ""])
def test_an_address_that_is_none_is_refused_before_spark_starts(master, tmp_path):
    TABLES["text"].write_parquet(tmp_path / "rows.parquet")
    with pytest.raises(OptionError, match="which is no address of Spark: give spark://host:port"):
        assent.read(tmp_path / "rows.parquet", engine="spark", master=master)


def test_a_running_pyspark_at_another_address_is_not_taken_for_it(spark, tmp_path):
    TABLES["text"].write_parquet(tmp_path / "rows.parquet")
    assert assent.read(tmp_path / "rows.parquet", engine="spark", master="local[2]").n_items
    with pytest.raises(OptionError, match=r'master is "spark://127.0.0.1:1", but Spark is running at "local\[2\]"'):
        assent.read(tmp_path / "rows.parquet", engine="spark", master="spark://127.0.0.1:1")


def test_an_address_belongs_to_spark(tmp_path):
    with pytest.raises(OptionError, match="`master` is the address of a Spark cluster"):
        assent.read(tmp_path / "rows.parquet", engine="duckdb", master="local[2]")


def test_an_address_of_another_store_is_left_to_the_engine(monkeypatch):
    """Whether it is there is for the engine to find out; here is only that nobody looks for it on this machine."""
    import duckdb

    asked = []

    class Connection:
        def read_parquet(self, paths, hive_partitioning):
            asked.append((paths, hive_partitioning))
            raise duckdb.IOException("no such bucket\nat all")

    monkeypatch.setattr(duckdb, "connect", Connection)
    with pytest.raises(UnreadableFile, match=r'DuckDB cannot read "s3://bucket/day=1/\*.parquet" \("no such bucket"\)'):
        assent.read("s3://bucket/day=1/*.parquet", engine="duckdb")
    assert asked == [(["s3://bucket/day=1/*.parquet"], True)]
