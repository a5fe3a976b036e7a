"""What a kubelet answers to an API server, without a port."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fake_kubelet import FakeKubelet
from windlass.aio import ManualClock
from windlass.apiserver import Call, Query, User
from windlass.apiserver.kubelet import KubeletRefusal
from windlass.cluster.kubelet.answer import Answerer

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.apiserver import Reply

MASTER = User("kube-apiserver", ("system:masters",))
UPGRADE = {"connection": "Upgrade", "upgrade": "SPDY/3.1", "x-stream-protocol-version": "v4.channel.k8s.io"}


@pytest.fixture
def kubelet(tmp_path: Path) -> FakeKubelet:
    return FakeKubelet(tmp_path)


async def asked(
    kubelet: FakeKubelet, path: str, *, user: User | None = MASTER, upgrade: bool = False
) -> Reply:
    path, _, query = path.partition("?")
    pairs = [tuple(each.split("=", 1)) for each in query.split("&") if each]
    call = Call(
        method="GET",
        path=path,
        query=Query([(key, value) for key, value in pairs]),
        headers=UPGRADE if upgrade else {},
        certified=user,
    )
    return await Answerer(kubelet, ManualClock(), closed=True).handle(call)


@pytest.mark.parametrize(("user", "status"), [(None, 401), (User("anna", ("dev",)), 403), (MASTER, 200)])
async def test_only_who_may_do_everything_is_answered(
    kubelet: FakeKubelet, user: User | None, status: int
) -> None:
    assert (await asked(kubelet, "/healthz", user=user)).status == status


async def test_an_open_kubelet_answers_everybody(kubelet: FakeKubelet) -> None:
    reply = await Answerer(kubelet, ManualClock(), closed=False).handle(Call(method="GET", path="/healthz"))

    assert (reply.status, reply.body) == (200, b"ok")


async def test_an_error_is_plain_text(kubelet: FakeKubelet) -> None:
    kubelet.refusal = KubeletRefusal("not today", 409)

    reply = await asked(kubelet, "/containerLogs/default/a/main")

    assert (reply.status, reply.body) == (409, b"not today")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/exec/default/a/main?output=1&command=true", 101),
        ("/exec/default/a/some-uid/main?output=1&command=true", 101),
        ("/attach/default/a/main?input=1", 101),
        ("/exec/default/a/main?command=true", 400),
        ("/portForward/default/a", 403),
        ("/portForward/default/a/some-uid", 403),
        ("/pods/nothing", 404),
        ("/exec/default/a", 404),
    ],
)
async def test_a_path_says_what_is_wanted(kubelet: FakeKubelet, path: str, status: int) -> None:
    assert (await asked(kubelet, path, upgrade=True)).status == status


@pytest.mark.parametrize("path", ["/exec/default/a/main?output=1", "/portForward/default/a"])
async def test_a_stream_needs_a_connection_that_is_upgraded(kubelet: FakeKubelet, path: str) -> None:
    reply = await asked(kubelet, path)

    assert (reply.status, reply.body) == (400, b"Upgrade request required")
