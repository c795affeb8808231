"""Whatever stands in an export, it is read or refused with a sentence; nothing else is ever raised."""

import random

import pytest
from tests.readers.exports.fuzzing import files_of, spoiled_file
from tests.readers.exports.test_cases import CASES, folder
from tests.readers.exports.test_variants import label_studio

import assent
from assent.errors import AssentError
from assent.readers.exports import Answers, ReadOptions, Source, Spans, read_export


def source_of(parts: list[Source]) -> Source:
    if len(parts) == 1:
        return parts[0]
    return Source("x", "folder", tuple(m for part in parts for m in part.members), "x")


@pytest.mark.parametrize(("case", "path", "name", "options", "said"), CASES, ids=[c[0] for c in CASES])
def test_spoiled_exports_are_read_or_refused(case, path, name, options, said):
    home = folder(case)
    files = [(str(f.relative_to(home)), f.read_bytes()) for f in files_of(home, path)]
    if len(files) > 10:
        files = files[:10]
    read, refused, share = 0, [], 0.7 if len(files) < 5 else 0.1
    for seed in range(40):
        dice = random.Random(f"{case} {seed}")
        spoiled = [(n, spoiled_file(n, d, dice) if d and dice.random() < share else d) for n, d in files]
        for format_ in (None, name):
            try:
                source = source_of([Source.of_bytes(n, d) for n, d in spoiled])
                export = read_export(source, options=ReadOptions(**options), format=format_)
            except AssentError as error:
                refused.append(str(error))
            else:
                read += 1
                for question in export.questions:
                    assert all(isinstance(a, str) for a in question.annotator)
                    if isinstance(question, Spans):
                        assert all(0 <= b <= e for parts in question.parts for b, e in parts)
                    else:
                        assert len(question.item) == len(question.annotator) == len(question.value)
                        assert not any(v is None for v in question.value)
    assert read
    assert all(message.endswith((".", "?")) for message in refused)
    assert not any("\n" in message or "\x1b" in message for message in refused)


def test_labels_and_names_from_a_file_cannot_reach_a_terminal():
    export = read_export(label_studio([(1, 1, {"tone": ["\x1b[31mred\nx"]}), (1, 2, {"tone": ["b"]})]))
    (question,) = export.questions
    assert isinstance(question, Answers)
    assert question.value == ["\x1b[31mred\nx", "b"]
    assert not any("\x1b" in sentence or "\n" in sentence for sentence in export.said())


@pytest.mark.parametrize("where", ["label", "annotator", "item", "question"])
def test_half_a_character_is_one_sentence(where, tmp_path):
    found = {"label": "a", "annotator": "u", "item": "i", "question": "q"} | {where: "x\ud83d"}
    path = tmp_path / "export.json"
    given = [
        (found["item"], found["annotator"], {found["question"]: [found["label"]]}),
        (found["item"], "v", {"q": ["b"]}),
    ]
    path.write_bytes(label_studio(given).members[0].content())
    said = []
    for read in (assent.read, assent.read_all, assent.look):
        try:
            said.append(str(read(path)))
        except AssentError as error:
            said.append(str(error))
    # The name of a question is shown and not compared.
    assert ["half a character" in one for one in said[:2]] == [where != "question"] * 2
    assert all(one.encode() for one in said)


def test_half_a_character_in_the_text_of_an_item_does_no_harm(tmp_path):
    path = tmp_path / "export.json"
    data = label_studio([(1, 1, {"q": ["a"]}), (1, 2, {"q": ["b"]})]).members[0].content()
    path.write_bytes(data.replace(b"The lid rattles.", b"The lid \\ud83d"))
    assert assent.read(path).n_annotations == 2
    with pytest.raises(AssentError, match="half a character"):
        assent.read(path, columns=["text"])


def test_offsets_that_no_text_has_are_impossible(tmp_path):
    path = tmp_path / "export.json"
    given = [
        {"from_name": "n", "to_name": "t", "type": "labels", "value": {"start": 0, "end": end, "labels": ["X"]}}
        for end in (3, 10**25)
    ]
    path.write_bytes(label_studio([(1, who, {"n": given[0], "m": given[1]}) for who in (1, 2)]).members[0].content())
    data = assent.read(path)
    assert data.n_annotations == 2
    assert [(one.reason, one.rows) for one in data.dropped] == [("impossible span", 2)]
