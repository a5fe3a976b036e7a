"""Which requests admission webhooks are asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from contract import deployment, pod
from contract_crd import definition, obj, string, version
from hooking import ADMISSION, added, allowed, denied, labelled, rule
from polling import until

if TYPE_CHECKING:
    from contract import Object
    from contract_crd import Definitions
    from hooking import Hooked

CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses"


def operations(hooked: Hooked, path: str = "/hook") -> list[str]:
    """The operations that a webhook was asked about since the last time, each once."""
    found = dict.fromkeys(each["operation"] for each in hooked.hooks.requests(path))
    hooked.hooks.asked.clear()
    return list(found)


async def test_an_object_is_selected_by_its_labels_of_before_or_after(hooked: Hooked) -> None:
    hooked.hooks.respond("/hook", allowed())
    one = f"{hooked.path}/x"

    async with hooked.validating(
        hooked.hook("/hook", rules=[rule("configmaps")], objectSelector=labelled(seen="yes"))
    ):
        (await hooked.create("x")).ok()
        created = operations(hooked)
        (await hooked.api.patch(one, {"metadata": {"labels": {"seen": "yes"}}})).ok()
        labels_added = operations(hooked)
        (await hooked.api.patch(one, {"metadata": {"labels": {"seen": "no"}}})).ok()
        labels_changed = operations(hooked)
        (await hooked.api.patch(one, {"metadata": {"labels": {"seen": "yes"}}})).ok()
        hooked.hooks.asked.clear()
        (await hooked.api.delete(one)).ok()
        deleted = operations(hooked)

    assert (created, labels_added, labels_changed, deleted) == ([], ["UPDATE"], ["UPDATE"], ["DELETE"])


async def test_a_namespace_is_selected_by_the_labels_that_it_gets(hooked: Hooked) -> None:
    hooked.hooks.respond("/hook", allowed())
    name = f"{hooked.namespace}-other"
    path = f"/api/v1/namespaces/{name}"
    asked = {}

    async with hooked.validating(
        hooked.hook(
            "/hook",
            rules=[rule("namespaces", "configmaps")],
            namespaceSelector=labelled(seen=hooked.namespace),
        )
    ):
        (await hooked.api.create("/api/v1/namespaces", {"metadata": {"name": name}})).ok()
        asked["unlabelled"] = operations(hooked)
        (await hooked.api.patch(path, {"metadata": {"labels": {"seen": hooked.namespace}}})).ok()
        asked["labelled"] = operations(hooked)
        await until(
            lambda: hooked.api.create(f"{path}/configmaps", {"metadata": {"generateName": "x"}}),
            lambda _reply: bool(hooked.hooks.requests("/hook")),
        )
        asked["inside"] = operations(hooked)
        (await hooked.api.delete(path, dryRun="All")).ok()
        asked["deleted"] = operations(hooked)
        (await hooked.api.delete(path)).ok()

    assert asked == {"unlabelled": [], "labelled": ["UPDATE"], "inside": ["CREATE"], "deleted": ["DELETE"]}


async def test_what_is_in_no_namespace_is_selected_by_every_selector_of_namespaces(hooked: Hooked) -> None:
    hooked.hooks.respond("/hook", allowed())
    name, labels = f"{hooked.namespace}-class", {"of": hooked.namespace}
    hook = hooked.hook("/hook", rules=[rule("priorityclasses")], objectSelector=labelled(**labels))

    async with hooked.validating(hook):
        (await hooked.api.create(CLASSES, {"metadata": {"name": name, "labels": labels}, "value": 1})).ok()
        (await hooked.api.delete(f"{CLASSES}/{name}")).ok()

    assert operations(hooked) == ["CREATE", "DELETE"]


async def test_a_namespace_that_does_not_exist_has_no_labels_to_select(hooked: Hooked) -> None:
    hooked.hooks.respond("/hook", allowed())

    async with hooked.mutating(hooked.hook("/hook", namespaceSelector=labelled(a="b"))):
        reply = await hooked.api.create(
            f"/api/v1/namespaces/{hooked.namespace}-nosuch/configmaps", {"metadata": {"name": "x"}}
        )

    assert reply.refused(404, "NotFound")["message"] == f'namespaces "{hooked.namespace}-nosuch" not found'


@pytest.mark.parametrize(
    ("scope", "seen"),
    [("Cluster", ["namespaces", "priorityclasses"]), ("Namespaced", ["configmaps"])],
)
async def test_a_rule_has_a_scope_and_namespaces_are_of_the_cluster(
    hooked: Hooked, scope: str, seen: list[str]
) -> None:
    hooked.hooks.respond("/hook", allowed())
    labels = {"of": hooked.namespace}
    name = f"{hooked.namespace}-{scope.lower()}"
    rules = [rule("namespaces", "configmaps", "priorityclasses", scope=scope)]
    meta = {"name": name, "labels": labels}

    async with hooked.validating(
        hooked.hook("/hook", rules=rules, namespaceSelector=None, objectSelector=labelled(**labels))
    ):
        (await hooked.create("x", labels)).ok()
        (await hooked.api.create("/api/v1/namespaces", {"metadata": meta}, dryRun="All")).ok()
        (await hooked.api.create(CLASSES, {"metadata": meta, "value": 1}, dryRun="All")).ok()

    assert sorted(each["resource"]["resource"] for each in hooked.hooks.requests("/hook")) == seen


@pytest.mark.parametrize(
    ("resources", "seen"),
    [
        (["*"], {"pods", "deployments"}),
        (["*/*"], {"pods", "pods/status", "deployments", "deployments/scale"}),
        (["pods/*"], {"pods", "pods/status"}),
        (["pods"], {"pods"}),
        (["*/status"], {"pods/status"}),
        (["deployments/scale", "pods/status"], {"pods/status", "deployments/scale"}),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, list) else "",
)
async def test_a_rule_names_resources_and_parts_of_them(
    hooked: Hooked, resources: list[str], seen: set[str]
) -> None:
    hooked.hooks.respond("/hook", allowed())
    pods = f"/api/v1/namespaces/{hooked.namespace}/pods"
    deployments = f"/apis/apps/v1/namespaces/{hooked.namespace}/deployments"

    async with hooked.validating(hooked.hook("/hook", rules=[rule(*resources, scope="Namespaced")])):
        (await hooked.api.create(pods, pod("p"))).ok()
        (await hooked.api.patch(f"{pods}/p/status", {"status": {"message": "x"}})).ok()
        (await hooked.api.create(deployments, deployment("d"))).ok()
        (await hooked.api.patch(f"{deployments}/d/scale", {"spec": {"replicas": 2}})).ok()

    asked = hooked.hooks.requests("/hook")
    parts = ((each["resource"]["resource"], each.get("subResource")) for each in asked)
    assert {f"{name}/{part}" if part else name for name, part in parts} == seen


@pytest.mark.parametrize(
    ("settings", "seen"),
    [
        ({"operations": ["CREATE"]}, ["CREATE"]),
        ({"operations": ["UPDATE", "DELETE"]}, ["UPDATE", "DELETE"]),
        ({"apiGroups": ["apps"]}, []),
        ({"apiVersions": ["v2"]}, []),
        ({"apiGroups": [""], "apiVersions": ["v1"]}, ["CREATE", "UPDATE", "DELETE"]),
    ],
    ids=["creations", "changes", "another-group", "another-version", "all"],
)
async def test_a_rule_names_operations_groups_and_versions(
    hooked: Hooked, settings: Object, seen: list[str]
) -> None:
    hooked.hooks.respond("/hook", allowed())

    async with hooked.validating(hooked.hook("/hook", rules=[rule("configmaps", **settings)])):
        (await hooked.create("x")).ok()
        (await hooked.api.patch(f"{hooked.path}/x", {"data": {"a": "b"}})).ok()
        (await hooked.api.delete(f"{hooked.path}/x")).ok()

    assert operations(hooked) == seen


@pytest.mark.parametrize(
    ("policy", "seen"), [("Exact", None), ("Equivalent", "autoscaling/v1"), (None, "autoscaling/v1")]
)
async def test_a_rule_of_one_version_may_stand_for_others(
    hooked: Hooked, policy: str | None, seen: str | None
) -> None:
    hooked.hooks.respond(
        "/hook", lambda request: added("/metadata/annotations", {"seen": request["object"]["apiVersion"]})
    )
    rules = [rule("horizontalpodautoscalers", apiVersions=["v1"])]
    spec = {"maxReplicas": 3, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"}}
    path = f"/apis/autoscaling/v2/namespaces/{hooked.namespace}/horizontalpodautoscalers"

    async with hooked.mutating(hooked.hook("/hook", rules=rules, matchPolicy=policy)):
        created = (await hooked.api.create(path, {"metadata": {"name": "h"}, "spec": spec})).ok()

    assert created["apiVersion"] == "autoscaling/v2"
    assert created["metadata"].get("annotations", {}).get("seen") == seen
    for each in hooked.hooks.requests("/hook"):
        assert (each["resource"]["version"], each["requestResource"]["version"]) == ("v1", "v2")
        assert (each["kind"]["version"], each["requestKind"]["version"]) == ("v1", "v2")


async def test_a_custom_kind_is_seen_in_the_version_of_the_rule_without_its_defaults(
    hooked: Hooked, crds: Definitions
) -> None:
    first = obj(spec=obj(a=string(default="default"), b=string()))
    second = obj(spec=obj(a=string(), b=string()))
    kind = await crds.serve_definition(
        definition(crds.group, version("v1", first), version("v2", second, storage=False))
    )
    hooked.hooks.respond("/hook", added("/spec/b", "changed"))
    rules = [rule("widgets", apiGroups=[crds.group], apiVersions=["v1"])]

    async with hooked.mutating(hooked.hook("/hook", rules=rules)):
        created = (await kind.through("v2").create("w", spec={})).ok()

    (request,) = hooked.hooks.requests("/hook")
    assert request["object"]["apiVersion"] == f"{crds.group}/v1"
    assert request["object"]["spec"] == {}
    assert created["apiVersion"] == f"{crds.group}/v2"
    assert created["spec"] == {"a": "default", "b": "changed"}


async def test_a_part_that_a_version_does_not_have_is_not_seen_in_it(
    hooked: Hooked, crds: Definitions
) -> None:
    scale = {"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n"}
    kind = await crds.serve_definition(
        definition(crds.group, version("v1", subresources={"scale": scale}), version("v2", storage=False))
    )
    (await kind.create("w", spec={"n": 1})).ok()
    hooked.hooks.respond("/hook", allowed())
    asked: dict[str, Any] = {}

    for only in ("v1", "v2"):
        rules = [rule("widgets/*", apiGroups=[crds.group], apiVersions=[only])]
        async with hooked.mutating(hooked.hook("/hook", rules=rules)):
            (await hooked.api.patch(f"{kind.at('w')}/scale", {"spec": {"replicas": 2}})).ok()
            asked[only] = {each["kind"]["kind"] for each in hooked.hooks.requests("/hook")}

    assert asked == {"v1": {"Scale"}, "v2": set()}


async def test_nobody_is_asked_about_those_who_admit(hooked: Hooked) -> None:
    hooked.hooks.respond("/hook", denied(message="no"))
    rules = [rule("*", apiGroups=["admissionregistration.k8s.io"])]
    hook = hooked.hook("/hook", rules=rules, objectSelector=labelled(of=hooked.namespace))
    body = {"metadata": {"name": f"{hooked.namespace}-x", "labels": {"of": hooked.namespace}}, "webhooks": []}

    async with hooked.validating(hook):
        (await hooked.api.create(f"{ADMISSION}/mutatingwebhookconfigurations", body, dryRun="All")).ok()

    assert hooked.hooks.requests("/hook") == []


async def test_webhooks_are_asked_in_the_order_of_their_configurations_names(hooked: Hooked) -> None:
    path = f"{ADMISSION}/mutatingwebhookconfigurations"
    for mark in "ab":
        hooked.hooks.respond(f"/{mark}", lambda request, mark=mark: _marked(request, mark))
    names = {"a": f"{hooked.namespace}-z", "b": f"{hooked.namespace}-y"}

    for mark, name in names.items():
        body = {"metadata": {"name": name}, "webhooks": [hooked.hook(f"/{mark}")]}
        (await hooked.api.create(path, body)).ok()
    try:
        reply = await until(
            lambda: hooked.create("x", dryRun="All"), lambda reply: len(_marks(reply.body)) == 2
        )
    finally:
        for name in names.values():
            await hooked.api.delete(f"{path}/{name}")

    assert _marks(reply.body) == "ba"


def _marks(obj: Object) -> str:
    return str((obj.get("data") or {}).get("marks", ""))


def _marked(request: Object, mark: str) -> Object:
    return added("/data", {"marks": _marks(request["object"]) + mark})
