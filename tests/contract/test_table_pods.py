"""tables: the one word that kubectl prints for the state of a pod."""

import re
from typing import Any

import pytest

from contract import Api, Object, pod
from contract_reads import TABLE

RUNNING = {"running": {"startedAt": "2020-01-01T00:00:00Z"}}


def container(name: str = "main", state: Object | None = None, **more: Any) -> Object:
    """The status of a container."""
    given = {"name": name, "image": "a", "imageID": "b", "ready": False, "restartCount": 0}
    return {**given, "state": state or {}, **more}


def terminated(**how: Any) -> Object:
    return {"containerStatuses": [container(state={"terminated": how})]}


def waiting(reason: str, **more: Any) -> Object:
    return {"containerStatuses": [container(state={"waiting": {"reason": reason}}, **more)]}


async def shown(api: Api, pods: str, status: Object, **spec: Any) -> Object:
    """The row of a pod with this status."""
    (await api.create(pods, pod("a", **spec))).ok()
    if status:
        (await api.patch(f"{pods}/a/status", {"status": status})).ok()
    [row] = (await api.get(pods, accept=TABLE)).ok()["rows"]
    return dict(row)


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ({}, "0/1 Pending 0"),
        (
            {"phase": "Running", "containerStatuses": [container(state=RUNNING, ready=True, restartCount=2)]},
            "1/1 Running 2",
        ),
        ({"phase": "Running", **waiting("CrashLoopBackOff", restartCount=5)}, "0/1 CrashLoopBackOff 5"),
        ({"phase": "Pending", **waiting("ImagePullBackOff")}, "0/1 ImagePullBackOff 0"),
        ({"phase": "Failed", "reason": "Evicted"}, "0/1 Evicted 0"),
        ({"phase": "Failed", **terminated(exitCode=3)}, "0/1 ExitCode:3 0"),
        ({"phase": "Failed", **terminated(exitCode=137, signal=9)}, "0/1 Signal:9 0"),
        ({"phase": "Failed", **terminated(exitCode=137, reason="OOMKilled")}, "0/1 OOMKilled 0"),
        ({"phase": "Succeeded", **terminated(exitCode=0, reason="Completed")}, "0/1 Completed 0"),
        (
            {"conditions": [{"type": "PodScheduled", "status": "False", "reason": "SchedulingGated"}]},
            "0/1 SchedulingGated 0",
        ),
    ],
)
async def test_the_state_of_a_pod_is_one_word(api: Api, pods: str, status: Object, expected: str) -> None:
    row = await shown(api, pods, status)

    assert row["cells"][:4] == ["a", *expected.split()]


async def test_initialisation_is_counted(api: Api, pods: str) -> None:
    init = [{"name": "first", "image": "a"}, {"name": "second", "image": "a"}]
    done = container("first", {"terminated": {"exitCode": 0}})
    status = {"initContainerStatuses": [done, container("second", {"running": {}})]}

    row = await shown(api, pods, status, initContainers=init)

    assert row["cells"][1:3] == ["0/1", "Init:1/2"]


async def test_a_restart_says_how_long_ago_it_was(api: Api, pods: str) -> None:
    last = {"terminated": {"exitCode": 1, "finishedAt": "2020-01-01T00:00:00Z"}}
    main = container(state=RUNNING, ready=True, restartCount=3, lastState=last)

    row = await shown(api, pods, {"phase": "Running", "containerStatuses": [main]})

    assert re.fullmatch(r"3 \(\d+y(\d+d)? ago\)", row["cells"][3])


async def test_a_pod_that_is_being_deleted_is_terminating(api: Api, pods: str) -> None:
    (await api.create(pods, pod("a", nodeName="node-1"))).ok()
    (await api.delete(f"{pods}/a")).ok()

    [row] = (await api.get(pods, accept=TABLE)).ok()["rows"]

    assert row["cells"][2] == "Terminating"


async def test_wide_columns_show_where_a_pod_is(api: Api, pods: str) -> None:
    status = {"podIP": "10.1.2.3", "podIPs": [{"ip": "10.1.2.3"}]}
    await shown(api, pods, status, nodeName="node-1")

    table = (await api.get(pods, accept=TABLE)).ok()

    wide = [column["name"] for column in table["columnDefinitions"] if column["priority"] == 1]
    assert wide == ["IP", "Node", "Nominated Node", "Readiness Gates"]
    assert table["rows"][0]["cells"][5:] == ["10.1.2.3", "node-1", "<none>", "<none>"]


@pytest.mark.parametrize(
    ("phase", "message"),
    [("Succeeded", "The pod has completed successfully."), ("Failed", "The pod failed.")],
)
async def test_the_row_of_a_finished_pod_says_that_it_is_completed(
    api: Api, pods: str, phase: str, message: str
) -> None:
    row = await shown(api, pods, {"phase": phase})

    assert row["conditions"] == [{"type": "Completed", "status": "True", "reason": phase, "message": message}]


async def test_the_row_of_an_unfinished_pod_has_no_conditions(api: Api, pods: str) -> None:
    assert "conditions" not in await shown(api, pods, {"phase": "Running"})
