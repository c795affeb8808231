"""What `Annotations` offers to its users, everything else having an underscore; and what numbers are called everywhere."""

from __future__ import annotations

import importlib
import pkgutil

from assent import Annotations
from assent.records import Struct

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


#: Names of sequences: a number of them is called `n_items`.
SEQUENCES = {
    "annotations", "annotators", "documents", "items", "labels", "lists", "objects", "rankings", "spans", "units",
}  # fmt: skip


def test_no_field_of_data_or_results_calls_a_number_by_a_plural():
    seen, wrong = 0, []
    for package in ("analyses", "data", "measures", "reports"):
        found = importlib.import_module(f"assent.{package}")
        for module in pkgutil.walk_packages(found.__path__, f"{found.__name__}."):
            for one in vars(importlib.import_module(module.name)).values():
                if isinstance(one, type) and issubclass(one, Struct) and one.__module__ == module.name:
                    seen += 1
                    numbers = {name for name, kind in one.__annotations__.items() if kind in ("int", "int | None")}
                    wrong += [f"{one.__module__}.{one.__name__}.{name}" for name in sorted(numbers & SEQUENCES)]
    assert seen > 150
    assert wrong == []
