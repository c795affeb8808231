"""Places in UTF-16 units become places in code points."""

from hypothesis import given
from hypothesis import strategies as st

from assent.readers.exports._offsets import Utf16, utf16_length


@given(st.text(), st.integers(0, 50))
def test_every_boundary_is_found(text, begin):
    counting = Utf16.of(text, begin)
    for place in range(len(text) + 1):
        unit = begin + len(text[:place].encode("utf-16-le", "surrogatepass")) // 2
        assert counting.code_point(unit) == begin + place


@given(st.text())
def test_length(text):
    assert utf16_length(text) == len(text.encode("utf-16-le", "surrogatepass")) // 2


def test_inside_of_a_character_counts_as_its_beginning():
    assert [Utf16.of("a😀b").code_point(unit) for unit in range(5)] == [0, 1, 1, 2, 3]


def test_no_text_at_all():
    assert not Utf16.of("").differs
    assert Utf16.of("").code_point(3) == 3
