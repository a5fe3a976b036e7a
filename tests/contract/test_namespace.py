"""namespaces: two lives, active and terminating."""

from collections.abc import AsyncIterator

import pytest

from contract import Api, Object, config_map, deployment
from contract_objects import lease, namespace_object, version_of

NAMESPACES = "/api/v1/namespaces"
OWN_NAME = "kubernetes.io/metadata.name"


async def finalize(api: Api, name: str) -> None:
    """Give up the namespace, as its controller does when nothing is left in it."""
    await api.delete(f"{NAMESPACES}/{name}")
    found = await api.get(f"{NAMESPACES}/{name}")
    if found.status == 200:
        (await api.update(f"{NAMESPACES}/{name}/finalize", {**found.body, "spec": {}})).ok()


@pytest.fixture
async def other(api: Api, namespace: str) -> AsyncIterator[str]:
    """The name of a namespace that does not exist yet; whatever becomes of it is removed."""
    name = f"{namespace}-other"
    yield name
    await finalize(api, name)


@pytest.fixture
async def doomed(api: Api, other: str) -> str:
    """The name of a terminating namespace in which a ConfigMap `kept` is left."""
    (await api.create(NAMESPACES, namespace_object(other))).ok()
    (await api.create(f"{NAMESPACES}/{other}/configmaps", config_map("kept"))).ok()
    (await api.delete(f"{NAMESPACES}/{other}")).ok()
    return other


async def test_a_new_namespace_is_active_and_has_the_finalizer_of_its_controller(
    api: Api, other: str
) -> None:
    created = (await api.create(NAMESPACES, namespace_object(other))).ok()

    assert created["spec"] == {"finalizers": ["kubernetes"]}
    assert created["status"] == {"phase": "Active"}


async def test_a_new_namespace_is_labelled_with_its_name(api: Api, other: str) -> None:
    wrong = namespace_object(other, labels={OWN_NAME: "wrong", "team": "a"})

    created = (await api.create(NAMESPACES, wrong)).ok()

    assert created["metadata"]["labels"] == {OWN_NAME: other, "team": "a"}


async def test_a_generated_name_is_labelled_too(api: Api, namespace: str) -> None:
    body = {"metadata": {"generateName": f"{namespace}-"}}

    created = (await api.create(NAMESPACES, body, dryRun="All")).ok()

    assert created["metadata"]["labels"] == {OWN_NAME: created["metadata"]["name"]}


@pytest.mark.parametrize("value", ["wrong", None])
async def test_the_label_with_its_name_cannot_be_taken_from_a_namespace(
    api: Api, namespace: str, value: str | None
) -> None:
    before = version_of(await api.get(f"{NAMESPACES}/{namespace}"))

    changed = await api.patch(f"{NAMESPACES}/{namespace}", {"metadata": {"labels": {OWN_NAME: value}}})

    assert changed.ok()["metadata"]["labels"] == {OWN_NAME: namespace}
    assert version_of(changed) == before


async def test_the_finalizers_in_the_spec_are_changed_by_finalize_only(api: Api, namespace: str) -> None:
    changed = await api.patch(f"{NAMESPACES}/{namespace}", {"spec": {"finalizers": []}})

    assert changed.ok()["spec"] == {"finalizers": ["kubernetes"]}


async def test_a_namespace_cannot_claim_to_be_terminating(api: Api, namespace: str) -> None:
    reply = await api.patch(f"{NAMESPACES}/{namespace}/status", {"status": {"phase": "Terminating"}})

    assert reply.refused(422, "Invalid")["message"] == (
        f'Namespace "{namespace}" is invalid: status.Phase: Invalid value: "Terminating": '
        "may only be 'Active' if `deletionTimestamp` is empty"
    )


async def test_delete_makes_a_namespace_terminating(api: Api, other: str) -> None:
    (await api.create(NAMESPACES, namespace_object(other))).ok()

    reply = await api.delete(f"{NAMESPACES}/{other}")

    assert (reply.status, reply.body["kind"]) == (200, "Namespace")
    assert reply.body["status"]["phase"] == "Terminating"
    assert reply.body["spec"] == {"finalizers": ["kubernetes"]}
    assert reply.body["metadata"]["deletionTimestamp"]
    assert (await api.get(f"{NAMESPACES}/{other}")).ok() == reply.body


async def test_a_second_delete_of_a_namespace_changes_nothing(api: Api, doomed: str) -> None:
    before = (await api.get(f"{NAMESPACES}/{doomed}")).ok()

    assert (await api.delete(f"{NAMESPACES}/{doomed}")).ok() == before


async def test_the_name_of_a_terminating_namespace_is_taken(api: Api, doomed: str) -> None:
    refused = (await api.create(NAMESPACES, namespace_object(doomed))).refused(409, "AlreadyExists")

    assert refused["message"] == f'object is being deleted: namespaces "{doomed}" already exists'


@pytest.mark.parametrize(
    ("path", "body", "resource"),
    [
        ("/api/v1/namespaces/{}/configmaps", config_map("a"), {"kind": "configmaps"}),
        (
            "/apis/apps/v1/namespaces/{}/deployments",
            deployment("a"),
            {"kind": "deployments", "group": "apps"},
        ),
        ("/api/v1/namespaces/{}/serviceaccounts/a/token", {}, {"kind": "serviceaccounts"}),
    ],
)
async def test_nothing_is_created_in_a_terminating_namespace(
    api: Api, doomed: str, path: str, body: Object, resource: dict[str, str]
) -> None:
    refused = (await api.create(path.format(doomed), body)).refused(403, "Forbidden")

    full_name = ".".join(filter(None, (resource["kind"], resource.get("group"))))
    assert refused["message"] == (
        f'{full_name} "a" is forbidden: '
        f"unable to create new content in namespace {doomed} because it is being terminated"
    )
    assert refused["details"] == {
        "name": "a",
        **resource,
        "causes": [
            {
                "reason": "NamespaceTerminating",
                "message": f"namespace {doomed} is being terminated",
                "field": "metadata.namespace",
            }
        ],
    }


async def test_an_update_that_would_create_is_refused_in_a_terminating_namespace(
    api: Api, doomed: str
) -> None:
    path = f"/apis/coordination.k8s.io/v1/namespaces/{doomed}/leases/a"

    refused = (await api.update(path, lease("a"))).refused(403, "Forbidden")

    assert refused["details"]["causes"][0]["reason"] == "NamespaceTerminating"


async def test_what_is_in_a_terminating_namespace_can_be_changed_and_deleted(api: Api, doomed: str) -> None:
    path = f"{NAMESPACES}/{doomed}/configmaps/kept"

    changed = await api.patch(path, {"data": {"key": "value"}})
    deleted = await api.delete(path)

    assert changed.ok()["data"] == {"key": "value"}
    assert deleted.ok()["kind"] == "Status"


async def test_finalize_removes_the_namespace(api: Api, doomed: str) -> None:
    found = (await api.get(f"{NAMESPACES}/{doomed}")).ok()

    last = (await api.update(f"{NAMESPACES}/{doomed}/finalize", {**found, "spec": {}})).ok()

    assert last["spec"] == {}
    (await api.get(f"{NAMESPACES}/{doomed}")).refused(404, "NotFound")


async def test_finalize_of_a_stale_namespace_is_a_conflict(api: Api, doomed: str) -> None:
    stale = (await api.get(f"{NAMESPACES}/{doomed}")).ok()
    (await api.patch(f"{NAMESPACES}/{doomed}", {"metadata": {"labels": {"a": "b"}}})).ok()

    reply = await api.update(f"{NAMESPACES}/{doomed}/finalize", {**stale, "spec": {}})

    reply.refused(409, "Conflict")


async def test_finalize_cannot_be_patched(api: Api, doomed: str) -> None:
    reply = await api.patch(f"{NAMESPACES}/{doomed}/finalize", {"spec": {"finalizers": []}})

    reply.refused(405, "MethodNotAllowed")


async def test_a_namespace_waits_for_both_kinds_of_finalizers(api: Api, other: str) -> None:
    (await api.create(NAMESPACES, namespace_object(other, finalizers=["example.com/a"]))).ok()
    (await api.delete(f"{NAMESPACES}/{other}")).ok()
    found = (await api.get(f"{NAMESPACES}/{other}")).ok()

    (await api.update(f"{NAMESPACES}/{other}/finalize", {**found, "spec": {}})).ok()
    waiting = await api.get(f"{NAMESPACES}/{other}")
    (await api.patch(f"{NAMESPACES}/{other}", {"metadata": {"finalizers": None}})).ok()

    assert waiting.ok()["spec"] == {}
    (await api.get(f"{NAMESPACES}/{other}")).refused(404, "NotFound")


async def test_a_namespace_that_waits_for_nothing_goes_with_the_next_write(api: Api, other: str) -> None:
    path = f"{NAMESPACES}/{other}"
    created = (await api.create(NAMESPACES, namespace_object(other))).ok()
    (await api.update(f"{path}/finalize", {**created, "spec": {}})).ok()
    marked = (await api.delete(path)).ok()
    assert (await api.get(path)).ok()["status"] == {"phase": "Terminating"}

    (await api.update(f"{path}/finalize", marked)).ok()

    assert (await api.get(path)).status == 404


async def test_a_second_delete_of_a_namespace_that_its_controller_gave_up_says_when(
    api: Api, other: str
) -> None:
    path = f"{NAMESPACES}/{other}"
    created = (await api.create(NAMESPACES, namespace_object(other, finalizers=["example.com/held"]))).ok()
    (await api.update(f"{path}/finalize", {**created, "spec": {}})).ok()
    first = (await api.delete(path)).ok()
    assert "deletionGracePeriodSeconds" not in first["metadata"]

    second = (await api.delete(path)).ok()
    assert second["metadata"]["deletionGracePeriodSeconds"] == 0

    (await api.patch(path, {"metadata": {"finalizers": None}})).ok()
    assert (await api.get(path)).status == 404


async def test_further_finalizers_in_the_spec_come_before_that_of_the_controller(
    api: Api, other: str
) -> None:
    body = {**namespace_object(other), "spec": {"finalizers": ["example.com/a"]}}

    created = (await api.create(NAMESPACES, body)).ok()

    assert created["spec"] == {"finalizers": ["example.com/a", "kubernetes"]}


@pytest.mark.parametrize("name", ["default", "kube-node-lease", "kube-public", "kube-system"])
async def test_the_namespaces_of_every_cluster_are_there(api: Api, name: str) -> None:
    assert (await api.get(f"{NAMESPACES}/{name}")).ok()["status"]["phase"] == "Active"


@pytest.mark.parametrize(("field", "what"), [("uid", "UID"), ("resourceVersion", "ResourceVersion")])
async def test_a_namespace_may_be_deleted_as_it_is_or_not_at_all(
    api: Api, other: str, field: str, what: str
) -> None:
    created = (await api.create(NAMESPACES, namespace_object(other))).ok()["metadata"]
    path = f"{NAMESPACES}/{other}"

    refused = (await api.delete(path, {"preconditions": {field: "1"}})).refused(409, "Conflict")
    (await api.delete(path, {"preconditions": {field: created[field]}})).ok()

    assert refused["message"] == (
        f'Operation cannot be fulfilled on namespaces "{other}": '
        f"Precondition failed: {what} in precondition: 1, {what} in object meta: {created[field]}"
    )


@pytest.mark.parametrize(
    ("options", "finalizers"),
    [
        ({}, ["example.com/a"]),
        ({"propagationPolicy": "Background"}, ["example.com/a"]),
        ({"propagationPolicy": "Foreground"}, ["example.com/a", "foregroundDeletion"]),
        ({"propagationPolicy": "Orphan"}, ["example.com/a", "orphan"]),
        ({"orphanDependents": True}, ["example.com/a", "orphan"]),
        ({"orphanDependents": False}, ["example.com/a", "foregroundDeletion"]),
    ],
    ids=lambda value: "-".join(map(str, value.values())) if isinstance(value, dict) else "",
)
async def test_a_policy_of_the_deletion_is_one_more_finalizer(
    api: Api, other: str, options: Object, finalizers: list[str]
) -> None:
    (await api.create(NAMESPACES, namespace_object(other, finalizers=["example.com/a"]))).ok()

    deleted = (await api.delete(f"{NAMESPACES}/{other}", options or None)).ok()
    (await api.patch(f"{NAMESPACES}/{other}", {"metadata": {"finalizers": None}})).ok()

    assert sorted(deleted["metadata"]["finalizers"]) == finalizers


async def test_finalize_writes_metadata_but_no_status(api: Api, other: str) -> None:
    created = (await api.create(NAMESPACES, namespace_object(other))).ok()
    body = {**namespace_object(other, labels={"team": "a"}), "status": {"phase": "Terminating"}}

    finalized = (await api.update(f"{NAMESPACES}/{other}/finalize", body)).ok()

    assert finalized["metadata"]["labels"] == {OWN_NAME: other, "team": "a"}
    assert (finalized["spec"], finalized["status"]) == ({}, created["status"])


async def test_the_finalizers_in_the_spec_have_domains_or_are_known(api: Api, other: str) -> None:
    (await api.create(NAMESPACES, namespace_object(other))).ok()
    body = {**namespace_object(other), "spec": {"finalizers": ["unknown"]}}

    reply = await api.update(f"{NAMESPACES}/{other}/finalize", body)

    reply.refused(422, "Invalid")
    assert reply.fields == ["spec.finalizers[0]"]
