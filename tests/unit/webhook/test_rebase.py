"""A change of an object as it was read is a change of the object as it was sent."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, Self

import orjson
import pytest
from pydantic import model_validator

from windlass.api import Field, Model, Quantity, Resource, Spec
from windlass.apiserver.patch import carried_out
from windlass.webhook import AdmissionRequest, Verdict, answer_review, mutating
from windlass.webhook.rebase import rebased

if TYPE_CHECKING:
    from collections.abc import Callable


class Door(Model):
    """A part of a shed that its type completes."""

    color: str = ""
    width: Quantity | None = None


class ShedSpec(Spec):
    """What is read in another way than it is written."""

    tags: set[str] = Field(default_factory=set)
    sizes: list[Quantity] = Field(default_factory=list)
    doors: list[Door] = Field(default_factory=list)
    front: Door | None = None

    @model_validator(mode="after")
    def _with_front(self) -> Self:
        self.front = self.front or Door(color="green")
        return self


class Shed(Resource, group="test.windlass.dev", version="v1"):
    """A kind whose reading differs from the wire."""

    spec: ShedSpec = Field(default_factory=ShedSpec)


async def _changed(spec: Any, change: Callable[[ShedSpec], None]) -> tuple[Any, Any]:
    """The spec as it is stored after a change, and the patch."""

    @mutating(Shed)
    def changing(request: AdmissionRequest[Shed]) -> Verdict[Shed]:
        change(request.object.spec)
        return Verdict.change(request.object)

    wire = {"apiVersion": "test.windlass.dev/v1", "kind": "Shed", "metadata": {"name": "a"}, "spec": spec}
    request = {"uid": "7", "operation": "CREATE", "object": wire}
    review = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}
    response = orjson.loads(await answer_review(changing, orjson.dumps(review)))["response"]
    patch = orjson.loads(base64.b64decode(response.get("patch", "W10=")))
    return carried_out(wire, patch)["spec"], patch


async def test_an_item_taken_from_a_set_is_the_one_that_goes() -> None:
    stored, _ = await _changed({"tags": ["b", "c", "a"]}, lambda spec: spec.tags.discard("b"))

    assert sorted(stored["tags"]) == ["a", "c"]


async def test_what_a_validator_made_can_be_changed() -> None:
    def paint(spec: ShedSpec) -> None:
        assert spec.front is not None
        spec.front.color = "red"

    stored, _ = await _changed({}, paint)

    assert stored == {"front": {"color": "red"}}


async def test_what_a_validator_made_can_be_taken_away() -> None:
    def remove(spec: ShedSpec) -> None:
        spec.front = None

    assert await _changed({}, remove) == ({}, [])


async def test_another_spelling_of_what_is_not_changed_stays() -> None:
    def add(spec: ShedSpec) -> None:
        spec.doors.insert(0, Door(color="red"))
        spec.doors[1].color = "blue"

    stored, patch = await _changed({"sizes": ["1000m", "0.5"], "doors": [{"width": "1000m", "x": 1}]}, add)

    assert stored == {
        "sizes": ["1000m", "0.5"],
        "doors": [{"color": "red"}, {"width": "1000m", "x": 1, "color": "blue"}],
    }
    assert [each["path"] for each in patch] == ["/spec/doors"]


async def test_a_null_is_no_obstacle() -> None:
    stored, _ = await _changed({"tags": None, "doors": None}, lambda spec: spec.tags.add("a"))

    assert stored == {"tags": ["a"], "doors": None}


@pytest.mark.parametrize(
    ("wire", "before", "after", "made"),
    [
        ({"a": 1}, {"a": 1}, {"a": 2}, {"a": 2}),
        ({"a": "1k"}, {"a": 1000}, {"a": 1000}, {"a": "1k"}),
        ({"a": "1k", "b": 1}, {"a": 1000, "b": 1}, {"a": 1000}, {"a": "1k"}),
        ({"a": [{"n": "1k"}, 2]}, {"a": [{"n": 1000}, 2]}, {"a": [{"n": 1000}]}, {"a": [{"n": "1k"}]}),
        ({"a": [2, 1]}, {"a": [1, 2]}, {"a": [1]}, {"a": [1]}),
        ({"a": [1, 1]}, {"a": [1]}, {"a": [1, 2]}, {"a": [1, 2]}),
        ({"a": {"b": 1}}, {"a": {"b": 1}}, {"a": []}, {"a": []}),
    ],
)
def test_the_wire_stays_where_both_readings_agree(wire: Any, before: Any, after: Any, made: Any) -> None:
    assert rebased(wire, before, after) == made
