"""What is kept comes back, whatever was lost; and what somebody changed does not."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.api import Resource
from windlass.schema import alike
from windlass.webhook.conversion.kept import lost, restored

Object = dict[str, Any]


class Bag(Resource, group="shops.windlass.dev", version="v1"):
    """Anything."""

    spec: dict[str, Any] = {}


SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab", max_size=2)
VALUES = st.recursive(
    SCALARS,
    lambda below: (
        st.lists(below, max_size=3) | st.dictionaries(st.text("abc/.", max_size=2), below, max_size=3)
    ),
    max_leaves=8,
)
SPECS = st.dictionaries(st.sampled_from("abcd"), VALUES, max_size=4)


def bag(spec: Object) -> Object:
    return {"apiVersion": "shops.windlass.dev/v1", "kind": "Bag", "metadata": {"name": "a"}, "spec": spec}


@pytest.mark.property
@given(own=SPECS, again=SPECS)
def test_whatever_the_way_there_and_back_makes_of_an_object_it_comes_back(own: Object, again: Object) -> None:
    text = lost(Bag, bag(own), bag(again))

    assert alike(restored(Bag, bag(again), text), bag(own))
    assert bool(text) != alike(own, again)


@pytest.mark.property
@given(own=SPECS, again=SPECS, changed=SPECS)
def test_a_field_that_was_changed_is_never_put_back(own: Object, again: Object, changed: Object) -> None:
    text = lost(Bag, bag(own), bag(again))

    found = restored(Bag, bag(changed), text)["spec"]

    for name in "abcd":
        now, then = changed.get(name, "absent"), again.get(name, "absent")
        if alike(now, then):
            assert alike(found.get(name, "absent"), own.get(name, "absent"))
        elif not isinstance(now, dict) or not isinstance(then, dict):
            assert alike(found.get(name, "absent"), now)


@pytest.mark.property
@given(spec=SPECS, text=st.text() | VALUES.map(str))
def test_no_text_of_an_annotation_does_harm(spec: Object, text: str) -> None:
    assert restored(Bag, bag(spec), text) == bag(spec)
