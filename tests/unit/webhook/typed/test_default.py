"""What a type adds to its objects, and what it leaves alone."""

from __future__ import annotations

import base64
from typing import Any

import orjson
import pytest

from booking import Booking
from windlass.webhook import answer_review, defaulting

Object = dict[str, Any]
HOOK = defaulting(Booking)
SET = {"ticket": "t", "titleShort": "s", "hall": {"code": "c"}}
"""What would otherwise be filled in."""


def booking(spec: Object, **others: Any) -> Object:
    return {
        "apiVersion": "booking.windlass.dev/v1",
        "kind": "Booking",
        "metadata": {"name": "a"},
        "spec": spec,
        **others,
    }


async def patch_of(obj: Object, old: Object | None = None) -> list[Object]:
    """The patch that a request is answered by."""
    request: Object = {
        "uid": "7",
        "operation": "UPDATE" if old else "CREATE",
        "object": obj,
        "oldObject": old,
    }
    review = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}
    response = orjson.loads(await answer_review(HOOK, orjson.dumps(review)))["response"]
    assert response["allowed"]
    return orjson.loads(base64.b64decode(response["patch"])) if "patch" in response else []


def values(patch: list[Object]) -> Object:
    return {each["path"]: each.get("value") for each in patch}


async def test_what_a_factory_makes_anew_is_filled_in() -> None:
    first = values(await patch_of(booking({"title": "x"})))
    second = values(await patch_of(booking({"title": "x"})))

    assert first.keys() == {"/spec/titleShort", "/spec/ticket", "/spec/hall"}
    assert first["/spec/ticket"] != second["/spec/ticket"]
    assert first["/spec/hall"].keys() == {"code"}


async def test_a_default_made_of_other_fields_is_filled_in() -> None:
    assert values(await patch_of(booking({**SET, "title": "concert"} | {"titleShort": "con"}))) == {}
    found = values(await patch_of(booking({"title": "concert", "ticket": "t", "hall": {"code": "c"}})))
    assert found == {"/spec/titleShort": "con"}


async def test_defaults_that_the_schema_states_or_that_are_empty_are_left_to_it() -> None:
    assert await patch_of(booking(dict(SET))) == []


async def test_what_an_update_leaves_out_stays_as_it_was() -> None:
    old = booking({**SET, "ticket": "t0", "hall": {"code": "c0"}, "size": 2})

    found = values(await patch_of(booking({"titleShort": "s", "size": 4}), old))

    assert found == {"/spec/ticket": "t0", "/spec/hall": {"code": "c0"}}


async def test_items_of_lists_are_completed_too() -> None:
    guests = [{"name": "a", "ticket": "1"}, {"name": "b"}]

    (each,) = await patch_of(booking({**SET, "guests": guests}))

    assert (each["op"], each["path"]) == ("add", "/spec/guests/1/ticket")


async def test_what_validators_normalise_is_written() -> None:
    spec = {**SET, "title": " x ", "notes": {"A": "1"}, "alias": ""}

    found = await patch_of(booking(spec))

    assert [(each["op"], each["path"], each.get("value")) for each in found] == [
        ("remove", "/spec/alias", None),
        ("replace", "/spec/title", "x"),
        ("remove", "/spec/notes/A", None),
        ("add", "/spec/notes/a", "1"),
    ]


async def test_what_a_validator_assigns_is_written() -> None:
    assert values(await patch_of(booking({**SET, "title": "secret"}))) == {"/spec/sort": "Closed"}


@pytest.mark.parametrize(
    "spec",
    [
        {"memory": "1000m"},
        {"memory": 1},
        {"lasts": "60m"},
        {"starts": "2026-01-01T02:00:00+02:00"},
        {"port": "http"},
        {"unknown": {"a": [1, None]}},
        {"guests": [{"name": "a", "ticket": "1", "unknown": 1.0}]},
        {"alias": None},
    ],
)
async def test_another_spelling_and_what_the_type_does_not_know_stay(spec: Object) -> None:
    assert await patch_of(booking({**SET, **spec})) == []


async def test_the_status_is_none_of_its_business() -> None:
    assert await patch_of(booking(dict(SET), status={})) == []


async def test_an_object_that_the_type_refuses_is_left_to_others() -> None:
    assert await patch_of(booking({"size": 3, "title": " x "})) == []
