"""What admission webhooks are told of each request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from contract import MERGE, STRATEGIC, deployment, pod
from hooking import allowed, rule

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from contract import Object, Reply
    from hooking import Hooked

META = "meta.k8s.io/v1"
EPHEMERAL = {"name": "debug", "image": "example.com/debug", "terminationMessagePolicy": "File"}


def told(request: Object) -> tuple[Any, ...]:
    """Of a review: the operation, the resource, the kinds of new and old object, and the options."""
    part = request.get("subResource")
    resource = request["resource"]["resource"] + (f"/{part}" if part else "")
    objects = (each and each["kind"] for each in (request["object"], request["oldObject"]))
    return (request["operation"], resource, *objects, request["options"])


def options(kind: str, **more: Any) -> Object:
    return {"kind": f"{kind}Options", "apiVersion": META, **more}


async def reviews(hooked: Hooked, send: Callable[[], Awaitable[Reply]]) -> list[Object]:
    """What both kinds of webhooks are told of one request: the same, in this test."""
    for phase in ("mutating", "validating"):
        hooked.hooks.respond(f"/{phase}", allowed())
    hooks = [
        hooked.hook(f"/{phase}", rules=[rule("*/*")], objectSelector={})
        for phase in ("mutating", "validating")
    ]
    async with hooked.mutating(hooks[0]), hooked.validating(hooks[1]):
        await send()
        found = [
            [each for each in hooked.hooks.requests(f"/{phase}") if _is_ours(each, hooked)]
            for phase in ("mutating", "validating")
        ]
    assert [told(each) for each in found[0]] == [told(each) for each in found[1]]
    return found[1]


def _is_ours(request: Object, hooked: Hooked) -> bool:
    """Whether this test sent a request: others share the server, and what is in no namespace of theirs is
    reviewed too."""
    return bool(request.get("namespace") == hooked.namespace)


PODS = {
    "status": ("PATCH", {"status": {"phase": "Running"}}, MERGE, "Pod"),
    "ephemeralcontainers": ("PATCH", {"spec": {"ephemeralContainers": [EPHEMERAL]}}, STRATEGIC, "Pod"),
}


@pytest.mark.parametrize("part", PODS)
async def test_a_write_to_a_part_of_an_object_is_an_update_of_the_whole(hooked: Hooked, part: str) -> None:
    method, body, form, kind = PODS[part]
    pods = f"/api/v1/namespaces/{hooked.namespace}/pods"
    (await hooked.api.create(pods, pod("p"))).ok()

    found = await reviews(
        hooked,
        lambda: hooked.api.send(method, f"{pods}/p/{part}", body, content_type=form, fieldManager="me"),
    )

    assert told(found[-1]) == ("UPDATE", f"pods/{part}", kind, kind, options("Update", fieldManager="me"))


@pytest.mark.parametrize(
    ("method", "form"),
    [
        ("PUT", "application/json"),
        ("PATCH", MERGE),
        ("PATCH", "application/apply-patch+yaml"),
    ],
    ids=["put", "merge", "apply"],
)
async def test_a_scale_is_reviewed_as_a_scale(hooked: Hooked, method: str, form: str) -> None:
    deployments = f"/apis/apps/v1/namespaces/{hooked.namespace}/deployments"
    (await hooked.api.create(deployments, deployment("d"))).ok()
    scale = {
        "apiVersion": "autoscaling/v1",
        "kind": "Scale",
        "metadata": {"name": "d"},
        "spec": {"replicas": 3},
    }
    query: dict[str, Any] = {"force": True} if "apply" in form else {}

    found = await reviews(
        hooked,
        lambda: hooked.api.send(
            method, f"{deployments}/d/scale", scale, content_type=form, fieldManager="me", **query
        ),
    )

    review = found[-1]
    assert told(review) == (
        "UPDATE",
        "deployments/scale",
        "Scale",
        "Scale",
        options("Update", fieldManager="me"),
    )
    assert review["kind"] == {"group": "autoscaling", "version": "v1", "kind": "Scale"}
    assert review["object"]["spec"] == {"replicas": 3}


async def test_a_scale_is_judged_as_it_is_about_to_be_stored(hooked: Hooked) -> None:
    deployments = f"/apis/apps/v1/namespaces/{hooked.namespace}/deployments"
    created = (await hooked.api.create(deployments, deployment("d"))).ok()
    scale = {"metadata": {"name": "d"}, "spec": {"replicas": 3}}

    found = await reviews(hooked, lambda: hooked.api.update(f"{deployments}/d/scale", scale))

    metadata = [found[-1][each]["metadata"] for each in ("object", "oldObject")]
    assert [each["resourceVersion"] for each in metadata] == [created["metadata"]["resourceVersion"]] * 2
    assert ["managedFields" in each for each in metadata] == [False, False]


async def test_what_the_server_sets_is_taken_out_of_a_new_object_before_it_is_reviewed(
    hooked: Hooked,
) -> None:
    path = f"/api/v1/namespaces/{hooked.namespace}/configmaps"
    wiped = {"uid": "u", "creationTimestamp": "2020-01-01T00:00:00Z", "selfLink": "/"}
    hooked.hooks.respond("/mutating", allowed())

    async with hooked.mutating(hooked.hook("/mutating", rules=[rule("configmaps")], objectSelector={})):
        (await hooked.api.create(path, {"metadata": {"name": "a", **wiped}})).ok()
        (found,) = [each for each in hooked.hooks.requests("/mutating") if _is_ours(each, hooked)]

    assert wiped.keys().isdisjoint(found["object"]["metadata"])


async def test_what_is_done_to_a_pod_is_reviewed_as_what_is_sent(hooked: Hooked) -> None:
    pods = f"/api/v1/namespaces/{hooked.namespace}/pods"
    (await hooked.api.create(pods, pod("p"))).ok()
    bound = {"metadata": {"name": "p"}, "target": {"kind": "Node", "name": "n"}}
    evicted = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "p"}}

    binding = await reviews(hooked, lambda: hooked.api.create(f"{pods}/p/binding", bound))
    eviction = await reviews(hooked, lambda: hooked.api.create(f"{pods}/p/eviction", evicted, dryRun="All"))

    assert [told(each) for each in binding] == [
        ("CREATE", "pods/binding", "Binding", None, options("Create")),
    ]
    assert [told(each) for each in eviction] == [
        ("CREATE", "pods/eviction", "Eviction", None, options("Create", dryRun=["All"])),
    ]
    assert eviction[0]["dryRun"] is True


async def test_a_request_for_a_token_is_judged_once_it_is_complete(hooked: Hooked) -> None:
    accounts = f"/api/v1/namespaces/{hooked.namespace}/serviceaccounts"
    (await hooked.api.create(accounts, {"metadata": {"name": "robot"}})).ok()

    (review,) = await reviews(
        hooked, lambda: hooked.api.create(f"{accounts}/robot/token", {"spec": {"audiences": ["me"]}})
    )

    assert told(review) == ("CREATE", "serviceaccounts/token", "TokenRequest", None, options("Create"))
    assert (review["name"], review["object"]["metadata"]["name"]) == ("robot", "robot")


@pytest.mark.parametrize(
    ("part", "query", "kind", "says"),
    [
        (
            "exec",
            {"command": "ls", "stdout": "true", "tty": "1", "stdin": "false"},
            "PodExecOptions",
            {"command": ["ls"], "stdout": True, "tty": True},
        ),
        (
            "attach",
            {"container": "main", "stderr": "true"},
            "PodAttachOptions",
            {"container": "main", "stderr": True},
        ),
        ("portforward", {"ports": "80"}, "PodPortForwardOptions", {"ports": [80]}),
        ("proxy/a/b/", {}, "PodProxyOptions", {"path": "/a/b/"}),
        ("proxy", {}, "PodProxyOptions", {}),
    ],
    ids=["exec", "attach", "portforward", "proxy", "proxy-root"],
)
async def test_a_connection_is_reviewed_before_the_pod_is_looked_for(
    hooked: Hooked, part: str, query: dict[str, str], kind: str, says: Object
) -> None:
    path = f"/api/v1/namespaces/{hooked.namespace}/pods/nosuch/{part}"

    (review,) = await reviews(hooked, lambda: hooked.api.get(path, **query))

    assert told(review) == ("CONNECT", f"pods/{part.partition('/')[0]}", kind, None, None)
    assert review["object"] == {"kind": kind, "apiVersion": "v1", **says}
    assert (review["name"], review["dryRun"]) == ("nosuch", False)


async def test_a_connection_has_no_labels_to_select(hooked: Hooked) -> None:
    hooked.hooks.respond("/hook", allowed())
    selector = {"matchExpressions": [{"key": "nosuch", "operator": "DoesNotExist"}]}

    async with hooked.mutating(hooked.hook("/hook", rules=[rule("pods/*")], objectSelector=selector)):
        await hooked.api.get(f"/api/v1/namespaces/{hooked.namespace}/pods/nosuch/attach")

    assert hooked.hooks.requests("/hook") == []


@pytest.mark.parametrize(
    ("body", "query", "said"),
    [
        (None, {}, {}),
        (None, {"propagationPolicy": "Background", "gracePeriodSeconds": 1}, {}),
        (None, {"gracePeriodSeconds": -1, "dryRun": "All"}, {"gracePeriodSeconds": 1, "dryRun": ["All"]}),
        ({"kind": "DeleteOptions", "apiVersion": "v1", "orphanDependents": False}, {}, {}),
    ],
    ids=["none", "query", "negative", "body"],
)
async def test_the_options_of_a_deletion_are_told(
    hooked: Hooked, body: Object | None, query: Object, said: Object
) -> None:
    (await hooked.create("x")).ok()
    given = said or {**query, **(body or {})}

    (review,) = await reviews(hooked, lambda: hooked.api.delete(f"{hooked.path}/x", body, **query))

    expected = {**given, "kind": "DeleteOptions", "apiVersion": META}
    assert told(review) == ("DELETE", "configmaps", None, "ConfigMap", expected)
    assert review["name"] == "x"


async def test_a_pod_is_deleted_with_the_grace_that_it_gets(hooked: Hooked) -> None:
    pods = f"/api/v1/namespaces/{hooked.namespace}/pods"
    (await hooked.api.create(pods, pod("p", terminationGracePeriodSeconds=5, nodeName="n"))).ok()

    (review,) = await reviews(hooked, lambda: hooked.api.delete(f"{pods}/p"))
    again = await reviews(hooked, lambda: hooked.api.delete(f"{pods}/p"))

    assert review["options"] == options("Delete", gracePeriodSeconds=5)
    assert again == []


async def test_the_grace_of_a_pod_that_should_have_ended_is_the_one_that_was_given(hooked: Hooked) -> None:
    pods = f"/api/v1/namespaces/{hooked.namespace}/pods"
    waiting = pod("p", terminationGracePeriodSeconds=5)  # nobody runs it, so that it ends at once
    waiting["metadata"]["finalizers"] = ["example.com/wait"]
    (await hooked.api.create(pods, waiting)).ok()
    (await hooked.api.delete(f"{pods}/p")).ok()

    (silent,) = await reviews(hooked, lambda: hooked.api.delete(f"{pods}/p"))
    (said,) = await reviews(hooked, lambda: hooked.api.delete(f"{pods}/p", gracePeriodSeconds=3))
    (await hooked.api.patch(f"{pods}/p", {"metadata": {"finalizers": None}})).ok()

    assert (silent["options"], said["options"]) == (
        options("Delete"),
        options("Delete", gracePeriodSeconds=3),
    )


async def test_the_quality_of_service_that_a_pod_says_it_has_is_kept(hooked: Hooked) -> None:
    pods = f"/api/v1/namespaces/{hooked.namespace}/pods"
    body = pod("p") | {"status": {"qosClass": "Guaranteed", "phase": "Running"}}
    hooked.hooks.respond("/judge", allowed())

    async with hooked.validating(hooked.hook("/judge", rules=[rule("pods")], objectSelector={})):
        created = (await hooked.api.create(pods, body)).ok()
        (seen,) = hooked.hooks.requests("/judge")

    assert seen["object"]["status"] == created["status"] == {"phase": "Pending", "qosClass": "Guaranteed"}


async def test_an_apply_with_a_version_that_is_no_number_is_reviewed(hooked: Hooked) -> None:
    (await hooked.create("x")).ok()
    config: Object = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"resourceVersion": "None"}}
    hooked.hooks.respond("/mutating", allowed())

    async with hooked.mutating(hooked.hook("/mutating", objectSelector={})):
        refused = []
        for name in ("x", "y"):
            config["metadata"]["name"] = name
            refused.append(await hooked.api.apply(f"{hooked.path}/{name}", config))
        seen = [each["operation"] for each in hooked.hooks.requests("/mutating")]

    assert [each.refused(500, None)["message"] for each in refused] == [
        'strconv.ParseUint: parsing "None": invalid syntax'
    ] * 2
    assert seen == ["UPDATE", "CREATE"]


async def test_what_may_not_be_deleted_is_not_reviewed(hooked: Hooked) -> None:
    (await hooked.create("x")).ok()

    meant_for_another = await reviews(
        hooked, lambda: hooked.api.delete(f"{hooked.path}/x", {"preconditions": {"uid": "another"}})
    )
    gone = await reviews(hooked, lambda: hooked.api.delete(f"{hooked.path}/nosuch"))

    assert meant_for_another == gone == []


async def test_of_several_that_are_deleted_each_is_reviewed_without_its_name(hooked: Hooked) -> None:
    for name in "ab":
        (await hooked.create(name)).ok()

    found = await reviews(hooked, lambda: hooked.api.delete(hooked.path))

    assert [(each.get("name"), each["oldObject"]["metadata"]["name"]) for each in found] == [
        (None, "a"),
        (None, "b"),
    ]


async def test_the_options_of_a_deletion_of_several_are_told_as_they_were_given(hooked: Hooked) -> None:
    (await hooked.create("a")).ok()

    found = await reviews(hooked, lambda: hooked.api.delete(hooked.path, {"gracePeriodSeconds": -1}))

    assert [each["options"]["gracePeriodSeconds"] for each in found] == [-1]


async def test_a_generated_name_is_known_to_those_who_judge(hooked: Hooked) -> None:
    names = {}
    for phase in ("mutating", "validating"):
        hooked.hooks.respond("/h", allowed())
        async with hooked.configured(phase, hooked.hook("/h")):
            created = await hooked.api.create(hooked.path, {"metadata": {"generateName": "g-"}})
            (request,) = hooked.hooks.requests("/h")
        names[phase] = (request.get("name"), created.ok()["metadata"]["name"])

    assert names["mutating"][0] is None
    assert names["validating"][0] == names["validating"][1]


async def test_a_namespace_is_in_itself(hooked: Hooked) -> None:
    path = f"/api/v1/namespaces/{hooked.namespace}"

    update = await reviews(hooked, lambda: hooked.api.patch(path, {"metadata": {"labels": {"a": "b"}}}))
    (deletion,) = await reviews(hooked, lambda: hooked.api.delete(path, dryRun="All"))

    uid = deletion["oldObject"]["metadata"]["uid"]
    for each in (update[-1], deletion):
        assert (each["name"], each["namespace"]) == (hooked.namespace, hooked.namespace)
    assert deletion["options"] == options("Delete", dryRun=["All"], preconditions={"uid": uid})


async def test_an_apply_that_creates_is_a_creation(hooked: Hooked) -> None:
    applied = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": {"a": "b"}}

    created = await reviews(hooked, lambda: hooked.api.apply(f"{hooked.path}/x", applied))
    changed = await reviews(
        hooked, lambda: hooked.api.apply(f"{hooked.path}/x", {**applied, "data": {"a": "c"}})
    )

    assert told(created[-1])[::4] == ("CREATE", options("Create", fieldManager="tester"))
    assert told(changed[-1])[::4] == ("UPDATE", options("Update", fieldManager="tester"))


async def test_reviews_of_access_are_reviewed_too(hooked: Hooked) -> None:
    path = f"/apis/authorization.k8s.io/v1/namespaces/{hooked.namespace}/localsubjectaccessreviews"
    attributes = {"namespace": hooked.namespace, "verb": "get", "resource": "pods"}

    (review,) = await reviews(
        hooked, lambda: hooked.api.create(path, {"spec": {"user": "u", "resourceAttributes": attributes}})
    )

    assert told(review)[:3] == ("CREATE", "localsubjectaccessreviews", "LocalSubjectAccessReview")


async def test_an_empty_list_of_containers_is_shown_as_it_was_sent(hooked: Hooked) -> None:
    pods = f"/api/v1/namespaces/{hooked.namespace}/pods"
    hooked.hooks.respond("/mutating", allowed())
    hook = hooked.hook("/mutating", rules=[rule("pods")], objectSelector={})

    async with hooked.mutating(hook):
        (await hooked.api.create(pods, pod("p", containers=[]))).refused(422, "Invalid")
        (await hooked.api.create(pods, pod("p", containers=None))).refused(422, "Invalid")
        found = hooked.hooks.requests("/mutating")

    assert [each["object"]["spec"]["containers"] for each in found] == [[], None]


@pytest.mark.parametrize(
    ("plural", "kind", "field"), [("configmaps", "ConfigMap", "binaryData"), ("secrets", "Secret", "data")]
)
async def test_bytes_that_are_null_are_reviewed_as_such_and_stored_as_none(
    hooked: Hooked, plural: str, kind: str, field: str
) -> None:
    path = f"/api/v1/namespaces/{hooked.namespace}/{plural}"
    sent = {
        "apiVersion": "v1",
        "kind": kind,
        "metadata": {"name": "a"},
        field: {"k": None},
    }

    created = await reviews(hooked, lambda: hooked.api.create(path, sent))
    updated = await reviews(hooked, lambda: hooked.api.update(f"{path}/a", sent))
    stored = (await hooked.api.get(f"{path}/a")).ok()

    assert [each["object"][field] for each in (*created, *updated)] == [{"k": None}] * 2
    assert stored[field] == {"k": ""}
    (await hooked.api.patch(f"{path}/a", {"immutable": True})).ok()
    (await hooked.api.update(f"{path}/a", {**sent, "immutable": True})).refused(422, "Invalid")
