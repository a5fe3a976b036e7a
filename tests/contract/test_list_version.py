"""list: at which resource version."""

import re

import pytest

from contract import Api, config_map
from contract_objects import event
from contract_reads import current, names, revision, version_of

FAR_AHEAD = 999_999_999


async def test_a_list_at_an_exact_version_is_the_past(api: Api, config_maps: str) -> None:
    for name in ("changed", "deleted"):
        (await api.create(config_maps, config_map(name, {"key": "old"}))).ok()
    past = await current(api, config_maps)
    (await api.create(config_maps, config_map("added"))).ok()
    (await api.patch(f"{config_maps}/changed", {"data": {"key": "new"}})).ok()
    (await api.delete(f"{config_maps}/deleted")).ok()

    listing = (await api.get(config_maps, resourceVersion=past, resourceVersionMatch="Exact")).ok()

    assert version_of(listing) == past
    assert names(listing) == ["changed", "deleted"]
    assert [item["data"] for item in listing["items"]] == [{"key": "old"}, {"key": "old"}]


@pytest.mark.parametrize("match", [{}, {"resourceVersionMatch": "NotOlderThan"}])
async def test_a_list_not_older_than_a_version_shows_what_that_version_shows(
    api: Api, config_maps: str, match: dict[str, str]
) -> None:
    (await api.create(config_maps, config_map("a"))).ok()
    newest = (await api.create(config_maps, config_map("b"))).ok()

    listing = (await api.get(config_maps, resourceVersion=version_of(newest), **match)).ok()

    assert names(listing) == ["a", "b"]
    assert revision(listing) >= revision(newest)


async def test_an_old_version_is_no_limit_to_how_new_a_list_may_be(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    listing = (await api.get(config_maps, resourceVersion=1, resourceVersionMatch="NotOlderThan")).ok()

    assert revision(listing) > 1


async def test_a_version_together_with_a_limit_is_meant_exactly(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()
    past = await current(api, config_maps)
    (await api.create(config_maps, config_map("b"))).ok()

    listing = (await api.get(config_maps, resourceVersion=past, limit=10)).ok()

    assert (names(listing), version_of(listing)) == (["a"], past)


@pytest.mark.parametrize("match", [{}, {"resourceVersionMatch": "NotOlderThan"}])
async def test_version_zero_accepts_any_state(api: Api, config_maps: str, match: dict[str, str]) -> None:
    listing = (await api.get(config_maps, resourceVersion=0, **match)).ok()

    assert revision(listing) > 0


async def test_who_accepts_any_state_is_given_all_of_it_whatever_the_limit(
    api: Api, config_maps: str
) -> None:
    for name in ("a", "b", "c"):
        (await api.create(config_maps, config_map(name))).ok()
    first = (await api.get(config_maps, limit=1)).ok()

    whole = (await api.get(config_maps, limit=1, resourceVersion=0)).ok()
    rest = (
        await api.get(config_maps, limit=1, resourceVersion=0, **{"continue": first["metadata"]["continue"]})
    ).ok()

    assert (names(whole), names(rest)) == (["a", "b", "c"], ["b", "c"])
    assert "continue" not in whole["metadata"]


async def test_of_events_any_state_has_pages(api: Api, namespace: str) -> None:
    events = f"/api/v1/namespaces/{namespace}/events"
    for name in ("a", "b"):
        (await api.create(events, event(name, {"namespace": namespace, "name": "x"}))).ok()

    listing = (await api.get(events, limit=1, resourceVersion=0)).ok()

    assert names(listing) == ["a"]


@pytest.mark.parametrize("match", [{}, {"resourceVersionMatch": "Exact"}])
async def test_a_version_from_the_future_is_a_timeout(
    api: Api, namespace: str, match: dict[str, str]
) -> None:
    events = f"/api/v1/namespaces/{namespace}/events"  # nobody waits here for a version to come about

    reply = await api.get(events, resourceVersion=FAR_AHEAD, **match)

    refused = reply.refused(504, "Timeout")
    assert "retry-after" not in reply.headers
    cause = {"reason": "ResourceVersionTooLarge", "message": "Too large resource version"}
    assert refused["details"] == {"causes": [cause]}
    expected = rf"Timeout: Too large resource version: {FAR_AHEAD}, current: \d+"
    assert re.fullmatch(expected, refused["message"])


async def test_a_version_that_a_cache_waits_for_in_vain_may_be_asked_for_again(
    api: Api, config_maps: str
) -> None:
    reply = await api.get(config_maps, resourceVersion=FAR_AHEAD)

    assert reply.refused(504, "Timeout")["details"]["retryAfterSeconds"] == 1
    assert reply.headers["retry-after"] == "1"


@pytest.mark.parametrize("version", ["abc", "-1", "1.5"])
async def test_a_version_that_is_no_number_is_refused(api: Api, config_maps: str, version: str) -> None:
    refused = (await api.get(config_maps, resourceVersion=version)).refused(400, "BadRequest")

    assert refused["message"] == (
        f'invalid resource version: resourceVersion: Invalid value: "{version}": '
        f'strconv.ParseUint: parsing "{version}": invalid syntax'
    )


@pytest.mark.parametrize(
    ("query", "reason", "message"),
    [
        (
            {"resourceVersionMatch": "Exact"},
            "FieldValueForbidden",
            "Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided",
        ),
        (
            {"resourceVersionMatch": "Exact", "resourceVersion": "0"},
            "FieldValueForbidden",
            'Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
        ),
        (
            {"resourceVersionMatch": "Nonsense", "resourceVersion": "1"},
            "FieldValueNotSupported",
            'Unsupported value: "Nonsense": supported values: "Exact", "NotOlderThan", ""',
        ),
    ],
)
async def test_a_match_that_makes_no_sense_is_invalid(
    api: Api, config_maps: str, query: dict[str, str], reason: str, message: str
) -> None:
    refused = (await api.get(config_maps, **query)).refused(422, "Invalid")

    cause = {"reason": reason, "message": message, "field": "resourceVersionMatch"}
    assert refused["details"] == {"group": "meta.k8s.io", "kind": "ListOptions", "causes": [cause]}
    assert refused["message"] == f'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: {message}'


async def test_initial_events_are_for_watches_only(api: Api, config_maps: str) -> None:
    reply = await api.get(config_maps, sendInitialEvents=True)

    assert reply.refused(422, "Invalid")["details"]["causes"] == [
        {
            "reason": "FieldValueForbidden",
            "message": "Forbidden: sendInitialEvents is forbidden for list",
            "field": "sendInitialEvents",
        }
    ]
