"""managed fields: resetting them, sending them along, and objects without any."""

import pytest

from contract import JSON_PATCH, MERGE, Api, Object, config_map
from contract_writes import LONG_AGO, assert_conflicts, entry, owned, version

BY_PATCH: list[tuple[str, object]] = [
    (MERGE, {"metadata": {"managedFields": [{}]}}),
    (MERGE, {"metadata": {"managedFields": []}}),
    (JSON_PATCH, [{"op": "replace", "path": "/metadata/managedFields", "value": [{}]}]),
]


@pytest.fixture
async def path(api: Api, config_maps: str) -> str:
    """The path of a ConfigMap that `creator` made."""
    (await api.create(config_maps, config_map("a", {"key": "1"}), fieldManager="creator")).ok()
    return f"{config_maps}/a"


async def updated(api: Api, path: str, managed_fields: list[Object] | None, **changes: str) -> Object:
    body = (await api.get(path)).ok()
    body["metadata"]["managedFields"] = managed_fields
    body["data"] |= changes
    return (await api.update(path, body, fieldManager="editor")).ok()


@pytest.mark.parametrize("empty", [[], [{}]], ids=str)
async def test_an_update_with_empty_managed_fields_resets_them(
    api: Api, path: str, empty: list[Object]
) -> None:
    before = (await api.get(path)).ok()

    after = await updated(api, path, empty)

    assert "managedFields" not in after["metadata"]
    assert version(after) != version(before)


@pytest.mark.parametrize(("media_type", "patch"), BY_PATCH, ids=["merge [{}]", "merge []", "json [{}]"])
async def test_a_patch_to_empty_managed_fields_resets_them(
    api: Api, path: str, media_type: str, patch: object
) -> None:
    after = (await api.patch(path, patch, media_type)).ok()

    assert "managedFields" not in after["metadata"]


async def test_a_reset_forgets_the_change_that_came_with_it(api: Api, path: str) -> None:
    after = await updated(api, path, [{}], other="2")

    assert after["data"] == {"key": "1", "other": "2"}
    assert "managedFields" not in after["metadata"]


async def test_null_managed_fields_are_no_reset(api: Api, path: str) -> None:
    before = (await api.get(path)).ok()

    assert await updated(api, path, None) == before


async def test_an_update_without_managed_fields_is_tracked_all_the_same(api: Api, path: str) -> None:
    body = (await api.get(path)).ok()
    del body["metadata"]["managedFields"]
    body["data"]["other"] = "2"

    after = (await api.update(path, body, fieldManager="editor")).ok()

    assert owned(after, "creator", "Update") == {"f:data": {".": {}, "f:key": {}}}
    assert owned(after, "editor", "Update") == {"f:data": {"f:other": {}}}


async def test_updates_of_an_object_without_managed_fields_are_not_tracked(api: Api, path: str) -> None:
    await updated(api, path, [])

    after = (await api.patch(path, {"data": {"other": "2"}}, fieldManager="editor")).ok()

    assert after["data"] == {"key": "1", "other": "2"}
    assert "managedFields" not in after["metadata"]


async def test_the_first_apply_credits_the_rest_to_before_first_apply(api: Api, path: str) -> None:
    await updated(api, path, [])

    after = (await api.apply(path, config_map("a", {"new": "1"}))).ok()

    assert owned(after, "tester") == {"f:data": {"f:new": {}}}
    assert owned(after, "before-first-apply", "Update") == {"f:data": {".": {}, "f:key": {}}}
    reply = await api.apply(path, config_map("a", {"new": "1", "key": "2"}))
    assert_conflicts(reply, ('"before-first-apply" using v1', ".data.key"))


async def test_the_first_apply_conflicts_with_what_was_there_before(api: Api, path: str) -> None:
    await updated(api, path, [])

    reply = await api.apply(path, config_map("a", {"key": "2"}))

    assert_conflicts(reply, ('"before-first-apply" using v1', ".data.key"))


async def test_managed_fields_sent_with_an_update_are_taken_as_they_are(api: Api, path: str) -> None:
    mine = entry("another", {"f:data": {"f:key": {}}})

    after = await updated(api, path, [mine])

    assert after["metadata"]["managedFields"] == [mine]


async def test_a_change_of_times_alone_is_no_change(api: Api, path: str) -> None:
    before = (await api.get(path)).ok()
    (found,) = before["metadata"]["managedFields"]

    after = await updated(api, path, [{**found, "time": LONG_AGO}])

    assert after == before


@pytest.mark.parametrize(
    "wrong",
    [
        {"operation": "Frobnicate"},
        {"fieldsType": "FieldsV9"},
        {"apiVersion": ""},
        {"fieldsV1": {"nonsense": 1}},
    ],
    ids=str,
)
async def test_managed_fields_that_make_no_sense_are_passed_over(api: Api, path: str, wrong: Object) -> None:
    before = (await api.get(path)).ok()

    after = await updated(api, path, [{**entry("another", {"f:data": {"f:key": {}}}), **wrong}])

    assert after == before


async def test_an_entry_for_an_unknown_version_is_dropped(api: Api, path: str) -> None:
    known = entry("another", {"f:data": {"f:key": {}}})

    after = await updated(api, path, [known, entry("gone", {"f:data": {".": {}}}, api_version="v9")])

    assert after["metadata"]["managedFields"] == [known]


async def test_an_entry_for_what_is_no_version_loses_all_of_them(api: Api, path: str) -> None:
    before = (await api.get(path)).ok()["metadata"]["managedFields"]
    wrong = {**before[0], "manager": "other", "apiVersion": "a/b/c"}

    assert "managedFields" not in (await updated(api, path, [*before, wrong], key="2"))["metadata"]


async def test_managed_fields_sent_with_a_create_are_passed_over(api: Api, config_maps: str) -> None:
    body = config_map("b", {"key": "1"}, managedFields=[entry("another", {"f:data": {"f:key": {}}})])

    created = (await api.create(config_maps, body, fieldManager="creator")).ok()

    (found,) = created["metadata"]["managedFields"]
    assert (found["manager"], found["operation"]) == ("creator", "Update")
