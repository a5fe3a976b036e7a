from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from changes import change, metadata
from windlass.reconcile import all_of, annotations_changed, any_of, generation_changed, labels_changed

if TYPE_CHECKING:
    from windlass.api import Json
    from windlass.reconcile import Predicate

STATUS_WRITTEN = metadata(generation=1), {**metadata(generation=1), "status": {"size": 1}}
SPEC_WRITTEN = metadata(generation=1), metadata(generation=2)
DELETION_BEGUN = metadata(generation=1), metadata(generation=1, deletionTimestamp="2026-01-01T00:00:00Z")
LABELLED = metadata(generation=1), metadata(generation=1, labels={"a": "1"})
ANNOTATED = metadata(annotations={"a": "1"}), metadata(annotations={"a": "2"})


@pytest.mark.parametrize(
    ("predicate", "states", "passes"),
    [
        (generation_changed, SPEC_WRITTEN, True),
        (generation_changed, DELETION_BEGUN, True),
        (generation_changed, STATUS_WRITTEN, False),
        (generation_changed, LABELLED, False),
        (labels_changed, LABELLED, True),
        (labels_changed, SPEC_WRITTEN, False),
        (labels_changed, (metadata(labels={}), metadata()), False),
        (annotations_changed, ANNOTATED, True),
        (annotations_changed, LABELLED, False),
        (any_of(generation_changed, labels_changed), LABELLED, True),
        (any_of(generation_changed, labels_changed), ANNOTATED, False),
        (all_of(generation_changed, labels_changed), LABELLED, False),
    ],
)
def test_a_predicate_passes_what_it_is_named_for(
    predicate: Predicate, states: tuple[Json, Json], passes: object
) -> None:
    assert predicate(change(*states)) is passes


@pytest.mark.parametrize("predicate", [generation_changed, labels_changed, annotations_changed])
def test_additions_and_deletions_always_pass(predicate: Predicate) -> None:
    assert predicate(change(None, {}))
    assert predicate(change({}, None))
