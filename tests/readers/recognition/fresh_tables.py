"""Tables written without a look at the code that recognises them: sheets, surveys, logs and public data sets as people keep them.

An expectation is written as in `recognition_tables`; where two readings are right both stand there, with ``or`` between.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from tests.readers.recognition.recognition_shapes import answers, date, majority, seconds, text, uuid, written
from tests.readers.recognition.recognition_tables import Case

YN = ("yes", "no")
FIVE = ("1", "2", "3", "4", "5")
POLAR = ("positive", "negative", "neutral")


def _lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def _long(
    header: list[str],
    labels: tuple[str, ...],
    row: Any,
    *,
    items: int = 18,
    who: tuple[str, ...] = ("ana", "ben", "cleo"),
) -> str:
    """Return a long table whose cells `row(number, i, annotator, label)` gives."""
    given = answers(items, len(who), labels, agree=0.7, seed=17)
    cells = [(i, who[j], given[i][j]) for i in range(items) for j in range(len(who))]
    return written(header, [row(n, *cell) for n, cell in enumerate(cells)])


def sheets() -> Iterator[Case]:
    """Yield spreadsheets as people keep them."""
    three = answers(20, 3, YN, agree=0.75, seed=31)
    body = [[f"item {i + 1}", *row] for i, row in enumerate(three)]
    names = ["Item", "Anna", "Ben", "Carla"]
    total = ["Total", *(sum(row[j] == "yes" for row in three) for j in range(3))]
    yield Case("a sheet with a row of totals", "refused", written(names, [*body, total]))
    agreement = ["% yes", *(f"{sum(row[j] == 'yes' for row in three) / 20:.0%}" for j in range(3))]
    yield Case("a sheet with a row of percentages", "refused", written(names, [*body, agreement]))
    yield Case("a sheet with empty columns and rows at its end", "wide Anna,Ben,Carla",
        written([*names, "", ""], [*([*row, "", ""] for row in body), *(["", "", "", "", "", ""],) * 3]))  # fmt: skip
    yield Case("a sheet with a title above", "refused or wide Anna,Ben,Carla",
        written(["Coding round 2", "", "", ""], [["", "", "", ""], names, *body]))  # fmt: skip
    two_questions = answers(16, 4, YN, agree=0.7, seed=32)
    yield Case("two rows of names", "refused", written(["", "Coder A", "", "Coder B", ""],
        [["id", "stance", "irony", "stance", "irony"], *([i, *row] for i, row in enumerate(two_questions))]))  # fmt: skip
    merged = [
        [f"doc {i + 1}" if j == 0 else "", coder, three[i][j]] for i in range(20) for j, coder in enumerate(names[1:])
    ]
    yield Case("merged cells of documents", "refused", written(["Document", "Coder", "Code"], merged))
    yield Case("a table of pandas with its index twice", "wide A1,A2,A3", written(
        ["Unnamed: 0.1", "Unnamed: 0", "sentence", "A1", "A2", "A3"], [[i, i, text(i, []), *row] for i, row in enumerate(three)]))  # fmt: skip
    yield Case("an index without a name before a long table", "long item/rater/label",
        _long(["", "item", "rater", "label"], POLAR, lambda n, i, who, label: [n, f"r{i}", who, label]))  # fmt: skip
    yield Case("yes and no against 1 and 0", "refused",
        written(["id", "coder_a", "coder_b"], [[i, row[0], int(row[1] == "yes")] for i, row in enumerate(three)]))  # fmt: skip
    yield Case("percentages of labels", "refused", written(["text", "positive", "negative", "neutral"],
        [[text(i, []), *(f"{100 * row.count(label) // 6}%" for label in POLAR)] for i, row in enumerate(answers(20, 6, POLAR, agree=0.6, seed=33))]))  # fmt: skip
    yield Case("whether two agree, in the same words", "wide A,B or refused",
        written(["id", "A", "B", "agree"], [[i, a == "yes", b == "yes", a == b] for i, (a, b, _) in enumerate(three)]))  # fmt: skip
    yield Case("0 and 1 with their sum and the majority", "wide r1,r2,r3", written(["id", "r1", "r2", "r3", "sum", "majority"],
        [[i, *(int(c == "yes") for c in row), row.count("yes"), int(row.count("yes") > 1)] for i, row in enumerate(three)]))  # fmt: skip
    sure = answers(24, 4, FIVE, agree=0.5, seed=34)
    yield Case("how sure each is, on the same scale", "wide ann1,ann2 or refused", written(
        ["id", "ann1", "ann1_conf", "ann2", "ann2_conf"], [[i, *row] for i, row in enumerate(sure)]))  # fmt: skip
    yield Case("labels and comments by name in brackets", "wide Label (Anna),Label (Ben)", written(
        ["ID", "Text", "Label (Anna)", "Label (Ben)", "Kommentar (Anna)", "Kommentar (Ben)"],
        [[i, text(i, []), a, b, text(i + 1, []) if i % 5 == 0 else "", "unklar" if i % 7 == 0 else ""] for i, (a, b, _) in enumerate(three)]))  # fmt: skip
    yield Case("two questions of two coders", "refused", written(["id", "A_toxic", "A_irony", "B_toxic", "B_irony"],
        [[i, *row] for i, row in enumerate(answers(24, 4, YN, agree=0.2, seed=35))]))  # fmt: skip
    yield Case("two readings of each reader", "refused", written(["Patient", "Reader1_T1", "Reader1_T2", "Reader2_T1", "Reader2_T2"],
        [[f"P{i:03d}", *row] for i, row in enumerate(answers(30, 4, ("0", "1", "2", "3"), agree=0.8, seed=36))]))  # fmt: skip
    yield Case("five items", "wide Coder 1,Coder 2,Coder 3",
        written(["Article", "Coder 1", "Coder 2", "Coder 3"], [[f"a{i}", *row] for i, row in enumerate(answers(5, 3, POLAR, agree=0.6, seed=37))]))  # fmt: skip
    yield Case("countries by year", "wide CoderA,CoderB", written(["country", "year", "CoderA", "CoderB"],
        [[land, year, *row[:2]] for (land, year), row in zip([(land, y) for land in ("AT", "CH", "DE", "FR") for y in range(2015, 2021)],
            answers(24, 2, ("0", "1", "2", "3"), agree=0.8, seed=38), strict=True)]))  # fmt: skip
    yield Case("a domain beside the labels", "wide ann1,ann2", written(["id", "domain", "ann1", "ann2"],
        [[i, ("news", "sport", "arts")[i % 3], *row[:2]] for i, row in enumerate(three)]))  # fmt: skip
    yield Case("an agreed label in French", "wide Codeur 1,Codeur 2", written(["énoncé", "Codeur 1", "Codeur 2", "Décision commune"],
        [[text(i, []), a, b, a if a == b else "yes"] for i, (a, b, _) in enumerate(three)]))  # fmt: skip
    scores = random.Random(39)
    yield Case("scores of wine judges", "wide Judge1,Judge2,Judge3,Judge4", written(["Wine", "Judge1", "Judge2", "Judge3", "Judge4"],
        [[f"w{i}", *(round(2 * min(20, max(8, scores.gauss(14 + i % 4, 1.5)))) / 2 for _ in range(4))] for i in range(20)]))  # fmt: skip
    wishes = answers(25, 8, FIVE, agree=0.3, seed=40)
    yield Case("a survey of opinions", "refused", written(
        ["respondent", "age", "gender", *(f"Q{k}" for k in range(1, 9))],
        [[i + 1, 20 + (i * 7) % 40, "mfd"[i % 3], *row] for i, row in enumerate(wishes)]))  # fmt: skip
    yield Case("raters in rows", "transposed R1,R2,R3,R4", written(["Rater", *(f"i{k}" for k in range(1, 21))],
        [[f"R{j + 1}", *(row[j] for row in answers(20, 4, POLAR, agree=0.7, seed=41))] for j in range(4)]))  # fmt: skip
    yield Case("raters in rows, without a name", "transposed Rater1,Rater2,Rater3 or refused", written(["", *map(str, range(1, 21))],
        [[f"Rater{j + 1}", *(row[j] for row in three)] for j in range(3)]))  # fmt: skip
    yield Case("two tables side by side", "refused", written(["id", "Anna", "Ben", "", "id", "Anna", "Ben"],
        [[i, *row[:2], "", i + 20, *row[1:]] for i, row in enumerate(three)]))  # fmt: skip


def languages() -> Iterator[Case]:
    """Yield tables whose columns have names of other languages."""
    german = _long(["Satz", "Kodierer", "Kategorie", "Bemerkung"], ("Lob", "Kritik", "neutral"),
        lambda n, i, who, label: [f"S{i}", who, label, text(n, []) if n % 9 == 0 else ""])  # fmt: skip
    yield Case("German, semicolons", "long Satz/Kodierer/Kategorie", german.replace(",", ";"))
    yield Case("French with durations", "long énoncé/annotateur/étiquette",
        _long(["énoncé", "annotateur", "étiquette", "durée (s)"], ("oui", "non"),
              lambda n, i, who, label: [f"e{i}", who, label, f"{n % 50},{n % 10}"]))  # fmt: skip
    yield Case("Spanish, a column each", "wide Anotador 1,Anotador 2,Anotador 3", written(
        ["Texto", "Anotador 1", "Anotador 2", "Anotador 3", "Comentarios"],
        [[text(i, []), *row, "revisar" if i % 6 == 0 else ""] for i, row in enumerate(answers(20, 3, ("sí", "no"), agree=0.7, seed=42))]))  # fmt: skip
    yield Case("Italian", "long frase/annotatore/etichetta",
        _long(["frase", "annotatore", "etichetta"], ("vero", "falso"), lambda n, i, who, label: [f"f{i}", who, label]))  # fmt: skip
    yield Case("Chinese", "long 编号/标注员/标签",
        _long(["编号", "标注员", "标签"], ("正面", "负面"), lambda n, i, who, label: [i, who, label]))  # fmt: skip
    yield Case("Russian", "long Текст/Разметчик/Метка",
        _long(["Текст", "Разметчик", "Метка"], ("да", "нет"), lambda n, i, who, label: [text(i, []), who, label]))  # fmt: skip
    yield Case("Polish", "wide Sędzia 1,Sędzia 2", written(["zdanie", "Sędzia 1", "Sędzia 2", "Uwagi"],
        [[text(i, []), *row, ""] for i, row in enumerate(answers(20, 2, ("tak", "nie"), agree=0.7, seed=43))]))  # fmt: skip
    yield Case("codes with missing ones as in SPSS", "long VP/Kodierer/V1",
        _long(["VP", "Kodierer", "V1"], ("1", "2", "3", "-99"), lambda n, i, who, label: [100 + i, who, label]))  # fmt: skip
    yield Case("a German form", "refused", written(["Zeitstempel", "Ihr Kürzel", *(f"Ist Beitrag {k} sachlich?" for k in range(1, 7))],
        [[date(i, []), f"k{i}", *row] for i, row in enumerate(answers(5, 6, ("Ja", "Nein"), agree=0.4, seed=44))]))  # fmt: skip


def models() -> Iterator[Case]:
    """Yield what language models and their judges leave behind."""
    verdicts = ("pass", "fail")
    yield Case("runs of models with reasoning", "long id/model/verdict or long prompt/model/verdict", _long(
        ["id", "prompt", "model", "reasoning", "verdict", "tokens", "cost_usd", "latency_ms"], verdicts,
        lambda n, i, who, label: [i, text(i, []), who, f"First, {text(n, [])}", label, 200 + (n * 37) % 300, f"0.00{n % 9 + 1}", 800 + (n * 131) % 2000],
        who=("gpt-4o", "claude-3", "llama-3")))  # fmt: skip
    wide = answers(20, 3, verdicts, agree=0.8, seed=51)
    yield Case("reasoning beside each verdict", "wide gpt4_label,claude_label,human_label", written(
        ["prompt_id", "prompt", "gpt4_label", "gpt4_reasoning", "claude_label", "claude_reasoning", "human_label"],
        [[i, text(i, []), a, text(i + 1, []), b, text(i + 2, []), c] for i, (a, b, c) in enumerate(wide)]))  # fmt: skip
    yield Case("a score, pass or fail, and a reason", "refused or long id/judge/pass", _lines([
        {"id": i, "input": text(i, []), "judge": judge, "score": round(0.1 + 0.8 * (row[j] == "pass"), 1), "pass": row[j] == "pass", "reason": text(3 * i + j, [])}
        for i, row in enumerate(wide) for j, judge in enumerate(("gpt-4o", "claude", "gemini"))]))  # fmt: skip
    langfuse = [
        "id",
        "timestamp",
        "name",
        "value",
        "stringValue",
        "dataType",
        "source",
        "authorUserId",
        "traceId",
        "observationId",
        "comment",
        "configId",
    ]
    rows = [
        [uuid(6 * i + 2 * j + k, []), date(i, []), name, int(row[j] == "pass") if k == 0 else 1 + (i + j) % 5, row[j] if k == 0 else "",
         "CATEGORICAL" if k == 0 else "NUMERIC", source, f"u{j}", f"trace-{i}", "", "", ""]
        for i, row in enumerate(wide) for j, source in enumerate(("ANNOTATION", "EVAL", "API")) for k, name in enumerate(("correct", "style"))
    ]  # fmt: skip
    yield Case("Langfuse, several scores", "refused", written(langfuse, rows))
    yield Case("Langfuse, one score", "refused or long traceId/source/stringValue or long traceId/authorUserId/stringValue",
        written(langfuse, [row for row in rows if row[2] == "correct"]))  # fmt: skip
    yield Case("Langfuse, one score by one judge", "refused",
        written(langfuse, [[*row[:6], "EVAL", "", *row[8:]] for row in rows if row[2] == "correct" and row[6] == "EVAL"]))  # fmt: skip
    yield Case("LangSmith feedback", "refused", written(["id", "created_at", "run_id", "key", "score", "value", "comment", "feedback_source_type"],
        [[uuid(9 * i + j, []), date(i, []), f"run-{i}", key, int(row[j] == "pass"), "", "", ("app", "model")[j % 2]]
         for i, row in enumerate(wide) for j, key in enumerate(("correctness", "helpfulness", "user_score"))]))  # fmt: skip
    yield Case("a preference between two answers", "wide judge1,judge2", written(["id", "response_a", "response_b", "judge1", "judge2"],
        [[i, text(i, []), text(i + 1, []), *row] for i, row in enumerate(answers(20, 2, ("A", "B", "tie"), agree=0.7, seed=52))]))  # fmt: skip
    yield Case("what is true and what was predicted", "wide y_true,y_pred or refused", written(["idx", "y_true", "y_pred", "prob"],
        [[i, *row[:2], f"0.{(i * 7919) % 997:03d}"] for i, row in enumerate(wide)]))  # fmt: skip
    yield Case("one verdict for each of several metrics", "refused", _lines([
        {"case": f"c{i}", "metric": metric, "score": 0.25 * ((i + j) % 5), "threshold": 0.5, "success": (i + j) % 5 >= 2, "model": "gpt-4o"}
        for i in range(12) for j, metric in enumerate(("faithfulness", "relevance", "bias"))]))  # fmt: skip


def crowds() -> Iterator[Case]:
    """Yield shapes of crowds and of public data sets; the cells are made up."""
    yield Case("workers with durations and countries", "long task_id/worker_id/answer", _long(
        ["assignment_id", "task_id", "worker_id", "country", "duration_sec", "reward", "answer", "device"], YN,
        lambda n, i, who, label: [f"as{n}", f"t{i}", who, ("US", "IN", "US")["abc".find(who[0])], seconds(n, []), "0.05", label, ("ios", "web")[n % 2]]))  # fmt: skip
    yield Case("rounds of annotation", "refused", _long(["item", "annotator", "round", "label"], POLAR,
        lambda n, i, who, label: [f"x{i // 2}", who, 1 + i % 2, label]))  # fmt: skip
    codes = {"1": "Politics", "2": "Sports", "3": "Culture"}
    yield Case("a code and its name", "long unit/coder/code or long unit/coder/code_label", _long(["unit", "coder", "code", "code_label"],
        ("1", "2", "3"), lambda n, i, who, label: [f"u{i}", who, label, codes[label]]))  # fmt: skip
    yield Case("documents and sentences", "refused or long doc,sent_no/annotator/label", _long(["doc", "sent_no", "annotator", "label"], POLAR,
        lambda n, i, who, label: [f"doc{i // 6}", i % 6, who, label]))  # fmt: skip
    yield Case("two variables in one table", "refused", _long(["item", "coder", "relevance", "sentiment"], ("high", "low"),
        lambda n, i, who, label: [f"x{i}", who, label, POLAR[(n * 7 + i) % 3]]))  # fmt: skip
    yield Case("a slider from 0 to 100", "long stimulus/participant/rating", _long(["stimulus", "participant", "rating"],
        tuple(map(str, range(0, 101, 3))), lambda n, i, who, label: [f"s{i:02d}", who, label], items=30))  # fmt: skip
    yield Case("Figure Eight, in full", "long _unit_id/_worker_id/relevance", _long(
        ["_unit_id", "_created_at", "_golden", "_id", "_missed", "_started_at", "_tainted", "_channel", "_trust", "_worker_id", "_country", "_region",
         "_city", "_ip", "relevance", "relevance_gold", "text"], ("relevant", "not relevant"),
        lambda n, i, who, label: [7000 + i, date(n, []), "false", 90000 + n, "", date(n + 1, []), "false", "elite", f"0.{80 + n % 19}",
            3000 + "abc".find(who[0]), "USA", "", "", f"10.0.0.{n % 250}", label, "", text(i, [])]))  # fmt: skip
    yield Case("Figure Eight, aggregated", "refused", written(
        ["_unit_id", "_golden", "_unit_state", "_trusted_judgments", "_last_judgment_at", "sentiment", "sentiment:confidence", "text"],
        [[7000 + i, "false", "finalized", 3, date(i, []), row[0], f"0.{6000 + i * 131 % 4000}", text(i, [])] for i, row in enumerate(answers(30, 1, POLAR, agree=1, seed=61))]))  # fmt: skip
    emotions = ("anger", "joy", "fear", "none")
    picked = random.Random(62)
    yield Case("emotions as 0 and 1", "sets id/rater_id", _long(
        ["text", "id", "author", "subreddit", "created_utc", "rater_id", "example_very_unclear", *emotions], emotions,
        lambda n, i, who, label: [text(i, []), f"ee{i}", f"u{i}", ("aww", "news")[i % 2], 1546300000 + i, "abc".find(who[0]), "False",
            *(int(e == label or picked.random() < 0.1) for e in emotions)]))  # fmt: skip
    yield Case("Zooniverse", "refused", _long(
        ["classification_id", "user_name", "user_id", "user_ip", "workflow_id", "created_at", "metadata", "annotations", "subject_ids"], YN,
        lambda n, i, who, label: [5000 + n, who, "abc".find(who[0]), f"ip{n % 3}", 12, date(n, []), '{"session":"x"}', json.dumps([{"task": "T0", "value": label}]), 800 + i]))  # fmt: skip
    yield Case("how often each label was given, as an object", "refused", _lines([
        {"uid": f"n{i}", "label_counter": {k: row.count(k) for k in set(row)}, "majority_label": majority(i, row), "entropy": 0.1 * i, "premise": text(i, [])}
        for i, row in enumerate(answers(20, 10, ("e", "n", "c"), agree=0.5, seed=63))]))  # fmt: skip
    yield Case("records with a list of annotations", "long text/annotator/label or long id/annotator/label", _lines([
        {"id": i, "text": text(i, []), "annotations": [{"annotator": who, "label": row[j]} for j, who in enumerate(("ana", "ben", "cleo"))]}
        for i, row in enumerate(answers(20, 3, POLAR, agree=0.7, seed=64))]))  # fmt: skip
    given = answers(20, 5, ("for", "against", "unclear"), agree=0.6, seed=65)
    yield Case("counts with their sum in German", "counts for,against,unclear", written(["Text", "for", "against", "unclear", "Summe"],
        [[f"T{i}", *(row.count(k) for k in ("for", "against", "unclear")), 5] for i, row in enumerate(given)]))  # fmt: skip
    yield Case("counts with a row of sums", "refused", written(["Text", "for", "against", "unclear"],
        [*([f"T{i}", *(row.count(k) for k in ("for", "against", "unclear"))] for i, row in enumerate(given)),
         ["Total", *(sum(row.count(k) for row in given) for k in ("for", "against", "unclear"))]]))  # fmt: skip
    yield Case("two annotators crossed, with totals", "table yes,no or refused",
        written(["", "yes", "no", "Total"], [["yes", 20, 5, 25], ["no", 10, 15, 25], ["Total", 30, 20, 50]]))  # fmt: skip
    yield Case("essays with a sum of two raters", "wide rater1_domain1,rater2_domain1", written(
        ["essay_id", "essay_set", "essay", "rater1_domain1", "rater2_domain1", "domain1_score"],
        [[i + 1, 1, text(i, []), a, b, int(a) + int(b)] for i, (a, b) in enumerate(answers(30, 2, FIVE, agree=0.6, seed=66))]))  # fmt: skip
    yield Case("one row for each vote of a tweet", "long tweet/user/vote", _long(["timestamp", "user", "tweet", "url", "vote"], ("hate", "offensive", "neither"),
        lambda n, i, who, label: [date(n, []), who, text(i, []), f"https://example.org/{i}", label]))  # fmt: skip
    yield Case("people described beside their answers", "long item_id/prolific_id/answer", _long(
        ["prolific_id", "age", "gender", "education", "item_id", "answer", "rt_ms"], YN,
        lambda n, i, who, label: [f"5f{who}", 20 + "abc".find(who[0]), "fmf"["abc".find(who[0])], ("BA", "MA", "BA")["abc".find(who[0])], f"q{i}", label, 400 + n * 37 % 900]))  # fmt: skip


FRESH = [*sheets(), *languages(), *models(), *crowds()]
