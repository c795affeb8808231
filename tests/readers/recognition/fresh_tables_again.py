"""A second lot of tables written without a look at the code, after the first lot had been mended: how often is a stranger misread?"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

from tests.readers.recognition.fresh_tables import FIVE, POLAR, YN
from tests.readers.recognition.recognition_shapes import answers, date, text, uuid, written
from tests.readers.recognition.recognition_tables import Case


def second_lot() -> Iterator[Case]:
    """Yield the tables."""
    three = answers(24, 3, YN, agree=0.75, seed=71)
    polar = answers(24, 3, POLAR, agree=0.7, seed=72)
    grades = answers(30, 3, FIVE, agree=0.6, seed=73)
    draw = random.Random(74)

    yield Case("averages below", "refused", written(["Essay", "T1", "T2", "T3"], [*([f"E{i}", *row] for i, row in enumerate(grades)),
        ["Average", *(f"{sum(int(row[j]) for row in grades) / 30:.2f}" for j in range(3))]]))  # fmt: skip
    yield Case("a mean and a spread at the side", "wide T1,T2,T3", written(["Essay", "T1", "T2", "T3", "Mean", "SD"],
        [[f"E{i}", *row, round(sum(map(int, row)) / 3, 2), round(0.1 * (i % 9), 2)] for i, row in enumerate(grades)]))  # fmt: skip
    yield Case("a difference of two", "wide Lehrer A,Lehrer B or refused", written(["Aufsatz", "Lehrer A", "Lehrer B", "Differenz"],
        [[f"A{i}", a, b, abs(int(a) - int(b))] for i, (a, b, _) in enumerate(grades)]))  # fmt: skip
    yield Case("people of two groups", "wide expert_1,expert_2,crowd_1,crowd_2 or refused", written(["id", "expert_1", "expert_2", "crowd_1", "crowd_2"],
        [[i, *row] for i, row in enumerate(answers(24, 4, YN, agree=0.7, seed=75))]))  # fmt: skip
    yield Case("before and after a training", "refused", written(["clip", "pre_anna", "pre_bert", "post_anna", "post_bert"],
        [[f"c{i}", *row] for i, row in enumerate(answers(24, 4, YN, agree=0.7, seed=76))]))  # fmt: skip
    yield Case("stages of sleep", "wide scorer1,scorer2", written(["epoch", "start_time", "scorer1", "scorer2"],
        [[i + 1, f"{22 + i // 120:02d}:{i // 2 % 60:02d}:{30 * (i % 2):02d}", *row] for i, row in enumerate(answers(60, 2, ("W", "N1", "N2", "N3", "R"), agree=0.8, seed=77))]))  # fmt: skip
    yield Case("abstracts with year and journal", "wide Screener 1,Screener 2", written(
        ["PMID", "Title", "Year", "Journal", "Screener 1", "Screener 2", "Reason for exclusion"],
        [[33000000 + i, text(i, []), 2015 + i % 8, ("BMJ", "Lancet", "JAMA")[i % 3], *("include" if c == "yes" else "exclude" for c in row[:2]), "wrong population" if i % 4 == 0 else ""] for i, row in enumerate(three)]))  # fmt: skip
    yield Case(
        "initials",
        "wide AB,MS,JK",
        written(["file", "AB", "MS", "JK"], [[f"img_{i:03d}.png", *row] for i, row in enumerate(polar)]),
    )
    yield Case(
        "initials and notes of one",
        "wide AB,MS",
        written(
            ["file", "AB", "MS", "MS notes"],
            [[f"img_{i:03d}.png", *row[:2], "blurry" if i % 8 == 0 else ""] for i, row in enumerate(polar)],
        ),
    )
    yield Case("a number instead of a name", "long sentence_id/ann_id/stance", written(["ann_id", "sentence_id", "stance"],
        [[j + 1, i + 1, row[j]] for i, row in enumerate(polar) for j in range(3)]))  # fmt: skip
    yield Case(
        "numbers alone in three columns",
        "refused",
        written(["a", "b", "c"], [[draw.randint(1, 5) for _ in range(3)] for _ in range(40)]),
    )
    yield Case("long with the answer in capitals of another question", "long Item/Coder/Value", written(["Item", "Coder", "Variable", "Value"],
        [[f"i{i}", f"c{j}", "tone", row[j]] for i, row in enumerate(polar) for j in range(3)]))  # fmt: skip
    yield Case("several variables below each other", "refused", written(["Item", "Coder", "Variable", "Value"],
        [[f"i{i}", f"c{j}", v, row[j]] for i, row in enumerate(polar) for j in range(3) for v in ("tone", "frame")]))  # fmt: skip
    yield Case(
        "a key of two parts in one text",
        "wide human,model",
        written(["key", "human", "model"], [[f"doc{i // 5}#{i % 5}", *row[:2]] for i, row in enumerate(three)]),
    )
    yield Case("items in the columns, coders in rows, totals at the side", "refused or transposed Coder1,Coder2,Coder3", written(["", *(f"s{i}" for i in range(12)), "Total"],
        [[f"Coder{j + 1}", *(int(row[j] == "yes") for row in three[:12]), sum(row[j] == "yes" for row in three[:12])] for j in range(3)]))  # fmt: skip
    yield Case("clicks of a platform", "refused", written(["event_id", "user_id", "session_id", "page", "action", "ts"],
        [[uuid(i, []), f"u{i % 7}", f"s{i % 11}", f"/p{i % 5}", ("click", "view")[i % 2], date(i, [])] for i in range(60)]))  # fmt: skip
    yield Case("sales", "refused", written(["region", "quarter", "product", "units", "revenue"],
        [[("N", "S", "E", "W")[i % 4], f"Q{1 + i // 4 % 4}", ("x", "y", "z")[i // 16], draw.randint(1, 50), draw.randint(100, 900)] for i in range(48)]))  # fmt: skip
    yield Case("flowers", "refused", written(["sepal_length", "sepal_width", "petal_length", "petal_width", "species"],
        [[round(draw.uniform(4, 8), 1), round(draw.uniform(2, 4), 1), round(draw.uniform(1, 7), 1), round(draw.uniform(0, 2), 1), ("setosa", "virginica")[i % 2]] for i in range(60)]))  # fmt: skip
    yield Case("passengers", "refused", written(["PassengerId", "Survived", "Pclass", "Sex", "Age", "SibSp", "Parch", "Embarked"],
        [[i + 1, draw.randint(0, 1), draw.randint(1, 3), draw.choice(["male", "female"]), draw.randint(1, 70), draw.randint(0, 3), draw.randint(0, 2), draw.choice("SCQ")] for i in range(60)]))  # fmt: skip
    yield Case("a test with a key", "refused", written(["student", *(f"item{k}" for k in range(1, 9))],
        [["KEY", *("ABCD"[k % 4] for k in range(8))], *([f"st{i}", *(draw.choice("ABCD") for _ in range(8))] for i in range(30))]))  # fmt: skip
    yield Case("toxicity by several models, as probabilities", "wide perspective,detoxify,openai", written(["comment_id", "perspective", "detoxify", "openai"],
        [[i, *(round(min(1, max(0, base + draw.gauss(0, 0.1))), 3) for _ in range(3))] for i, base in enumerate(draw.random() for _ in range(40))]))  # fmt: skip
    yield Case("pairs of texts and how alike they are", "wide score_r1,score_r2,score_r3", written(["text1", "text2", "score_r1", "score_r2", "score_r3"],
        [[text(i, []), text(i + 5, []), *row] for i, row in enumerate(grades)]))  # fmt: skip
    yield Case("votes at a meeting", "counts yes,no,abstain", written(["motion", "yes", "no", "abstain"],
        [[f"m{i}", y := draw.randint(0, 9), n := draw.randint(0, 9 - y), 9 - y - n] for i in range(20)]))  # fmt: skip
    yield Case("an adjudicator in her own column", "wide Ann1,Ann2", written(["ID", "Sentence", "Ann1", "Ann2", "Adjudicator (Prof. Lee)"],
        [[i, text(i, []), a, b, a if a == b else c] for i, (a, b, c) in enumerate(polar)]))  # fmt: skip
    yield Case("who is right, in the last column", "wide Ann1,Ann2 or refused", written(["ID", "Ann1", "Ann2", "Correct answer"],
        [[i, a, b, a if a == b else c] for i, (a, b, c) in enumerate(polar)]))  # fmt: skip
    yield Case("a list of labels as Python writes it", "wide a1,a2", written(["id", "a1", "a2"],
        [[i, str(sorted({row[0], row[1]})), str(sorted({row[1], row[2]}))] for i, row in enumerate(polar)]))  # fmt: skip
    yield Case("objects by annotator", "wide ana,ben,cleo or long id/annotator/label or refused", "".join(
        json.dumps({"id": i, "text": text(i, []), "labels": dict(zip(("ana", "ben", "cleo"), row, strict=True))}) + "\n" for i, row in enumerate(polar)))  # fmt: skip
    yield Case("labels in a list, annotators unnamed", "refused or wide 1,2,3 or long id/annotator/labels", "".join(
        json.dumps({"id": i, "text": text(i, []), "labels": row}) + "\n" for i, row in enumerate(polar)))  # fmt: skip
    yield Case("sure or unsure beside each label", "wide R1,R2", written(["Case", "R1", "R1 sure?", "R2", "R2 sure?"],
        [[i, a, ("sure", "unsure")[i % 3 == 0], b, ("sure", "unsure")[i % 4 == 0]] for i, (a, b, _) in enumerate(polar)]))  # fmt: skip
    yield Case("spoken by, labelled by", "long utterance/annotator/emotion", written(["utterance", "speaker", "annotator", "emotion"],
        [[f"u{i}", ("F", "M")[i % 2], f"a{j}", row[j]] for i, row in enumerate(polar) for j in range(3)]))  # fmt: skip
    yield Case("codes with their first letters in capitals or not", "wide Eva,Tom", written(["Nr", "Eva", "Tom"],
        [[i + 1, row[0].title() if i % 2 else row[0], row[1]] for i, row in enumerate(polar)]))  # fmt: skip
    yield Case("a survey of Likert words by respondents", "refused", written(["Respondent ID", "The staff was friendly", "The room was clean", "I would return"],
        [[1000 + i, *(draw.choice(("agree", "neutral", "disagree")) for _ in range(3))] for i in range(40)]))  # fmt: skip


AGAIN = list(second_lot())
