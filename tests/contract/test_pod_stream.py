"""log, exec, attach and portforward: what there is to say when no kubelet can be asked."""

import pytest

from contract import Api, Object, pod

STREAMS = ("exec", "attach", "portforward")


def two_containers(name: str) -> Object:
    containers = [{"name": each, "image": "example.com/app:1"} for each in ("first", "second")]
    return pod(name, containers=containers, initContainers=[{"name": "init", "image": "example.com/app:1"}])


async def test_a_pod_without_a_node_has_logged_nothing(api: Api, pods: str) -> None:
    (await api.create(pods, pod("a"))).ok()

    reply = await api.get(f"{pods}/a/log")

    assert (reply.status, reply.body) == (204, "")
    assert "content-type" not in {name.lower() for name in reply.headers}


@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_pod_without_a_node_has_no_streams(api: Api, pods: str, stream: str, method: str) -> None:
    (await api.create(pods, pod("a"))).ok()

    reply = await api.send(method, f"{pods}/a/{stream}")

    assert reply.refused(400, "BadRequest")["message"] == "pod a does not have a host assigned"


@pytest.mark.parametrize("stream", ["log", *STREAMS])
async def test_a_missing_node_is_missed_as_if_it_were_a_pod(api: Api, pods: str, stream: str) -> None:
    (await api.create(pods, pod("a", nodeName="nowhere"))).ok()

    refused = (await api.get(f"{pods}/a/{stream}")).refused(404, "NotFound")

    assert refused["message"] == 'pods "nowhere" not found'


@pytest.mark.parametrize("stream", ["log", *STREAMS])
async def test_a_missing_pod_has_no_streams(api: Api, pods: str, stream: str) -> None:
    refused = (await api.get(f"{pods}/a/{stream}")).refused(404, "NotFound")

    assert refused["message"] == 'pods "a" not found'


@pytest.mark.parametrize("stream", ["log", "exec", "attach"])
async def test_a_stream_is_that_of_a_container(api: Api, pods: str, stream: str) -> None:
    (await api.create(pods, two_containers("a"))).ok()

    unnamed = await api.get(f"{pods}/a/{stream}")
    unknown = await api.get(f"{pods}/a/{stream}", container="third")

    assert unnamed.refused(400, "BadRequest")["message"] == (
        "a container name must be specified for pod a, choose one of: [init first second]"
    )
    assert unknown.refused(400, "BadRequest")["message"] == "container third is not valid for pod a"


async def test_the_logs_of_every_container_may_be_asked_for(api: Api, pods: str) -> None:
    (await api.create(pods, two_containers("a"))).ok()

    for name in ("init", "first", "second"):
        assert (await api.get(f"{pods}/a/log", container=name)).status == 204


@pytest.mark.parametrize(
    ("query", "complaint"),
    [
        ({"tailLines": -1}, "tailLines: Invalid value: -1: must be greater than or equal to 0"),
        ({"limitBytes": 0}, "limitBytes: Invalid value: 0: must be greater than 0"),
        ({"sinceSeconds": 0}, "sinceSeconds: Invalid value: 0: must be greater than 0"),
        (
            {"sinceSeconds": 1, "sinceTime": "2020-01-01T00:00:00Z"},
            "[]: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified",
        ),
        ({"stream": "Stdout"}, "stream: Forbidden: may not be specified"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
async def test_the_parameters_of_a_log_are_checked_before_the_pod(
    api: Api, pods: str, query: dict[str, int], complaint: str
) -> None:
    reply = await api.get(f"{pods}/a/log", **query)

    assert reply.refused(422, "Invalid")["message"] == f'PodLogOptions "a" is invalid: {complaint}'


@pytest.mark.parametrize(
    ("query", "complaint"),
    [
        (
            {"sinceTime": "2020-01-01"},
            'parsing time "2020-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"',
        ),
        ({"tailLines": ""}, 'strconv.ParseInt: parsing "": invalid syntax'),
    ],
    ids=["time", "number"],
)
async def test_a_log_is_not_asked_for_what_cannot_be_read(
    api: Api, pods: str, query: dict[str, str], complaint: str
) -> None:
    reply = await api.get(f"{pods}/a/log", **query)

    assert reply.refused(400, "BadRequest")["message"] == complaint
