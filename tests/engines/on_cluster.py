"""What the test of a Spark cluster runs in a process of its own: a process can have one Spark only.

Measures Parquet files on the cluster, has it write the items, kills an executor in the middle of a run, and writes what came
of it to a file. Measuring is done by the main thread, and the other one has ended before the process does: a thread that is
inside polars or Arrow while Python shuts down ends the process with an abort.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import threading
import time
from pathlib import Path

import assent
from assent.engines import track_transfers

#: Parts of the table whose measurement is disturbed, and how long each takes to read, however fast the machine is.
PARTS, MILLISECONDS = 6, 500
#: So often the measurement is begun again if nobody could be killed in the middle of it.
ATTEMPTS = 5
#: Seconds until both executors must be there.
PATIENCE = 120


def numbers(agreement):
    interval = agreement.confidence_interval()
    return [repr(one) for one in (agreement.value, agreement.observed, agreement.expected, interval.low, interval.high)]


def executors(session, *, active):
    """Return the names of the executors that Spark counts among the living, or among the dead."""
    known = session.sparkContext._jsc.sc().statusStore().executorList(False)
    all_of_them = [known.apply(i) for i in range(known.size())]
    return [one.id() for one in all_of_them if one.id() != "driver" and one.isActive() == active]


def process_of(work, executor):
    """Return the process that an executor is, by what it wrote into the folder of its worker."""
    (log,) = work.glob(f"*/{executor}/stderr")
    return int(re.search(r"Started daemon with process name: (\d+)@", log.read_text())[1])


def both(session):
    """Wait until both executors are there, and return their names."""
    until = time.monotonic() + PATIENCE
    while len(found := executors(session, active=True)) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    return found


def kill_one(session, work, ended, told):
    """Kill an executor as soon as some, but not all, tasks of a stage are done."""
    tracker = session.sparkContext.statusTracker()
    victim = process_of(work, executors(session, active=True)[0])
    while not ended.wait(0.01):
        for stage in map(tracker.getStageInfo, tracker.getActiveStageIds()):
            if stage is not None and stage.numTasks == PARTS and 1 <= stage.numCompletedTasks < PARTS - 1:
                os.kill(victim, signal.SIGKILL)
                told["victim"], told["done"], told["tasks"] = victim, stage.numCompletedTasks, stage.numTasks
                return


def disturbed(session, folder, work):
    """Measure alpha while one of two executors is killed, after the first and before the last task of a stage."""
    rows = session.read.parquet(str(folder))
    pause = MILLISECONDS * PARTS // rows.count()
    slow = rows.repartition(PARTS).filter(f"java_method('java.lang.Thread', 'sleep', {max(1, pause)}L) IS NOT NULL")
    told = {"victim": None, "executors": len(both(session))}
    for _ in range(ATTEMPTS):
        ended = threading.Event()
        killer = threading.Thread(target=kill_one, args=(session, work, ended, told))
        killer.start()
        try:
            data = assent.Annotations.from_frame(slow)
            told["items"], told["numbers"] = data.n_items, numbers(assent.krippendorff_alpha(data))
        finally:
            ended.set()
            killer.join()
        if told["victim"] is not None:
            break
    return {**told, "lost": executors(session, active=False)}


def main(master, folder, work):
    folder, seen = Path(folder), []
    with track_transfers(lambda passage: seen.append([passage.question, passage.rows])):
        single = assent.read(folder / "single", engine="spark", master=master)
        told = {name: numbers(getattr(assent, name)(single)) for name in ("krippendorff_alpha", "spa", "cohen_kappa")}
        sets = assent.read(folder / "sets", engine="spark", multilabel=True)
        told["boot_f1"] = numbers(assent.boot_f1(sets))
        single.write_items(str(folder / "items"))
    from pyspark.sql import SparkSession

    session = SparkSession.getActiveSession()
    at = session.conf.get("spark.master")
    loss = disturbed(session, folder / "single", Path(work))
    session.stop()
    (folder / "told.json").write_text(json.dumps({"master": at, "numbers": told, "seen": seen, "loss": loss}))


if __name__ == "__main__":
    main(*sys.argv[1:])
