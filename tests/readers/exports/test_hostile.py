"""Whatever stands in an export, it is read or refused with a sentence; nothing else is ever raised."""

import random

import pytest
from tests.readers.exports.fuzzing import files_of, spoiled_file
from tests.readers.exports.test_cases import CASES, folder
from tests.readers.exports.test_variants import label_studio

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
