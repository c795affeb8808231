"""CoNLL column files: schemes of tags, entities, tokens that must match."""

import io
import json
import random
import zipfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.readers.exports.span_scores import check_question, is_read_or_refused

import assent
from assent.errors import UnknownLayout, UnreadableFile
from assent.readers.exports import ReadOptions, Source, conll, read_export, recognise
from assent.readers.exports.conll import as_bio2, entities, parse_conll, scheme

CASE = Path(__file__).parent / "cases" / "conll-1"
EXPECTED = json.loads((CASE / "expected.json").read_text(encoding="utf-8"))
FILES = [CASE / f"{name}.conll" for name in ("ada", "ben", "cleo")]


def files(tmp_path: Path, **contents: str | bytes) -> list[Path]:
    paths = []
    for name, content in contents.items():
        path = tmp_path / f"{name}.conll"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        paths.append(path)
    return paths


def columns(tags: str, tokens: str = "Mira Okafor left Port Avern .") -> str:
    return "".join(f"{token} {tag}\n" for token, tag in zip(tokens.split(), tags.split(), strict=True))


def spans(paths: list[Path]) -> list:
    question = read_export(*paths).questions[1]
    return [(a, p[0], label) for a, p, label in zip(question.annotator, question.parts, question.label, strict=True)]


@pytest.mark.parametrize("origins", [FILES, [CASE]], ids=["files", "folder"])
def test_case(origins):
    export = read_export(*origins)
    tag, found = export.questions
    wanted, spans_wanted = EXPECTED["questions"]
    assert (tag.name, tag.kind, found.name) == ("tag", "label", "entities")
    assert len(set(tag.item)) == wanted["items"] == EXPECTED["read"]["tokens"]
    assert Counter(tag.item).most_common()[-1][1] == 3
    assert len(tag.value) == wanted["annotations"]
    assert sorted(set(tag.annotator)) == wanted["annotators"]
    assert Counter(tag.value) == wanted["label_counts"]
    table = assent.Annotations.from_triples(zip(tag.annotator, tag.item, tag.value, strict=True))
    assert abs(assent.krippendorff_alpha(table).value - wanted["agreement"]["krippendorff-alpha nominal"]) < 1e-12
    check_question(found, spans_wanted)
    assert found.offsets == spans_wanted["offsets"]
    said = " ".join(export.said())
    for part in ("3 files with 6 sentences and 78 tokens", "annotator is the name of the file", "are the same",
                 "-DOCSTART- is not a token", "offsets count characters of the text that the tokens make", "scheme BIO2"):  # fmt: skip
        assert part in said
    assert export.left_out == ()


def test_the_emoji_is_a_token():
    export = read_export(*FILES)
    assert export.texts["1-0"] == "😀"
    assert len(export.questions[1].tokens["1"]) == 17


def test_tokens_can_be_counted():
    found = read_export(*FILES, options=ReadOptions(offsets="tokens")).questions[1]
    assert (found.offsets, found.lengths["1"], found.texts) == ("tokens", 17, {})
    # There is no text to cut tokens out of, so that one of a character a token is made here.
    check_question(replace(found, texts={d: "x" * n for d, n in found.lengths.items()}), EXPECTED["questions"][1])
    assert "The offsets count tokens" in " ".join(found.notes)


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("Mira Okafor left Port Avern .", "Mira Okafor left Port Avern."),
        ("It 's small ( is n’t it ? ) , really …", "It's small (isn’t it?), really…"),
        ("« Non » , .5 % of .com", "«Non», .5% of .com"),
        ("我 在 北京 。", "我在北京。"),
        ("😀 The café 🏠 near", "😀 The café 🏠 near"),
        ('say " yes " - or \'s-Hertogenbosch', 'say " yes " - or \'s-Hertogenbosch'),
        ("( 我 ) x", "(我) x"),
    ],
)
def test_the_text_that_tokens_make(tokens, text):
    made = conll.written(tokens.split())
    assert made.text == text
    assert [text[a:b] for a, b in zip(made.starts, made.ends, strict=True)] == tokens.split()


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4), max_size=8))
def test_tokens_stand_in_their_text_in_order(tokens):
    made = conll.written(tokens)
    assert [made.text[a:b] for a, b in zip(made.starts, made.ends, strict=True)] == tokens
    gaps = [made.text[a:b] for a, b in zip([0, *made.ends], [*made.starts, len(made.text)], strict=True)]
    assert set(gaps[1:-1]) <= {"", " "}
    assert gaps[0] == gaps[-1] == ""


def test_the_tokens_of_the_files_are_counted():
    """A full stop that touches the word before it in the text is a token of its own all the same."""
    by_characters, by_tokens = (
        assent.span_f1(assent.read(*FILES, question="entities", offsets=one), match="token").value
        for one in ("codepoints", "tokens")
    )
    assert by_characters == by_tokens


@pytest.mark.parametrize(
    ("tags", "name"),
    [
        ("B-PER I-PER O B-LOC I-LOC O", "BIO2"),
        ("I-PER I-PER O I-LOC I-LOC O", "IO"),
        ("I-PER B-PER O I-LOC I-LOC O", "IOB1"),
        ("B-PER E-PER O S-LOC S-LOC O", "BIOES"),
        ("B-PER L-PER O U-LOC U-LOC O", "BILOU"),
        ("B-PER E-PER O W-LOC W-LOC O", "BIOES"),
        ("B-PER M-PER O W-LOC W-LOC O", "BMEWO"),
        ("O O O O O O", "BIO2"),
        ("NOUN NOUN VERB NOUN NOUN X", "plain"),
    ],
)
def test_schemes(tags, name):
    assert scheme([tags.split()]) == (name, 0)


def test_tags_that_go_on_with_nothing_are_counted():
    assert scheme([["O", "I-PER", "O", "B-LOC", "I-PER"]]) == ("BIO2", 2)
    assert entities(["O", "I-PER", "O", "B-LOC", "I-PER"]) == [(1, 2, "PER"), (3, 4, "LOC"), (4, 5, "PER")]


def written(spans_: list[tuple[int, int, str]], length: int, name: str) -> list[str]:
    tags = ["O"] * length
    for begin, end, kind in spans_:
        inner = end - begin
        if name == "IOB1":
            touches = any(e == begin and k == kind for _, e, k in spans_)
            tags[begin:end] = [f"{'B' if touches else 'I'}-{kind}"] + [f"I-{kind}"] * (inner - 1)
        elif name == "BIO2":
            tags[begin:end] = [f"B-{kind}"] + [f"I-{kind}"] * (inner - 1)
        else:
            single, last = ("S", "E") if name == "BIOES" else ("U", "L")
            tags[begin:end] = (
                [f"{single}-{kind}"] if inner == 1 else [f"B-{kind}", *[f"I-{kind}"] * (inner - 2), f"{last}-{kind}"]
            )
    return tags


@given(st.integers(0, 10**6), st.sampled_from(["IOB1", "BIO2", "BIOES", "BILOU"]))
def test_entities_come_back_in_every_scheme(seed, name):
    rng = random.Random(seed)
    at, made = 0, []
    while at < 20:
        at += rng.choice([0, 0, 1, 2])
        end = at + rng.randint(1, 3)
        made.append((at, end, rng.choice(["PER", "LOC-X"])))
        at = end
    tags = written(made, at, name)
    assert entities(tags) == made
    assert as_bio2(tags) == written(made, at, "BIO2")


@pytest.mark.parametrize(
    ("first", "second", "name"),
    [("I-PER B-PER O", "I-PER I-PER O", "IOB1"), ("B-PER E-PER S-LOC", "O O O", "BIOES"), ("O O O", "O O O", "BIO2")],
)
def test_files_that_fit_one_scheme_keep_their_tags(tmp_path, first, second, name):
    for file, tags in (("ann.conll", first), ("ben.conll", second)):
        (tmp_path / file).write_text("".join(f"{word} {tag}\n" for word, tag in zip("abc", tags.split(), strict=True)))
    export = read_export(tmp_path)
    assert export.questions[0].value == [*first.split(), *second.split()]
    assert f"The tags are in the scheme {name}." in export.said()


def test_files_in_different_schemes_are_compared_as_bio2(tmp_path):
    paths = files(tmp_path, ada=columns("B-PER I-PER O B-LOC I-LOC O"), ben=columns("B-PER E-PER O S-LOC O O"))
    export = read_export(*paths)
    assert export.questions[0].value == [
        "B-PER",
        "I-PER",
        "O",
        "B-LOC",
        "I-LOC",
        "O",
        "B-PER",
        "I-PER",
        "O",
        "B-LOC",
        "O",
        "O",
    ]
    assert spans(paths) == [
        ("ada", (0, 11), "PER"), ("ada", (17, 27), "LOC"), ("ben", (0, 11), "PER"), ("ben", (17, 21), "LOC")
    ]  # fmt: skip
    assert "different schemes (BIO2, BIOES)" in " ".join(export.said())


def test_plain_tags_are_labels_only(tmp_path):
    paths = files(tmp_path, ada=columns("N N V N N X"), ben=columns("N N V N V X"))
    export = read_export(*paths)
    assert [q.name for q in export.questions] == ["tag"]


def test_more_columns_comments_and_line_ends(tmp_path):
    text = "# sent_id = 1\r\nMira NNP I-NP B-PER\r\n# SYM O O\r\n\r\n\r\nleft VB O O\r\n"
    paths = files(tmp_path, ada=text, ben=text.encode("utf-16"))
    export = read_export(*paths)
    assert export.questions[0].item[:3] == ["0-0", "0-1", "1-0"]
    assert export.texts["0"] == "Mira #"


def test_a_blank_that_is_a_token(tmp_path):
    paths = files(tmp_path, ada="a O\n\u00a0 O\nb B-X\nc O\n", ben="a O\n\u00a0 O\nb B-X\nc O\n")
    assert read_export(*paths).texts["0-1"] == "\u00a0"


def test_an_empty_token_takes_up_a_place(tmp_path):
    text = "a\tO\n\tB-X\nb\tB-Y\n\n"
    [_, found] = read_export(*files(tmp_path, ada=text, ben=text)).questions
    assert found.texts["0"] == "a   b"
    assert list(zip(found.parts, found.label, strict=True)) == [(((2, 3),), "X"), (((4, 5),), "Y")] * 2


def test_annotators_in_folders(tmp_path):
    for name in ("ada", "ben"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "all.conll").write_text(columns("B-PER I-PER O B-LOC I-LOC O"))
    assert sorted(set(read_export(tmp_path).questions[0].annotator)) == ["ada", "ben"]
    one = ReadOptions(annotator_from_name=r"^(\w)\w*/")
    assert sorted(set(read_export(tmp_path, options=one).questions[0].annotator)) == ["a", "b"]


def test_other_texts_beside_the_files_are_named(tmp_path):
    for name in ("ada", "ben"):
        (tmp_path / f"{name}.txt").write_text(columns("B-PER I-PER O B-LOC I-LOC O"))
    (tmp_path / "guidelines.txt").write_text("How we annotated.\n")
    export = read_export(tmp_path)
    assert sorted(set(export.questions[0].annotator)) == ["ada", "ben"]
    assert "Not read, because there are no tags in columns: guidelines.txt." in " ".join(export.said())


GOOD = columns("B-PER I-PER O B-LOC I-LOC O")


@pytest.mark.parametrize(
    ("contents", "error", "said"),
    [
        ({"ada": GOOD}, UnknownLayout, "holds the tags of one annotator; name the files of all annotators"),
        ({"ada": GOOD, "ben": GOOD.replace("Port", "port")}, UnreadableFile, r'ben.conll", line 4: the token is "port", but "Port"'),
        ({"ada": GOOD, "ben": GOOD.replace("left O\n", "left O\n\n")}, UnreadableFile, r'ben.conll", line 4: the sentence has 3 tokens, but 6'),
        ({"ada": GOOD, "ben": GOOD + "\nBye O\n"}, UnreadableFile, r'ben.conll", line 8: .*ada.conll" ends before'),
        ({"ada": GOOD + "\nBye O\n", "ben": GOOD}, UnreadableFile, r'ada.conll", line 8: .*ben.conll" ends before'),
        ({"ada": GOOD, "ben": GOOD.replace("left O", "left VB O")}, UnreadableFile, "line 3: 3 columns where line 1 has 2"),
        ({"ada": GOOD, "ben": GOOD.replace("left O", "left")}, UnreadableFile, 'line 3: "left" is a token without a tag'),
        ({"ada": "-DOCSTART- -X- O\nMira -X- _ B-PER\nleft -X- _ O\n"}, UnreadableFile, "from Label Studio.*export JSON instead"),
    ],
)  # fmt: skip
def test_what_is_refused(tmp_path, contents, error, said):
    with pytest.raises(error, match=said):
        read_export(*files(tmp_path, **contents), format="conll")


@pytest.mark.parametrize(
    ("name", "text", "sure"),
    [
        ("a.conll", GOOD, True),
        ("a.txt", GOOD, True),
        ("a.tsv", GOOD.replace(" ", "\t"), True),
        ("a.tsv", "item\tlabel\n1\tO\n2\tB-PER\n3\tO\n4\tO\n", False),
        ("a.tsv", "x\tS-1\ny\tS-2\nz\tB-3\nu\tB-4\n", False),
        ("a.txt", "Some text\nof two words\n", False),
        ("a.csv", "a,b\n1,2\n", False),
        ("a.txt", "", False),
    ],
)
def test_recognised(name, text, sure):
    found = recognise(Source.of_bytes(name, text.encode()))
    assert (found is not None and found.name == "conll") == sure


@given(st.binary(max_size=20), st.integers(0, 80), st.integers(0, 5))
def test_broken_files_are_read_or_refused(noise, at, gone):
    data = GOOD.encode() + b"\n" + GOOD.encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("ada.conll", data)
        archive.writestr("ben.conll", data[:at] + noise + data[at + gone :])
    assert is_read_or_refused(lambda: read_export(Source.of_bytes("tags.zip", buffer.getvalue()), format="conll"))


def test_sentences_are_numbered_lines():
    found = parse_conll("-DOCSTART- O\n\na O\n\n\n-DOCSTART- O\n\nb O", "a file")
    assert [([*s.lines], s.tokens, s.tags) for s in found.sentences] == [([3], ["a"], ["O"]), ([8], ["b"], ["O"])]
    assert found.starts == 2


def _parsed(text):
    try:
        found = parse_conll(text, "a file")
    except UnreadableFile as error:
        return str(error)
    return [([*s.lines], s.tokens, s.tags) for s in found.sentences], found.columns, found.starts


@given(
    st.lists(
        st.sampled_from(["a", "O", "B-X", "#", "-DOCSTART-", " ", "\t", "\t", "\n", "\n", "\n\n", "\r\n", "\u2003"]),
        max_size=30,
    )
)
def test_a_block_at_once_is_the_block_line_by_line(parts):
    for mark in "\t ":
        text = f"a{mark}O\n\n" + "".join(parts).replace("O", f"a{mark}O")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(conll._Parser, "regular", lambda *_: False)
            slow = _parsed(text)
        assert _parsed(text) == slow
