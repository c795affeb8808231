"""Rankings on the command line: how they are read, measured and refused."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.cli.conftest import Files, Program

import assent as library
from assent import Rankings

ROWS = (
    "query,judge,system,rank\n"
    "q1,ann,A,1\nq1,ann,B,2\nq1,ann,C,3\nq1,bob,A,1\nq1,bob,B,3\nq1,bob,C,2\nq1,cid,A,2\nq1,cid,B,1\nq1,cid,C,3\n"
    "q2,ann,A,1\nq2,ann,B,2\nq2,ann,C,3\nq2,bob,A,1\nq2,bob,B,2\nq2,bob,C,3\n"
)
COLUMNS = ("--item", "query", "--annotator", "judge", "--object", "system", "--rank", "rank")
MEASURES = ("mean-spearman", "mean-kendall", "kendall-w", "rbo", "tau-ap", "weighted-tau")


def test_rows_of_rankings_are_measured(assent: Program, file: Files) -> None:
    path = file("rankings.csv", ROWS)
    named = [part for name in MEASURES for part in ("-m", name)]
    done = assent("measure", path, *COLUMNS, *named, "--json")
    assert (done.code, done.err) == (0, "")
    assert done.json["data"]["kind"] == "rankings"
    assert (done.json["data"]["items"], done.json["data"]["objects"], done.json["data"]["annotations"]) == (2, 3, 15)
    data = library.read(path)
    for name in MEASURES:
        assert done.measures[name]["value"] == library.all_measures()[name](data).value
    # rho of the three pairs of q1 is 0.5, 0.5 and -0.5; of q2 it is 1.
    assert done.measures["mean-spearman"]["value"] == pytest.approx((0.5 / 3 + 1) / 2)
    assert done.measures["kendall-w"]["expected"] == pytest.approx((1 / 3 + 1 / 2) / 2)


def test_without_an_item_column_there_is_one_list(assent: Program, file: Files) -> None:
    rows = "judge,system,points\n" + "".join(f"j{j},s{s},{(s * 7 + j * s) % 11}\n" for j in range(4) for s in range(6))
    done = assent(
        "measure", file("one.csv", rows), "--annotator", "judge", "--object", "system", "--score", "points", "--json"
    )
    assert done.json["data"]["items"] == 1
    points = np.array([[(s * 7 + j * s) % 11 for j in range(4)] for s in range(6)])
    wanted = library.rbo(Rankings.from_matrix(points, scores=True))
    assert done.measures["rbo"]["value"] == pytest.approx(wanted.value)
    assert done.measures["rbo"]["ci"]["unit"] == "annotators"


OPTIONS = [
    ("rbo", "--p", "0.7"), ("rbo", "--ties", "w"), ("tau-ap", "--ties", "a"), ("tau-ap", "--truth", "ann"),
    ("mean-kendall", "--gaps", "listwise"), ("kendall-w", "--gaps", "pairwise"), ("mean-spearman", "--unit", "auto"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "option", "value"), OPTIONS)
def test_their_own_options(assent: Program, file: Files, name: str, option: str, value: str) -> None:
    path = file("rankings.csv", ROWS.replace("q1,cid,C,3\n", ""))
    done = assent("measure", path, "-m", name, option, value, "--json")
    assert (done.code, done.err) == (0, "")
    measure = library.all_measures()[name]
    assert done.only["value"] == measure(library.read(path), **{option[2:]: value}).value
    assert str(done.only["options"][option[2:]]) == value
    assert name in MEASURES


def test_a_matrix_of_objects_and_annotators(assent: Program, file: Files) -> None:
    matrix = "object,a,b,c\nx,1,2,1\ny,2,1,3\nz,3,3,2\nw,4,4,4\n"
    path = file("matrix.csv", matrix)
    one = assent("measure", path, "--layout", "rank-matrix", "-m", "mean-spearman", "--json")
    assert "3 annotators rank 4 objects" in json.dumps(one.json["data"]["notes"])
    ranks = [[1, 2, 1], [2, 1, 3], [3, 3, 2], [4, 4, 4]]
    assert one.only["value"] == library.mean_spearman(Rankings.from_matrix(ranks)).value
    turned = assent("measure", path, "--layout", "score-matrix", "-m", "rbo", "--json").only["value"]
    assert turned == pytest.approx(library.rbo(Rankings.from_matrix(ranks, scores=True)).value)
    rows = file("rows.csv", "who,x,y,z,w\na,1,2,3,4\nb,2,1,3,4\nc,1,3,2,4\n")
    wrong = assent("measure", rows, "--layout", "rank-matrix")
    assert (wrong.code, wrong.out) == (2, "")
    assert "ranks from 1 to 4 in every row" in wrong.err
    assert "--transpose" in wrong.err
    right = assent("measure", rows, "--layout", "rank-matrix", "--transpose", "-m", "mean-spearman", "--json")
    assert right.only["value"] == one.only["value"]


def test_numbers_that_are_no_ranks_are_ranked_and_said_to_be(assent: Program, file: Files) -> None:
    path = file("times.csv", "judge,object,rank\na,x,5.4\na,y,5.5\na,z,5.1\nb,x,1\nb,y,2\nb,z,3\n")
    done = assent("measure", path, "-m", "mean-spearman", "--json")
    assert any("1 ranking of 2 is not in ranks" in note for note in done.json["data"]["notes"])
    tied = file("tied.csv", "judge,object,rank\na,x,1\na,y,2.5\na,z,2.5\nb,x,1\nb,y,1\nb,z,2\nc,x,1\nc,y,1\nc,z,3\n")
    said = assent("measure", tied, "-m", "mean-kendall", "--json").json["data"]["notes"]
    assert not any("not in ranks" in note for note in said)


PREFLIB = """# FILE NAME: 1.toc
# NUMBER ALTERNATIVES: 3
# ALTERNATIVE NAME 1: Ann
# ALTERNATIVE NAME 2: Bob
# ALTERNATIVE NAME 3: Cid
2: 1,2,3
1: 1,{2,3}
"""


def test_preflib_files(assent: Program, file: Files) -> None:
    data = library.read(file("votes.toc", PREFLIB))
    assert isinstance(data, Rankings)
    assert (data.annotators, data.objects) == (("voter 1", "voter 2", "voter 3"), ("Ann", "Bob", "Cid"))
    assert data.position.tolist() == [1, 2, 3, 1, 2, 3, 1, 2.5, 2.5]
    old = library.read(file("old.soc", "3\n1,Ann\n2,Bob\n3,Cid\n3,3,2\n2,1,2,3\n1,3,2,1\n"))
    assert old.n_annotations == 9
    part = library.read(file("part.soi", PREFLIB.replace("1: 1,{2,3}", "1: 2")))
    assert (part.n_annotations, part.incomplete) == (7, 1)
    for wrong, why in (
        ("1: 1,2", 'leaves "Cid" out in line 7'),
        ("1: 1,2,2", '"Bob" is ranked twice'),
        ("1: 1,{2,9}", 'line 7: there is no alternative "9"'),
        ("x", "line 7: it must be a number"),
        ("99999999999: 1,2,3", "take a sample of the voters"),
    ):
        done = assent("measure", file("bad.toc", PREFLIB.replace("1: 1,{2,3}", wrong)))
        assert (done.code, done.out) == (2, "")
        assert why in done.err


BAD = {
    "twice": (ROWS + "q2,bob,C,3\n", 'line 17: "bob" ranked "C" before in the list "q2", in line 16'),
    "no object": (ROWS.replace("q1,bob,B,3", "q1,bob,,3"), "line 6: the object is missing"),
    "no number": (ROWS.replace("q1,bob,B,3", "q1,bob,B,third"), 'line 6: "rank" is "third"; it must be a number'),
    "no rank": (ROWS.replace("q1,bob,B,3", "q1,bob,B,"), 'line 6: "rank" is empty'),
    "infinite": (ROWS.replace("q1,bob,B,3", "q1,bob,B,inf"), 'line 6: "rank" is "inf"'),
    "no rows": ("query,judge,system,rank\n", "no rows"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_rows_are_refused_with_their_line(assent: Program, file: Files, case: str) -> None:
    text, why = BAD[case]
    done = assent("measure", file("bad.csv", text), *COLUMNS)
    assert (done.code, done.out) == (2, "")
    assert why in done.err
    assert done.err.count("\n") == 1


def test_what_does_not_fit_together_is_refused(assent: Program, file: Files) -> None:
    path = file("rankings.csv", ROWS)
    for arguments, why in (
        (("--object", "nothing"), "does not have"),
        (("--object", "system", "--label", "rank"), "does not fit a table of rankings"),
        (("--object", "system", "--annotator", "system"), "both name the column"),
        (("--object", "system", "--layout", "long"), "does not fit a long table"),
        (("--object", "system", "--winner", "judge"), "leave those of one out"),
        (("-m", "rbo", "--p", "2"), "between 0 and 1"),
        (("-m", "cohen-kappa"), "about labels, and the data are rankings"),
    ):
        done = assent("measure", path, *arguments)
        assert (done.code, done.out) == (2, "")
        assert why in done.err, arguments


VOTES = "prompt,judge,model_a,model_b,winner\n" + "".join(
    f"p{p},j{j},gpt,llama,{w}\n"
    for p, votes in enumerate(("gpt gpt llama", "model_a model_b tie", "left right gpt"))
    for j, w in enumerate(votes.split())
)


def test_preferences_are_measured(assent: Program, file: Files) -> None:
    path = file("votes.csv", VOTES)
    named = (
        "--left",
        "model_a",
        "--right",
        "model_b",
        "--winner",
        "winner",
        "--item",
        "prompt",
        "--annotator",
        "judge",
    )
    for arguments in ((), named):
        done = assent("measure", path, *arguments, "--json")
        assert (done.code, done.err) == (0, "")
        assert (done.json["data"]["kind"], done.json["data"]["items"]) == ("preferences", 3)
        # Two of three pairs agree on p0, none of p1, one of p2.
        assert done.only["observed"] == pytest.approx((1 / 3 + 0 + 1 / 3) / 3)
    credit = assent("measure", path, "--tie-credit", "0.5", "--json").only
    assert credit["observed"] == pytest.approx((1 / 3 + 1 / 3 + 1 / 3) / 3)


BAD_VOTES = {
    "not in the game": (
        VOTES + "p3,j1,gpt,llama,claude\n",
        'line 11: the winner "claude" is neither "gpt" nor "llama"',
    ),
    "against itself": (VOTES + "p3,j1,gpt,gpt,gpt\n", 'line 11: "gpt" is compared with itself'),
    "twice": (VOTES + "p2,j2,gpt,llama,gpt\n", "line 11"),
    "nobody": (VOTES + "p3,,gpt,llama,gpt\n", "line 11: the annotator is missing"),
    "no object": (VOTES + "p3,j1,gpt,,gpt\n", "line 11: the object is missing"),
}


@pytest.mark.parametrize("case", BAD_VOTES)
def test_bad_votes_are_refused_with_their_line(assent: Program, file: Files, case: str) -> None:
    text, why = BAD_VOTES[case]
    done = assent("measure", file("bad.csv", text))
    assert (done.code, done.out) == (2, "")
    assert why in done.err
    assert done.err.count("\n") == 1


def test_a_vote_without_a_winner_is_left_out_and_said(assent: Program, file: Files) -> None:
    done = assent("measure", file("votes.csv", VOTES + "p3,j1,gpt,llama,\n"), "--json")
    assert done.json["data"]["dropped"] == [{"reason": "no winner", "rows": 1}]
    assert done.json["data"]["annotations"] == 9


CHOICES = "who,shown,best,worst\n" + "".join(
    f"j{j},{s},{s[0]},{s[-1]}\n" for s in ("a;b;c;d", "a;c;e;f", "b;d;e;f") for j in range(3)
)


def test_best_worst_choices_are_measured(assent: Program, file: Files) -> None:
    columns = ("--annotator", "who", "--shown", "shown", "--best", "best", "--worst", "worst")
    done = assent("measure", file("choices.csv", CHOICES), *columns, "--json")
    assert (done.code, done.err) == (0, "")
    assert (done.only["value"], done.only["expected"]) == (1, 0.25)
    assert done.only["details"]["split_half_spearman"] == pytest.approx(1)
    wide = "who,w1,w2,w3,w4,best,worst\n" + "".join(
        f"j{j},{s.replace(';', ',')},{s[0]},{s[-1]}\n" for s in ("a;b;c;d", "a;c;e;f", "b;d;e;f") for j in range(3)
    )
    other = assent("measure", file("wide.csv", wide), *columns[:2], "--shown", "w1,w2,w3,w4", *columns[4:], "--json")
    assert other.only["value"] == 1
    bad = assent("measure", file("bad.csv", CHOICES.replace("j1,a;c;e;f,a,f", "j1,a;c;e;f,b,f")), *columns)
    assert (bad.code, bad.out) == (2, "")
    assert 'line 6: "b" is called the best but was not shown' in bad.err


def test_the_usual_commands_answer_for_rankings(assent: Program, file: Files) -> None:
    path = file("rankings.csv", ROWS)
    who = assent("annotators", path, "--json").json
    assert [one["annotator"] for one in who["annotators"]] == ["cid", "bob", "ann"]
    # cid is 0.5 from ann and -0.5 from bob; the other two agree at (0.5 + 1) / 2 on the two lists they share.
    assert who["annotators"][0] == {"annotator": "cid", "lists": 1, "objects": 3, "agreement": 0.0, "without": 0.75}
    items = assent("items", path, "--json").json
    assert [(one["item"], one["agreement"]) for one in items["items"]] == [("q1", pytest.approx(0.5 / 3)), ("q2", 1.0)]
    assert items["objects"][0]["object"] == "B"
    shown = assent("look", path, "--json").json
    assert shown["layout"] == "rankings"
    assert {one["name"]: one["role"] for one in shown["columns"]} == {
        "query": "item", "judge": "annotator", "system": "object", "rank": "rank",
    }  # fmt: skip
    command = shown["commands"][0]["command"].split()
    assert assent(*command[1:], "--json").json["data"]["kind"] == "rankings"
    for name in ("annotators", "items", "look"):
        done = assent(name, path)
        assert (done.code, done.err) == (0, "")
        assert not any(word in done.out.split() for word in ("nan", "None"))
    planned = assent("plan", path, "--half-width", "0.1", "--json")
    assert planned.json["plan"]["measure"] == "mean-spearman"
    one = assent("plan", file("one.csv", ROWS.split("q2")[0]), "--half-width", "0.1")
    assert (one.code, one.out) == (2, "")
    assert "There is one list" in one.err
    labels = assent("labels", path)
    assert (labels.code, labels.out) == (2, "")
    assert "The data are rankings, and this is about labels" in labels.err


def test_the_usual_commands_answer_for_preferences(assent: Program, file: Files) -> None:
    path = file("votes.csv", VOTES)
    items = assent("items", path, "--json").json
    assert items["strengths"]["objects"][0] == {
        **items["strengths"]["objects"][0],
        "object": "gpt",
        "wins": 5.5,
        "comparisons": 9,
    }
    assert [one["agreement"] for one in items["items"]] == [0.0, pytest.approx(1 / 3), pytest.approx(1 / 3)]
    who = assent("annotators", path, "--json").json["annotators"]
    assert {one["annotator"]: one["comparisons"] for one in who} == {"j0": 3, "j1": 3, "j2": 3}
    choices = file("choices.csv", CHOICES)
    columns = ("--annotator", "who", "--shown", "shown", "--best", "best", "--worst", "worst")
    scores = assent("items", choices, *columns, "--json").json["objects"]
    assert scores[0] == {"object": "a", "score": 1.0, "shown": 6, "best": 6, "worst": 0}
    assert assent("annotators", choices, *columns, "--json").json["annotators"][0]["agreement"] == 1
    for path_, options in ((path, ()), (choices, columns)):
        for name in ("annotators", "items", "look"):
            assert (assent(name, path_, *options).code, assent(name, path_, *options).err) == (0, "")
        refused = assent("items", path_, *options, "-o", "x.csv")
        assert (refused.code, refused.out) == (2, "")


def test_reports_of_rankings_and_preferences(assent: Program, file: Files) -> None:
    columns = ("--annotator", "who", "--shown", "shown", "--best", "best", "--worst", "worst")
    for name, text, options, figures in (
        ("rankings.csv", ROWS, (), ("ranks", "judges")),
        ("votes.csv", VOTES, (), ("strengths",)),
        ("choices.csv", CHOICES, columns, ()),
    ):
        made = file(f"{name}.html", "")
        done = assent("report", file(name, text), *options, "-o", made)
        assert done.code == 0
        found = assent("report", file(name, text), *options, "--json").json
        assert {"data", "coefficients", "annotators", "items", "verdict"} <= set(found)
        with open(made, encoding="utf-8") as page:
            content = page.read()
        assert content.count("<svg") >= len(figures) + 1
        assert "disputed" in content or "score" in content


def test_rankings_in_the_export_of_a_tool(assent: Program, file: Files) -> None:
    orders = {1: ("abc", "acb"), 2: ("bca", "bca")}
    tasks = [
        {
            "id": item,
            "data": {"text": "x"},
            "annotations": [
                {
                    "id": 10 * item + who,
                    "completed_by": who,
                    "result": [
                        {
                            "id": "r",
                            "type": "ranker",
                            "from_name": "order",
                            "to_name": "t",
                            "value": {"ranker": {"best": list(order)}},
                        }
                    ],
                }
                for who, order in enumerate(said, start=1)
            ],
        }
        for item, said in orders.items()
    ]
    path = file("export.json", json.dumps(tasks))
    found = assent("measure", path, "--question", "order", "-m", "mean-spearman", "--json")
    assert (found.code, found.err) == (0, "")
    assert found.only["value"] == pytest.approx((0.5 + 1) / 2)
    # The only question need not be named.
    assert assent("measure", path, "-m", "mean-spearman", "--json").only["value"] == found.only["value"]


def test_a_report_on_one_list_says_what_the_interval_covers(assent: Program, file: Files) -> None:
    path = file("one.csv", "\n".join(line.split(",", 1)[1] for line in ROWS.splitlines()[:10]) + "\n")
    done = assent("report", path, "--json")
    assert done.code == 0
    told = done.json["how_to_report"]
    assert "on 1 list of 3 objects with 9 ranks by 3 annotators." in told["methods"]
    assert "jackknife over 3 annotators" in told["methods"]
    assert "identity" not in told["methods"]
    assert told["limitations"].startswith("The interval covers the choice of annotators, not of objects")
    assert "Kendall's W was 0.44 (0.00 to 1.00; 0.33 by chance)" in told["results"]
    assert "& expected &" in told["latex_table"]
    assert "only" not in done.json["verdict"]["sentence"]
    # Three annotators are too few for it.
    assert not any(
        "use the bootstrap" in note for one in done.json["coefficients"]["measures"] for note in one["notes"]
    )


def test_a_report_on_votes_and_lists_calls_them_so(assent: Program, file: Files) -> None:
    told = assent("report", file("rankings.csv", ROWS), "--json").json["how_to_report"]
    assert "of 3 annotators on 2 lists of 3 objects (15 ranks)." in told["latex_table"]
    assert told["limitations"].startswith("The interval covers the choice of lists, not of annotators")


def test_scores_of_the_objects_of_many_lists_are_rankings(assent: Program, file: Files) -> None:
    ranks = [line.split(",") for line in ROWS.splitlines()[1:]]
    scores = "\n".join(["query,judge,system,score", *(f"{q},{j},{s},{10 - int(r)}" for q, j, s, r in ranks)])
    found = assent("measure", file("scores.csv", scores), "-m", "tau-ap", "--json")
    assert found.json["data"]["kind"] == "rankings"
    assert found.measures["tau-ap"]["value"] == pytest.approx(
        assent("measure", file("ranks.csv", ROWS), "-m", "tau-ap", "--json").measures["tau-ap"]["value"]
    )
    # Without lists they are labels as well, and the message says how to have them ranked.
    alone = "\n".join(line.split(",", 1)[1] for line in scores.splitlines()[:10])
    refused = assent("measure", file("alone.csv", alone), "-m", "kendall-w")
    assert (refused.code, "--object with --rank or --score" in refused.err) == (2, True)


@pytest.mark.parametrize(
    ("head", "orders", "told"),
    [
        ("# DATA TYPE: cat\n", "1: {1,2},3\n", 'of the type "cat", which are no orders'),
        ("# ALTERNATIVE NAME 4: b\n", "1: 1,2,3,4\n", 'calls the alternatives 2 and 4 both "b"'),
    ],
)
def test_preflib_files_that_are_no_orders(assent: Program, file: Files, head: str, orders: str, told: str) -> None:
    names = "".join(f"# ALTERNATIVE NAME {at}: {name}\n" for at, name in enumerate("abc", start=1))
    text = f"# FILE NAME: x.soc\n# NUMBER ALTERNATIVES: 3\n{names}{head}{orders}"
    refused = assent("look", file("x.soc", text))
    assert told in refused.out + refused.err


def test_a_preflib_file_that_was_cut_off_is_noticed(assent: Program, file: Files) -> None:
    names = "".join(f"# ALTERNATIVE NAME {at}: {name}\n" for at, name in enumerate("abc", start=1))
    for said, noticed in ((3, False), (7, True)):
        text = f"# FILE NAME: x.soc\n# NUMBER ALTERNATIVES: 3\n# NUMBER VOTERS: {said}\n{names}2: 1,2,3\n1: 3,1,2\n"
        notes = assent("measure", file("x.soc", text), "--json").json["data"]["notes"]
        assert any("check that it is whole" in note for note in notes) == noticed
    old = "3\n1,a\n2,b\n3,c\n9,9,2\n2,1,2,3\n1,3,1,2\n"
    assert any("9 voters" in one for one in assent("measure", file("o.soc", old), "--json").json["data"]["notes"])


def test_a_matrix_of_ranks_from_zero_has_an_orientation_too(assent: Program, file: Files) -> None:
    path = file("matrix.csv", "judge,A,B,C,D\nx,0,1,2,3\ny,1,0,3,2\nz,0,2,1,3\n")
    refused = assent("measure", path, "--layout", "rank-matrix")
    assert (refused.code, "ranks from 0 to 3 in every row" in refused.err) == (2, True)
    assert assent("measure", path, "--layout", "rank-matrix", "--transpose").code == 0


def test_best_worst_choices_as_they_are_published(assent: Program, file: Files) -> None:
    head = "TupleID,Worker,Item1,Item2,Item3,Item4,BestItem,WorstItem\n"
    rows = "1,p,a,b,c,d,a,d\n1,q,a,b,c,d,a,c\n2,p,d,c,b,a,b,d\n2,q,d,c,b,a,a,d\n3,p,a,c,e,f,a,f\n3,q,a,c,e,f,e,f\n"
    done = assent("measure", file("choices.csv", head + rows), "--json")
    # The tuples 1 and 2 show the same objects.
    assert (done.code, done.json["data"]["items"]) == (0, 3)
    assert done.measures["best-worst-agreement"]["observed"] == 0.5
    look = assent("look", file("choices.csv", head + rows), "--json").json
    assert [one["role"] for one in look["columns"]] == ["item", "annotator", *["shown"] * 4, "best", "worst"]
    without = "\n".join(line.split(",", 1)[1] for line in (head + rows).splitlines())
    refused = assent("measure", file("without.csv", without))
    assert refused.code == 2
    assert 'line 4: "p" judged the same objects before' in refused.err
    assert "--item" in refused.err
    # A number of the row tells no sets apart.
    numbered = "\n".join(
        [
            "ID," + without.splitlines()[0],
            *(f"{n},{line}" for n, line in enumerate(without.splitlines()[1:3] + without.splitlines()[5:])),
        ]
    )
    assert assent("measure", file("numbered.csv", numbered), "--json").json["data"]["items"] == 2


def test_one_annotator_of_votes_is_told_what_there_is(assent: Program, file: Files) -> None:
    refused = assent("measure", file("votes.csv", "judge,left,right,winner\nj,a,b,a\nj,b,c,b\nj,a,c,c\n"))
    assert (refused.code, "assent annotators" in refused.err) == (2, True)


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        # Ranks with a tie at its middle place, at its first place, and with an object left out.
        ("who,x,y,z,w\np1,1,2.5,2.5,4\np2,2,1,3,4\np3,4,2,3,1\n", "ranks from 1 to 4 in every row"),
        ("who,x,y,z,w\np1,1,2,2,4\np2,2,1,3,4\np3,4,2,3,1\n", "ranks from 1 to 4 in every row"),
        ("who,x,y,z,w\np1,1,2,3,\np2,2,1,3,4\np3,4,2,3,1\n", "ranks from 1 to 4 in every row"),
        # No ranks either way, but the rows are called judges.
        ("judge,x,y,z\np1,1.5,7,2\np2,9,4,4.5\n", "names annotators in its rows, and its columns hold no ranks"),
    ],
)
def test_a_matrix_that_only_makes_sense_the_other_way_round_is_refused(
    assent: Program, file: Files, rows: str, told: str
) -> None:
    path = file("matrix.csv", rows)
    refused = assent("measure", path, "--layout", "rank-matrix", "-m", "kendall-w")
    assert (refused.code, refused.out) == (2, "")
    assert told in refused.err
    assert "--transpose" in refused.err
    turned = assent("measure", path, "--layout", "rank-matrix", "--transpose", "-m", "kendall-w", "--json")
    assert (turned.code, turned.json["data"]["annotators"]) == (0, rows.count("p"))


def test_the_corner_of_a_matrix_may_name_its_columns(assent: Program, file: Files) -> None:
    ranks = file("ranks.csv", "judge,ann,bob\nx,1,1\ny,2,3\nz,3,2\nw,4,4\n")
    assert assent("measure", ranks, "--layout", "rank-matrix", "-m", "kendall-w", "--json").json["data"]["objects"] == 4
    times = file("times.csv", "judge,ann,bob\nx,1.5,2.5\ny,2.5,7\nz,4,3\n")
    named = assent("measure", times, "--layout", "rank-matrix", "--object", "judge", "-m", "kendall-w", "--json")
    assert named.json["data"]["objects"] == 3


def test_ranks_with_annotators_in_the_rows_are_noticed_by_look(assent: Program, file: Files) -> None:
    path = file("matrix.csv", "judge,x,y,z,w\nann,1,2,3,4\nbob,2,1,3,4\ncy,4,2,3,1\n")
    assert "--layout rank-matrix and --transpose" in " ".join(assent("look", path).out.split())


@pytest.mark.parametrize(
    ("name", "kind", "orders", "told"),
    [
        (
            "votes.txt",
            "soc",
            "2: 1,2,3\n1: 3,1\n",
            "every order of a .soc file is complete: add it, or make it a .soi file",
        ),
        ("votes.soi", "soi", "2: 1,2\n1: {3,1}\n", "orders of a .soi file have none: break it, or make it a .toi file"),
        (
            "votes.soc",
            "soc",
            "2: 1,2,3\n1: {3,1},2\n",
            "orders of a .soc file have none: break it, or make it a .toc file",
        ),
    ],
)
def test_preflib_files_are_what_they_say(
    assent: Program, file: Files, name: str, kind: str, orders: str, told: str
) -> None:
    names = "".join(f"# ALTERNATIVE NAME {n}: o{n}\n" for n in (1, 2, 3))
    refused = assent("look", file(name, f"# DATA TYPE: {kind}\n# NUMBER ALTERNATIVES: 3\n{names}{orders}"))
    assert refused.code == 2
    assert told in refused.err
    assert f"line {6 + 1}" in refused.err


def test_a_vote_without_one_of_its_objects_names_the_column(assent: Program, file: Files) -> None:
    for row, told in (("bob,,y,y", '"one"'), ("bob,x,,x", '"two"')):
        votes = file("votes.csv", f"judge,one,two,won\nann,x,y,x\n{row}\n")
        flags = ("--annotator", "judge", "--left", "one", "--right", "two", "--winner", "won")
        refused = assent("measure", votes, *flags)
        assert (refused.code, "line 3" in refused.err, told in refused.err) == (2, True, True)


def test_plans_and_comparisons_take_the_options_of_measures(assent: Program, file: Files) -> None:
    lists = file("lists.csv", ROWS.replace("q2", "q3") + ROWS.split("\n", 1)[1].replace("q1", "q4"))
    found = assent("compare", lists, lists, "-m", "rbo", "--p", "0.7", "--ties", "w", "--ci", "none", "--json")
    assert (found.code, found.err) == (0, "")
    wanted = library.rbo(library.read(lists), p=0.7, ties="w").value
    assert found.json["measures"][0]["values"][0]["value"] == wanted
    assert assent("plan", lists, "-m", "rbo", "--p", "0.7", "--ties", "w", "--json").json["plan"]["value"] == wanted
    refused = assent("compare", lists, lists, "-m", "kendall-w", "--p", "0.7")
    assert (refused.code, "--p is an option of rbo" in refused.err) == (2, True)


def test_plans_and_comparisons_of_labels_with_a_distance(assent: Program, file: Files) -> None:
    # Texts with commas are labels as a whole.
    rows = [
        (i, who, f"it rains, {'softly' if i * at % 3 else 'hard'}, on day {i}")
        for i in range(8)
        for at, who in enumerate("abc")
    ]
    text = "item,annotator,answer\n" + "".join(f'{i},{who},"{said}"\n' for i, who, said in rows)
    path = file("texts.csv", text)
    flags = ("--label", "answer", "-m", "krippendorff-alpha", "--distance", "levenshtein", "--json")
    wanted = assent("measure", path, *flags).only["value"]
    assert assent("compare", path, path, *flags).json["measures"][0]["values"][0]["value"] == wanted
    assert assent("plan", path, *flags).json["plan"]["value"] == wanted


def test_details_show_small_p_values_and_no_empty_table(assent: Program, file: Files) -> None:
    rows = "judge,system,rank\n" + "".join(f"j{j},s{s},{s}\n" for j in range(6) for s in range(1, 7))
    flags = ("--annotator", "judge", "--object", "system", "--rank", "rank", "-m", "kendall-w")
    assert "friedman p < 0.0001" in " ".join(assent("measure", file("alike.csv", rows), *flags).out.split())
    alone = assent("measure", file("alone.csv", "judge,system,rank\na,x,1\nb,x,1\n"), *flags)
    assert (alone.code, "details" in alone.out) == (0, False)
