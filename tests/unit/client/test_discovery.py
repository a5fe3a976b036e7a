"""What a server serves, and what it cannot tell."""

from scripted import ScriptedTransport, answer, status
from windlass.client import Client, survey

NONE = answer(body={"kind": "APIGroupDiscoveryList", "items": []})


async def test_a_version_whose_extension_server_is_down_is_unknown_and_not_absent() -> None:
    app = {"resource": "apps", "responseKind": {"kind": "App"}, "scope": "Cluster", "verbs": ["get"]}
    groups = [
        {
            "metadata": {"name": "demo.example.com"},
            "versions": [{"version": "v1", "resources": [app], "freshness": "Current"}],
        },
        {
            "metadata": {"name": "metrics.k8s.io"},
            "versions": [{"version": "v1beta1", "resources": [], "freshness": "Stale"}],
        },
    ]
    transport = ScriptedTransport([NONE, answer(body={"items": groups})])

    found = await survey(Client(transport))

    assert [each.kind.name for each in found.served] == ["App"]
    assert found.unknown == ["metrics.k8s.io/v1beta1"]


async def test_an_older_server_tells_so_too() -> None:
    groups = [{"name": "metrics.k8s.io", "versions": [{"version": "v1beta1"}]}]
    transport = ScriptedTransport(
        [
            answer(body={"kind": "APIVersions", "versions": []}),
            answer(body={"kind": "APIGroupList", "groups": groups}),
            *[answer(503, status(503, "ServiceUnavailable", "the extension server is down"))] * 10,
        ]
    )

    found = await survey(Client(transport))

    assert (found.served, found.unknown) == ([], ["metrics.k8s.io/v1beta1"])
