"""What the test of a Spark cluster runs in a process of its own: a process can have one Spark only.

Measures Parquet files on the cluster, has it write the items, kills an executor in the middle of a run, and prints one JSON object.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import assent
from assent.engines import watching

#: Steps of a useless computation for every row, so that a pass takes long enough to be disturbed.
STEPS = 4_000


def numbers(agreement):
    interval = agreement.confidence_interval()
    return [repr(one) for one in (agreement.value, agreement.observed, agreement.expected, interval.low, interval.high)]


def executors(workers):
    """Return the processes that work for the workers: their children."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()]
    return [int(pid) for pid, parent, what in rows if int(parent) in workers and "ExecutorBackend" in what]


def disturbed(session, folder, workers):
    """Measure alpha while one of two executors is killed, after the first and before the last task of a stage."""
    from pyspark.sql import functions as spark

    slow = f"aggregate(sequence(1, {STEPS}), 0L, (a, x) -> (a * 31 + x + hash(item)) % 1000003) > -1000003"
    frame = session.read.parquet(str(folder)).repartition(8).filter(spark.expr(slow))
    found = {}

    def run():
        try:
            data = assent.Annotations.from_frame(frame)
            found["items"] = data.items
            found["numbers"] = numbers(assent.krippendorff_alpha(data))
        except Exception as error:
            found["error"] = repr(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    tracker = session.sparkContext.statusTracker()
    victim, survivors = None, []
    while thread.is_alive() and victim is None:
        for stage in map(tracker.getStageInfo, tracker.getActiveStageIds()):
            if stage is not None and stage.numTasks == 8 and 1 <= stage.numCompletedTasks <= 6:
                victim, *survivors = executors(workers)
                os.kill(victim, signal.SIGKILL)
                break
        time.sleep(0.02)
    thread.join(300)
    known = session.sparkContext._jsc.sc().statusStore().executorList(False)
    lost = [known.apply(i).id() for i in range(known.size()) if not known.apply(i).isActive()]
    return {**found, "victim": victim, "survivors": survivors, "lost": lost, "finished": not thread.is_alive()}


def main(master, folder, *workers):
    folder, workers = Path(folder), {int(pid) for pid in workers}
    seen = []
    with watching(lambda passage: seen.append([passage.question, passage.rows])):
        single = assent.read(folder / "single", engine="spark", master=master)
        told = {name: numbers(getattr(assent, name)(single)) for name in ("krippendorff_alpha", "spa", "cohen_kappa")}
        sets = assent.read(folder / "sets", engine="spark", multilabel=True)
        told["boot_f1"] = numbers(assent.boot_f1(sets))
        single.write_items(str(folder / "items"))
    from pyspark.sql import SparkSession

    session = SparkSession.getActiveSession()
    at = session.conf.get("spark.master")
    several = len(executors(workers))
    loss = disturbed(session, folder / "single", workers)
    session.stop()
    print(json.dumps({"master": at, "executors": several, "numbers": told, "seen": seen, "loss": loss}))


if __name__ == "__main__":
    main(*sys.argv[1:])
