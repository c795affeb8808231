"""`assent measure --ci etel`: intervals by tilted weights on the command line."""

from __future__ import annotations

import pytest
from tests.cli.conftest import WIDE, Files, Program
from tests.support import some

import assent as library

ONE_LABEL = "item,r1,r2\n" + "".join(f"{item},a,a\n" for item in range(20))


def test_json_names_the_method_and_has_the_library_s_digits(assent: Program, file: Files) -> None:
    path = file("wide.csv", WIDE)
    done = assent("measure", path, "-m", "krippendorff-alpha", "-m", "cohen-kappa", "--ci", "etel", "--json").json
    for one in some(done["measures"]):
        agreement = library.all_measures()[one["measure"]](str(path))
        interval = agreement.confidence_interval(method="etel")
        assert one["ci"] == {
            "low": interval.low,
            "high": interval.high,
            "level": 0.95,
            "method": "etel",
            "kind": None,
            "unit": "items",
            "units": 7,
            "replicates": None,
            "seed": None,
        }
        assert one["standard_error"] == agreement.standard_error()
        assert one["ci"]["low"] < one["value"] < one["ci"]["high"] < 1


@pytest.mark.parametrize("level", ["0.8", "0.99"])
def test_the_level_counts(assent: Program, file: Files, level: str) -> None:
    path = file("wide.csv", WIDE)
    usual, other = (
        assent("measure", path, "-m", "fleiss-kappa", "--ci", "etel", "--level", one, "--json").json["measures"][0][
            "ci"
        ]
        for one in ("0.95", level)
    )
    assert other["level"] == float(level)
    assert (other["low"] < usual["low"]) == (float(level) > 0.95)


def test_an_undefined_value_has_an_interval_and_a_note(assent: Program, file: Files) -> None:
    path = file("one.csv", ONE_LABEL)
    one = assent("measure", path, "-m", "krippendorff-alpha", "--ci", "etel", "--json").json["measures"][0]
    assert one["value"] is None
    assert one["standard_error"] is None
    assert one["ci"]["low"] == pytest.approx(-0.0407, abs=5e-5)
    assert one["ci"]["high"] == pytest.approx(0.9738, abs=5e-5)
    assert any(note.startswith("The value is undefined; the interval holds") for note in one["notes"])
    assert any(note.startswith("0 items carry another label") for note in one["notes"])


def test_the_table_shows_it(assent: Program, file: Files) -> None:
    done = assent("measure", file("one.csv", ONE_LABEL), "-m", "krippendorff-alpha", "--ci", "etel")
    assert done.code == 0
    assert "−0.041 to 0.974" in done.out
    assert "Intervals: tilted weights (etel), over items." in done.out


def test_every_label_against_the_rest(assent: Program, file: Files) -> None:
    done = assent("measure", file("wide.csv", WIDE), "-m", "gwet-ac", "--ci", "etel", "--by-label", "--json").json
    assert {one["ci"]["method"] for one in done["measures"][0]["by_label"]} == {"etel"}


def test_it_is_the_default_and_others_are_there_for_the_asking(assent: Program, file: Files) -> None:
    for options, method in (([], "etel"), (["--ci", "analytic"], "analytic"), (["--ci", "jackknife"], "jackknife")):
        done = assent("measure", file("wide.csv", WIDE), "-m", "gwet-ac", "--json", *options).json
        assert done["measures"][0]["ci"]["method"] == method


def test_other_annotators(assent: Program, file: Files) -> None:
    rows = ["a,a,b", "b,b,b", "a,a,a", "b,a,b", "a,a,a", "b,b,a", "b,b,b", "a,b,a"]
    three = file("three.csv", "item,x,y,z\n" + "".join(f"{i},{row}\n" for i, row in enumerate(rows)))
    plain, wide = (
        assent("measure", three, "-m", "fleiss-kappa", "--json", "--generalise", about).only
        for about in ("items", "annotators")
    )
    assert wide["ci"]["unit"] == "items and annotators"
    assert wide["ci"]["low"] < plain["ci"]["low"] < plain["ci"]["high"] <= wide["ci"]["high"] <= 1
    refused = assent("measure", file("two.csv", WIDE), "--generalise", "annotators")
    assert refused.code == 2
    assert "--generalise annotators needs three annotators or more, and there are 2" in refused.err


def test_a_misspelt_method_is_refused_with_the_choices(assent: Program, file: Files) -> None:
    done = assent("measure", file("wide.csv", WIDE), "--ci", "etal")
    assert done.code == 2
    assert "etel" in done.err
