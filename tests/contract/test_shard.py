"""shardSelector: a collection in parts by the hash of a field (alpha, behind a feature gate)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from contract import Api, Object, config_map
from contract_reads import PARTIAL_LIST, PROTOBUF, STREAMING_LIST, TABLE, names, raw, version_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from contract_crd import Definitions
    from windlass.testing import Access

pytestmark = pytest.mark.xdist_group("shard")  # the real server is one of its own

UID, NAMESPACE = "object.metadata.uid", "object.metadata.namespace"
OFFSET, PRIME, SPACE = 0xCBF29CE484222325, 0x100000001B3, 2**64
FIRST, SECOND = "0x0000000000000000", "0x8000000000000000"
END = "0x10000000000000000"
MANY = 12


@pytest.fixture(scope="module")
def control_plane(request: pytest.FixtureRequest) -> Iterator[Access]:
    """The server of this run; of the real ones, one with the feature gate on."""
    if request.config.getoption("--control-plane") != "real":
        yield request.getfixturevalue("control_plane")
        return
    from windlass.testing import ControlPlaneOptions, start_control_plane

    with start_control_plane(ControlPlaneOptions(feature_gates={"ShardedListAndWatch": True})) as running:
        yield running.access


def hash_of(text: str) -> int:
    value = OFFSET
    for byte in text.encode():
        value = (value ^ byte) * PRIME % SPACE
    return value


def shard(index: int, count: int, field: str = UID) -> str:
    """The selector of one of several equal shards."""
    start, end = (f"0x{SPACE * each // count:016x}" for each in (index, index + 1))
    return f"shardRange({field}, '{start}', '{end}')"


def in_shard(item: Object, index: int, count: int) -> bool:
    return hash_of(item["metadata"]["uid"]) * count // SPACE == index


@pytest.fixture
async def many(api: Api, config_maps: str) -> list[Object]:
    """Enough objects that each of two shards has some."""
    return [
        (await api.create(config_maps, config_map(f"c{n:02}", labels={"odd": str(n % 2)}))).ok()
        for n in range(MANY)
    ]


async def test_shards_are_disjoint_and_together_everything(
    api: Api, config_maps: str, many: list[Object]
) -> None:
    found = [(await api.get(config_maps, shardSelector=shard(index, 3))).ok() for index in range(3)]

    for index, page in enumerate(found):
        assert names(page) == [each["metadata"]["name"] for each in many if in_shard(each, index, 3)]


async def test_a_list_tells_of_which_shard_it_is(api: Api, config_maps: str, many: list[Object]) -> None:
    sharded = (await api.get(config_maps, shardSelector=shard(0, 2))).ok()
    whole = (await api.get(config_maps)).ok()

    assert sharded["metadata"]["shardInfo"] == {"selector": shard(0, 2)}
    assert "shardInfo" not in whole["metadata"]


async def test_ranges_are_joined_by_or_and_told_in_the_usual_form(
    api: Api, config_maps: str, many: list[Object]
) -> None:
    written = f'  (shardRange( {UID},"{FIRST}", "{SECOND}"))||\n{shard(1, 2)} '

    found = (await api.get(config_maps, shardSelector=written)).ok()

    assert len(found["items"]) == MANY
    assert found["metadata"]["shardInfo"] == {"selector": f"{shard(0, 2)} || {shard(1, 2)}"}


async def test_whole_namespaces_are_in_a_shard(api: Api, config_maps: str, many: list[Object]) -> None:
    namespace = config_maps.split("/")[4]
    index = hash_of(namespace) * 2 // SPACE

    for each in range(2):
        found = (await api.get(config_maps, shardSelector=shard(each, 2, NAMESPACE))).ok()
        assert len(found["items"]) == (MANY if each == index else 0)


async def test_objects_without_a_namespace_are_hashed_as_the_empty_text(api: Api, namespace: str) -> None:
    index = hash_of("") * 2 // SPACE

    found = [
        len((await api.get("/api/v1/namespaces", shardSelector=shard(each, 2, NAMESPACE))).ok()["items"])
        for each in range(2)
    ]

    assert found[index] > 3
    assert found[1 - index] == 0


async def test_other_selectors_choose_within_a_shard(api: Api, config_maps: str, many: list[Object]) -> None:
    chosen = [each["metadata"]["name"] for each in many[1::2] if in_shard(each, 1, 2)]
    found = (await api.get(config_maps, shardSelector=shard(1, 2), labelSelector="odd=1")).ok()
    assert names(found) == chosen

    for each in many[:4]:
        name = each["metadata"]["name"]
        one = await api.get(config_maps, shardSelector=shard(1, 2), fieldSelector=f"metadata.name={name}")
        assert names(one.ok()) == ([name] if in_shard(each, 1, 2) else [])


@pytest.mark.parametrize("more", [{}, {"labelSelector": "odd"}], ids=["alone", "with labels"])
async def test_a_shard_is_read_in_pages(
    api: Api, config_maps: str, many: list[Object], more: dict[str, Any]
) -> None:
    wanted = [each["metadata"]["name"] for each in many if in_shard(each, 0, 2)]
    query = {"shardSelector": shard(0, 2), "limit": 2, **more}
    page, found = (await api.get(config_maps, **query)).ok(), []
    remaining = page["metadata"].get("remainingItemCount")
    while True:
        assert page["metadata"]["shardInfo"] == {"selector": shard(0, 2)}
        found += names(page)
        token = page["metadata"].get("continue")
        if not token:
            break
        page = (await api.get(config_maps, continue_=token, **query)).ok()

    assert found == wanted
    # What is left is counted before the shard is chosen, which no other selector is forgiven.
    assert remaining == (None if more else MANY + await others(api, config_maps, many) - 2)


async def others(api: Api, path: str, many: list[Object]) -> int:
    """How many objects there are besides."""
    return len((await api.get(path)).ok()["items"]) - len(many)


async def test_a_watch_tells_of_its_shard_alone_from_its_beginning_to_the_end_of_an_object(
    api: Api, config_maps: str, many: list[Object]
) -> None:
    mine = next(each["metadata"]["name"] for each in many if in_shard(each, 0, 2))
    foreign = next(each["metadata"]["name"] for each in many if in_shard(each, 1, 2))
    since = version_of((await api.get(config_maps)).ok())
    async with api.watch(config_maps, shardSelector=shard(0, 2), resourceVersion=since) as events:
        for name in (foreign, mine):
            (await api.patch(f"{config_maps}/{name}", {"data": {"a": "b"}})).ok()
            (await api.delete(f"{config_maps}/{name}")).ok()
        seen = [await anext(events) for _ in range(2)]

    assert [(each["type"], each["object"]["metadata"]["name"]) for each in seen] == [
        ("MODIFIED", mine),
        ("DELETED", mine),
    ]


async def test_what_a_watch_begins_with_is_its_shard_and_a_bookmark(
    api: Api, config_maps: str, many: list[Object]
) -> None:
    wanted = [each["metadata"]["name"] for each in many if in_shard(each, 1, 2)]
    async with api.watch(config_maps, shardSelector=shard(1, 2), **STREAMING_LIST) as events:
        seen = [await anext(events) for _ in range(len(wanted) + 1)]

    assert [each["object"]["metadata"]["name"] for each in seen[:-1]] == wanted
    assert seen[-1]["type"] == "BOOKMARK"
    assert int(version_of(seen[-1]["object"])) >= max(int(version_of(each)) for each in many)


async def test_a_shard_can_be_deleted(api: Api, config_maps: str, many: list[Object]) -> None:
    deleted = (await api.delete(config_maps, shardSelector=shard(0, 2))).ok()

    assert deleted["metadata"]["shardInfo"] == {"selector": shard(0, 2)}
    left = (await api.get(config_maps, labelSelector="odd")).ok()
    assert names(left) == [each["metadata"]["name"] for each in many if in_shard(each, 1, 2)]


async def test_a_list_in_protobuf_tells_its_shard(api: Api, config_maps: str, many: list[Object]) -> None:
    found = await raw(api, config_maps, query=(("shardSelector", shard(0, 2)),), Accept=PROTOBUF)

    assert shard(0, 2).encode() in found.body


@pytest.mark.parametrize("accept", [TABLE, PARTIAL_LIST], ids=["table", "metadata"])
async def test_other_forms_of_a_list_do_not_tell_their_shard(
    api: Api, config_maps: str, many: list[Object], accept: str
) -> None:
    found = (await api.get(config_maps, accept=accept, shardSelector=shard(0, 2))).ok()
    rows = found["rows" if accept == TABLE else "items"]

    assert len(rows) == sum(in_shard(each, 0, 2) for each in many)
    assert "shardInfo" not in found["metadata"]


async def test_custom_resources_are_in_shards_which_their_lists_do_not_tell(
    api: Api, crds: Definitions
) -> None:
    widgets = await crds.serve()
    made = [(await widgets.create(f"w{number:02}")).ok() for number in range(MANY)]

    found = [(await api.get(widgets.path, shardSelector=shard(index, 2))).ok() for index in range(2)]

    for index, page in enumerate(found):
        assert names(page) == [each["metadata"]["name"] for each in made if in_shard(each, index, 2)]
        assert "shardInfo" not in page["metadata"]


WHOLE = f"'{FIRST}', '{END}'"


@pytest.mark.parametrize(
    ("selector", "said"),
    [
        (" ", "empty shard selector is not allowed; omit the parameter for unfiltered lists"),
        ("true", "unexpected expression kind 5; expected shardRange() call or || operator"),
        (UID, "unexpected expression kind 7; expected shardRange() call or || operator"),
        ("x", "unexpected expression kind 3; expected shardRange() call or || operator"),
        ("[1]", "unexpected expression kind 4; expected shardRange() call or || operator"),
        ("{1: 2}", "unexpected expression kind 6; expected shardRange() call or || operator"),
        ("X{a: 1}", "unexpected expression kind 8; expected shardRange() call or || operator"),
        (f"{shard(0, 2)} && {shard(1, 2)}", 'unsupported function "_&&_"; only shardRange() and || are allowed'),
        ("has(object.metadata)", 'unsupported function "has"; only shardRange() and || are allowed'),
        (f"{shard(0, 2)} || x", "unexpected expression kind 3; expected shardRange() call or || operator"),
        ("shardRange()", "shardRange() requires exactly 3 arguments, got 0"),
        (f"shardRange('x', {WHOLE})", "shardRange() first argument: expected field path (e.g. object.metadata.uid), got expression kind 5"),
        (f"shardRange(metadata.uid, {WHOLE})", 'unsupported field path "metadata.uid"; supported: object.metadata.uid, object.metadata.namespace'),
        (f"shardRange({UID}, 1, '{END}')", "hexStart must be a string literal, got int64"),
        (f"shardRange({UID}, '{FIRST}', 1u)", "hexEnd must be a string literal, got uint64"),
        (f"shardRange({UID}, '{FIRST}', 1.5)", "hexEnd must be a string literal, got float64"),
        (f"shardRange({UID}, '{FIRST}', b'1')", "hexEnd must be a string literal, got []uint8"),
        (f"shardRange({UID}, '{FIRST}', null)", "hexEnd must be a string literal, got structpb.NullValue"),
        (f"shardRange({UID}, x, '{END}')", "hexStart must be a string literal (e.g. '0xff'), got expression kind 3"),
        (f"shardRange({UID}, '0', '{END}')", "hexStart must have '0x' prefix, got \"0\""),
        (f"shardRange({UID}, '0x', '{END}')", "hexStart: hex value is required after '0x'"),
        (f"shardRange({UID}, '0xff', '{END}')", 'hexStart must be a 0x-prefixed 16-digit hex value, got "0xff" (did you mean "0x00000000000000ff"?)'),
        (f"shardRange({UID}, '0xFF', '{END}')", 'hexStart: invalid hex character "F" in "0xFF"'),
        (f"shardRange({UID}, '0xé', '{END}')", 'hexStart: invalid hex character "é" in "0xé"'),
        (f"shardRange({UID}, '{FIRST}', '0x{'1' * 18}')", f'hexEnd: hex value too long (18 chars, max 17): "{"1" * 18}"'),
        (f"shardRange({UID}, '{FIRST}', '0x{'1' * 17}')", f"hexEnd: 17-digit hex value must be '{END}' (2^64), got \"0x{'1' * 17}\""),
        (f"shardRange({UID}, '{SECOND}', '{SECOND}')", f"shard range start {SECOND} must be less than end {SECOND}"),
        (f"{shard(0, 2)} || {shard(1, 2, NAMESPACE)}", f'all shard ranges must use the same field, got "{UID}" and "{NAMESPACE}"'),
        ("shardRange(", "CEL parse error: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', ')', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"),
        ("x.?y", "CEL parse error: unsupported syntax '.?'"),
        ("x[?y]", "CEL parse error: unsupported syntax '[?'"),
        ("[?x]", "CEL parse error: unsupported syntax '?'"),
        ("{?x: y}", "CEL parse error: unsupported syntax '?'"),
        ("X{?x: y}", "CEL parse error: unsupported syntax '?'"),
        ("-x", 'unsupported function "-_"; only shardRange() and || are allowed'),
        (f"shardRange(object.metadata['uid'], {WHOLE})", "shardRange() first argument: expected field path (e.g. object.metadata.uid), got expression kind 1"),
        ("a b", "CEL parse error: Syntax error: extraneous input 'b' expecting <EOF>"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("watch", [False, True], ids=["list", "watch"])
async def test_a_selector_that_makes_no_sense_is_refused_by_what_is_wrong_with_it(
    api: Api, config_maps: str, selector: str, said: str, *, watch: bool
) -> None:
    more = {"watch": True, "timeoutSeconds": 1} if watch else {}
    refused = await api.get(config_maps, shardSelector=selector, **more)

    assert (refused.status, refused.body["message"]) == (500, f"invalid shard selector: {said}")
    assert "reason" not in refused.body


async def test_other_options_are_judged_before_the_shard(api: Api, config_maps: str) -> None:
    refused = await api.get(config_maps, shardSelector="x", labelSelector="a in")
    assert refused.status == 400
    refused = await api.get(config_maps, shardSelector="x", resourceVersionMatch="Exact")
    assert refused.status == 422
    refused = await api.get(config_maps, shardSelector="x", resourceVersion="y")
    assert refused.body["message"].startswith("invalid shard selector")


async def test_an_empty_selector_is_none(api: Api, config_maps: str, many: list[Object]) -> None:
    found = (await api.get(config_maps, shardSelector="")).ok()

    assert len(found["items"]) >= MANY
    assert "shardInfo" not in found["metadata"]
