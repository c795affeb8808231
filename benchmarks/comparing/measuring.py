"""Everybody answers, the answers are compared, and then everybody is timed in turn."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.comparing.page import Against
from benchmarks.comparing.rows import PACKAGES, Peer, Row
from benchmarks.environments import installed, interpreter
from benchmarks.processes import Failed, Run, assent, best, python, run, say

__all__ = ["difference", "measured", "prepared"]

HERE = Path(__file__).resolve().parent
ROUNDS = 5
#: Items of the table that a library is warmed up with.
SMALL = 20
#: A package that needs more seconds than this is not asked as often.
LONG = 5.0


@dataclass(frozen=True)
class Programs:
    """How one side of a row is run: a whole process that answers, and one that times the call alone."""

    whole: list[str]
    call: list[str]
    output: Path | None


def prepared(packages: Sequence[str]) -> dict[str, str]:
    """Install what is compared; return why some packages cannot be."""
    problems = {}
    for name in packages:
        version, environment = PACKAGES[name]
        say(f"{name} {version}")
        problem = installed(name, version, environment)
        if problem is not None:
            problems[name] = problem
    return problems


def programs(row: Row, path: Path, small: Path, peer: Peer | None) -> Programs:
    """Write the commands of one side; the house is asked if `peer` is None."""
    output = path.with_name(("ours" if peer is None else "theirs") + row.writes) if row.writes else None
    options: dict[str, Any] = dict(row.options if peer is None else peer.options)
    if output is not None:
        options["output"] = str(output)
    if peer is None:
        name, using = ("assent_aggregates" if row.aggregates else "assent_measures"), Path(sys.executable)
    else:
        name, using = peer.program, interpreter(PACKAGES[peer.package][1])
    asked = python(HERE / "programs.py", name, path, json.dumps(options), interpreter=using)
    whole = asked
    if peer is None:
        command, *rest = row.command
        whole = assent(command, path, *rest, *(["--output", output] if output else []))
    return Programs(whole=whole, call=[*asked, str(small)], output=output)


def answer(side: Programs, printed: str) -> dict[str, Any]:
    """Return what one side found, from what it printed or wrote."""
    if side.output is not None:
        return dict(json.loads(run(python(HERE / "programs.py", "digest", side.output, "{}")).printed))
    found = json.loads(printed)
    if "measures" not in found:
        return dict(found)
    one = found["measures"][0]
    ends = {end: one["ci"][end] for end in ("low", "high") if one["ci"]}
    return {"value": one["value"], "error": one["standard_error"], **ends}


def difference(row: Row, peer: Peer, ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> float:
    """Return the largest difference of two answers.

    Raises
    ------
    Failed
        If they are different: then no ratio of times means anything.
    """
    apart = 0.0
    equal = ours == theirs if row.aggregates else True
    for part, most in peer.tolerance.items():
        apart = max(apart, abs(ours[part] - theirs[part]))
        equal = equal and abs(ours[part] - theirs[part]) <= most
    for end in ("low", "high") if peer.lots else ():
        equal = equal and abs(ours[end] - theirs[end]) <= peer.lots * ours["error"]
    if not equal:
        raise Failed(f"the answers differ: here {ours}, there {theirs}")
    return apart


def measured(row: Row, folder: Path, problems: Mapping[str, str], *, quick: bool) -> list[Against]:
    """Let the floor, the house and the packages take turns on one row.

    Raises
    ------
    Failed
        If there is nothing to compare with: no table, no reading, no answer of ours.
    """
    path, small = folder / "table.csv", folder / "small.csv"
    annotations = int(run(python(HERE / "tables.py", row.table, row.quick if quick else row.items, path)).printed)
    run(python(HERE / "tables.py", row.table, SMALL, small))
    there = [peer for peer in row.peers if peer.package not in problems]
    sides: dict[str, Programs] = {"assent": programs(row, path, small, None)}
    sides |= {peer.package: programs(row, path, small, peer) for peer in there}
    floor = python(HERE / "programs.py", "polars_reads", path, "{}")

    say(f"{row.what}, {annotations:,} annotations")
    failed: dict[str, str] = {}
    found: dict[str, dict[str, Any]] = {}
    slow: set[str] = set()
    # Once without the clock: modules are compiled, the file is in memory, and the answers are known.
    run(floor)
    first = run(sides["assent"].whole)
    found["assent"] = answer(sides["assent"], first.printed) if row.peers else {}
    apart: dict[str, float] = {}
    for peer in there:
        name = peer.package
        try:
            first = run(sides[name].whole)
            theirs = answer(sides[name], first.printed)
            apart[name] = difference(row, peer, found["assent"], theirs)
        except (Failed, KeyError, ValueError) as error:
            failed[name] = f"{row.what}: {error}"
            continue
        found[name] = theirs
        if first.wall > LONG:
            slow.add(name)
    whole: dict[str, list[Run]] = {name: [] for name in ("floor", *found)}
    calls: dict[str, list[float]] = {name: [] for name in found}
    for number in range(1 if quick else ROUNDS):
        whole["floor"].append(run(floor))
        for name in found:
            if number > 1 and name in slow:
                continue
            whole[name].append(run(sides[name].whole))
            if row.peers:
                calls[name].append(float(run(sides[name].call).printed))
    results = []
    if not row.peers:
        ours, floor = best(whole["assent"]), best(whole["floor"])
        return [Against(what=row.what, annotations=annotations, floor=floor, ours=ours, goal=row.goal)]
    for peer in row.peers:
        trouble = problems.get(peer.package) or failed.get(peer.package)
        results.append(
            Against(
                what=row.what,
                annotations=annotations,
                package=peer.package,
                remark=peer.remark,
                trouble=trouble,
                floor=best(whole["floor"]),
                ours=best(whole["assent"]),
                theirs=None if trouble else best(whole[peer.package]),
                our_call=min(calls["assent"]),
                their_call=None if trouble else min(calls[peer.package]),
                apart=None if trouble else apart[peer.package],
                allowed=max(peer.tolerance.values(), default=0.0),
                goal=row.goal,
            )
        )
    return results
