"""Faults by a control endpoint, for tests in another process."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.apiserver import Call, World
from windlass.apiserver.fault import Injector
from windlass.apiserver.fault.control import answer_control, read_faults, written_faults
from windlass.apiserver.refusal import Refusal
from windlass.client import Request
from windlass.cluster import Cluster
from windlass.errors import ConfigError
from windlass.testing import CALM, Faults, Scope

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.client import Response

PATH = "/windlass/faults"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
NAMES = st.sampled_from(["failed", "times", "cutAfter", "cutEverySeconds", "longestDelaySeconds", "only"])
FAULTS = st.dictionaries(
    NAMES, JSON | st.integers(0, 1) | st.dictionaries(st.sampled_from(["verbs", "name"]), JSON)
)
EVERYTHING = Faults(
    conflict=0.25,
    timed_out=0.5,
    late=1,
    longest_delay=timedelta(seconds=2.5),
    cut_after=3,
    cut_every=timedelta(minutes=1),
    stale=0.5,
    stale_by=7,
    only=Scope(verbs=frozenset({"get", "patch"}), resource="deployments.apps", name="web", user="jane"),
    times=4,
)


@pytest.fixture
async def cluster() -> AsyncIterator[Cluster]:
    async with Cluster() as cluster:
        yield cluster


async def send(cluster: Cluster, method: str, body: Any = None, user: str = "admin") -> Response:
    data = body if isinstance(body, bytes) else b"" if body is None else orjson.dumps(body)
    return await cluster.transport(user).send(Request(method=method, path=PATH, body=data))


async def status(cluster: Cluster, path: str = "/api/v1/nodes") -> int:
    return (await cluster.transport().send(Request(method="GET", path=path))).status


async def test_faults_are_put_told_and_ended(cluster: Cluster) -> None:
    wanted = {"faults": [{"failed": 1, "only": {"verbs": ["list"], "resource": "nodes"}}], "seed": 7}

    assert (await send(cluster, "PUT", wanted)).status == 200
    assert await status(cluster) == 500
    told = orjson.loads((await send(cluster, "GET")).body)
    assert (await send(cluster, "DELETE")).status == 200

    assert told["faults"] == wanted["faults"]
    assert told["log"] == [{"fault": "failed", "request": "GET /api/v1/nodes", "user": "admin"}]
    assert await status(cluster) == 200
    assert orjson.loads((await send(cluster, "GET")).body)["faults"] == []


async def test_what_was_put_takes_the_place_of_what_was(cluster: Cluster) -> None:
    await send(cluster, "PUT", {"faults": [{"failed": 1}]})
    told = orjson.loads((await send(cluster, "PUT", {"faults": [{"busy": 1, "times": 1}]})).body)

    assert told["faults"] == [{"busy": 1, "times": 1}]
    assert [await status(cluster) for _ in range(2)] == [429, 200]
    assert (await send(cluster, "PUT", told)).status == 200


async def test_the_endpoint_itself_never_fails(cluster: Cluster) -> None:
    cluster.faults.add(Faults(failed=1))

    assert await status(cluster, "/version") == 500
    assert (await send(cluster, "DELETE")).status == 200
    assert await status(cluster, "/version") == 200


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
async def test_only_who_may_do_everything_may_do_this(cluster: Cluster, method: str) -> None:
    refused = await send(cluster, method, {"faults": [{"failed": 1}]}, user="nobody")

    assert refused.status == 403
    assert orjson.loads(refused.body)["message"].endswith(f'cannot {_verb(method)} path "{PATH}"')
    assert not cluster.server.is_faulty


def _verb(method: str) -> str:
    return {"GET": "get", "PUT": "put", "DELETE": "delete"}[method]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"{", "faults: unexpected end"),
        ([], "the body must be"),
        ({"faults": {}}, "the body must be"),
        ({"faults": [], "sed": 1}, "sed: no such field"),
        ({"faults": [], "seed": "x"}, "seed: must be a whole number"),
        ({"faults": [1]}, "must be an object"),
        ({"faults": [{"fail": 1}]}, "fail: no such field; choose from abandoned, busy"),
        ({"faults": [{"failed": "1"}]}, "failed: must be a number"),
        ({"faults": [{"times": 1.5}]}, "times: must be a whole number"),
        ({"faults": [{"failed": 2}]}, "failed is a share"),
        ({"faults": [{"refused": 1}]}, "refused: a server"),
        ({"faults": [{"cutEverySeconds": 0}]}, "cut_every"),
        ({"faults": [{"only": []}]}, "only: must be an object"),
        ({"faults": [{"only": {"verb": "get"}}]}, "only.verb: no such field"),
        ({"faults": [{"only": {"verbs": "get"}}]}, "only.verbs: must be a list of texts"),
        ({"faults": [{"only": {"verbs": ["GET"]}}]}, "GET is none"),
        ({"faults": [{"only": {"name": 1}}]}, "only.name: must be a text"),
    ],
)
async def test_what_makes_no_sense_is_refused_by_name_and_changes_nothing(
    cluster: Cluster, body: Any, said: str
) -> None:
    cluster.faults.add(Faults(cut=1))

    refused = await send(cluster, "PUT", body)

    assert refused.status == 400
    assert said in orjson.loads(refused.body)["message"]
    assert cluster.faults.faults == (Faults(cut=1),)


@given(JSON | st.dictionaries(st.sampled_from(["faults", "seed"]), st.lists(FAULTS) | JSON))
def test_every_body_is_taken_or_refused(body: Any) -> None:
    try:
        reply = answer_control(Call(method="PUT", path=PATH, body=orjson.dumps(body)), Injector(World()))
    except Refusal as refusal:
        code = refusal.code
    else:
        code = reply.status

    assert code in (200, 400)


async def test_no_other_method_is_known(cluster: Cluster) -> None:
    assert (await send(cluster, "PATCH", {"faults": []})).status == 405


@pytest.mark.parametrize("faults", [CALM, EVERYTHING], ids=["none", "everything"])
def test_faults_are_the_same_after_they_were_written_and_read(faults: Faults) -> None:
    assert read_faults(orjson.loads(orjson.dumps(written_faults(faults)))) == faults


def test_times_are_written_in_seconds_and_names_in_camel_case() -> None:
    assert written_faults(EVERYTHING)["longestDelaySeconds"] == 2.5
    assert written_faults(EVERYTHING)["timedOut"] == 0.5
    with pytest.raises(ConfigError, match="no such field"):
        read_faults({"longest_delay": 1})
