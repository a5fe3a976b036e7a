"""limit and continue: a list in pages."""

from base64 import urlsafe_b64encode
from typing import Any

import orjson
import pytest

from contract import Api, Object, config_map
from contract_crd import Definitions
from contract_reads import TABLE, names, revision, version_of


@pytest.fixture
async def five(api: Api, config_maps: str) -> str:
    """The path of a collection of five objects, the first and the last of them alike."""
    for name, side in (("a", "outer"), ("b", "inner"), ("c", "inner"), ("d", "inner"), ("e", "outer")):
        (await api.create(config_maps, config_map(name, {"key": "old"}, labels={"side": side}))).ok()
    return config_maps


async def pages(api: Api, path: str, **query: Any) -> list[Object]:
    """Every page of a list."""
    found = [(await api.get(path, **query)).ok()]
    while token := found[-1]["metadata"].get("continue"):
        assert len(found) < 10
        found.append((await api.get(path, continue_=token, **query)).ok())
    return found


async def test_pages_follow_one_another_and_say_how_much_is_left(api: Api, five: str) -> None:
    found = await pages(api, five, limit=2)

    assert [names(page) for page in found] == [["a", "b"], ["c", "d"], ["e"]]
    assert [page["metadata"].get("remainingItemCount") for page in found] == [3, 1, None]
    assert "continue" not in found[-1]["metadata"]


async def test_all_pages_show_the_state_of_the_first(api: Api, five: str) -> None:
    first = (await api.get(five, limit=2)).ok()
    (await api.create(five, config_map("bb"))).ok()
    (await api.create(five, config_map("dd"))).ok()
    (await api.delete(f"{five}/c")).ok()
    (await api.patch(f"{five}/d", {"data": {"key": "new"}})).ok()

    rest = (await api.get(five, continue_=first["metadata"]["continue"])).ok()

    assert names(rest) == ["c", "d", "e"]
    assert [item["data"] for item in rest["items"]] == [{"key": "old"}] * 3
    assert version_of(rest) == version_of(first)


async def test_a_page_can_be_asked_for_again(api: Api, five: str) -> None:
    token = (await api.get(five, limit=2)).ok()["metadata"]["continue"]

    once = (await api.get(five, limit=2, continue_=token)).ok()
    again = (await api.get(five, limit=2, continue_=token)).ok()

    assert once == again


async def test_the_size_of_a_page_may_change_on_the_way(api: Api, five: str) -> None:
    first = (await api.get(five, limit=1)).ok()
    second = (await api.get(five, limit=3, continue_=first["metadata"]["continue"])).ok()
    third = (await api.get(five, continue_=second["metadata"]["continue"])).ok()

    assert [names(page) for page in (first, second, third)] == [["a"], ["b", "c", "d"], ["e"]]


@pytest.mark.parametrize("limit", [0, -1, 5, 6])
async def test_a_limit_that_is_not_reached_leaves_no_trace(api: Api, five: str, limit: int) -> None:
    listing = (await api.get(five, limit=limit)).ok()

    assert len(listing["items"]) == 5
    assert set(listing["metadata"]) == {"resourceVersion"}


@pytest.mark.parametrize("selector", [{"labelSelector": "side=outer"}, {"fieldSelector": "metadata.name!=c"}])
async def test_with_a_selector_nobody_counts_what_is_left(
    api: Api, five: str, selector: dict[str, str]
) -> None:
    page = (await api.get(five, limit=1, **selector)).ok()

    assert page["metadata"]["continue"]
    assert "remainingItemCount" not in page["metadata"]


async def test_a_page_is_filled_with_what_a_selector_selects(api: Api, five: str) -> None:
    found = await pages(api, five, limit=1, labelSelector="side=outer")

    assert [names(page) for page in found if page["items"]] == [["a"], ["e"]]


async def test_pages_go_on_across_namespaces(api: Api, namespace: str, neighbour: str) -> None:
    for place in (namespace, neighbour):
        for name in ("a", "b"):
            body = config_map(name, labels={"of": namespace})
            (await api.create(f"/api/v1/namespaces/{place}/configmaps", body)).ok()

    found = await pages(api, "/api/v1/configmaps", limit=3, labelSelector=f"of={namespace}")

    items = [item["metadata"] for page in found for item in page["items"]]
    assert [(item["namespace"], item["name"]) for item in items] == [
        (neighbour, "a"),
        (neighbour, "b"),
        (namespace, "a"),
        (namespace, "b"),
    ]


async def test_a_table_has_pages_too(api: Api, five: str) -> None:
    first = (await api.get(five, accept=TABLE, limit=3)).ok()
    token = first["metadata"]["continue"]
    second = (await api.get(five, accept=TABLE, limit=3, continue_=token)).ok()

    assert first["metadata"]["remainingItemCount"] == 2
    assert [row["cells"][0] for row in first["rows"] + second["rows"]] == ["a", "b", "c", "d", "e"]


async def test_custom_kinds_have_pages_too(crds: Definitions, api: Api) -> None:
    widgets = await crds.serve()
    for name in ("a", "b", "c"):
        (await widgets.create(name)).ok()

    found = await pages(api, widgets.path, limit=2)

    assert [names(page) for page in found] == [["a", "b"], ["c"]]
    assert found[0]["metadata"]["remainingItemCount"] == 1
    assert found[-1]["metadata"]["continue"] == ""


@pytest.mark.parametrize("token", ["x", "e30", "!!!"])
async def test_a_token_that_the_server_did_not_make_is_refused(api: Api, five: str, token: str) -> None:
    refused = (await api.get(five, continue_=token)).refused(400, "BadRequest")

    assert refused["message"].startswith("invalid continue token: continue key is not valid: ")


BAD_TOKEN = "invalid continue token: continue key is not valid: "
UNFIT = "json: cannot unmarshal {} into Go struct field continueToken.{} of type {}"


def token_of(rv: Any, start: Any, v: str = "meta.k8s.io/v1") -> str:
    """A token as the server makes them."""
    return urlsafe_b64encode(orjson.dumps({"v": v, "rv": rv, "start": start})).decode().rstrip("=")


@pytest.mark.parametrize(
    ("token", "why"),
    [
        (token_of(1, "b", v="v2"), "server does not recognize this encoded version v2"),
        ("bnVsbA", "server does not recognize this encoded version "),
        (token_of(0, "b"), "incorrect encoded start resourceVersion (version meta.k8s.io/v1)"),
        (token_of(1, ""), "encoded start key empty (version meta.k8s.io/v1)"),
        (token_of("1", "b"), UNFIT.format("string", "rv", "int64")),
        (token_of(1.5, "b"), UNFIT.format("number 1.5", "rv", "int64")),
        (token_of(2**63, "b"), UNFIT.format("number 9223372036854775808", "rv", "int64")),
        (token_of(1, 1), UNFIT.format("number", "start", "string")),
        *((token_of(1, key), key) for key in ("../b", "a/../b", "a/./b", "..", "//b", "a//b", "b/")),
    ],
)
async def test_a_token_of_another_make_is_refused_with_what_is_wrong(
    api: Api, five: str, token: str, why: str
) -> None:
    refused = (await api.get(five, continue_=token)).refused(400, "BadRequest")

    assert refused["message"] == BAD_TOKEN + why


@pytest.mark.parametrize(
    ("start", "found"),
    [
        ("c", "cde"),
        ("c\0", "de"),
        ("/c", "cde"),
        ("/", "abcde"),
        ("b-", "cde"),
        ("z", ""),
        ("default/a", "e"),
    ],
)
async def test_a_token_goes_on_with_the_first_name_that_does_not_come_before(
    api: Api, five: str, start: str, found: str
) -> None:
    newest = revision((await api.get(five)).ok())

    exact = (await api.get(five, continue_=token_of(newest, start))).ok()
    whichever = (await api.get(five, continue_=token_of(-1, start))).ok()

    assert names(exact) == names(whichever) == list(found)


async def test_a_page_has_no_version_but_its_own(api: Api, five: str) -> None:
    first = (await api.get(five, limit=2)).ok()
    token = first["metadata"]["continue"]

    reply = await api.get(five, continue_=token, resourceVersion=version_of(first))

    assert reply.refused(400, "BadRequest")["message"] == (
        "specifying resource version is not allowed when using continue"
    )


async def test_a_page_knows_no_version_match(api: Api, five: str) -> None:
    first = (await api.get(five, limit=2)).ok()
    token = first["metadata"]["continue"]

    reply = await api.get(
        five, continue_=token, resourceVersion=version_of(first), resourceVersionMatch="Exact"
    )

    assert reply.refused(422, "Invalid")["details"]["causes"] == [
        {
            "reason": "FieldValueForbidden",
            "message": "Forbidden: resourceVersionMatch is forbidden when continue is provided",
            "field": "resourceVersionMatch",
        }
    ]


async def test_an_exact_version_can_be_read_in_pages(api: Api, five: str) -> None:
    past = version_of((await api.get(five)).ok())
    (await api.delete(f"{five}/e")).ok()

    first = (await api.get(five, limit=4, resourceVersion=past, resourceVersionMatch="Exact")).ok()
    second = (await api.get(five, limit=4, continue_=first["metadata"]["continue"])).ok()

    assert names(first) + names(second) == ["a", "b", "c", "d", "e"]
    assert first["metadata"]["remainingItemCount"] == 1
    assert version_of(first) == version_of(second) == past
