"""Every option does what its help says."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.cli.conftest import LONG, NUMBERS, SPANS, WIDE, Files, Program
from tests.support import every, label_measures, parser, some

import assent as library
from assent.scales import WEIGHTS


def test_every_option_of_measure_and_measures_is_tested_here() -> None:
    """An option of these commands without a test in this folder, or in those of spans and examples, fails this one."""
    folders = (Path(__file__).parent, *(Path(__file__).parents[1] / name for name in ("spans", "examples")))
    tested = "".join(path.read_text() for folder in folders for path in folder.glob("test_*.py"))
    commands = parser().commands
    parameters = [one for name in ("measure", "measures") for one in commands[name].params]
    options = {option for one in parameters for option in one.opts if option[0] == "-"}
    assert {"--measure", "--fail-under", "--json", "--layout"} <= options
    own = {option for option, _, _ in OWN}
    assert sorted(option for option in options - own if f'"{option}"' not in tested) == []


def test_cleaning_and_lines_to_skip(assent: Program, tmp_path: Path) -> None:
    file = tmp_path / "codes.csv"
    rows = ["x,Yes", "y,yes", "x,no", "y,no", "x,unsure", "y,no", "x,yes", "y,maybe"]
    file.write_text("Codes\nitem,rater,label\n" + "".join(f"{i // 2},{row}\n" for i, row in enumerate(rows)))
    options = [
        "--ignore-case",
        "--rename",
        "yes=ja",
        "--merge",
        "unsure,maybe=open",
        "--without",
        "items=0",
        "--only",
        "annotators=x,y",
    ]
    done = assent("measure", str(file), "--skip-rows", "1", *options, "-m", "percent-agreement", "--json")
    found = json.loads(done.out)["data"]
    assert (found["labels"], found["annotations"]) == (["ja", "no", "open"], 6)
    for wrong in (["--rename", "yes"], ["--only", "people=x"], ["--merge", "=x"]):
        assert assent("measure", str(file), "--skip-rows", "1", *wrong).code == 2


def test_measures_are_shown_in_the_order_they_were_named(assent: Program, wide: str) -> None:
    done = assent("measure", wide, "--json", "--measure", "spa", "-m", "krippendorff-alpha", "-m", "percent_agreement")
    assert list(done.measures) == ["spa", "krippendorff-alpha", "percent-agreement"]


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval", "ratio"])
def test_a_scale(assent: Program, numbers: str, scale: str) -> None:
    for name, one in some(assent("measure", numbers, "--json", "--scale", scale).measures.items()):
        assert one["value"] == library.all_measures()[name](numbers, scale=scale).value
        assert one["options"]["scale"] == scale


def test_a_scale_that_a_measure_does_not_take_is_refused(assent: Program, numbers: str) -> None:
    done = assent("measure", numbers, "-m", "lin-concordance", "--scale", "nominal")
    assert (done.code, done.out) == (2, "")
    assert done.err == "assent: lin-concordance takes the scale interval, not nominal: choose another measure.\n"


def test_words_of_a_second_scale(assent: Program, wide: str) -> None:
    """Alpha is called by Krippendorff's words; others are added on request, and an unknown scale is refused."""
    done = assent("measure", wide, "-m", "krippendorff-alpha", "--words", "landis-koch")
    assert "(Krippendorff 2004)" in done.out
    assert "(Landis & Koch 1977)" in done.out
    assert "(Landis & Koch 1977)" not in assent("measure", wide, "-m", "krippendorff-alpha").out
    assert assent("measure", wide, "--words", "fair-enough").code == 2


@pytest.mark.parametrize("weights", WEIGHTS)
def test_weights_by_name(assent: Program, numbers: str, weights: str) -> None:
    one = assent("measure", numbers, "--json", "-m", "fleiss-kappa", "--weights", weights).only
    assert one["value"] == library.fleiss_kappa(numbers, weights=weights).value
    assert one["options"] == {"scale": None, "weights": weights}


MATRIX = "label,b,unused,a\na,0.25,0,1\nb,1,0.5,0.25\nunused,0.5,1,0\n"


@pytest.mark.parametrize("text", [MATRIX, "\ufeff" + MATRIX, MATRIX.replace("\n", "\r\n"), MATRIX + "\n\n"])
def test_weights_from_a_file_are_matched_by_label(assent: Program, file: Files, wide: str, text: str) -> None:
    one = assent("measure", wide, "--json", "-m", "fleiss-kappa", "--weights", file("weights.csv", text)).only
    assert one["value"] == library.fleiss_kappa(wide, weights=[[1, 0.25], [0.25, 1]]).value
    assert one["options"] == {"scale": None, "weights": "custom"}


def test_weights_of_labels_that_hold_separators(assent: Program, file: Files) -> None:
    """Whatever a line of text may end with, a label may hold."""
    labels = ["x,y", "line\nbreak", "next\x85line", "separator\u2028here", 'quo"te', "tab\there"]
    cells = ['"' + label.replace('"', '""') + '"' for label in labels]
    data = "item,r1,r2\n" + "".join(
        f"{i},{one},{two}\n" for i, (one, two) in enumerate(zip(cells, cells[1:] + cells[:1], strict=True))
    )
    weights = (
        ","
        + ",".join(cells)
        + "\n"
        + "".join(f"{cell},{','.join('1' if i == j else '0.5' for j in range(6))}\n" for i, cell in enumerate(cells))
    )
    one = assent(
        "measure", file("data.csv", data), "--json", "-m", "percent-agreement", "--weights", file("w.csv", weights)
    ).only
    assert one["value"] == 0.5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", '"weights.csv" is empty: weights need label names in the first row and the first column.'),
        (
            ",a\na,1\n",
            '"weights.csv" has no weights for the label "b": each label needs a row and a column of its name.',
        ),
        (",a,b\na,1,x\nb,0,1\n", '"weights.csv" has "x" in row "a", column "b": a weight is a number from 0 to 1.'),
        (",a,b\na,1\nb,0,1\n", '"weights.csv" has "" in row "a", column "b": a weight is a number from 0 to 1.'),
        (",a,b\na,1,0.2\nb,0.3,1\n", "weights must be symmetric and 1 on the diagonal: a label agrees with itself."),
        (",a,b\na,1,1.5\nb,1.5,1\n", "weights must lie between 0 (as far apart as can be) and 1 (the same)."),
        (",a,b\na,1,nan\nb,nan,1\n", "weights must lie between 0 (as far apart as can be) and 1 (the same)."),
        (b"\xff\xfe\x00\x9f", '"weights.csv" is not UTF-8 text: write the weights as a CSV file.'),
    ],
)
def test_weights_that_cannot_be_used(assent: Program, file: Files, wide: str, text: str | bytes, message: str) -> None:
    done = assent("measure", wide, "-m", "fleiss-kappa", "--weights", file("weights.csv", text))
    assert (done.code, done.out, done.err) == (2, "", f"assent: {message}\n")


def test_a_label_that_stands_twice_in_a_file_of_weights_is_refused(assent: Program, file: Files, wide: str) -> None:
    """Which of the two rows is meant cannot be told."""
    done = assent("measure", wide, "--weights", file("weights.csv", ",a,b\na,1,0.9\nb,0.5,1\nb,0.9,1\n"))
    assert (done.code, done.out) == (2, "")


def test_a_cell_of_any_length_in_a_file_of_weights_is_no_defect(assent: Program, file: Files, wide: str) -> None:
    done = assent("measure", wide, "--weights", file("weights.csv", f",a,b\na,1,{'0' * 200_000}\nb,0.5,1\n"))
    assert done.code == 2
    assert "defect" not in done.err


def test_weights_that_are_neither_a_name_nor_a_file(assent: Program, wide: str) -> None:
    done = assent("measure", wide, "--weights", "linaer")
    assert (done.code, done.out) == (2, "")
    assert 'weights is "linaer", which is not one of identity, linear,' in done.err
    assert "(did you mean linear?)" in done.err


def test_an_order_of_the_labels(assent: Program, file: Files) -> None:
    path = file("words.csv", "item,r1,r2\n1,low,mid\n2,high,high\n3,mid,high\n4,low,low\n5,low,high\n")
    done = assent("measure", path, "--json", "--scale", "ordinal", "--order", "low,mid,high")
    assert done.json["data"]["labels"] == ["low", "mid", "high"]
    spelled = library.krippendorff_alpha([[1, 2], [3, 3], [2, 3], [1, 1], [1, 3]], scale="ordinal")
    assert done.measures["krippendorff-alpha"]["value"] == pytest.approx(spelled.value, abs=1e-15)
    other = assent("measure", path, "--json", "--scale", "ordinal", "--order", "mid,low,high")
    assert other.measures["krippendorff-alpha"]["value"] != done.measures["krippendorff-alpha"]["value"]


def test_an_order_with_a_label_that_holds_a_comma_or_that_nobody_used(assent: Program, file: Files) -> None:
    path = file("comma.csv", 'item,r1,r2\n1,"a, b",c\n2,c,c\n3,"a, b","a, b"\n')
    done = assent("measure", path, "--json", "--order", '"a, b",c,unused')
    assert done.json["data"]["labels"] == ["a, b", "c", "unused"]


def test_words_without_an_order_have_no_ordered_scale(assent: Program, wide: str) -> None:
    done = assent("measure", wide, "--scale", "ordinal")
    assert (done.code, done.out) == (2, "")
    assert "give it with --order" in done.err


@pytest.mark.parametrize(
    "arguments",
    [("-m", "spa", "--scheme", "nonsense"), ("-m", "fleiss-kappa", "--scheme", "edges"), ("--scheme", "nonsense")],
)
def test_a_scheme_that_is_unknown_or_that_no_measure_takes_is_refused(
    assent: Program, wide: str, arguments: tuple[str, ...]
) -> None:
    done = assent("measure", wide, *arguments)
    assert (done.code, done.out) == (2, "")


#: A table that every measure of a kind takes.
TABLES = {"labels": NUMBERS, "spans": SPANS}
OWN = [
    (f"--{option}", name, value)
    for name, measure in label_measures().items()
    for option, values in measure.choices.items()
    for value in values
]


@pytest.mark.parametrize(("option", "name", "value"), OWN)
def test_the_own_options_of_a_measure(assent: Program, file: Files, option: str, name: str, value: str) -> None:
    """--scheme, --average, --incomplete, --form, --prior and whatever comes: each has the same name everywhere."""
    numbers = file("data.csv", TABLES[library.all_measures()[name].kind])
    one = assent("measure", numbers, "--json", "-m", name, option, value).only
    assert one["value"] == library.all_measures()[name](numbers, **{option[2:]: value}).value
    assert one["options"][option[2:]] == value


def test_each_label_against_the_rest(assent: Program, numbers: str) -> None:
    one = assent("measure", numbers, "--json", "-m", "fleiss-kappa", "--by-label").only
    apart = library.fleiss_kappa.by_label(numbers)
    assert [part["label"] for part in one["by_label"]] == list(apart)
    assert [part["value"] for part in one["by_label"]] == [agreement.value for agreement in apart.values()]
    assert assent("measure", numbers, "--json", "-m", "fleiss-kappa").only["by_label"] is None
    assert "each label against the rest" in assent("measure", numbers, "-m", "fleiss-kappa", "--by-label").out


@pytest.mark.parametrize("ci", ["analytic", "jackknife", "bootstrap"])
def test_a_way_to_make_intervals(assent: Program, wide: str, ci: str) -> None:
    one = assent("measure", wide, "--json", "-m", "fleiss-kappa", "--ci", ci, "--replicates", "100").only
    assert one["ci"]["method"] == ci
    assert one["standard_error"] == library.fleiss_kappa(wide).standard_error(ci, replicates=100)
    assert one["ci"]["replicates"] == (100 if ci == "bootstrap" else None)
    assert one["ci"]["seed"] == (0 if ci == "bootstrap" else None)


@pytest.mark.parametrize("kind", ["bca", "percentile"])
def test_a_kind_of_bootstrap(assent: Program, wide: str, kind: str) -> None:
    one = assent(
        "measure", wide, "--json", "-m", "fleiss-kappa", "--ci", "bootstrap", "--bootstrap", kind, "--seed", "5"
    ).only
    interval = library.fleiss_kappa(wide).confidence_interval(method="bootstrap", kind=kind, seed=5)
    assert (one["ci"]["low"], one["ci"]["high"], one["ci"]["kind"]) == (interval.low, interval.high, kind)


def test_a_level(assent: Program, wide: str) -> None:
    one = assent("measure", wide, "--json", "-m", "fleiss-kappa", "--level", ".5").only
    interval = library.fleiss_kappa(wide).confidence_interval(0.5)
    assert (one["ci"]["low"], one["ci"]["high"], one["ci"]["level"]) == (interval.low, interval.high, 0.5)
    assert "50 % interval" in assent("measure", wide, "--level", "0.5").out


def test_a_seed_decides_every_digit(assent: Program, wide: str) -> None:
    def ends(*options: str) -> tuple[float, float]:
        one = assent(
            "measure", wide, "--json", "-m", "fleiss-kappa", "--ci", "bootstrap", "--bootstrap", "percentile", *options
        ).only
        return one["standard_error"], one["ci"]["seed"]

    assert ends("--seed", "1") == ends("--seed", "1")
    assert ends("--seed", "1")[0] != ends("--seed", "2")[0]
    assert ends() == ends("--seed", "0")


def test_the_columns_of_a_long_table(assent: Program, file: Files) -> None:
    text = "a,b,c,d\n" + "".join(
        f"{label},{who},{item},{item}\n" for item, who, label in (line.split(",") for line in LONG.split()[1:])
    )
    done = assent("measure", file("odd.csv", text), "--json", "--item", "c", "--annotator", "b", "--label", "a")
    assert done.json["data"]["layout"] == "long"
    assert done.measures["krippendorff-alpha"]["value"] == library.krippendorff_alpha(file("long.csv", LONG)).value
    assert done.json["data"]["notes"] == []


def test_the_columns_of_a_wide_table(assent: Program, file: Files) -> None:
    path = file("wide.csv", "text,x,y,z\nt1,a,a,q\nt2,b,b,q\nt3,a,b,q\n")
    done = assent("measure", path, "--json", "-m", "spa", "--annotators", "x,y", "--item", "text")
    assert done.json["data"]["layout"] == "wide"
    assert done.json["data"]["annotators"] == 2
    assert done.only["value"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("layout", "text", "items", "annotators"),
    [
        ("long", LONG, 5, 2),
        ("wide", WIDE, 7, 2),
        ("counts", "item,yes,no\n1,3,0\n2,1,1\n", 2, None),
        ("table", ",a,b\na,5,2\nb,1,4\n", 12, 2),
    ],
)
def test_a_layout(assent: Program, file: Files, layout: str, text: str, items: int, annotators: int | None) -> None:
    for said in ((), ("--layout", layout)) if layout != "counts" else (("--layout", layout),):
        data = assent("measure", file("data.csv", text), "--json", *said).json["data"]
        assert (data["layout"], data["items"], data["annotators"]) == (layout, items, annotators)


NAMED = ("-m", "krippendorff-alpha", "-m", "fleiss-kappa", "-m", "percent-agreement")


def test_the_same_labels_in_every_layout_give_the_same_numbers(assent: Program, file: Files) -> None:
    wide = [line.split(",") for line in WIDE.split()[1:]]
    texts = {
        "long": "item,annotator,label\n"
        + "".join(f"{i},{who},{label}\n" for i, *labels in wide for who, label in zip("xy", labels, strict=True)),
        "wide": WIDE,
        "counts": "item,a,b\n" + "".join(f"{i},{labels.count('a')},{labels.count('b')}\n" for i, *labels in wide),
        "table": ",a,b\na,3,1\nb,1,2\n",
    }
    found = {
        layout: assent("measure", file(f"{layout}.csv", text), "--json", "--layout", layout, *NAMED).measures
        for layout, text in texts.items()
    }
    for name in some(NAMED[1::2]):
        assert (
            len(
                {
                    json.dumps(
                        [found[layout][name][key] for key in ("value", "observed", "expected", "standard_error")]
                    )
                    for layout in texts
                }
            )
            == 1
        )


def test_rows_that_are_annotators(assent: Program, file: Files) -> None:
    path = file("transposed.csv", "who,i1,i2,i3\nann,a,b,a\nbob,a,b,b\n")
    done = assent("measure", path, "--json", "-m", "spa", "--transpose")
    assert (done.json["data"]["items"], done.json["data"]["annotators"]) == (3, 2)
    assert done.only["value"] == pytest.approx(2 / 3)


def test_clusters(assent: Program, file: Files) -> None:
    text = "item,annotator,label,doc\n" + "".join(f"{line},{int(line[0]) // 2}\n" for line in LONG.split()[1:])
    path = file("docs.csv", text)
    one = assent("measure", path, "--json", "-m", "spa", "--cluster", "doc").only
    plain = assent("measure", path, "--json", "-m", "spa").only
    assert (one["ci"]["unit"], plain["ci"]["unit"]) == ("doc", "items")
    assert one["value"] == plain["value"]
    assert one["standard_error"] != plain["standard_error"]
    assert re.search(
        r"Intervals: tilted weights \(etel\), over .*\bdoc\b", assent("measure", path, "--cluster", "doc").out
    )


def test_words_that_mean_a_missing_label(assent: Program, file: Files) -> None:
    path = file("words.csv", "item,r1,r2,r3\n1,a,a,-\n2,b,none,b\n3,NA,a,a\n4,NA,-,b\n")
    data = assent("measure", path, "--json").json["data"]
    assert data["labels"] == ["-", "a", "b", "none"]
    data = assent("measure", path, "--json", "--missing", "-", "--missing", "none").json["data"]
    assert data["labels"] == ["a", "b"]
    data = assent("measure", path, "--json", "--not-missing", "NA").json["data"]
    assert data["labels"] == ["-", "NA", "a", "b", "none"]


DUPLICATES = "item,annotator,label\n1,x,a\n1,x,b\n1,y,a\n2,x,b\n2,y,b\n"


def test_duplicates_are_an_error_with_a_count_unless_one_is_to_be_kept(assent: Program, file: Files) -> None:
    path = file("twice.csv", DUPLICATES)
    for arguments in ((), ("--duplicates", "error")):
        done = assent("measure", path, *arguments)
        assert (done.code, done.out) == (2, "")
        assert "2 rows are 1 (item, annotator) pairs that occur more than once" in done.err
        assert "--duplicates first or last" in done.err
    for keep, value in (("first", 1.0), ("last", 0.5)):
        done = assent("measure", path, "--json", "-m", "percent-agreement", "--duplicates", keep)
        assert done.only["value"] == value
        assert done.json["data"]["annotations"] == 4
        assert done.json["data"]["dropped"] == [{"reason": f"duplicate (item, annotator), {keep} one kept", "rows": 1}]


@pytest.mark.parametrize(("delimiter", "spelled"), [(";", ";"), ("\t", "tab"), ("|", "|"), (" ", "space"), ("~", "~")])
def test_a_delimiter(assent: Program, file: Files, delimiter: str, spelled: str) -> None:
    path = file("data.txt", WIDE.replace(",", delimiter))
    done = assent("measure", path, "--json", "-m", "spa", "--delimiter", spelled)
    assert done.json["data"]["items"] == 7
    assert done.only["value"] == library.spa(file("wide.csv", WIDE)).value


def test_a_decimal_comma(assent: Program, file: Files) -> None:
    path = file("comma.csv", "item;r1;r2\n1;1,5;2,5\n2;3;3\n3;2,5;1,5\n4;0,5;0,5\n")
    point = library.krippendorff_alpha([[1.5, 2.5], [3, 3], [2.5, 1.5], [0.5, 0.5]], scale="interval").value
    for said in ((), ("--decimal", ",")):
        done = assent("measure", path, "--json", "-m", "krippendorff-alpha", "--scale", "interval", *said)
        assert done.only["value"] == point
        assert done.json["data"]["labels"] == ["0,5", "1,5", "2,5", "3"]
    done = assent("measure", path, "--scale", "interval", "--decimal", ".")
    assert done.code == 2


def test_an_encoding(assent: Program, file: Files) -> None:
    path = file("latin.csv", "item,r1,r2\n1,é,é\n2,ü,é\n".encode("latin-1"))
    assert assent("measure", path, "--json", "--encoding", "latin-1").json["data"]["labels"] == ["é", "ü"]
    done = assent("measure", path)
    assert (done.code, done.out) == (2, "")
    assert "--encoding latin-1" in done.err


def test_formats_are_recognised_and_can_be_said(assent: Program, file: Files, tmp_path: Path) -> None:
    rows = [dict(zip(("item", "annotator", "label"), line.split(","), strict=True)) for line in LONG.split()[1:]]
    frame = pl.DataFrame(rows)
    frame.write_parquet(tmp_path / "data.parquet")
    frame.write_excel(tmp_path / "data.xlsx", worksheet="labels")
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    paths = {
        "csv": file("data.csv", LONG),
        "tsv": file("data.tsv", LONG.replace(",", "\t")),
        "json": file("data.json", json.dumps(rows)),
        "jsonl": file("data.jsonl", lines),
        "parquet": str(tmp_path / "data.parquet"),
        "xlsx": str(tmp_path / "data.xlsx"),
    }
    expected = library.krippendorff_alpha(paths["csv"]).value
    for name, path in paths.items():
        for said in ((), ("--format", name)):
            done = assent("measure", path, "--json", "-m", "krippendorff-alpha", *said)
            assert done.only["value"] == expected, name
    assert assent("measure", paths["xlsx"], "--sheet", "labels").code == 0
    done = assent("measure", paths["xlsx"], "--sheet", "lables")
    assert (done.code, done.out) == (2, "")
    assert 'did you mean "labels"?' in done.err
    packed = file("data.csv.gz", gzip.compress(LONG.encode()))
    assert assent("measure", packed, "--json", "-m", "krippendorff-alpha").only["value"] == expected


def test_several_files_are_one_table(assent: Program, file: Files) -> None:
    header, *lines = LONG.splitlines(keepends=True)
    first, second = file("1.csv", header + "".join(lines[:4])), file("2.csv", header + "".join(lines[4:]))
    done = assent("measure", first, second, "--json", "-m", "spa")
    assert done.json["data"]["items"] == 5
    assert done.only["value"] == library.spa(file("long.csv", LONG)).value


@pytest.mark.parametrize(
    "text",
    [
        LONG,
        WIDE,
        json.dumps([{"item": 1, "annotator": "x", "label": "a"}, {"item": 1, "annotator": "y", "label": "b"}]),
    ],
)
def test_standard_input_is_a_file(assent: Program, file: Files, text: str) -> None:
    piped = assent("measure", "-", "--json", stdin=text.encode())
    assert piped.json["measures"] == assent("measure", file("data", text), "--json").json["measures"]


def test_a_test_of_no_agreement_beyond_chance(assent: Program, numbers: str) -> None:
    done = assent("measure", numbers, "--test", "--replicates", "20")
    assert " p " in next(line for line in done.out.splitlines() if "observed" in line)


def test_the_version(assent: Program) -> None:
    assert assent("--version").out == f"assent {library.__version__}\n"


@pytest.mark.parametrize(
    "arguments", [("--help",), ("-h",), ("measure", "--help"), ("measure", "--help-all"), ("measures", "-h")]
)
def test_help_teaches(assent: Program, arguments: tuple[str, ...]) -> None:
    done = assent(*arguments)
    assert (done.code, done.err) == (0, "")
    assert "Usage:" in done.out
    assert "Show this message and exit." in done.out


def test_help_names_every_option_and_shows_examples(assent: Program) -> None:
    out = assent("measure", "--help").out
    for option in ("--measure", "--scale", "--weights", "--ci", "--json", "--fail-under", "--help-all"):
        assert f" {option} " in out
    assert " --scheme " in assent("measure", "--help-all").out
    assert "assent measure labels.csv" in out


def commands_of_tables() -> list[str]:
    commands = parser().commands
    return [name for name, command in commands.items() if any(one.name == "help_all" for one in command.params)]


@pytest.mark.parametrize("command", commands_of_tables())
def test_how_to_read_a_table_is_told_on_request(assent: Program, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    """What is the same for all commands does not fill the help of each; all of it is there to be asked for."""
    monkeypatch.setenv("COLUMNS", "100")
    short, whole = assent(command, "--help").out, assent(command, "--help-all").out
    parameters = parser().commands[command].params
    hidden = [option for one in parameters if getattr(one, "hidden", False) for option in one.opts]
    assert {"--item", "--layout", "--duplicates", "--multilabel", "--engine"} <= {*hidden}
    assert len(hidden) >= 23
    for option in hidden:
        assert f"\n│ {option} " not in short
        assert f"\n│ {option} " in whole
    assert "How to read the table" in whole
    for line in short.splitlines():
        if line.startswith("│ --"):
            assert line.split()[1] in whole


@pytest.mark.parametrize(("columns", "lines"), [(80, 125), (100, 100), (120, 90)])
def test_the_help_of_measure_fits_two_screens(
    assent: Program, monkeypatch: pytest.MonkeyPatch, columns: int, lines: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    out = assent("measure", "--help").out.splitlines()
    assert len(out) <= lines
    assert max(map(len, out)) <= columns


LONG_VALUE = "x" * 4000


@pytest.mark.parametrize("command", every(2, parser().commands))
def test_a_long_value_is_shortened_where_a_message_repeats_it(
    assent: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, wide: str, command: str
) -> None:
    # Some values are names of files that can be written.
    monkeypatch.chdir(tmp_path)
    parameters = parser().commands[command].params
    options = [one.opts[0] for one in parameters if one.opts[0][0] == "-" and not getattr(one, "is_flag", False)]
    if command not in ("measure", "look"):
        # How a file is read is said alike in every command.
        reading = {one.opts[0] for one in parser().commands["look"].params}
        options = [one for one in options if one not in reading]
    refused = 0
    for option in options:
        done = assent(command, wide, option, LONG_VALUE)
        assert "defect" not in done.err, option
        assert LONG_VALUE[:250] not in done.err, option
        assert len(done.err) < 700, option
        # What is looked at is not read, and the page says why.
        refused += done.code == 2 or "It would not be measured as it is." in done.out
    assert refused >= len(options) / 2
    for arguments in ((LONG_VALUE,), (f"--{LONG_VALUE}",), (f"--{LONG_VALUE}=1",), ("--json", f"--seed={LONG_VALUE}")):
        done = assent(command, *arguments)
        assert done.code == 2
        assert done.err.count("\n") == 1
        assert len(done.err) < 400, arguments


def test_the_table_for_people_has_three_digits_and_says_what_was_read(assent: Program, wide: str) -> None:
    done = assent("measure", wide, "-m", "krippendorff-alpha")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[1] == '7 items, 2 annotators, 14 annotations, 2 labels ("a" and "b")'
    agreement = library.krippendorff_alpha(wide)
    interval = agreement.confidence_interval()
    line = next(line for line in done.out.splitlines() if "Krippendorff's alpha" in line)
    for number in (agreement.value, interval.low, interval.high, agreement.observed, agreement.expected):
        assert f"{number:.3f}".replace("-", "−") in line
    assert "95 % interval" in done.out
    assert "Read as wide" in done.out


def test_the_table_for_people_says_undefined_and_why(assent: Program, file: Files) -> None:
    done = assent("measure", file("one.csv", "item,r1,r2\n1,a,a\n2,a,a\n"), "-m", "fleiss-kappa")
    assert "undefined" in done.out
    assert "The annotators agree on everything" in done.out
    assert not re.search(r"\b(nan|inf)\b", done.out)


@pytest.mark.parametrize("name", label_measures())
def test_every_measure_can_be_shown_to_people(assent: Program, file: Files, name: str) -> None:
    done = assent("measure", file("data.csv", TABLES[library.all_measures()[name].kind]), "-m", name)
    assert (done.code, done.err) == (0, "")
    assert not re.search(r"\b(nan|inf)\b", done.out)


def test_the_list_of_measures_for_people(assent: Program) -> None:
    done = assent("measures")
    for measure in some(library.all_measures().values()):
        assert f"{measure.name}  ({measure.title}" in done.out
        assert measure.summary in done.out


def test_numbers_do_not_depend_on_how_they_are_typed(assent: Program, tmp_path: Path) -> None:
    """Small integers overflow in other packages; here a type is a type."""
    rng = np.random.default_rng(0)
    rows = {"item": np.repeat(np.arange(300), 2), "annotator": np.tile([0, 1], 300), "label": rng.integers(0, 5, 600)}
    values = []
    for dtype in (pl.Int8, pl.UInt8, pl.Int64, pl.Float32):
        path = tmp_path / f"{dtype}.parquet"
        pl.DataFrame(rows).with_columns(pl.col("label").cast(dtype)).write_parquet(path)
        values.append(
            assent("measure", str(path), "--json", "-m", "krippendorff-alpha", "--scale", "interval").only["value"]
        )
    assert len(set(values)) == 1


def test_shares_of_labels_are_given_in_their_order(assent: Program, numbers: str) -> None:
    labels = library.read(numbers).labels
    shares = [0.4, *[0.6 / (len(labels) - 1)] * (len(labels) - 1)]
    text = ",".join(map(repr, shares))
    one = assent("measure", numbers, "--json", "-m", "spa", "--scheme", "inv-var-class", "--shares", text).only
    assert one["value"] == library.spa(numbers, scheme="inv-var-class", shares=shares).value
    assert one["missingness"]["by_annotations"]["method"] is None
    assert assent("measure", numbers, "-m", "spa", "--shares", "0.5,0.5").code == 2
