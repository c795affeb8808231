"""At least 200 tables, and how each must be read: real shapes, generated ones, and some made to mislead.

An expectation is a layout and its columns: ``long item/annotator/label``, ``wide a,b,c``, ``transposed a,b`` (the annotators), ``counts
a,b,c``, ``sets item/annotator``, ``table a,b``, or ``refused``. Shapes of public data sets and of tools are rebuilt with the column names
that these have; their cells are made up.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from tests.readers.recognition.recognition_shapes import (
    Cell,
    always,
    answers,
    counts,
    date,
    long,
    majority,
    number,
    of,
    probability,
    records,
    seconds,
    text,
    turned,
    us_date,
    uuid,
    wide,
    written,
)  # fmt: skip


class Case(NamedTuple):
    name: str
    expected: str
    content: str


YN = ("yes", "no")
FIVE = ("1", "2", "3", "4", "5")
LIKERT = ("strongly disagree", "disagree", "neutral", "agree", "strongly agree")


def wide_cases() -> Iterator[Case]:
    three = "wide ann,bob,cem"
    names = ["ann", "bob", "cem"]
    for item in (
        "id",
        "item",
        "Item ID",
        "doc_id",
        "tweet_id",
        "Nr.",
        "name",
        "Units",
        "ID",
        "Dokument",
        "élément",
        "patient",
    ):
        yield Case(f"wide with item column {item}", three, wide(names, item=item))
    yield Case("wide without items", three, wide(names, item=None))
    yield Case("wide with a column without a name", three, wide(names, item=""))
    yield Case("wide with gaps", three, wide(names, gaps=5))
    yield Case("wide, half empty", three, wide(names, gaps=2))
    yield Case("wide, semicolons", three, wide(names, delimiter=";"))
    yield Case("wide, tabs", three, wide(names, delimiter="\t"))
    yield Case("wide, low agreement", three, wide(names, agree=0.1))
    yield Case("wide, perfect agreement", three, wide(names, agree=1.0))
    yield Case("wide, yes and no", three, wide(names, YN))
    yield Case("wide, 0 and 1", three, wide(names, ("0", "1")))
    yield Case("wide, 1 to 5", three, wide(names, FIVE))
    yield Case("wide, 0 to 4, no agreement", three, wide(names, ("0", "1", "2", "3", "4"), agree=0.2, items=60))
    yield Case("wide, Likert words", three, wide(names, LIKERT))
    yield Case("wide, many labels", three, wide(names, tuple(f"c{i:02d}" for i in range(15)), items=60))
    yield Case(
        "wide, long labels",
        three,
        wide(names, ("a label that takes quite some room to write", "another one that does")),
    )
    yield Case(
        "wide, 40 annotators",
        "wide " + ",".join(f"w{i}" for i in range(1, 41)),
        wide([f"w{i}" for i in range(1, 41)], items=80),
    )
    for stem in ("rater", "Rater ", "coder_", "R", "annotator-", "Reader ", "judge", "Label ", "anno", "Kodierer "):
        four = [f"{stem}{i}" for i in (1, 2, 3, 4)]
        yield Case(f"wide, {stem}1 to 4", "wide " + ",".join(four), wide(four))
    yield Case("wide, Coder A to C", "wide Coder A,Coder B,Coder C", wide(["Coder A", "Coder B", "Coder C"]))
    yield Case("wide, human and model", "wide human,model", wide(["human", "model"]))
    yield Case("wide, human and judge", "wide human,judge", wide(["human", "judge"], ("pass", "fail")))
    yield Case(
        "wide, y_true and y_pred", "wide y_true,y_pred", wide(["y_true", "y_pred"], ("0", "1"), item=None, items=60)
    )
    yield Case("wide, gold and pred", "wide gold,pred", wide(["gold", "pred"], ("cat", "dog")))
    yield Case("wide, two people and a model", "wide ann1,ann2,gpt-4o", wide(["ann1", "ann2", "gpt-4o"], YN))
    yield Case("wide, continuous ratings", "wide rater1,rater2", written(
        ["id", "rater1", "rater2"], [[i, f"{(i * 37) % 100 / 7:.2f}", f"{(i * 37) % 100 / 7 + i % 3:.2f}"] for i in range(30)]))  # fmt: skip
    yield Case("wide, continuous ratings by two people", "wide ann,bob", written(
        ["id", "ann", "bob"], [[i, f"{(i * 37) % 100 / 7:.2f}", f"{(i * 37) % 100 / 7 + i % 3:.2f}"] for i in range(30)]))  # fmt: skip
    yield Case("wide, one annotator knows fewer labels", "wide ann,bob", written(
        ["id", "ann", "bob"], [[i, "abc"[i % 3], "ab"[i % 2]] for i in range(20)]))  # fmt: skip
    yield Case(
        "wide, one annotator gives one label",
        "wide ann,bob,cem",
        wide(["ann", "bob"], YN, after={"cem": always("yes")}),
    )
    yield Case("wide, an annotator without a label", "wide ann,bob", wide(["ann", "bob"], after={"cem": always("")}))
    yield Case("wide, JSON lines", "wide ann,bob,cem", records(wide(names)))
    yield Case("wide, JSON lines with numbers", "wide ann,bob,cem", records(wide(names, FIVE)))
    yield Case("wide, item last", "wide ann,bob", wide(["ann", "bob"], item=None, after={"item": number}))
    yield Case("wide, diagnoses", "wide rater1,rater2,rater3,rater4,rater5,rater6", wide(
        [f"rater{i}" for i in range(1, 7)], ("1. Depression", "2. Personality Disorder", "3. Schizophrenia", "4. Neurosis", "5. Other"), item=None, items=30))  # fmt: skip


def beside_labels() -> Iterator[Case]:
    """Wide tables with columns that are no annotators."""
    two = "wide ann,bob"
    names = ["ann", "bob"]
    others = {
        "text": text, "sentence": text, "Comment": of("unclear", "", "see guideline", "ask Cem"), "score": probability, "confidence": of(1, 2, 3, 4, 5),
        "timestamp": date, "created_at": date, "Datum": us_date, "duration": seconds, "time_spent": seconds, "uuid": uuid, "annotation_id": number,
        "topic": of("sport", "politics", "culture"), "language": of("de", "en"), "split": of("train", "test"), "length": number, "url": lambda i, r: f"https://example.org/{i}",
        "email": lambda i, r: f"a{i % 3}@example.org", "source": always("twitter"), "version": always("1.2"), "Kommentar": of("unklar", "", "siehe Leitfaden"),
        "perplexity": seconds, "model_score": probability, "n_tokens": number, "hour": lambda i, r: f"{i % 24}:30", "agreement": of("agree?", "ok"),
        "ann_comment": of("why?", "", "hm"), "difficulty": of("easy", "hard"),
    }  # fmt: skip
    for name, cell in others.items():
        yield Case(f"wide beside {name}", two, wide(names, after={name: cell}))
    for name in ("text", "score", "topic", "created_at", "uuid"):
        yield Case(f"wide with {name} before", two, wide(names, before={name: others[name]}))
    yield Case("wide beside everything", two, wide(names, before={"text": text, "topic": others["topic"]}, after={
        "score": probability, "comment": others["Comment"], "timestamp": date}))  # fmt: skip
    yield Case("JSON lines with a score beside pass and fail", "wide human,judge", records(
        wide(["human", "judge"], ("pass", "fail"), after={"score": probability})))  # fmt: skip
    yield Case("JSON lines with a whole score beside pass and fail", "wide human,judge", records(
        wide(["human", "judge"], ("pass", "fail"), after={"score": of(1, 2, 3, 4, 5, 6, 7, 8, 9)})))  # fmt: skip
    yield Case(
        "a score from 0 to 1 beside 0 and 1",
        "wide ann,bob",
        wide(["ann", "bob"], ("0", "1"), items=60, after={"score": of("0", "1", "0.5", "0.25", "0.75")}),
    )
    for final in (
        "Final label", "final", "gold", "Gold label", "consensus", "majority", "majority_vote", "adjudicated", "Adjudicated label", "resolved", "ground_truth",
        "endgültiges Label", "Konsens", "Mehrheit", "étiquette finale", "consenso", "etiqueta definitiva", "maioria", "definitief label", "maggioranza", "finalLabel",
        "curated", "Goldstandard", "majorité",
    ):  # fmt: skip
        yield Case(f"wide beside {final}", "wide ann,bob,cem", wide(["ann", "bob", "cem"], after={final: majority}))
    yield Case("final label first", "wide r1,r2,r3", wide(["r1", "r2", "r3"], before={"Final label": majority}))
    yield Case("screening for a review", "wide Reviewer A,Reviewer B", wide(
        ["Reviewer A", "Reviewer B"], ("include", "exclude", "unsure"), item="Record", before={"Title": text}, after={"Final decision": majority, "Reason": of("wrong population", "", "no outcome")}))  # fmt: skip
    yield Case("SNLI", "wide label1,label2,label3,label4,label5", wide(
        [f"label{i}" for i in range(1, 6)], ("entailment", "neutral", "contradiction"), item="pairID", name=lambda i: f"{i}#1r1e", before={"gold_label": majority, "sentence1": text, "sentence2": lambda i, r: "Somebody " + text(i, [])}))  # fmt: skip
    yield Case(
        "a decision called label", "refused", wide(["ann1", "ann2", "ann3"], after={"label": majority}, items=40)
    )
    yield Case(
        "a decision by its cells alone",
        "refused",
        wide(["Maria", "Jan", "Cem"], items=80, agree=0.5, after={"Result": majority}),
    )
    yield Case("essay scores", "wide rater1_domain1,rater2_domain1", wide(
        ["rater1_domain1", "rater2_domain1"], ("2", "3", "4", "5"), item="essay_id", before={"essay": text}, after={"domain1_score": lambda i, r: max(r)}))  # fmt: skip
    yield Case("a flag of the same words", "refused", wide(["ann1", "ann2"], YN, after={"needs_review": of(*YN)}))
    yield Case("two questions side by side", "refused", wide(
        ["polite_ann", "polite_bob"], ("polite", "rude"), after={"topic_ann": of("sport", "art"), "topic_bob": of("sport", "art")}))  # fmt: skip


def long_cases() -> Iterator[Case]:
    for header in (
        "item,annotator,label", "unit,coder,code", "Item ID,Rater,Rating", "doc_id,worker_id,answer", "id,user,value", "Subject,JUDGE,Score", "tweet id,Labeller,sentiment",
        "HITId,WorkerId,Answer.label", "question,respondent,judgment", "image,observer,severity_score", "sentence_id,reviewer,grade", "essay id,coder,annotation",
        "Dokument,Annotatorin,Kategorie", "exemple,annotateur,étiquette", "ejemplo,anotador,etiqueta", "esempio,annotatore,etichetta", "exemplo,avaliador,categoria",
        "voorbeeld,beoordelaar,oordeel", "_unit_id,_worker_id,label", "item_id,annotator_id,class",
    ):  # fmt: skip
        names = header.split(",")
        yield Case(f"long, {header}", f"long {'/'.join(names)}", long(names))
    roles = ["item", "annotator", "label"]
    plain = "long item/annotator/label"
    yield Case("long, few annotators an item", plain, long(roles, annotators=[f"w{i}" for i in range(12)], per_item=3))
    yield Case("long, a crowd", plain, long(roles, annotators=[f"w{i}" for i in range(40)], per_item=2, items=60))
    yield Case("long, numbers", plain, long(roles, FIVE, annotators=["1", "2", "3"], name=lambda i: i))
    yield Case("long, 0 and 1", plain, long(roles, ("0", "1"), annotators=["1", "2", "3"], name=lambda i: i))
    yield Case("long, two annotators", plain, long(roles, annotators=["a", "b"]))
    yield Case("long, tabs", plain, long(roles, delimiter="\t"))
    yield Case("long, JSON lines", plain, records(long(roles)))
    yield Case(
        "long, a real number",
        "long item/rater/rating",
        long(["item", "rater", "rating"], tuple(f"{i / 7:.3f}" for i in range(90))),
    )
    extra = {
        "text": text, "timestamp": date, "duration": seconds, "annotation_id": number, "confidence": of(1, 2, 3), "comment": of("", "hm"), "id": number,
        "uuid": uuid, "batch": of("b1", "b2"), "lead_time": seconds, "created_at": date, "gender": of("f", "m"), "score": probability, "status": always("done"),
        "url": lambda i, r: f"https://example.org/{i}",
    }  # fmt: skip
    for name, cell in extra.items():
        yield Case(f"long beside {name}", plain, long(roles, after={name: cell}))
        if name not in ("score",):
            yield Case(f"long after {name}", plain, long(roles, before={name: cell}))
    yield Case("long, label by elimination", "long item/rater/emotion", long(["item", "rater", "emotion"]))
    yield Case("long, annotator by elimination", "long item/who/label", long(["item", "who", "label"]))
    yield Case("long, item by elimination", "long key/rater/label", long(["key", "rater", "label"]))
    yield Case("long, three columns without names", "long p/q/r", long(["p", "q", "r"], items=30))
    yield Case(
        "long, text as item", "long text/rater/label", long(["text", "rater", "label"], name=lambda i: text(i, []))
    )
    yield Case("long, rows numbered", plain, long(roles, before={"id": number}))
    yield Case("long, rows numbered without a name", plain, long(roles, before={"": number}))
    yield Case(
        "long, two questions",
        "refused",
        long(["item", "annotator", "sentiment"], after={"severity": of("low", "high", "mid")}),
    )
    yield Case(
        "long, two unnamed questions",
        "refused",
        long(["item", "rater", "emotion"], after={"topic": of("sport", "art", "war")}),
    )
    yield Case(
        "long, label and further label columns", plain, long(roles, after={"severity": of("low", "high", "mid")})
    )
    yield Case(
        "long, free text for a label",
        "refused",
        long(["item", "annotator", "answer"], tuple(text(i, []) for i in range(200)), agree=0.0),
    )
    yield Case("long, an identifier for a label", "refused", written(
        ["task", "annotator", "annotation_id", "created_at"], [[i // 2, "ab"[i % 2], 900 + i, date(i, [])] for i in range(30)]))  # fmt: skip
    yield Case("long, sets of 0 and 1", "sets item/rater", written(
        ["item", "rater", "joy", "anger", "fear"], [[i // 2, "ab"[i % 2], int(i % 3 == 0), int(i % 4 == 0), int(i % 5 == 0)] for i in range(40)]))  # fmt: skip


def tools() -> Iterator[Case]:
    """Tables as tools write them, and data sets as they are published."""
    roles = "long item/annotator/label"
    del roles
    yield Case("MTurk results", "refused", written(
        ["HITId", "HITTypeId", "Title", "AssignmentId", "WorkerId", "AcceptTime", "SubmitTime", "WorkTimeInSeconds", "Input.text", "Answer.polite", "Answer.topic"],
        [[f"H{i // 3}", "T1", "Rate texts", f"A{i}", f"W{i % 7}", date(i, []), date(i + 1, []), 20 + i, text(i // 3, []), YN[i % 2], "abc"[i % 3]] for i in range(45)]))  # fmt: skip
    yield Case("MTurk results, one question", "long HITId/WorkerId/Answer.label", written(
        ["HITId", "HITTypeId", "Title", "AssignmentId", "WorkerId", "AcceptTime", "SubmitTime", "WorkTimeInSeconds", "Input.text", "Answer.label"],
        [[f"H{i // 3}", "T1", "Rate texts", f"A{i}", f"W{i % 7}", date(i, []), date(i + 1, []), 20 + i, text(i // 3, []), YN[i % 2]] for i in range(45)]))  # fmt: skip
    yield Case("Snow et al. RTE", "long orig_id/!amt_worker_ids/response", written(
        ["!amt_annotation_ids", "!amt_worker_ids", "orig_id", "response", "gold"],
        [[f"HJ{i}", f"A{(i * 7) % 11}", i // 5, i * 7 // 3 % 2, i // 5 % 2] for i in range(100)]))  # fmt: skip
    yield Case("Figure Eight", "long _unit_id/_worker_id/sentiment", written(
        ["_unit_id", "_created_at", "_golden", "_trust", "_worker_id", "_country", "sentiment", "text"],
        [[800 + i // 3, us_date(i, []), "false", f"0.9{i % 10}", 50 + (i * 7) % 11, ["USA", "GBR"][i % 2], ["pos", "neg", "neu"][i * i % 3], text(i // 3, [])] for i in range(60)]))  # fmt: skip
    yield Case("Label Studio CSV, several annotators", "long id/annotator/sentiment", written(
        ["annotation_id", "annotator", "created_at", "id", "lead_time", "sentiment", "text", "updated_at"],
        [[500 + i, 1 + i % 3, date(i, []), 100 + i // 3, seconds(i, []), ["Positive", "Negative", "Neutral"][i * i % 3], text(i // 3, []), date(i, [])] for i in range(60)]))  # fmt: skip
    yield Case("Label Studio JSON-MIN", "refused", records(written(
        ["annotation_id", "annotator", "created_at", "id", "lead_time", "polite", "topic", "text"],
        [[500 + i, 1 + i % 3, date(i, []), 100 + i // 3, seconds(i, []), YN[i % 2], "abc"[i * i % 3], text(i // 3, [])] for i in range(60)])))  # fmt: skip
    yield Case("Langfuse scores", "refused", written(
        ["id", "timestamp", "name", "value", "stringValue", "traceId", "observationId", "source", "authorUserId", "comment"],
        [[uuid(i, []), date(i, []), ["accuracy", "tone"][i % 2], i * 7 % 5, "", uuid(i // 4, []), "", ["API", "ANNOTATION"][i // 2 % 2], "", ""] for i in range(60)]))  # fmt: skip
    yield Case("Langfuse traces with two scores", "wide accuracy_human,accuracy_llm", written(
        ["id", "timestamp", "name", "userId", "latency", "accuracy_human", "accuracy_llm"],
        [[uuid(i, []), date(i, []), "chat", f"u{i % 9}", seconds(i, []), i * i % 3 % 2, i * i % 3 % 2 if i % 5 else 1] for i in range(60)]))  # fmt: skip
    yield Case("Google Forms, texts as questions", "refused", written(
        ["Timestamp", *(f"How polite is this text? [Text {j}]" for j in range(1, 7))],
        [[us_date(i, []), *row] for i, row in enumerate(answers(12, 6, LIKERT, agree=0.3, seed=5))]))  # fmt: skip
    yield Case("Google Forms with names", "refused", written(
        ["Zeitstempel", "Wie heißt du?", *(f"Wie höflich ist Text {j}?" for j in range(1, 7))],
        [[us_date(i, []), f"Person {i}", *row] for i, row in enumerate(answers(12, 6, LIKERT, agree=0.3, seed=5))]))  # fmt: skip
    yield Case("Google Forms, three columns", "refused", written(
        ["Timestamp", "Is the answer correct?", "Is the answer complete?"],
        [[us_date(i, []), *row] for i, row in enumerate(answers(40, 2, YN, agree=0.6, seed=5))]))  # fmt: skip
    yield Case("Krippendorff's matrix", "transposed A,B,C,D", ",".join(["rater", *(f"u{i}" for i in range(1, 13))]) + "\n"
        "A,1,2,3,3,2,1,4,1,2,,,\nB,1,2,3,3,2,2,4,1,2,5,,3\nC,,3,3,3,2,3,4,2,2,5,1,\nD,1,2,3,3,2,4,4,1,2,5,1,\n")  # fmt: skip
    yield Case("Krippendorff's matrix without names", "refused", ",".join(["", *(f"{i}" for i in range(1, 13))]) + "\n"
        "A,1,2,3,3,2,1,4,1,2,,,\nB,1,2,3,3,2,2,4,1,2,5,,3\nC,,3,3,3,2,3,4,2,2,5,1,\nD,1,2,3,3,2,4,4,1,2,5,1,\n")  # fmt: skip
    yield Case(
        "coders in rows",
        "transposed coder1,coder2,coder3",
        turned(wide(["coder1", "coder2", "coder3"], item="coder", name=lambda i: f"t{i}")),
    )
    yield Case("judge logs", "long question_id/judge/score", records(written(
        ["question_id", "model", "judge", "score", "turn", "tstamp"],
        [[i // 3, "vicuna", ["gpt-4", "claude", "human"][i % 3], 1 + i * i % 9, 1, 1_680_000_000.5 + i] for i in range(60)])))  # fmt: skip
    yield Case("comparisons of models", "preferences question_id/judge/model_a/model_b/winner", written(
        ["question_id", "model_a", "model_b", "winner", "judge", "turn"],
        [[i // 3, "vicuna", "alpaca", ["model_a", "model_b", "tie"][i * i % 3], f"author_{i % 3}", 1] for i in range(60)]))  # fmt: skip
    yield Case("measuring hate speech", "refused", written(
        ["comment_id", "annotator_id", "sentiment", "respect", "insult", "hatespeech", "text"],
        [[i // 3, i % 7, i % 5, i * 3 % 5, i * 7 % 5, i * i % 3, text(i // 3, [])] for i in range(70)]))  # fmt: skip
    yield Case("a workbook of codes", "wide Coder 1,Coder 2", wide(
        ["Coder 1", "Coder 2"], ("A1", "A2", "B1", "C"), item="Segment", before={"Interview": of("I1", "I2", "I3"), "Quote": text}, after={"Memo": of("discuss", "")}))  # fmt: skip
    yield Case("radiology readers", "wide Reader 1,Reader 2,Reader 3", wide(
        ["Reader 1", "Reader 2", "Reader 3"], ("benign", "malignant"), item="Patient ID", before={"Age": number, "Scan date": us_date}))  # fmt: skip
    yield Case("answers of a language model and a person", "wide human_label,llm_label", wide(
        ["human_label", "llm_label"], ("correct", "incorrect"), item="id", before={"question": text, "response": text}, after={"llm_explanation": text, "latency_ms": number}))  # fmt: skip
    yield Case(
        "one label per item",
        "refused",
        written(["id", "text", "label"], [[i, text(i, []), "abc"[i % 3]] for i in range(20)]),
    )
    yield Case("predictions with probabilities", "wide label,prediction", written(
        ["text", "label", "prediction", "prob_pos", "prob_neg"], [[text(i, []), "pn"[i % 2], "pn"[i * i % 3 % 2], probability(i, []), probability(i + 7, [])] for i in range(40)]))  # fmt: skip


def count_tables() -> Iterator[Case]:
    trio = ["positive", "negative", "neutral"]
    for item in ("item", "Units", "id", "Subject", "text_id", "name", "", None):
        yield Case(f"counts with item column {item}", "counts " + ",".join(trio), counts(trio, item=item))
    yield Case("counts, Units last", "counts " + ",".join(trio), counts(trio, item="Units", item_last=True))
    yield Case("counts, id last", "counts a,b,c", counts(["a", "b", "c"], item="id", item_last=True))
    yield Case("counts, equal sums", "counts a,b,c", counts(["a", "b", "c"], least=5, most=5))
    yield Case("counts, equal sums, two labels", "counts a,b", counts(["a", "b"], least=5, most=5))
    yield Case("counts, numbered labels", "counts 1,2,3,4,5", counts(list(FIVE), least=14, most=14))
    yield Case("counts, numbered labels, unequal", "counts 1,2,3,4,5", counts(list(FIVE), least=10, most=14))
    yield Case(
        "counts, unequal, no telling names", "counts p,q,r,s", counts(["p", "q", "r", "s"], least=3, most=5, agree=0.8)
    )
    yield Case("counts, many annotators", "counts yes,no", counts(["yes", "no"], least=8, most=11))
    yield Case("counts with a total", "counts a,b,c", counts(["a", "b", "c"], after={"total": lambda i, r: len(r)}))
    yield Case("counts with a text", "counts " + ",".join(trio), counts(trio, before={"text": text}))
    yield Case("counts with a topic", "counts " + ",".join(trio), counts(trio, before={"source": of("news", "blog")}))
    yield Case("counts, one of them nearly empty", "counts yes,no,unsure", counts(["yes", "no", "unsure"], agree=0.9))
    yield Case("counts, perfect agreement", "counts yes,no", counts(["yes", "no"], agree=1.0))
    yield Case("Fleiss 1971", "counts depression,personality disorder,schizophrenia,neurosis,other",
        "patient,depression,personality disorder,schizophrenia,neurosis,other\n1,0,0,0,6,0\n2,0,3,0,0,3\n3,0,1,4,0,1\n4,0,0,0,0,6\n5,0,3,0,3,0\n6,2,0,4,0,0\n7,0,0,4,0,2\n")  # fmt: skip
    yield Case("one label written in columns", "refused", written(
        ["id", "p", "q", "r"], [[i, int(i % 3 == 0), int(i % 3 == 1), int(i % 3 == 2)] for i in range(20)]))  # fmt: skip
    yield Case("kinds of toxicity", "refused", written(
        ["id", "toxic", "obscene", "threat", "insult"], [[i, int(i % 3 == 0), int(i % 6 == 0), int(i % 11 == 0), int(i % 6 == 0)] for i in range(40)]))  # fmt: skip
    yield Case(
        "ratings from 0 to 6", "wide ann,bob,cem", wide(["ann", "bob", "cem"], tuple("0123456"), agree=0.5, items=50)
    )
    yield Case(
        "ratings by raters who take turns",
        "wide rater1,rater2",
        written(["id", "rater1", "rater2"], [[i, i % 4, 3 - i % 4] for i in range(20)]),
    )
    yield Case("two annotators crossed", "table yes,no", ",yes,no\nyes,20,5\nno,10,15\n")
    yield Case("two annotators crossed, three labels", "table a,b,c", "A/B,a,b,c\na,10,2,1\nb,3,12,0\nc,0,1,9\n")
    yield Case(
        "two annotators crossed, with margins",
        "table yes,no",
        ",yes,no,Total\nyes,20,5,25\nno,10,15,25\nTotal,30,20,50\n",
    )
    yield Case("shares of two annotators crossed", "refused", ",yes,no\nyes,0.40,0.10\nno,0.20,0.30\n")


def misleading() -> Iterator[Case]:
    yield Case("one column", "refused", "label\na\nb\n")
    yield Case("items and labels", "refused", "item,label\n1,x\n2,y\n3,x\n")
    yield Case("items and texts", "refused", written(["id", "text"], [[i, text(i, [])] for i in range(9)]))
    yield Case(
        "dates alone", "refused", written(["id", "start", "end"], [[i, date(i, []), date(i + 1, [])] for i in range(9)])
    )
    yield Case(
        "identifiers alone",
        "refused",
        written(
            ["user_id", "session_id", "run_id"], [[number(i, []), number(3 * i, []), uuid(i, [])] for i in range(9)]
        ),
    )
    yield Case(
        "numbers of everything",
        "refused",
        written(["price", "weight", "age"], [[100 + i * 7 % 31, 3000 + i * 13 % 17, 20 + i % 40] for i in range(40)]),
    )
    yield Case(
        "people and their answers",
        "refused",
        written(["name", "age", "city"], [[f"P{i}", 20 + i * 7 % 50, ["Rome", "Bonn"][i % 2]] for i in range(20)]),
    )
    yield Case(
        "two dates and a label",
        "refused",
        written(["id", "created", "updated", "label"], [[i, date(i, []), date(i, []), "ab"[i % 2]] for i in range(20)]),
    )
    yield Case(
        "two texts of free words",
        "refused",
        written(["id", "summary_a", "summary_b"], [[i, text(i, []), text(i + 3, []) + "!"] for i in range(20)]),
    )
    yield Case(
        "a label and its number",
        "refused",
        written(["id", "label", "label_id"], [[i, "abc"[i % 3], i % 3] for i in range(20)]),
    )
    yield Case(
        "durations in two columns",
        "refused",
        written(["id", "reading", "writing"], [[i, f"0:{i % 60:02d}:10", f"0:{i * 7 % 60:02d}:20"] for i in range(20)]),
    )
    yield Case(
        "constants",
        "refused",
        written(["id", "project", "version", "label"], [[i, "p", "1", "ab"[i % 2]] for i in range(20)]),
    )
    yield Case("annotators in rows, more than items", "wide ann,bob,cem", "item,ann,bob,cem\n1,x,y,\n2,x,x,y\n")
    yield Case(
        "many columns and few rows",
        "refused",
        written([f"c{i}" for i in range(30)], [["xyz"[(i * j) % 3] for i in range(30)] for j in range(1, 5)]),
    )
    yield Case("the same answers under labels as names", "refused", wide(["positive", "negative", "neutral"], YN))


def strangers() -> Iterator[Case]:
    """Columns that hold the same texts as annotators do, or numbers like theirs, and are none."""
    draw = random.Random(7)

    def any_of(*values: object) -> Cell:
        return lambda i, labels: draw.choice(values)

    two = ["Anna", "Ben"]
    yield Case(
        "a question with the answers of the annotators", "refused", wide(two, YN, after={"duplicate?": any_of(*YN)})
    )
    yield Case("a flag with the answers of the annotators", "refused", wide(two, YN, after={"is_spam": any_of(*YN)}))
    yield Case(
        "a column that has nothing to do with the others",
        "refused",
        wide(two, FIVE, items=60, after={"level": any_of(1, 2, 3)}),
    )
    yield Case(
        "the age of something", "wide Anna,Ben", wide(two, FIVE, after={"age of text": lambda i, r: 20 + i % 40})
    )
    yield Case(
        "the mean of the ratings",
        "wide Anna,Ben",
        wide(two, FIVE, after={"mean": lambda i, r: (int(r[0]) + int(r[1])) / 2}),
    )
    yield Case("the round of annotation", "wide Anna,Ben", wide(two, FIVE, after={"round": any_of(1, 2)}))
    yield Case(
        "scores of a model",
        "refused",
        written(
            ["run", "accuracy", "f1", "recall"], [[i, *(f"{draw.random():.4f}" for _ in range(3))] for i in range(20)]
        ),
    )
    yield Case(
        "days of the week",
        "refused",
        written(
            ["date", "mon", "tue", "wed"],
            [[f"2024-01-{i + 1:02d}", *(draw.randint(0, 9) for _ in range(3))] for i in range(20)],
        ),
    )
    yield Case(
        "three countries of a person",
        "refused",
        written(
            ["id", "home", "work", "birth"], [[i, *(draw.choice(["DE", "FR"]) for _ in range(3))] for i in range(300)]
        ),
    )
    yield Case("counts of many, few labels", "refused", counts(["cat", "dog"], least=20, most=60))
    yield Case("counts of votes", "counts upvotes,downvotes", counts(["upvotes", "downvotes"], least=4, most=9))
    yield Case("a form with the number of the response", "refused", written(
        ["ResponseId", "Q1", "Q2", "Q3", "Q4", "Q5"], [[f"R_{i}", *row] for i, row in enumerate(answers(30, 5, FIVE, agree=0.3, seed=9))]))  # fmt: skip
    yield Case("a form with its participants, who are more than its questions", "refused", written(
        ["participant", "Q1", "Q2", "Q3", "Q4", "Q5"], [[f"p{i}", *row] for i, row in enumerate(answers(30, 5, FIVE, agree=0.3, seed=9))]))  # fmt: skip
    yield Case(
        "kinds within kinds",
        "refused",
        written(["id", "category", "subcategory"], [[i, "AB"[i % 2], f"{'AB'[i % 2]}{i % 4}"] for i in range(30)]),
    )
    yield Case(
        "two systems and a winner",
        "refused",
        written(["a", "b", "winner"], [[f"s{i}", f"s{i + 1}", "ab"[i % 2]] for i in range(20)]),
    )
    yield Case("sets of labels, separated", "wide ann,bob", written(
        ["id", "ann", "bob"], [[i, ";".join(draw.sample("ABC", 2)), ";".join(draw.sample("ABC", draw.randint(1, 2)))] for i in range(30)]))  # fmt: skip
    yield Case(
        "gold and three models",
        "wide gpt-4,claude-3,llama",
        wide(["gpt-4", "claude-3", "llama"], YN, before={"gold": majority}),
    )
    yield Case("two numbered labels of a person", "refused", written(
        ["item", "rater", "label_1", "label_2"], [[i // 2, "ab"[i % 2], draw.choice("xy"), draw.choice("xyz")] for i in range(40)]))  # fmt: skip
    yield Case(
        "comments of each annotator",
        "wide ann_label,bob_label",
        wide(["ann_label", "bob_label"], ("x", "y"), after={"ann_comment": text, "bob_comment": text}),
    )
    yield Case(
        "names by e-mail address",
        "long text/email/label",
        long(["text", "email", "label"], annotators=["a@x.org", "b@x.org"], name=lambda i: text(i, [])),
    )


CASES = [*wide_cases(), *beside_labels(), *long_cases(), *tools(), *count_tables(), *misleading(), *strangers()]
