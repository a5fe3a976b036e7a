"""fieldSelector: which fields each kind selects by, and how."""

import pytest

from contract import Api, Object, config_map, pod
from contract_crd import Definitions
from contract_reads import names

ONLY_METADATA = 'is not a known field selector: only "metadata.name", "metadata.namespace"'


@pytest.mark.parametrize(
    ("selector", "selected"),
    [
        ("", "a b c"),
        ("metadata.name=a", "a"),
        ("metadata.name==a", "a"),
        ("metadata.name!=a", "b c"),
        ("metadata.name!=a,metadata.name!=b", "c"),
        ("metadata.name=a,metadata.name=b", ""),
        ("metadata.name=a,", "a"),
        ("metadata.name=", ""),
        (r"metadata.name=a\,b", ""),
        ("metadata.name=a/b", ""),
        ("metadata.namespace={namespace}", "a b c"),
        ("metadata.namespace=another", ""),
        ("metadata.namespace!={namespace}", ""),
        ("metadata.name=a,metadata.namespace={namespace}", "a"),
    ],
)
async def test_every_kind_is_selected_by_name_and_namespace(
    api: Api, namespace: str, config_maps: str, selector: str, selected: str
) -> None:
    for name in ("a", "b", "c"):
        (await api.create(config_maps, config_map(name))).ok()

    listing = (await api.get(config_maps, fieldSelector=selector.format(namespace=namespace))).ok()

    assert names(listing) == selected.split()


async def test_a_namespace_can_be_selected_from_all(api: Api, namespace: str, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    listing = (await api.get("/api/v1/configmaps", fieldSelector=f"metadata.namespace={namespace}")).ok()

    assert names(listing) == ["a"]


@pytest.mark.parametrize(
    ("selector", "selected"),
    [
        ("spec.nodeName=node-1", "bound"),
        ("spec.nodeName=", "free"),
        ("spec.nodeName!=", "bound"),
        ("spec.restartPolicy=Never", "free"),
        ("spec.schedulerName=default-scheduler", "bound"),
        ("spec.serviceAccountName=robot", "free"),
        ("spec.hostNetwork=true", "free"),
        ("spec.hostNetwork=false", "bound"),
        ("status.phase=Running", "bound"),
        ("status.phase!=Running", "free"),
        ("status.podIP=10.1.2.3", "bound"),
        ("status.nominatedNodeName=", "bound free"),
        ("status.phase=Running,spec.nodeName=node-1", "bound"),
        ("status.phase=Running,spec.nodeName=node-2", ""),
    ],
)
async def test_pods_are_selected_by_placement_and_phase(
    api: Api, pods: str, selector: str, selected: str
) -> None:
    (await api.create(pods, pod("bound", nodeName="node-1"))).ok()
    running = {"phase": "Running", "podIP": "10.1.2.3", "podIPs": [{"ip": "10.1.2.3"}]}
    (await api.patch(f"{pods}/bound/status", {"status": running})).ok()
    other = {"restartPolicy": "Never", "schedulerName": "mine", "serviceAccountName": "robot"}
    (await api.create(pods, pod("free", hostNetwork=True, **other))).ok()

    listing = (await api.get(pods, fieldSelector=selector)).ok()

    assert names(listing) == selected.split()


@pytest.mark.parametrize(
    ("selector", "selected"),
    [("type=Opaque", "plain"), ("type!=Opaque", "special"), ("type=example.com/special", "special")],
)
async def test_secrets_are_selected_by_type(api: Api, namespace: str, selector: str, selected: str) -> None:
    path = f"/api/v1/namespaces/{namespace}/secrets"
    for name, secret_type in (("plain", {}), ("special", {"type": "example.com/special"})):
        body = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}, **secret_type}
        (await api.create(path, body)).ok()

    assert names((await api.get(path, fieldSelector=selector)).ok()) == selected.split()


@pytest.mark.parametrize(
    ("selector", "selected"),
    [
        ("involvedObject.name=pod-1", "normal warning"),
        ("involvedObject.kind=Pod,involvedObject.uid=uid-1", "normal warning"),
        ("involvedObject.kind=Node", ""),
        ("involvedObject.namespace={namespace}", "normal warning"),
        ("involvedObject.fieldPath=spec.containers{{main}}", "normal warning"),
        ("reason=Started", "normal"),
        ("type=Warning", "warning"),
        ("type!=Normal,involvedObject.name=pod-1", "warning"),
        ("source=tester", "normal warning"),
        ("reportingComponent=tester", "normal warning"),
    ],
)
async def test_events_are_selected_by_what_they_are_about(
    api: Api, namespace: str, selector: str, selected: str
) -> None:
    path = f"/api/v1/namespaces/{namespace}/events"
    (await api.create(path, event(namespace, "normal", type="Normal", reason="Started"))).ok()
    (await api.create(path, event(namespace, "warning", type="Warning", reason="Failed"))).ok()

    listing = (await api.get(path, fieldSelector=selector.format(namespace=namespace))).ok()

    assert names(listing) == selected.split()


async def test_the_same_events_are_selected_by_their_names_in_another_group(api: Api, namespace: str) -> None:
    body = event(namespace, "a", type="Normal", reason="Started")
    (await api.create(f"/api/v1/namespaces/{namespace}/events", body)).ok()
    path = f"/apis/events.k8s.io/v1/namespaces/{namespace}/events"

    found = (await api.get(path, fieldSelector="regarding.name=pod-1,reportingController=tester")).ok()
    refused = (await api.get(path, fieldSelector="involvedObject.name=pod-1")).refused(400, "BadRequest")

    assert names(found) == ["a"]
    assert refused["message"] == "field label not supported: involvedObject.name"


async def test_namespaces_are_selected_by_phase(api: Api, namespace: str) -> None:
    async def selected(phase: str) -> list[str]:
        selector = f"status.phase={phase},metadata.name={namespace}"
        return names((await api.get("/api/v1/namespaces", fieldSelector=selector)).ok())

    assert (await selected("Active"), await selected("Terminating")) == ([namespace], [])


@pytest.mark.parametrize(
    ("path", "selector", "message"),
    [
        ("/api/v1/configmaps", "data.key=a", f'"data.key" {ONLY_METADATA}'),
        ("/api/v1/configmaps", "metadata.uid=a", f'"metadata.uid" {ONLY_METADATA}'),
        ("/api/v1/configmaps", " metadata.name = a ", f'" metadata.name " {ONLY_METADATA}'),
        ("/api/v1/configmaps", "metadata.name=a,name=b", f'"name" {ONLY_METADATA}'),
        ("/api/v1/configmaps", 'a"b=c', rf'"a\"b" {ONLY_METADATA}'),
        ("/apis/apps/v1/deployments", "spec.replicas=1", f'"spec.replicas" {ONLY_METADATA}'),
        ("/api/v1/pods", "spec.hostname=a", "field label not supported: spec.hostname"),
        ("/api/v1/secrets", "data=a", "field label not supported: data"),
        ("/api/v1/events", "message=a", "field label not supported: message"),
        ("/api/v1/namespaces", "metadata.namespace=a", "field label not supported: metadata.namespace"),
        ("/apis/batch/v1/jobs", "status.failed=1", 'field label "status.failed" not supported for Job'),
        (
            "/api/v1/configmaps",
            "metadata.name",
            "invalid selector: 'metadata.name'; can't understand 'metadata.name'",
        ),
        (
            "/api/v1/configmaps",
            "metadata.name in (a)",
            "invalid selector: 'metadata.name in (a)'; can't understand 'metadata.name in (a)'",
        ),
        (
            "/api/v1/configmaps",
            "metadata.name=a=b",
            "invalid field selector: unescaped character in value: 61",
        ),
        (
            "/api/v1/configmaps",
            r"metadata.name=a\b",
            r"invalid field selector: invalid escape sequence: \b",
        ),
    ],
)
async def test_a_selector_that_a_kind_does_not_know_is_refused(
    api: Api, path: str, selector: str, message: str
) -> None:
    refused = (await api.get(path, fieldSelector=selector)).refused(400, "BadRequest")

    assert refused["message"] == message


async def test_custom_kinds_are_selected_by_name_and_namespace_only(
    crds: Definitions, api: Api, namespace: str
) -> None:
    widgets = await crds.serve()
    for name in ("a", "b"):
        (await widgets.create(name, spec={"size": 1})).ok()

    by_name = await api.get(widgets.path, fieldSelector=f"metadata.name=a,metadata.namespace={namespace}")
    by_spec = await api.get(widgets.path, fieldSelector="spec.size=1")

    assert names(by_name.ok()) == ["a"]
    assert by_spec.refused(400, "BadRequest")["message"] == "field label not supported: spec.size"


def event(namespace: str, name: str, **fields: str) -> Object:
    """An event about a container of a pod."""
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": name},
        "involvedObject": {
            "apiVersion": "v1",
            "kind": "Pod",
            "namespace": namespace,
            "name": "pod-1",
            "uid": "uid-1",
            "fieldPath": "spec.containers{main}",
        },
        "source": {"component": "tester"},
        "reportingComponent": "tester",
        **fields,
    }
