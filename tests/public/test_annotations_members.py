"""What `Annotations` offers to its users; everything else has an underscore."""

from __future__ import annotations

from assent import Annotations

FACTS = {
    "annotators", "dropped", "gold", "kind", "kinds", "labels", "layout", "local", "n_annotations", "n_annotators", "n_items", "notes",
    "single_labels", "unit",
}  # fmt: skip
CONSTRUCTORS = {"from_array", "from_contingency", "from_counts", "from_frame", "from_triples"}
VERBS = {
    "describe", "ignore_case", "merged", "only_annotators", "only_items", "ordered", "profiles", "rename_annotators", "rename_labels",
    "set_shares", "to_dict", "to_rows", "without_annotators", "without_items", "without_labels", "write_items",
}  # fmt: skip


def test_the_members_for_users_are_these():
    made = Annotations.from_array([["a", "b"]])
    assert {name for name in dir(made) if not name.startswith("_")} == FACTS | CONSTRUCTORS | VERBS


def test_numbers_are_called_n_and_sequences_by_a_plural():
    made = Annotations.from_array([["a", "b"]])
    assert all(isinstance(getattr(made, name), int) for name in FACTS if name.startswith("n_"))
    assert not any(
        isinstance(getattr(made, name), int) for name in ("annotators", "labels", "notes", "dropped", "kinds")
    )
