"""Sets of labels: what is counted by bits and taken over by places is what sets of Python say."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assent.label_sets import LabelSets


@st.composite
def label_sets(draw: st.DrawFn) -> LabelSets:
    """Return up to twelve sets of up to 150 labels, ranked or not."""
    many = draw(st.integers(1, 150))
    ranked = draw(st.booleans())
    one = st.lists(st.integers(0, many - 1), unique=True, max_size=6)
    members = draw(st.lists(one, min_size=1, max_size=12))
    made = tuple(tuple(some if ranked else sorted(some)) for some in members)
    return LabelSets(tuple(f"l{i}" for i in range(many)), made, ranked)


@given(label_sets())
def test_labels_in_common_are_those_of_sets(sets: LabelSets) -> None:
    one, two = (side.ravel() for side in np.indices((len(sets.members),) * 2))
    known = [len(set(sets.members[i]) & set(sets.members[k])) for i, k in zip(one, two, strict=True)]
    assert sets.common(one, two).tolist() == known
    assert sets.common(one, two).dtype == np.float64


@given(label_sets(), st.data())
def test_labels_that_become_one_are_one_label_of_a_set_at_the_rank_of_the_first(
    sets: LabelSets, data: st.DataObject
) -> None:
    names = data.draw(st.lists(st.sampled_from("abcd"), min_size=len(sets.labels), max_size=len(sets.labels)))
    labels = data.draw(st.permutations("abcd"))
    made = sets.taken_as(names, labels)
    said = [tuple(dict.fromkeys(names[i] for i in one)) for one in sets.members]
    if sets.ranked:
        assert made.names() == said
    else:
        assert [set(one) for one in made.names()] == [set(one) for one in said]
        assert all(list(one) == sorted(one) for one in made.members)
    assert made.labels == tuple(labels)


@given(label_sets())
def test_each_set_is_kept_once_in_a_fixed_order(sets: LabelSets) -> None:
    made, which = sets.distinct()
    assert list(made.members) == sorted(set(sets.members))
    assert [made.members[i] for i in which] == list(sets.members)
    turned = LabelSets(sets.labels, sets.members[::-1], sets.ranked).distinct()[0]
    assert turned.members == made.members
