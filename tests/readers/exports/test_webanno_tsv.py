"""WebAnno TSV 3, line by line: stacked and numbered spans, escapes, parts of tokens, layers that are not measured."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.errors import AssentError, UnreadableFile
from assent.readers.exports import webanno_tsv
from assent.readers.exports.webanno_tsv import parse_webanno_tsv, split_unescaped, unescaped

SPAN = "custom.Span"
RESERVED = ("\\", "[", "]", "|", "_", "->", ";", "\t", "\n", "*")


def tsv(*lines: str, version: str = "3.3") -> str:
    return "\n".join([f"#FORMAT=WebAnno TSV {version}", *lines]) + "\n"


def escaped(value: str) -> str:
    """Return a value as the format's description has it written."""
    for mark in RESERVED:
        value = value.replace(mark, {"\t": "\\t", "\n": "\\n"}.get(mark, f"\\{mark}"))
    return value


def spans(text: str, layer: str = SPAN) -> list:
    return sorted(parse_webanno_tsv(text, "a file").layers[layer].spans)


def test_one_span_over_several_rows():
    text = tsv(f"#T_SP={SPAN}|value", "", "", "#Text=Mira Okafor left",
               "1-1\t0-4\tMira\tPER[1]\t", "1-2\t5-11\tOkafor\tPER[1]\t", "1-3\t12-16\tleft\tVERB\t")  # fmt: skip
    assert spans(text) == [(0, 11, ("PER",)), (12, 16, ("VERB",))]


def test_a_span_over_two_sentences():
    text = tsv(f"#T_SP={SPAN}|value", "", "", "#Text=So .", "1-1\t0-2\tSo\t_\t", "1-2\t3-4\t.\tX[1]\t", "",
               "#Text=Yes .", "2-1\t5-8\tYes\tX[1]\t", "2-2\t9-10\t.\t_\t")  # fmt: skip
    assert spans(text) == [(3, 8, ("X",))]


def test_stacked_spans_are_each_one_span():
    text = tsv(f"#T_SP={SPAN}|value", "", "", "#Text=Champions League", "1-1\t0-9\tChampions\tORG[1]|ORG[2]|PART[3]\t",
               "1-2\t10-16\tLeague\tORG[1]|ORG[2]|PART[3]\t")  # fmt: skip
    assert spans(text) == [(0, 16, ("ORG",)), (0, 16, ("ORG",)), (0, 16, ("PART",))]


def test_stacked_spans_of_different_extent():
    text = tsv(
        f"#T_SP={SPAN}|value",
        "",
        "",
        "#Text=Sundby Bank",
        "1-1\t0-6\tSundby\tORG[1]|LOC[2]\t",
        "1-2\t7-11\tBank\tORG[1]\t",
    )
    assert spans(text) == [(0, 6, ("LOC",)), (0, 11, ("ORG",))]


def test_parts_of_tokens_and_empty_spans():
    text = tsv(f"#T_SP={SPAN}|value", "", "", "#Text=aaaaaa bbbbbb", "1-1\t0-6\taaaaaa\tx[1]\t", "1-1.1\t3-6\taaa\ty[2]\t",
               "1-2\t7-13\tbbbbbb\t_\t", "1-2.1\t7-10\tbbb\tx[1]|y[2]\t", "1-2.2\t13-13\t\tz\t")  # fmt: skip
    assert spans(text) == [(0, 10, ("x",)), (3, 10, ("y",)), (13, 13, ("z",))]
    assert parse_webanno_tsv(text, "a file").text == "aaaaaa bbbbbb"


def test_no_value_is_an_empty_label_and_several_features_stay_together():
    text = tsv(
        f"#T_SP={SPAN}|identifier|value",
        "",
        "",
        "#Text=a b",
        "1-1\t0-1\ta\t*[1]|Q1[2]\tPER[1]|*[2]\t",
        "1-2\t2-3\tb\t*\t*\t",
    )
    assert spans(text) == [(0, 1, ("", "PER")), (0, 1, ("Q1", "")), (2, 3, ("", ""))]


def test_a_layer_without_features():
    text = tsv(
        f"#T_SP={SPAN}|", "", "", "#Text=word.", "1-1\t0-4\tword\t_\t", "1-1.1\t4-4\t\t*\t", "1-2\t4-5\t.\t*[1]\t"
    )
    assert spans(text) == [(4, 4, ()), (4, 5, ())]


def test_what_looks_like_a_number_or_a_stack_but_is_escaped():
    text = tsv(f"#T_SP={SPAN}|value", "", "", "#Text=a b c", "1-1\t0-1\ta\tNOT\\[0\\]\t", "1-2\t2-3\tb\ta\\|b\\_c\\->d\\;\\*\t",
               "1-3\t4-5\tc\tback\\\\[7]\t")  # fmt: skip
    assert spans(text) == [(0, 1, ("NOT[0]",)), (2, 3, ("a|b_c->d;*",)), (4, 5, ("back\\",))]


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), min_size=1))
def test_escapes_go_both_ways(value):
    assert unescaped(escaped(value)) == value
    stacked = f"{escaped(value)}[1]|{escaped(value)}[2]"
    assert [unescaped(part[:-3]) for part in split_unescaped(stacked, "|")] == [value, value]


def test_offsets_behind_an_emoji():
    text = tsv(f"#T_SP={SPAN}|value", "", "", "#Text=😀 Mira 🏠 .", "1-1\t0-2\t😀\tE\t", "1-2\t3-7\tMira\tPER\t",
               "1-3\t8-10\t🏠\t_\t", "1-4\t11-12\t.\tDOT\t")  # fmt: skip
    found = parse_webanno_tsv(text, "a file")
    assert found.wide
    assert [(found.text[b:e], *v) for b, e, v in found.layers[SPAN].spans] == [
        ("😀", "E"),
        ("Mira", "PER"),
        (".", "DOT"),
    ]
    assert sorted(found.layers[SPAN].spans)[1][:2] == (2, 6)


def test_an_emoji_in_an_earlier_sentence():
    text = tsv(f"#T_SP={SPAN}|value", "", "", "#Text=Hm 😀", "1-1\t0-2\tHm\t_\t", "1-2\t3-5\t😀\t_\t", "",
               "#Text=Mira", "2-1\t7-11\tMira\tPER\t")  # fmt: skip
    found = parse_webanno_tsv(text, "a file")
    assert found.layers[SPAN].spans == [(6, 10, ("PER",))]
    assert found.text == "Hm 😀\n\nMira"


def test_a_sentence_of_several_lines_and_escaped_marks():
    text = tsv(f"#T_SP={SPAN}|value", "", "", "#Text=This is", "#Text=a\\ttest ;", "1-1\t0-4\tThis\t_\t", "1-2\t5-7\tis\t_\t",
               "1-3\t8-9\ta\tX\t", "1-4\t10-14\ttest\t_\t", "1-5\t15-16\t\\;\tY\t")  # fmt: skip
    found = parse_webanno_tsv(text, "a file")
    assert found.text == "This is\na\ttest ;"
    assert found.layers[SPAN].spans == [(8, 9, ("X",)), (15, 16, ("Y",))]


def test_the_text_is_put_together_from_tokens_where_the_sentence_does_not_fit():
    text = tsv(f"#T_SP={SPAN}|value", "", "", "#Text=other words", "1-1\t0-4\tMira\tPER\t", "1-2\t5-9\tleft\t_\t")
    assert parse_webanno_tsv(text, "a file").text == "Mira\nleft"


def test_no_layer_and_no_trailing_tab():
    found = parse_webanno_tsv(tsv("", "", "#Text=Nothing .", "1-1\t0-7\tNothing\t", "1-2\t8-9\t."), "a file")
    assert found.layers == {}
    assert found.text == "Nothing ."


def test_relations_chains_and_slots_are_counted():
    text = tsv(
        "#T_SP=custom.Simple|",
        "#T_SP=custom.Host|ROLE_custom.Host:links_custom.Link|custom.Simple",
        "#T_CH=custom.CorefLink|referenceRelation|referenceType",
        "#T_RL=custom.Dep|kind|flavor|BT_custom.Simple",
        "", "",
        "#Text=a b c",
        "1-1\t0-1\ta\t_\tp1;p2[4]\t1-2;1-3\t*->1-1\tperson[1]\t_\t_\t_\t",
        "1-2\t2-3\tb\t*\tp1[4]|q\t1-2|1-3[2]\t_\t_\tOBJ|SUBJ\t*|*\t1-3[0_1]|1-1[0_2]\t",
        "1-3\t4-5\tc\t*\t_\t*\t*->1-2\tperson[1]\tOBJ\t*\t1-2\t",
    )  # fmt: skip
    found = parse_webanno_tsv(text, "a file")
    assert found.unmeasured == {
        ("slots", "custom.Host"): 4,
        ("links of chains", "custom.CorefLink"): 2,
        ("relations", "custom.Dep"): 3,
    }
    assert found.layers["custom.Simple"].spans == [(2, 3, ()), (4, 5, ())]
    # The host over two tokens is one, the one without any slot is one, too.
    assert sorted(found.layers["custom.Host"].spans) == [(0, 3, ()), (2, 3, ()), (4, 5, ())]


@pytest.mark.parametrize("version", ["3.0", "3.1", "3.2", "3.3"])
def test_versions(version):
    assert spans(tsv(f"#T_SP={SPAN}|value", "", "#Text=a", "1-1\t0-1\ta\tX\t", version=version)) == [(0, 1, ("X",))]


def test_carriage_returns():
    text = tsv(f"#T_SP={SPAN}|value", "", "#Text=a", "1-1\t0-1\ta\tX\t").replace("\n", "\r\n")
    assert spans(text) == [(0, 1, ("X",))]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (tsv("", version="2.0"), "is WebAnno TSV 2, which is not read; export the document again as WebAnno TSV 3.3"),
        (" # webanno.custom.Span | f1\n1-1\tA\t_\n", "no WebAnno TSV 3"),
        (tsv(f"#T_SP={SPAN}|value", "1-1\t0-1\ta\tX\tY\tZ"), "line 3: 6 columns where the header declares 4"),
        (tsv(f"#T_SP={SPAN}|value", "1-1\t0-1\ta"), "line 3: 3 columns where the header declares 4"),
        (tsv(f"#T_SP={SPAN}|value", "1-1\tx-1\ta\tX\t"), 'line 3: "1-1 x-1" is no token with its place'),
        (tsv(f"#T_SP={SPAN}|value", "1-1\t5-1\ta\tX\t"), "line 3: a token from 5 to 1"),
        (tsv("#T_SP=|value"), "line 2: a layer without a name"),
        (tsv(f"#T_SP={SPAN}|value", "1-1\t900000000-900000001\ta\tX\t"), "has nothing between 0 and 900,000,000"),
    ],
)  # fmt: skip
def test_what_is_refused(text, said):
    with pytest.raises(UnreadableFile, match=said.replace("(", r"\(").replace("|", r"\|")) as error:
        parse_webanno_tsv(text, "a file")
    assert str(error.value).endswith(".")


BASE = tsv(f"#T_SP={SPAN}|identifier|value", "#T_RL=custom.Dep|kind|BT_custom.Span", "", "", "#Text=😀 Mira Okafor",
           "1-1\t0-2\t😀\t_\t_\t_\t_\t", "1-2\t3-7\tMira\t*[1]|Q\\|[2]\tPER[1]|*[2]\tk\t1-1\t", "1-3\t8-14\tOkafor\t*[1]\tPER[1]\t_\t_\t")  # fmt: skip


@given(
    st.lists(
        st.tuples(st.integers(0, len(BASE)), st.integers(0, 4), st.sampled_from("\t\n|[]\\_*;->0123456789#😀=T")),
        max_size=6,
    )
)
def test_broken_files_are_read_or_refused(changes):
    text = BASE
    for at, gone, new in changes:
        text = text[:at] + new + text[at + gone :]
    try:
        found = parse_webanno_tsv(text, "a file")
    except AssentError:
        return
    for layer in found.layers.values():
        assert all(len(values) == len(layer.features) and 0 <= b <= e for b, e, values in layer.spans)


def _parsed(text):
    try:
        return parse_webanno_tsv(text, "a file")
    except UnreadableFile as error:
        return str(error)


@given(
    st.lists(st.sampled_from(["_", "*", "LOC", "a|b", "x[1]", r"a\|b", ""]), min_size=4, max_size=4),
    st.integers(0, 90),
    st.sampled_from(["", "\t", "\n", "\n\n", "#", "-", "9", ".1", "\\", "é", "\U0001f600"]),
    st.integers(0, 1),
)
def test_a_sentence_at_once_is_the_sentence_line_by_line(values, at, noise, gone):
    rows = [f"1-1\t0-2\tSo\t{values[0]}\t{values[1]}\t", f"1-2\t3-6\tsad\t{values[2]}\t{values[3]}\t"]
    sentence = "\n".join(["#Text=So sad", *rows, "", "#Text=Bye", "2-1\t7-10\tBye\t_\t_\t", ""])
    sentence = sentence[:at] + noise + sentence[at + gone :]
    text = f"#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Mood|value\n#T_RL=custom.R|BT_custom.Mood\n\n\n{sentence}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(webanno_tsv._Parser, "regular", lambda *_: False)
        slow = _parsed(text)
    assert _parsed(text) == slow


@given(
    st.sets(st.integers(0, 39), max_size=3),
    st.sampled_from(["1-1.1\t{0}-{1}\ts\tLOC\t", "x", "1-1\t9-8\ts\t_\t", "\t"]),
)
def test_many_sentences_at_once_are_the_sentences_line_by_line(places, row):
    lines = [f"#FORMAT=WebAnno TSV 3.3\n#T_SP={SPAN}|value\n"]
    for n in range(40):
        begin = 10 * n
        words = [f"{n + 1}-{k + 1}\t{begin + 3 * k}-{begin + 3 * k + 2}\tab\t{'LOC' if k else '_'}\t" for k in range(3)]
        lines += ["", "#Text=ab ab ab", *words] + ([row.format(begin, begin + 1)] if n in places else [])
    text = "\n".join(lines) + "\n"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(webanno_tsv._Parser, "regular", lambda *_: False)
        slow = _parsed(text)
    assert _parsed(text) == slow
    assert places or len(slow.layers[SPAN].spans) == 80
