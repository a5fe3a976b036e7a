"""What admission webhooks change, and what the server makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from contract import MERGE, deployment, pod
from contract_crd import array, definition, obj, string, version, warning
from hooking import allowed, patched, rule

if TYPE_CHECKING:
    from contract import Object
    from contract_crd import Definitions
    from hooking import Hooked

LIMITS = {
    "type": "Container",
    "default": {"cpu": "1"},
    "defaultRequest": {"cpu": "500m"},
    "max": {"cpu": "2"},
}
UNCHANGED = {"key": "done", "operator": "DoesNotExist"}


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        (("add", "/metadata/name", "y"), 422, 'metadata.name: Invalid value: "y": field is immutable'),
        (("add", "/metadata/namespace", "default"), 400, "does not match the namespace sent on the request"),
        (("add", "/metadata/uid", "y"), 422, 'metadata.uid: Invalid value: "y": field is immutable'),
        (("add", "/metadata/resourceVersion", "1"), 409, "the object has been modified"),
        (("add", "/metadata/labels", {"a": "b c"}), 422, 'metadata.labels: Invalid value: "b c"'),
    ],
    ids=["name", "namespace", "uid", "version", "labels"],
)
async def test_an_update_is_checked_after_webhooks_changed_it(
    hooked: Hooked, change: tuple[Any, ...], status: int, words: str
) -> None:
    (await hooked.create("x")).ok()
    hooked.hooks.respond("/hook", patched(change))

    async with hooked.mutating(hooked.hook("/hook", rules=[rule("configmaps", operations=["UPDATE"])])):
        reply = await hooked.api.patch(f"{hooked.path}/x", {"data": {"a": "b"}})

    assert reply.status == status
    assert words in reply.body["message"]


async def test_what_is_deleted_cannot_be_changed(hooked: Hooked) -> None:
    (await hooked.create("x")).ok()
    hook = hooked.hook("/hook", rules=[rule("configmaps", operations=["DELETE"])])

    async with hooked.mutating(hook):
        hooked.hooks.respond("/hook", patched(("add", "/data", {})))
        refused = (await hooked.api.delete(f"{hooked.path}/x")).refused(500, "InternalError")
        hooked.hooks.respond("/hook", patched())
        (await hooked.api.delete(f"{hooked.path}/x")).ok()

    said = "attempted to modify the object, which is not supported for this operation"
    assert refused["message"] == f'Internal error occurred: admission webhook "hook.example.com" {said}'


def sidecar(request: Object) -> Object:
    """Adds a second container."""
    if len(request["object"]["spec"]["containers"]) > 1:
        return allowed()
    return patched(("add", "/spec/containers/-", {"name": "side", "image": "example.com/side"}))


@pytest.mark.parametrize(("policy", "asked"), [("Never", 1), ("IfNeeded", 2)])
async def test_the_servers_own_admission_sees_what_a_webhook_added(
    hooked: Hooked, policy: str, asked: int
) -> None:
    place = f"/api/v1/namespaces/{hooked.namespace}"
    (
        await hooked.api.create(
            f"{place}/limitranges", {"metadata": {"name": "l"}, "spec": {"limits": [LIMITS]}}
        )
    ).ok()
    hooked.hooks.respond("/hook", sidecar)
    hook = hooked.hook("/hook", rules=[rule("pods")], reinvocationPolicy=policy)

    async with hooked.mutating(hook):
        created = (await hooked.api.create(f"{place}/pods", pod("p"))).ok()

    limits = {"limits": {"cpu": "1"}, "requests": {"cpu": "500m"}}
    assert [each["resources"] for each in created["spec"]["containers"]] == [limits, limits]
    assert {each["imagePullPolicy"] for each in created["spec"]["containers"]} == {"IfNotPresent", "Always"}
    # The second time it sees what the limits made of its container, which was a change after its own.
    assert len(hooked.hooks.requests("/hook")) == asked


async def test_what_a_webhook_sets_is_held_against_the_limits(hooked: Hooked) -> None:
    place = f"/api/v1/namespaces/{hooked.namespace}"
    (
        await hooked.api.create(
            f"{place}/limitranges", {"metadata": {"name": "l"}, "spec": {"limits": [LIMITS]}}
        )
    ).ok()
    hooked.hooks.respond("/hook", patched(("add", "/spec/containers/0/resources", {"limits": {"cpu": "9"}})))

    async with hooked.mutating(hooked.hook("/hook", rules=[rule("pods")])):
        reply = await hooked.api.create(f"{place}/pods", pod("p"))

    assert (
        "maximum cpu usage per Container is 2, but limit is 9" in reply.refused(403, "Forbidden")["message"]
    )


async def test_a_custom_kind_is_pruned_and_defaulted_after_a_patch(hooked: Hooked, crds: Definitions) -> None:
    schema = obj(spec=obj(items=array(obj(x=string(default="q"))), b=string()))
    kind = await crds.serve_definition(
        definition(crds.group, version("v1", schema, subresources={"status": {}}))
    )
    hooked.hooks.respond(
        "/hook",
        patched(
            ("add", "/spec", {"items": [{}], "nosuch": "y"}), ("add", "/top", 1), ("add", "/status", {"a": 1})
        ),
    )

    async with hooked.mutating(hooked.hook("/hook", rules=[rule("widgets", apiGroups=[crds.group])])):
        created = (await kind.create("w", spec={})).ok()

    assert {key: created.get(key) for key in ("spec", "top", "status")} == {
        "spec": {"items": [{"x": "q"}]},
        "top": None,
        "status": None,
    }


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            ("remove", "/apiVersion"),
            '/, Kind=Widget is unstructured and is not suitable for converting to "{}/v1"',
        ),
        (("add", "/apiVersion", "{}/v9"), "request to convert CR from an invalid group/version: {}/v9"),
    ],
    ids=["none", "another"],
)
async def test_a_custom_kind_keeps_its_version_after_a_patch(
    hooked: Hooked, crds: Definitions, change: tuple[str, ...], words: str
) -> None:
    kind = await crds.serve()
    hooked.hooks.respond("/hook", patched(tuple(each.format(crds.group) for each in change)))

    async with hooked.mutating(hooked.hook("/hook", rules=[rule("widgets", apiGroups=[crds.group])])):
        reply = await kind.create("w")

    assert (reply.status, reply.body.get("reason")) == (500, None)
    assert reply.body["message"] == words.format(crds.group)


async def test_the_servers_own_admission_knows_the_namespace_that_a_webhook_took_away(hooked: Hooked) -> None:
    hooked.hooks.respond("/hook", patched(("remove", "/metadata/namespace")))

    async with hooked.mutating(hooked.hook("/hook", rules=[rule("pods")])):
        created = (await hooked.api.create(f"/api/v1/namespaces/{hooked.namespace}/pods", pod("p"))).ok()

    assert created["metadata"]["namespace"] == hooked.namespace


async def test_a_custom_kind_is_validated_after_a_patch(hooked: Hooked, crds: Definitions) -> None:
    kind = await crds.serve(obj(spec=obj(b=string())))
    hooked.hooks.respond("/hook", patched(("add", "/spec", {"b": 5})))

    async with hooked.mutating(hooked.hook("/hook", rules=[rule("widgets", apiGroups=[crds.group])])):
        reply = await kind.create("w", spec={})

    assert reply.fields == ["spec.b"]


async def test_a_write_to_the_object_cannot_be_made_to_change_its_status(hooked: Hooked) -> None:
    deployments = f"/apis/apps/v1/namespaces/{hooked.namespace}/deployments"
    hooked.hooks.respond("/hook", patched(("add", "/status", {"replicas": 7}), ("add", "/spec/replicas", 4)))
    resources = rule("deployments", "deployments/status")

    async with hooked.mutating(hooked.hook("/hook", rules=[resources])):
        created = (await hooked.api.create(deployments, deployment("d"))).ok()
        status = (await hooked.api.patch(f"{deployments}/d/status", {"status": {}})).ok()

    assert (created["status"], created["spec"]["replicas"]) == ({}, 4)
    assert (status["status"]["replicas"], status["spec"]["replicas"]) == (7, 4)


def owners(obj: Object) -> list[tuple[str, str, Any]]:
    return [
        (each["manager"], each["operation"], each["fieldsV1"].get("f:data"))
        for each in obj["metadata"].get("managedFields", ())
    ]


async def test_what_a_webhook_adds_to_an_apply_is_nobodys(hooked: Hooked) -> None:
    hooked.hooks.respond("/hook", patched(("add", "/data/hook", "1")))
    applied = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": {"a": "b"}}

    async with hooked.mutating(hooked.hook("/hook")):
        created = (await hooked.api.apply(f"{hooked.path}/x", applied)).ok()

    assert created["data"] == {"a": "b", "hook": "1"}
    assert owners(created) == [("tester", "Apply", {"f:a": {}})]


async def test_owners_that_make_no_sense_are_put_back(hooked: Hooked) -> None:
    hooked.hooks.respond(
        "/hook", patched(("add", "/metadata/managedFields", [{"manager": "x", "operation": "y"}]))
    )

    async with hooked.mutating(hooked.hook("/hook")):
        reply = await hooked.api.create(
            hooked.path, {"metadata": {"name": "x"}, "data": {"a": "b"}}, fieldManager="me"
        )

    assert owners(reply.ok()) == [("me", "Update", {".": {}, "f:a": {}})]
    assert reply.warnings == (
        warning(
            ".metadata.managedFields was in an invalid state after admission; this could be caused by an "
            "outdated mutating admission controller; please fix your requests: "
            "operation must be `Apply` or `Update`"
        ),
    )


class Meddler:
    """A webhook that changes an object by a request of its own while it is asked for the first time."""

    def __init__(self, hooked: Hooked, method: str, body: Object | None) -> None:
        self._hooked = hooked
        self._method = method
        self._body = body
        self.statuses: list[int] = []

    async def respond(self, _request: Object) -> Object:
        if not self.statuses:
            self.statuses.append(0)
            one = f"{self._hooked.path}/x"
            reply = await self._hooked.api.send(self._method, one, self._body, content_type=MERGE)
            self.statuses[0] = reply.status
        return allowed()

    def hook(self) -> Object:
        """The webhook, which does not see its own request."""
        hooked = self._hooked
        hooked.hooks.respond("/meddle", self.respond)
        selector = {"matchExpressions": [UNCHANGED]}
        return hooked.hook(
            "/meddle", rules=[rule("configmaps", operations=["UPDATE"])], objectSelector=selector
        )


MARKED = {"metadata": {"labels": {"done": "yes"}}, "data": {"inner": "1"}}


async def test_a_patch_is_made_again_when_others_write_meanwhile(hooked: Hooked) -> None:
    (await hooked.create("x")).ok()
    meddler = Meddler(hooked, "PATCH", MARKED)

    async with hooked.validating(meddler.hook()):
        changed = (await hooked.api.patch(f"{hooked.path}/x", {"data": {"outer": "1"}})).ok()

    assert meddler.statuses == [200]
    assert changed["data"] == {"inner": "1", "outer": "1"}


async def test_an_update_of_a_version_conflicts_when_others_write_meanwhile(hooked: Hooked) -> None:
    created = (await hooked.create("x")).ok()
    meddler = Meddler(hooked, "PATCH", MARKED)

    async with hooked.validating(meddler.hook()):
        reply = await hooked.api.update(f"{hooked.path}/x", {**created, "data": {"outer": "1"}})

    assert meddler.statuses == [200]
    assert "the object has been modified" in reply.refused(409, "Conflict")["message"]
    assert (await hooked.api.get(f"{hooked.path}/x")).ok()["data"] == {"inner": "1"}


async def test_what_is_deleted_meanwhile_is_not_found(hooked: Hooked) -> None:
    (await hooked.create("x")).ok()
    meddler = Meddler(hooked, "DELETE", None)

    async with hooked.validating(meddler.hook()):
        reply = await hooked.api.patch(f"{hooked.path}/x", {"data": {"outer": "1"}})

    assert meddler.statuses == [200]
    reply.refused(404, "NotFound")


async def test_of_two_that_create_one_the_later_finds_the_other(hooked: Hooked) -> None:
    inner: list[int] = []

    async def respond(_request: Object) -> Object:
        if not inner:
            inner.append(0)
            inner[0] = (await hooked.create("new")).status
        return allowed()

    hooked.hooks.respond("/hook", respond)

    async with hooked.validating(hooked.hook("/hook")):
        reply = await hooked.create("new")

    assert inner == [201]
    reply.refused(409, "AlreadyExists")
