"""What reading the export of a tool costs, as a multiple of the plain parse of the same bytes.

    python benchmarks/exports.py            100,000 annotations in each form; two minutes. Writes a table into docs/exports.md
    python benchmarks/exports.py --quick    5,000 annotations; changes no file
    python benchmarks/exports.py NAME …     these forms alone; changes no file

The plain parse is what the standard library does: ``json.loads`` of the document or of each line, ``csv.reader``, or splitting lines at tabs. Reading is
recognising the tool and making the columns of every question. Both are timed in turns, in a process for each form, by processor time.
"""

from __future__ import annotations

import argparse
import csv
import gc
import io
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

if not __package__:
    # This folder holds a file with the name of a well-known package, which must not be found first.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from benchmarks.pages import DOCS, insert, table

from assent.readers.exports import read_export

SIZE, ROUNDS, ANNOTATORS = 100_000, 5, 4
#: What reading may cost, in plain parses.
MOST = 1.5
LABELS = ("positive", "negative", "neutral")
WORDS = [
    "the",
    "kettle",
    "boils",
    "fast",
    "but",
    "its",
    "lid",
    "rattles",
    "and",
    "nobody",
    "in",
    "this",
    "house",
    "has",
    "ever",
    "found",
    "out",
    "why",
]


class Form(NamedTuple):
    """A form of export: its files, the plain parse of one, and the fewest lines that make columns of what was parsed."""

    write: Callable[[int], dict[str, str]]
    parse: Callable[[str], Any]
    columns: Callable[[Any], object] | None = None


def _texts(items: int) -> list[str]:
    draw = random.Random(1)
    return [" ".join(draw.choices(WORDS, k=18)) for _ in range(items)]


def _given(items: int) -> Iterator[tuple[int, str, int, str]]:
    """Yield item, text, annotator and label."""
    draw = random.Random(2)
    for i, text in enumerate(_texts(items)):
        for j in range(ANNOTATORS):
            yield i, text, j, draw.choice(LABELS)


def _by_item(items: int) -> Iterator[tuple[int, str, list[str]]]:
    row: list[str] = []
    for i, text, j, label in _given(items):
        row.append(label)
        if j == ANNOTATORS - 1:
            yield i, text, row
            row = []


def _stamp(i: int, j: int) -> str:
    return f"2026-03-{1 + i % 28:02d}T{j:02d}:{i % 60:02d}:00.000000Z"


def _label_studio(items: int) -> dict[str, str]:
    tasks = [
        {
            "id": i, "data": {"text": text}, "predictions": [], "drafts": [], "meta": {}, "inner_id": i, "total_annotations": ANNOTATORS,
            "annotations": [
                {
                    "id": ANNOTATORS * i + j, "completed_by": j, "was_cancelled": False, "ground_truth": False, "lead_time": 3.5,
                    "created_at": _stamp(i, j), "updated_at": _stamp(i, j), "task": i, "project": 1,
                    "result": [{"id": f"r{i}{j}", "from_name": "tone", "to_name": "text", "type": "choices", "origin": "manual", "value": {"choices": [label]}}],
                }
                for j, label in enumerate(row)
            ],
        }
        for i, text, row in _by_item(items)
    ]  # fmt: skip
    return {"export.json": json.dumps(tasks)}


def _minimal(items: int) -> list[dict[str, Any]]:
    return [
        {"text": text, "id": i, "tone": label, "annotator": j, "annotation_id": ANNOTATORS * i + j, "created_at": _stamp(i, j),
         "updated_at": _stamp(i, j), "lead_time": 3.5}
        for i, text, j, label in _given(items)
    ]  # fmt: skip


def _sheet(rows: Iterable[dict[str, Any]], delimiter: str = ",", quoting: int = csv.QUOTE_MINIMAL) -> str:
    rows = list(rows)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), delimiter=delimiter, quoting=quoting, lineterminator="\n")  # type: ignore[arg-type]
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _lines(records: Iterable[Any]) -> str:
    return "".join(json.dumps(one) + "\n" for one in records)


def _prodigy(items: int) -> dict[str, str]:
    options = [{"id": label, "text": label} for label in LABELS]
    records = (
        {"text": text, "meta": {"line": i}, "_input_hash": 7 * i, "_task_hash": i, "options": options, "_view_id": "choice", "config": {"choice_style": "single"},
         "accept": [label], "answer": "accept", "_timestamp": 1707211483 + i, "_annotator_id": f"d-{j}", "_session_id": f"d-{j}"}
        for i, text, j, label in _given(items)
    )  # fmt: skip
    return {"data.jsonl": _lines(records)}


def _doccano(items: int) -> dict[str, str]:
    by: dict[int, list[Any]] = {}
    for i, text, j, label in _given(items):
        by.setdefault(j, []).append({"id": i, "text": text, "source": "web", "label": [label], "Comments": []})
    return {f"user{j}.jsonl": _lines(records) for j, records in by.items()}


def _mturk(items: int) -> dict[str, str]:
    fixed = ("HITTypeId", "Title", "Description", "Keywords", "Reward", "CreationTime", "MaxAssignments", "RequesterAnnotation", "AssignmentDurationInSeconds",
             "AutoApprovalDelayInSeconds", "Expiration", "NumberOfSimilarHITs", "LifetimeInSeconds")  # fmt: skip
    later = ("AcceptTime", "SubmitTime", "AutoApprovalTime", "ApprovalTime", "RejectionTime", "RequesterFeedback", "WorkTimeInSeconds", "LifetimeApprovalRate",
             "Last30DaysApprovalRate", "Last7DaysApprovalRate")  # fmt: skip
    rows = (
        {"HITId": f"H{i}", **dict.fromkeys(fixed, "Thu Oct 09 2025"), "AssignmentId": f"A{i}-{j}", "WorkerId": f"W{j}", "AssignmentStatus": "Approved",
         **dict.fromkeys(later, "Thu Oct 09 07:00:20 UTC 2025"), "Input.text": text, "Answer.tone": label, "Approve": "x", "Reject": ""}
        for i, text, j, label in _given(items)
    )  # fmt: skip
    return {"Batch_1_batch_results.csv": _sheet(rows, quoting=csv.QUOTE_ALL)}


def _toloka(items: int) -> dict[str, str]:
    rows = (
        {"INPUT:id": i, "INPUT:text": text, "OUTPUT:tone": label, "GOLDEN:tone": "", "HINT:text": "", "ASSIGNMENT:link": "https://toloka.example/1",
         "ASSIGNMENT:task_id": f"t{i}", "ASSIGNMENT:assignment_id": f"a{i}-{j}", "ASSIGNMENT:worker_id": f"w{j}", "ASSIGNMENT:status": "APPROVED",
         "ASSIGNMENT:started": _stamp(i, j), "ACCEPT:verdict": "", "ACCEPT:comment": ""}
        for i, text, j, label in _given(items)
    )  # fmt: skip
    return {"assignments.tsv": _sheet(rows, delimiter="\t")}


def _argilla_flat(items: int) -> dict[str, str]:
    users = [f"73f036af-00aa-5600-9895-0e34a7b0a7d{j}" for j in range(ANNOTATORS)]
    records = (
        {"id": f"r{i}", "status": "completed", "_server_id": None, "text": text, "tone.responses": row, "tone.responses.users": users,
         "tone.responses.status": ["submitted"] * ANNOTATORS, "tone.suggestion": None}
        for i, text, row in _by_item(items)
    )  # fmt: skip
    return {"records.jsonl": _lines(records)}


def _argilla_nested(items: int) -> dict[str, str]:
    records = [
        {"id": f"r{i}", "fields": {"text": text}, "metadata": {}, "suggestions": {}, "status": "completed", "_server_id": None, "vectors": {},
         "responses": {"tone": [{"value": label, "user_id": f"73f036af-00aa-5600-9895-0e34a7b0a7d{j}"} for j, label in enumerate(row)]}}
        for i, text, row in _by_item(items)
    ]  # fmt: skip
    return {"records.json": json.dumps(records)}


def _exist(items: int) -> dict[str, str]:
    who = [f"Annotator_{j}" for j in range(ANNOTATORS)]
    people = {f"{what}_annotators": ["x"] * ANNOTATORS for what in ("gender", "age", "countries")}
    found = {
        str(i): {"id_EXIST": str(i), "lang": "en", "tweet": text, "number_annotators": ANNOTATORS, "annotators": who, **people, "labels_task1_1": row, "split": "TRAIN"}
        for i, text, row in _by_item(items)
    }  # fmt: skip
    return {"EXIST.json": json.dumps(found)}


def _lewidi(items: int) -> dict[str, str]:
    found = {
        str(i): {"text": text, "annotation task": "tone", "number of annotations": ANNOTATORS, "annotations": ",".join(row),
                 "annotators": ",".join(f"Ann{j}" for j in range(ANNOTATORS)), "lang": "en", "hard_label": row[0], "soft_label": {"0": 0.5, "1": 0.5},
                 "split": "dev", "other_info": {}}
        for i, text, row in _by_item(items)
    }  # fmt: skip
    return {"Tone_dev.json": json.dumps(found)}


def _alttest(items: int) -> dict[str, str]:
    found: dict[str, dict[str, str]] = {}
    for i, _, j, label in _given(items):
        found.setdefault(f"w{j}", {})[f"review-{i}"] = label
    return {"human_annotations.json": json.dumps(found)}


def _potato(items: int) -> dict[str, str]:
    rows = (
        {
            "instance_id": f"r{i}",
            "user_id": f"u{j}",
            **{f"tone.{one}": "true" if one == label else "" for one in LABELS},
        }
        for i, _, j, label in _given(items)
    )
    return {"annotations.csv": _sheet(rows)}


def _conll(items: int) -> dict[str, str]:
    """Make as many tags as annotations: an annotation is a token."""
    files = {}
    for j in range(ANNOTATORS):
        draw, lines = random.Random(j), ["-DOCSTART- O", ""]
        words = random.Random(3)
        for i in range(items):
            lines.append(f"{words.choice(WORDS)}\t{'B-LOC' if draw.random() < 0.1 else 'O'}")
            if i % 20 == 19:
                lines.append("")
        files[f"user{j}.conll"] = "\n".join(lines) + "\n"
    return files


def _webanno(items: int) -> dict[str, str]:
    files = {}
    for d in range(max(1, items // 1000)):
        words = random.Random(d).choices(WORDS, k=1000)
        for j in range(ANNOTATORS):
            draw = random.Random(d * ANNOTATORS + j)
            lines, at = (
                [
                    "#FORMAT=WebAnno TSV 3.3",
                    "#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value",
                    "",
                    "",
                ],
                0,
            )
            for s in range(50):
                part = words[20 * s : 20 * s + 20]
                lines.append(f"#Text={' '.join(part)}")
                for k, word in enumerate(part):
                    tag = "*\tLOC" if draw.random() < 0.1 else "_\t_"
                    lines.append(f"{s + 1}-{k + 1}\t{at}-{at + len(word)}\t{word}\t{tag}\t")
                    at += len(word) + 1
                lines.append("")
            files[f"annotation/doc{d}.txt/user{j}.tsv"] = "\n".join(lines) + "\n"
    return files


def _of_lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines() if line]


def _of_csv(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def _of_tabs(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.split("\n")]


def _of_minimal(rows: list[dict[str, Any]]) -> object:
    return [
        [str(row["id"]) for row in rows],
        [str(row["annotator"]) for row in rows],
        [row["tone"] for row in rows],
        [row["created_at"] for row in rows],
    ]


def _of_lewidi(found: dict[str, dict[str, Any]]) -> object:
    who = [record["annotators"].split(",") for record in found.values()]
    labels = [label for record in found.values() for label in record["annotations"].split(",")]
    return [
        [item for item, names in zip(found, who, strict=True) for _ in names],
        [name for names in who for name in names],
        labels,
    ]


def _of_alttest(found: dict[str, dict[str, str]]) -> object:
    return [
        [item for labels in found.values() for item in labels],
        [who for who, labels in found.items() for _ in labels],
        [label for labels in found.values() for label in labels.values()],
    ]


FORMS: dict[str, Form] = {
    "Label Studio JSON": Form(_label_studio, json.loads),
    "Label Studio JSON_MIN": Form(lambda n: {"min.json": json.dumps(_minimal(n))}, json.loads, _of_minimal),
    "Label Studio CSV": Form(lambda n: {"export.csv": _sheet(_minimal(n))}, _of_csv),
    "Prodigy": Form(_prodigy, _of_lines),
    "doccano": Form(_doccano, _of_lines),
    "MTurk": Form(_mturk, _of_csv),
    "Toloka": Form(_toloka, lambda text: list(csv.reader(io.StringIO(text), delimiter="\t"))),
    "Argilla 2, flat": Form(_argilla_flat, _of_lines),
    "Argilla 2, nested": Form(_argilla_nested, json.loads),
    "EXIST": Form(_exist, json.loads),
    "Le-Wi-Di": Form(_lewidi, json.loads, _of_lewidi),
    "AltTest": Form(_alttest, json.loads, _of_alttest),
    "Potato table": Form(_potato, _of_csv),
    "CoNLL": Form(_conll, _of_tabs),
    "WebAnno TSV": Form(_webanno, _of_tabs),
}


def _timed(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.process_time()
    kept = work()
    spent = time.process_time() - start
    del kept
    return spent


def cost(form: Form, size: int, rounds: int) -> tuple[int, float, float, float]:
    """Return how many bytes there are, and the best times of the plain parse, of that and lists of its columns, and of reading."""
    contents = form.write(size // ANNOTATORS)
    with tempfile.TemporaryDirectory() as folder:
        for name, content in contents.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        files = [str(Path(folder, name)) for name in contents]
        where = files if all("/" not in name for name in contents) else [folder]

        def plain() -> list[Any]:
            return [form.parse(Path(name).read_text(encoding="utf-8")) for name in files]

        def columns() -> list[Any]:
            gc.disable()
            try:
                return [form.columns(one) for one in plain()] if form.columns else []
            finally:
                gc.enable()

        read_export(*where)
        runs = [(_timed(plain), _timed(columns), _timed(lambda: read_export(*where))) for _ in range(rounds)]
    return sum(map(len, contents.values())), *(min(times) for times in zip(*runs, strict=True))


def cost_of(name: str, size: int, rounds: int) -> tuple[int, float, float, float]:
    """Return what a form costs, by its name."""
    return cost(FORMS[name], size, rounds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="forms, by a part of their names")
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    rows = []
    chosen = [one for one in FORMS if not given.names or any(part.lower() in one.lower() for part in given.names)]
    # A process that has parsed other files parses the next one faster: each form has a process of its own.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as processes:
        for name in chosen:
            size, plain, columns, reading = processes.submit(
                cost_of, name, 5_000 if given.quick else SIZE, 2 if given.quick else ROUNDS
            ).result()
            fewest = f"{columns / plain:.1f}" if FORMS[name].columns else ""
            rows.append([name, f"{size / 1e6:.0f}", f"{reading / plain:.1f}", fewest])
            print(
                f"{name:24} {size / 1e6:6.1f} MB  parse {plain:6.3f} s  reading {reading:6.3f} s  {reading / plain:5.2f} {fewest}",
                flush=True,
            )
    if not given.quick and not given.names:
        insert(
            DOCS / "exports.md",
            "cost",
            table(["form", "MB", "reading, in plain parses", "parsing and lists alone"], rows, text_columns=1),
        )


if __name__ == "__main__":
    main()
