"""What is asked of a server to get, keep and hand over a lease, request by request."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from scripted import ScriptedTransport, answer, status
from windlass.aio import ManualClock
from windlass.client import NO_RETRY, Client, ClientOptions
from windlass.errors import AlreadyExists, Conflict, ServerError
from windlass.manager import ElectionOptions
from windlass.manager.claim import Claim

CONFLICT = answer(409, status(409, "Conflict"))
EXISTS = answer(409, status(409, "AlreadyExists"))
MISSING = answer(404, status(404, "NotFound"))
FAILED = answer(500, status(500, "InternalError"))


def lease(version: int, holder: str, **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "coordination.k8s.io/v1",
        "kind": "Lease",
        "metadata": {"name": "x", "namespace": "default", "resourceVersion": str(version)},
        "spec": {"holderIdentity": holder, "leaseDurationSeconds": 15, **spec},
    }


def granted(version: int, holder: str = "me", **spec: Any) -> Any:
    return answer(200, lease(version, holder, **spec))


class Scripted(Claim):
    """A claim on a lease whose server answers by a script."""

    def __init__(self, *steps: Any) -> None:
        self.transport = ScriptedTransport(list(steps))
        self.clock = ManualClock()
        client = Client(self.transport, ClientOptions(retry=NO_RETRY))
        super().__init__(client, ElectionOptions(name="x", namespace="default"), "me", self.clock)

    @property
    def asked(self) -> str:
        return " ".join(request.method for request in self.transport.requests)

    @property
    def last(self) -> dict[str, Any]:
        body: dict[str, Any] = orjson.loads(self.transport.requests[-1].body)
        return body


async def test_a_lease_that_is_not_there_is_made() -> None:
    claim = Scripted(MISSING, granted(1))
    assert await claim.acquire() == 0.0
    assert claim.asked == "GET POST"
    assert claim.last["metadata"] == {"name": "x", "namespace": "default"}


async def test_to_be_second_at_making_it_is_no_success() -> None:
    claim = Scripted(MISSING, EXISTS)
    with pytest.raises(AlreadyExists):
        await claim.acquire()
    assert not claim.is_ours


async def test_the_lease_of_another_is_only_looked_at() -> None:
    claim = Scripted(granted(1, "you"), granted(1, "you"))
    assert await claim.acquire() is None
    assert await claim.acquire() is None
    assert claim.asked == "GET GET"
    assert claim.holder == "you"


async def test_taking_over_names_the_version_that_was_judged() -> None:
    claim = Scripted(granted(41, ""), granted(42))
    await claim.acquire()
    assert claim.last["metadata"]["resourceVersion"] == "41"


async def test_to_be_second_at_taking_over_is_no_success() -> None:
    claim = Scripted(granted(41, ""), CONFLICT)
    with pytest.raises(Conflict):
        await claim.acquire()
    assert not claim.is_ours


async def test_a_renewal_is_one_request() -> None:
    claim = Scripted(granted(1, ""), granted(2), granted(3), granted(4))
    await claim.acquire()
    await claim.renew()
    await claim.renew()
    assert claim.asked == "GET PUT PUT PUT"
    assert claim.last["metadata"]["resourceVersion"] == "3"


@pytest.mark.parametrize("refusal", [CONFLICT, MISSING, FAILED])
async def test_a_renewal_that_is_refused_looks_and_tries_once_more(refusal: Any) -> None:
    claim = Scripted(granted(1, ""), granted(2), refusal, granted(7), granted(8))
    await claim.acquire()
    assert await claim.renew() is not None
    assert claim.asked == "GET PUT PUT GET PUT"
    assert claim.last["metadata"]["resourceVersion"] == "7"


async def test_a_renewal_that_is_refused_twice_fails() -> None:
    claim = Scripted(granted(1, ""), granted(2), FAILED, granted(2), FAILED)
    await claim.acquire()
    with pytest.raises(ServerError):
        await claim.renew()
    assert claim.is_ours


@pytest.mark.parametrize("holder", ["you", ""])
async def test_a_renewal_never_takes_the_lease_back(holder: str) -> None:
    claim = Scripted(granted(1, ""), granted(2), CONFLICT, granted(7, holder))
    await claim.acquire()
    assert await claim.renew() is None
    assert claim.asked == "GET PUT PUT GET"
    assert not claim.is_ours


async def test_what_we_do_not_know_of_a_lease_stays_in_it() -> None:
    others = {"strategy": "OldestEmulationVersion", "preferredHolder": "you", "future": {"a": [1]}}
    claim = Scripted(granted(1, "", **others), granted(2, "me", **others), granted(3, "me", **others))
    await claim.acquire()
    assert claim.last["spec"] | others == claim.last["spec"]
    await claim.renew()
    assert claim.last["spec"] | others == claim.last["spec"]


async def test_a_lease_is_handed_over_only_by_its_holder() -> None:
    claim = Scripted(granted(1, ""), granted(2), granted(5, "you"))
    await claim.acquire()
    await claim.release()
    assert claim.asked == "GET PUT GET"


async def test_a_deleted_lease_is_not_handed_over() -> None:
    claim = Scripted(granted(1, ""), granted(2), MISSING)
    await claim.acquire()
    await claim.release()
    assert claim.asked == "GET PUT GET"


async def test_handing_over_names_the_version_that_was_ours() -> None:
    claim = Scripted(granted(1, ""), granted(2), granted(9), granted(10, ""))
    await claim.acquire()
    await claim.release()
    assert claim.asked == "GET PUT GET PUT"
    assert claim.last["metadata"]["resourceVersion"] == "9"
    assert claim.last["spec"]["holderIdentity"] == ""
    assert not claim.is_ours
