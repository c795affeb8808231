"""What people type first: a file, a short name, a question about the program itself."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Files, Program

from assent._version import __version__
from assent.cli.app import COMMANDS, program
from assent.cli.report_files import usual_output

LABELS = "item,annotator,label\n" + "".join(
    f"{item},{who},{label}\n"
    for item, row in enumerate(["xxx", "xxy", "yyy", "xxx", "yyx", "yyy"], 1)
    for who, label in zip("abc", row, strict=True)
)


def test_a_file_alone_is_a_short_report(assent: Program, file: Files) -> None:
    path = file("labels.csv", LABELS)
    done = assent(path)
    assert done.code == 0
    for part in ("agreement may be ", "Next: ", "Krippendorff's alpha", "95 % interval", "What to do"):
        assert part in done.out
    assert "Appendix" not in done.out
    assert os.listdir(Path(path).parent) == ["labels.csv"]
    whole = json.loads(assent(path, "--json").out)
    own = {name: whole[name] for name in ("appendix", "made")}
    assert whole == json.loads(assent("report", path, "--json").out) | own


def test_an_option_may_stand_before_the_file(assent: Program, file: Files) -> None:
    path = file("labels.csv", LABELS)
    before, after = (json.loads(assent(*given).out) for given in (("--json", path), (path, "--json")))
    timed = {"made": "", "appendix": {}}
    assert before | timed == after | timed
    assert assent("--scale", "nominal", path).out == assent(path, "--scale", "nominal").out
    assert json.loads(assent("--json", "--example", "story").out)["data"]["items"] == 400
    # Before a command it is not guessed at, and without data there is nothing to report on.
    done = assent("--json", "measure", path)
    assert (done.code, done.out) == (2, "")
    assert (
        done.err
        == "assent: --json stands before the command: put it after measure, as in `assent measure FILE --json`.\n"
    )
    done = assent("--json")
    assert (done.code, done.out) == (2, "")
    assert "No such option: --json" in done.err


@pytest.mark.parametrize("option", ["--nosuch", "--jsno", "--nosuch=x", "-x"])
def test_an_option_that_no_command_has_is_told_as_behind_the_command(assent: Program, file: Files, option: str) -> None:
    path = file("labels.csv", LABELS)
    done = assent(option, "measure", path)
    assert (done.code, done.out) == (2, "")
    assert done.err == assent("measure", option, path).err
    assert done.err.startswith(f"assent: No such option: {option.partition('=')[0]}")
    assert done.err.endswith("; see assent measure --help.\n")
    assert ("--json" in done.err) == (option == "--jsno")


@pytest.mark.parametrize(("option", "name"), [("--label", "labels"), ("--item", "items"), ("--by", "judge")])
def test_a_column_may_be_called_like_a_command(assent: Program, file: Files, option: str, name: str) -> None:
    header, rows = LABELS.split("\n", 1)
    if option == "--by":
        text = f"{header},{name}\n" + "".join(f"{row},{row[0]}\n" for row in rows.splitlines())
    else:
        text = f"{header.replace(option[2:], name)}\n{rows}"
    path = file("labels.csv", text)
    done = assent(option, name, path)
    assert (done.code, done.err) == (0, "")
    assert done.out == assent(path, option, name).out
    assert assent(option, name, "--example", "lecture").err == assent("--example", "lecture", option, name).err
    behind = assent(option, name, "measure", path)
    assert behind.code == 2
    assert f"{option} stands before the command: put it after measure" in behind.err or option == "--by"


def test_a_short_report_says_how_the_file_was_read_and_each_thing_once(assent: Program, file: Files) -> None:
    rows = [
        "doc,ann,bob,Comment",
        *(f"{i},{'pos' if i % 2 else 'neg'},{'pos' if i % 3 else 'neg'},ok" for i in range(12)),
        "12,pos,,",
    ]
    told = assent(file("wide.csv", "\n".join(rows))).out.split("How it was read")[1]
    for part in (
        'Read as wide: item = "doc"',
        'Left out as not being annotators: "Comment"',
        "Left out: 1 missing label",
    ):
        assert part in told
    # The paradox is a finding, a cause and the verdict: its explanation stands once, and so does what to do.
    paradox = assent("--table", "80,10;10,0").out
    assert [
        paradox.count(part) for part in ("makes up 90 % of all labels", "Look at the 20 items", "All coefficients")
    ] == [1, 1, 0]


def test_a_short_report_on_several_questions_shows_each(assent: Program, file: Files) -> None:
    rows = ["id,who,tone,topic"] + [
        f"{i},{who},{'ab'[i % 2]},{'xy'[(i + (who == 'u')) % 2]}" for i in range(8) for who in "uv"
    ]
    rows[3] = "1,u,,x"
    out = assent(file("two.csv", "\n".join(rows)), "--question-columns", "tone,topic").out
    overview, read = out.split("Questions")[1].split("How it was read")
    assert all(part in overview for part in ("tone", "topic", "interval"))
    assert '"tone": Left out: 1 missing label' in read


def test_a_short_report_on_people_and_a_judge_says_who_is_not_counted(assent: Program) -> None:
    # The example is called like a command.
    done = assent("--example", "judge")
    assert (done.code, "160 items, 3 annotators" in done.out) == (0, True)
    assert '"model" agrees with people less than they agree with each other' in done.out


def test_options_of_the_report_follow_the_file(assent: Program, file: Files) -> None:
    done = assent(file("labels.csv", LABELS), "--task", "objective")
    assert (done.code, "0.80" in done.out) == (0, True)


@pytest.mark.parametrize(
    ("name", "report"), [("labels.csv", "labels-report.html"), ("labels.2024.csv", "labels.2024-report.html")]
)
def test_a_report_goes_beside_its_file(assent: Program, file: Files, name: str, report: str) -> None:
    path = Path(file(name, LABELS))
    done = assent("report", str(path))
    page = path.with_name(report)
    assert (done.code, done.err) == (0, f'Wrote "{page}".\n')
    assert page.read_text().startswith("<!doctype html>")


def test_a_report_replaces_an_earlier_one_and_nothing_else_unless_it_is_named(assent: Program, file: Files) -> None:
    path = file("labels.csv", LABELS)
    page = Path(path).with_name("labels-report.html")
    assert assent("report", path).code == 0
    earlier = page.read_text()
    assert assent("report", path, "--title", "Another").code == 0
    assert page.read_text() != earlier
    for mine in (b"<!doctype html><p>notes on assent", b""):
        page.write_bytes(mine)
        done = assent("report", path)
        assert (done.code, done.out, page.read_bytes()) == (2, "", mine)
        assert done.err == (
            f'assent: The report would be written to "{page}", which is there already and is no report of assent: '
            "name the file to write with -o.\n"
        )
    assert assent("report", path, "--brief").code == 0
    assert assent("report", path, "-o", str(page)).code == 0
    assert page.read_text().startswith("<!doctype html>")
    assert assent("report", path).code == 0


def test_a_report_on_an_example_goes_into_the_current_folder(
    assent: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert assent("report", "--example", "lecture").code == 0
    assert os.listdir(tmp_path) == ["lecture-report.html"]


@pytest.mark.parametrize(
    ("short", "name"),
    [
        ("kappa", "cohen-kappa"),
        ("cohen", "cohen-kappa"),
        ("alpha", "krippendorff-alpha"),
        ("Krippendorff", "krippendorff-alpha"),
        ("fleiss", "fleiss-kappa"),
        ("ac1", "gwet-ac"),
        ("AC2", "gwet-ac"),
        ("gwet", "gwet-ac"),
        ("pabak", "brennan-prediger"),
    ],
)
def test_short_names_of_coefficients(assent: Program, file: Files, short: str, name: str) -> None:
    found = json.loads(assent("measure", file("labels.csv", LABELS), "--measure", short, "--json").out)
    assert [one["measure"] for one in found["measures"]] == [name]


def test_a_coefficient_is_a_command(assent: Program, file: Files) -> None:
    labels = file("labels.csv", LABELS)
    assert assent("kappa", labels, "--json").out == assent("measure", labels, "-m", "kappa", "--json").out


def test_the_commands_of_a_look_at_an_example_run(assent: Program) -> None:
    commands = json.loads(assent("look", "--example", "story", "--json").out)["commands"]
    this = shlex.split(commands[0]["command"])
    assert this[:4] == ["assent", "measure", "--example", "story"]
    assert assent(*this[1:]).code == 0


@pytest.mark.parametrize("asked", ["-V", "--version", "version"])
def test_the_version(assent: Program, asked: str) -> None:
    assert assent(asked).out == f"assent {__version__}\n"


def test_help_is_a_word_too(assent: Program) -> None:
    assert assent("help").out == assent("--help").out
    assert assent("help", "plan").out == assent("plan", "--help").out


@pytest.mark.parametrize("word", ["help", "version"])
def test_help_on_a_word_that_is_no_command_is_that_of_the_program(assent: Program, word: str) -> None:
    assert assent("help", word).out == assent("help").out


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--example",), "Option '--example' requires an argument; see assent report --help."),
        (
            ("measure", "x.csv", "--fail-under"),
            "Option '--fail-under' requires an argument; see assent measure --help.",
        ),
        (
            ("kappa", "x.csv", "--level", "a"),
            "Invalid value for '--level': 'a' is not a number; see assent measure --help.",
        ),
        (
            ("x.csv", "--seed", "1.5"),
            "Invalid value for '--seed': '1.5' is not a whole number; see assent report --help.",
        ),
        (("--example", "paradox"), 'There is no example "paradox" (did you mean "paradox1"?): choose one of lecture, '),
    ],
)
def test_an_option_without_its_value_or_with_another_is_named(
    assent: Program, given: tuple[str, ...], said: str
) -> None:
    done = assent(*given)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"assent: {said}")


def test_help_on_a_coefficient_is_that_of_the_command_it_stands_for(assent: Program) -> None:
    assert assent("help", "kappa").out == assent("measure", "--help").out


def test_weighted_kappa_is_not_measured_without_weights(assent: Program, file: Files) -> None:
    refused = assent("weighted-kappa", file("labels.csv", LABELS))
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith("assent: Weighted kappa is cohen-kappa with weights: name that, and give --weights")


def test_standard_input_alone_is_a_short_report(assent: Program) -> None:
    short, long = (
        json.loads(assent(*words, "--json", stdin=LABELS.encode()).out) for words in (["-"], ["report", "-", "--brief"])
    )
    own = dict.fromkeys(("appendix", "made"))
    assert short | own == long | own


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("labels.csv", "labels-report.html"), ("labels.CSV.GZ", "labels-report.html"), ("labels.2023.csv", "labels.2023-report.html"),
        ("v1.2", "v1.2-report.html"), (".csv", ".csv-report.html"), ("-", "report.html"), ("data/a.b.jsonl", os.path.join("data", "a.b-report.html")),
    ],
)  # fmt: skip
def test_reports_on_files_that_differ_before_their_ending_are_two(name: str, written: str) -> None:
    assert usual_output([name]) == written


def test_the_help_of_measure_fits_two_screens(assent: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    screens = assent("measure", "--help").out.splitlines()
    assert len(screens) <= 80
    assert "--generalise" not in "".join(screens)
    whole = assent("measure", "--help-all").out
    assert all(
        option in whole for option in ("--generalise", "--bootstrap", "--fail-on", "--layout", "--words", "--ambiguity")
    )


def test_what_is_no_file_and_no_command(assent: Program) -> None:
    assert assent("nothing.csv").err == 'assent: There is no file "nothing.csv"; check the name.\n'
    assert assent("mesure").err.startswith("assent: No such command 'mesure'. Did you mean 'measure'")


@pytest.mark.parametrize(
    ("shell", "answer"), [("bash", "measure\nmeasures"), ("zsh", '"measure"'), ("fish", "measure")]
)
def test_shells_complete_commands(shell: str, answer: str) -> None:
    words = {"COMP_WORDS": "assent mea", "COMP_CWORD": "1", "_TYPER_COMPLETE_ARGS": "assent mea"}
    asked = {"_ASSENT_COMPLETE": f"complete_{shell}", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    code = "from assent.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | words | asked, capture_output=True, text=True, check=False
    )
    assert answer in done.stdout


@pytest.mark.parametrize(("typed", "meant"), [("kapa", "kappa"), ("helpp", "help"), ("mesure", "measure")])
def test_a_misspelt_command_is_answered_with_what_may_have_been_meant(assent: Program, typed: str, meant: str) -> None:
    done = assent(typed)
    assert done.code == 2
    assert done.err.startswith(f"assent: No such command '{typed}'. Did you mean '{meant}'")
    assert done.err.endswith("? See assent --help.\n")


def test_help_on_what_is_no_command_does_not_offer_help(assent: Program) -> None:
    assert assent("help", "nosuch").err == "assent: No such command 'nosuch'; see assent --help.\n"
    assert "Did you mean 'plan'" in assent("help", "plann").err


def test_measures_says_what_each_takes(assent: Program) -> None:
    told = {one.split("  (")[0]: one for one in assent("measures").out.split("\n\n")}
    assert "Takes labels on these scales: nominal, ordinal, interval, ratio." in told["gwet-ac"]
    assert "Takes rankings; --p: " in told["rbo"]
    assert "Takes spans; " in told["alpha-u"]
    assert "also u-alpha" not in told["alpha-u"]
    assert "--form: 2,1 or 1,1 or 3,1" in told["icc"]
    kinds = {one["measure"]: one["kind"] for one in json.loads(assent("measures", "--json").out)["measures"]}
    assert (kinds["rbo"], kinds["gwet-ac"], kinds["best-worst-agreement"]) == ("rankings", "labels", "best-worst")


def test_measures_names_options_as_they_are_typed(assent: Program) -> None:
    listed = set(re.findall(r"(?<=; )--[\w-]+", assent("measures").out))
    assert "--position-weight" in listed
    assert listed <= set(re.findall(r"--[\w-]+", assent("measure", "--help-all").out))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_all_of_its_help(assent: Program, command: str) -> None:
    done = assent(command, "--help-all")
    assert (done.code, done.err) == (0, "")
    assert f"Usage: assent {command} " in done.out


@pytest.mark.parametrize("given", [("--show-completion", "fish"), ("--show-completion=fish",)])
def test_completion_is_shown_for_the_shell_that_is_named(given: tuple[str, ...]) -> None:
    done = subprocess.run([sys.executable, "-m", "assent", *given], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("complete --command assent"), done.stderr
    other = subprocess.run(
        [sys.executable, "-m", "assent", "--show-completion", "tcsh"], capture_output=True, text=True, check=False
    )
    assert (other.returncode, other.stdout) == (2, "")
    assert "'tcsh' is not one of 'bash', 'zsh', 'fish'" in other.stderr


@pytest.mark.parametrize(
    "given", ["--show-completion", "--install-completion", "--show-completion=zsh", "--install-completion=zsh"]
)
def test_the_script_for_zsh_begins_at_once_however_the_shell_is_named(
    given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from typer import _completion_shared

    scripts = {"zsh": _completion_shared.COMPLETION_SCRIPT_ZSH}
    monkeypatch.setattr(_completion_shared, "_completion_scripts", scripts)
    for _ in range(2):
        program(given)
    made = _completion_shared.get_completion_script(prog_name="assent", complete_var="_A", shell="zsh")
    assert made.count("loadautofunc") == 1


def test_a_note_on_some_coefficients_says_which(assent: Program) -> None:
    told = assent("measure", "--example", "krippendorff").out
    assert (
        "Krippendorff's alpha, Percent agreement: 1 item has one annotation, which there is nothing to compare with."
        in told
    )
    assert (
        "Fleiss' kappa, Conger's kappa, Gwet's AC1: 1 item has one annotation, which there is nothing to compare with "
        "(its label still counts towards chance agreement)." in told
    )
    alone = assent("measure", "--example", "krippendorff", "-m", "alpha").out
    assert "· 1 item has one annotation" in alone


@pytest.mark.parametrize("command", COMMANDS)
def test_numbers_stand_in_help_as_letters(assent: Program, command: str) -> None:
    assert not re.findall("<(?:int|float)>", assent(command, "--help-all").out)
