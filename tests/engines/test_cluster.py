"""Spark as it is in earnest: a master and two workers in processes of their own, one of which loses its executor."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import assent

ROOT = Path(__file__).resolve().parents[2]
#: Seconds that anything may take before the test gives up; a busy machine needs a minute or two in all.
PATIENCE = 420
#: Machines that live for half a minute are not worth the better code that takes time to make.
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SETTINGS = f"""
spark.driver.extraJavaOptions {JAVA}
spark.driver.memory 512m
spark.executor.extraJavaOptions {JAVA}
spark.executor.memory 512m
spark.shuffle.io.maxRetries 1
spark.shuffle.io.retryWait 100ms
spark.sql.shuffle.partitions 2
"""


def single() -> pl.DataFrame:
    """Two annotators, five labels, gaps."""
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 5, 600)
    rows = [
        (f"item {i}", who, f"label {truth[i] if rng.random() < 0.7 else rng.integers(5)}")
        for i in range(600)
        for who in ("ann", "bob")
        if rng.random() < 0.9
    ]
    return pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row")


def sets() -> pl.DataFrame:
    """Two annotators who give an item one to three of six labels, one a row."""
    rng = np.random.default_rng(6)
    rows = [
        (f"item {i}", who, f"label {label}")
        for i in range(200)
        for who in ("ann", "bob")
        for label in rng.permutation(6)[: rng.integers(1, 4)]
    ]
    return pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row")


def waited_for(pattern: str, log: Path, process: subprocess.Popen[bytes], until: float) -> re.Match[str]:
    while time.monotonic() < until and process.poll() is None:
        found = re.search(pattern, log.read_text())
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError(f"Spark did not say {pattern}: {log.read_text()[-2000:]}")


def ended(process: subprocess.Popen[bytes]) -> None:
    """End a process and whatever it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(30)


@pytest.fixture
def cluster(tmp_path):
    """A display_name master and two workers on the loopback: its address, the workers' folder and the environment."""
    spark = pytest.importorskip("pyspark")
    if sys.platform == "win32":
        pytest.skip("the master and the workers are started and ended as on POSIX")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java, which is not installed")
    home = Path(spark.__file__).parent
    settings = tmp_path / "settings"
    settings.mkdir()
    (settings / "spark-defaults.conf").write_text(SETTINGS)
    environment = {
        **os.environ,
        "SPARK_HOME": str(home),
        "SPARK_CONF_DIR": str(settings),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_WORKER_DIR": str(tmp_path / "work"),
        "SPARK_LOCAL_DIRS": str(tmp_path / "local"),
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": JAVA,
        # The workers need no Python, and would not find any.
        "PYSPARK_PYTHON": str(tmp_path / "no-python"),
        "PYTHONPATH": str(ROOT),
        "PYTHONWARNINGS": "ignore",
    }
    started: list[subprocess.Popen[bytes]] = []

    def start(name: str, *arguments: str) -> tuple[subprocess.Popen[bytes], Path]:
        log = tmp_path / f"{len(started)}.log"
        command = [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}", "--host", "127.0.0.1"]
        with log.open("wb") as file:
            # A group of its own, so that what it starts ends with it.
            process = subprocess.Popen(
                [*command, "--port", "0", "--webui-port", "0", *arguments],
                stdout=file, stderr=subprocess.STDOUT, env=environment, start_new_session=True,
            )  # fmt: skip
        started.append(process)
        return process, log

    until = time.monotonic() + PATIENCE / 3
    try:
        master, log = start("master.Master")
        address = waited_for(r"Starting Spark master at (spark://127\.0\.0\.1:\d+)", log, master, until)[1]
        workers = [start("worker.Worker", "--cores", "1", "--memory", "700m", address) for _ in range(2)]
        for process, log in workers:
            waited_for("Successfully registered with master", log, process, until)
        yield address, tmp_path / "work", environment
    finally:
        for process in reversed(started):
            ended(process)


def numbers(agreement):
    interval = agreement.confidence_interval()
    return [repr(one) for one in (agreement.value, agreement.observed, agreement.expected, interval.low, interval.high)]


def run_there(address: str, folder: Path, work: Path, environment: dict[str, str]) -> dict[str, Any]:
    """Run what is to be run on the cluster, and return what it wrote."""
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.engines.on_cluster", address, str(folder), str(work)]
    log = folder / "run.log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            command, stdout=file, stderr=subprocess.STDOUT, env=environment, cwd=ROOT, start_new_session=True
        )
    try:
        code = process.wait(PATIENCE)
        assert code == 0, log.read_text()[-3000:]
        return json.loads((folder / "told.json").read_text())
    finally:
        ended(process)


# A Spark of one process runs in the other tests of engines; a whole cluster takes half a minute.
@pytest.mark.nightly
def test_a_spark_cluster_gives_the_same_numbers_and_survives_the_loss_of_an_executor(cluster, tmp_path):
    address, work, environment = cluster
    for name, frame in (("single", single()), ("sets", sets())):
        (tmp_path / name).mkdir()
        for i, part in enumerate(frame.sample(fraction=1.0, shuffle=True, seed=1).iter_slices(600)):
            part.write_parquet(tmp_path / name / f"part-{i}.parquet")
    told = run_there(address, tmp_path, work, environment)
    assert told["master"] == address

    here, in_sets = assent.read(tmp_path / "single"), assent.read(tmp_path / "sets", multilabel=True)
    expected = {name: numbers(getattr(assent, name)(here)) for name in ("krippendorff_alpha", "spa", "cohen_kappa")}
    assert told["numbers"] == {**expected, "boot_f1": numbers(assent.boot_f1(in_sets))}

    written = pl.read_parquet(tmp_path / "items" / "*.parquet")
    items = {row.item: row.to_dict() for row in assent.items(here).rows()}
    assert written.height == len(items) == here.n_items
    for row in written.iter_rows(named=True):
        assert (row["agreement"], row["majority"]) == (items[row["item"]]["agreement"], items[row["item"]]["majority"])

    loss = told["loss"]
    assert loss["executors"] == 2
    assert loss["victim"] is not None, "the run was over before an executor could be killed"
    assert 0 < loss["done"] < loss["tasks"]
    assert len(loss["lost"]) == 1, "Spark did not notice that an executor was gone"
    assert loss["items"] == here.n_items
    assert loss["numbers"] == expected["krippendorff_alpha"]

    # No pass brought over more than the kinds of items, or the labels, or the annotators.
    kinds = [len(kept.multiplicities) for data in (here, in_sets) for kept in (data._counts, data._ratings)]
    most = {"profiles": max(kinds), "labels": len(in_sets.labels), "annotators": 2}
    assert most["profiles"] < here.n_items / 2
    assert all(rows <= most.get(question, 1) for question, rows in told["seen"]), told["seen"]
