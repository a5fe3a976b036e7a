from __future__ import annotations

import pytest

from windlass.api import Kind, plural

DEPLOYMENT = Kind("apps", "v1", "Deployment", "deployments")
POD = Kind("", "v1", "Pod", "pods")
NODE = Kind("", "v1", "Node", "nodes", namespaced=False)


@pytest.mark.parametrize(
    ("kind", "api_version", "resource", "text"),
    [
        (DEPLOYMENT, "apps/v1", "deployments.apps", "Deployment.apps/v1"),
        (POD, "v1", "pods", "Pod.v1"),
    ],
)
def test_a_kind_names_itself_as_kubernetes_does(
    kind: Kind, api_version: str, resource: str, text: str
) -> None:
    assert (kind.api_version, kind.resource, str(kind)) == (api_version, resource, text)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (POD.path(), "/api/v1/pods"),
        (POD.path(namespace="a"), "/api/v1/namespaces/a/pods"),
        (POD.path("p", "a"), "/api/v1/namespaces/a/pods/p"),
        (POD.path("p", "a", "status"), "/api/v1/namespaces/a/pods/p/status"),
        (NODE.path("n"), "/api/v1/nodes/n"),
        (NODE.path("n", "ignored", "status"), "/api/v1/nodes/n/status"),
        (DEPLOYMENT.path(), "/apis/apps/v1/deployments"),
        (DEPLOYMENT.path("d", "a", "scale"), "/apis/apps/v1/namespaces/a/deployments/d/scale"),
    ],
)
def test_a_path_leads_to_the_object_the_collection_or_the_subresource(path: str, expected: str) -> None:
    assert path == expected


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("Pod", "pods"),
        ("Policy", "policies"),
        ("NetworkPolicy", "networkpolicies"),
        ("Gateway", "gateways"),
        ("Ingress", "ingresses"),
        ("Index", "indexes"),
        ("Batch", "batches"),
        ("Mesh", "meshes"),
        ("PodTemplate", "podtemplates"),
    ],
)
def test_the_plural_is_guessed_as_english_has_it(kind: str, expected: str) -> None:
    assert plural(kind) == expected


def test_kinds_are_values() -> None:
    assert Kind("apps", "v1", "Deployment", "deployments") == DEPLOYMENT
    assert len({DEPLOYMENT, Kind("apps", "v1", "Deployment", "deployments"), POD}) == 2
    with pytest.raises(AttributeError):
        POD.version = "v2"  # type: ignore[misc] # that is the point
