"""What the program does with tables that live in DuckDB or Spark."""

from __future__ import annotations

import polars as pl
import pytest
from tests.engines.test_every_way import cells, sets
from tests.engines.test_parity import TABLES, made

from assent.engines import collect


@pytest.fixture
def path(tmp_path):
    TABLES["text"].write_parquet(tmp_path / "rows.parquet")
    return str(tmp_path / "rows.parquet")


def timeless(content):
    """Return a report without when and by which command it was made, and how long that took."""
    if "appendix" not in content:
        return content
    appendix = {key: value for key, value in content["appendix"].items() if key not in ("seconds", "command")}
    return {**content, "made": None, "appendix": appendix}


def same(assent, engine, *arguments):
    """Check that an engine gives what there is without it, without a row brought here; return what it is."""
    here, there = assent(*arguments, "--json"), assent(*arguments, "--json", "--engine", engine)
    assert here.code == there.code
    assert "one by one" not in there.err
    assert "Bringing" not in there.err
    content = there.json
    assert timeless(here.json) == timeless(content)
    return content


def test_the_program_measures_with_an_engine(assent, engine, path):
    content = same(assent, engine, "measure", path, "-m", "krippendorff-alpha", "-m", "cohen-kappa")
    assert [one["measure"] for one in content["measures"]] == ["krippendorff-alpha", "cohen-kappa"]
    assert content["measures"][0]["value"] is not None


@pytest.mark.nightly_on_spark
def test_the_program_measures_sparse_agreement_with_an_engine(assent, engine, path):
    content = same(assent, engine, "measure", path, "-m", "spa", "-m", "spa-kappa", "--scheme", "edges")
    assert [one["options"]["scheme"] for one in content["measures"]] == ["edges", "edges"]


def engines(things, on_spark):
    """Return both engines with every thing; Spark, which takes seconds, has but some outside the nightly run."""
    return [("duckdb", one) for one in things] + [
        pytest.param("spark", one, marks=[] if one in on_spark else pytest.mark.nightly, id=f"pyspark-{one}")
        for one in things
    ]


@pytest.mark.parametrize(("engine", "spelled"), engines(["rows", "cells"], ["cells"]), indirect=["engine"])
def test_the_program_measures_sets_of_labels_with_an_engine(assent, engine, spelled, tmp_path):
    frame, options = (
        (sets().drop("place"), ["--multilabel"]) if spelled == "rows" else (cells(";"), ["--separator", ";"])
    )
    frame.write_parquet(tmp_path / "sets.parquet")
    content = same(
        assent, engine, "measure", str(tmp_path / "sets.parquet"), *options, "-m", "boot-f1", "-m", "soft-match"
    )
    assert content["data"]["multilabel"] is not None
    assert all(one["value"] is not None for one in content["measures"])


@pytest.mark.nightly_on_spark
def test_the_program_describes_annotators_with_an_engine(assent, engine, path):
    content = same(assent, engine, "annotators", path)
    assert len(content["annotators"]) == 4


def test_the_program_reports_with_an_engine(assent, engine, path):
    content = same(assent, engine, "report", path)
    assert content["data"]["items"] > 0


SOURCES = ["file", "folder", "pattern", "partitions", "pattern of partitions"]


@pytest.fixture
def source(request, tmp_path):
    """The same rows as one file, a folder of files, or folders whose names say who the annotator is."""
    frame, folder = TABLES["text"], tmp_path / "labels"
    folder.mkdir()
    if request.param == "file":
        frame.write_parquet(folder / "rows.parquet")
        return str(folder / "rows.parquet")
    if request.param in ("folder", "pattern"):
        for i, part in enumerate(frame.iter_slices(50)):
            part.write_parquet(folder / f"part-{i}.parquet")
        return str(folder) if request.param == "folder" else f"{folder}/*.parquet"
    for (who,), part in frame.group_by("annotator"):
        (folder / f"annotator={who}").mkdir()
        part.drop("annotator").write_parquet(folder / f"annotator={who}" / "part.parquet")
    return str(folder) if request.param == "partitions" else f"{folder}/*/*.parquet"


@pytest.mark.parametrize(
    ("engine", "source"), engines(SOURCES, ["pattern of partitions"]), indirect=["engine", "source"]
)
def test_the_program_reads_files_folders_patterns_and_partitions(assent, engine, source, path):
    expected = assent("measure", path, "--json").json
    assert "one by one" not in (there := assent("measure", source, "--engine", engine, "--json")).err
    assert there.json["measures"] == expected["measures"]
    assert assent("measure", source, "--json").json["measures"] == expected["measures"]


def test_the_program_takes_the_running_pyspark_at_its_address_and_no_other(assent, spark, path):
    measure = ("measure", path, "--json")
    there = assent(*measure, "--engine", "spark", "--master", "local[2]")
    assert there.json["measures"] == assent(*measure).json["measures"]
    assert spark.range(3).count() == 3, "the session is somebody else's and goes on"
    done = assent(*measure, "--engine", "spark", "--master", "spark://127.0.0.1:1")
    assert (done.code, done.out) == (2, "")
    assert 'but Spark is running at "local[2]": stop it, or leave master out.' in done.err
    done = assent(*measure, "--engine", "spark", "--master", "nonsense")
    assert (done.code, done.out) == (2, "")
    assert "no address of Spark" in done.err


def test_the_program_wants_an_address_for_spark_alone(assent, path):
    done = assent("measure", path, "--engine", "duckdb", "--master", "local[2]", "--json")
    assert (done.code, done.out) == (2, "")
    assert "master is the address of a Spark cluster" in done.err


def test_an_engine_that_there_is_not_is_refused(assent, path):
    done = assent("measure", path, "--engine", "pandas", "--json")
    assert (done.code, done.out) == (2, "")
    assert "polars, duckdb" in done.err


def test_an_engine_reads_parquet_alone(assent, engine, long):
    done = assent("measure", long, "--engine", engine, "--json")
    assert (done.code, done.out) == (2, "")
    assert "reads Parquet files" in done.err


@pytest.mark.nightly_on_spark
def test_the_program_has_the_engine_write_the_items(assent, engine, path, tmp_path):
    done = assent("items", path, "--engine", engine, "-o", str(tmp_path / "items"), "--min-annotations", "2")
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith("The engine wrote the items to ")
    assert "one by one" not in done.err
    written = pl.read_parquet(tmp_path / "items" / "*.parquet")
    content = assent("items", path, "--json", "--min-annotations", "2").json
    assert {row["item"]: row["agreement"] for row in content["items"]} == dict(
        written.select("item", "agreement").iter_rows()
    )
    again = assent("items", path, "--engine", engine, "-o", str(tmp_path / "items"))
    assert again.code == 2
    assert "There is already" in again.err


def test_the_program_shows_the_first_items_and_fetches_no_others(assent, path):
    here = assent("items", path, "--top", "4")
    there = assent("items", path, "--top", "4", "--engine", "duckdb")
    rows = [line for line in here.out.splitlines() if line.strip().startswith("item ") and "agreement" not in line]
    assert len(rows) == 4
    assert [line for line in there.out.splitlines() if line in rows] == rows
    assert "These are the first of" in there.out
    assert "one by one" not in there.err


@pytest.mark.parametrize("more", [["--top", "3"], ["--sort", "entropy"], ["--scale", "ordinal"], ["--json"]])
def test_what_the_engine_cannot_write_is_refused(assent, path, tmp_path, more):
    done = assent("items", path, "--engine", "duckdb", "-o", str(tmp_path / "items"), *more)
    assert done.code == 2
    assert "What the engine writes is all items" in done.err
    assert not (tmp_path / "items").exists()


@pytest.mark.parametrize("command", ["consensus", "items"])
def test_the_program_says_that_it_brings_annotations_here_or_that_they_are_too_many(
    assent, command, tmp_path, monkeypatch
):
    path = str(tmp_path / "rows.parquet")
    made(700, 2, ["x", "y"], density=0.9).write_parquet(path)
    arguments = (command, path, "--engine", "duckdb", "--json")
    count = assent("measure", path, "--json").json["data"]["annotations"]
    assert count > 1_000
    done = assent(*arguments)
    assert done.code in (0, 1)
    assert done.err.count(f"Bringing {count:,} annotations here from DuckDB, one by one.") == 1
    assert "one by one" not in assent(command, path, "--json").err
    monkeypatch.setattr(collect, "MOST_ANNOTATIONS", count - 1)
    done = assent(*arguments)
    assert (done.code, done.out) == (2, "")
    assert f"bringing {count:,} of them here from DuckDB is too much (at most {count - 1:,})" in done.err
    # What needs no annotation one by one goes on.
    assert assent("measure", path, "--engine", "duckdb", "--json").code == 0
