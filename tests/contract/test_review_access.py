"""reviews: who may do what, as told by rules."""

import pytest

from contract import Api, Object, config_map
from contract_callers import impersonating
from contract_objects import role, role_binding, rule
from polling import until
from windlass.testing import Access

AUTHORIZATION = "/apis/authorization.k8s.io/v1"
SUBJECT_REVIEWS = f"{AUTHORIZATION}/subjectaccessreviews"
SELF_REVIEWS = f"{AUTHORIZATION}/selfsubjectaccessreviews"
RULES_REVIEWS = f"{AUTHORIZATION}/selfsubjectrulesreviews"


@pytest.fixture
def rbac(namespace: str) -> str:
    return f"/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}"


@pytest.fixture
def jane(namespace: str) -> str:
    """A user of this test alone."""
    return f"jane-{namespace}"


async def review(api: Api, user: str, *groups: str, **attributes: str) -> Object:
    spec = {"user": user, "groups": groups, "resourceAttributes": attributes}
    status: Object = (await api.create(SUBJECT_REVIEWS, {"spec": spec})).ok()["status"]
    return status


async def grant(api: Api, rbac: str, user: str, *rules: Object) -> None:
    """Bind a user to a role `r` by a binding `b`, and wait until the server goes by it."""
    (await api.create(f"{rbac}/roles", role("r", *rules, rule("example.com", "probes", "get")))).ok()
    (await api.create(f"{rbac}/rolebindings", role_binding("b", "r", user))).ok()
    namespace = rbac.rpartition("/")[2]
    probe = {"group": "example.com", "resource": "probes", "verb": "get", "namespace": namespace}
    await until(lambda: review(api, user, **probe), lambda status: bool(status["allowed"]))


async def test_an_access_review_says_no_without_a_reason(api: Api, namespace: str) -> None:
    attributes = {"verb": "get", "resource": "pods", "namespace": namespace}
    body = {"spec": {"user": "nobody", "resourceAttributes": attributes}}

    reply = await api.create(SUBJECT_REVIEWS, body)

    assert (reply.status, reply.body["kind"]) == (201, "SubjectAccessReview")
    assert reply.body["spec"] == body["spec"]
    assert reply.body["status"] == {"allowed": False}


async def test_an_access_review_tells_by_which_rule_one_may(
    api: Api, namespace: str, rbac: str, jane: str
) -> None:
    await grant(api, rbac, jane, rule("", "pods", "list"))

    status = await review(api, jane, verb="list", resource="pods", namespace=namespace)

    assert status == {
        "allowed": True,
        "reason": f'RBAC: allowed by RoleBinding "b/{namespace}" of Role "r" to User "{jane}"',
    }


async def test_the_masters_may_do_everything(api: Api, namespace: str) -> None:
    everything = {"verb": "*", "group": "*", "resource": "*", "namespace": namespace}

    assert await review(api, "someone", "system:masters", **everything) == {"allowed": True}


async def test_a_rule_holds_for_its_names_verbs_groups_and_subresources_only(
    api: Api, namespace: str, rbac: str, jane: str
) -> None:
    await grant(
        api,
        rbac,
        jane,
        rule("", "configmaps", "get", resourceNames=["one"]),
        rule("", "pods pods/log", "get"),
        rule("*", "*/scale", "*"),
    )

    async def may(verb: str, resource: str, **more: str) -> bool:
        where = {"namespace": namespace, **more}
        return bool((await review(api, jane, verb=verb, resource=resource, **where))["allowed"])

    assert await may("get", "configmaps", name="one")
    assert not await may("get", "configmaps", name="two")
    assert not await may("get", "configmaps")
    assert not await may("update", "configmaps", name="one")
    assert await may("get", "pods")
    assert await may("get", "pods", subresource="log")
    assert not await may("get", "pods", subresource="status")
    assert not await may("get", "pods", group="metrics.k8s.io")
    assert await may("update", "deployments", group="apps", subresource="scale")
    assert not await may("update", "deployments", group="apps")
    assert not await may("get", "pods", namespace="default")


async def test_a_rule_of_a_namespace_does_not_hold_for_all(api: Api, rbac: str, jane: str) -> None:
    await grant(api, rbac, jane, rule("", "pods", "list"))

    assert await review(api, jane, verb="list", resource="pods") == {"allowed": False}


async def test_an_access_review_knows_paths_too(api: Api) -> None:
    async def may(path: str) -> bool:
        attributes = {"path": path, "verb": "get"}
        spec = {"user": "x", "groups": ["system:authenticated"], "nonResourceAttributes": attributes}
        return bool((await api.create(SUBJECT_REVIEWS, {"spec": spec})).ok()["status"]["allowed"])

    assert await may("/healthz")
    assert await may("/apis/apps")
    assert not await may("/metrics")


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ({"resourceAttributes": {"verb": "get", "resource": "pods"}}, "spec.user"),
        ({"user": "x"}, "spec.resourceAttributes"),
        (
            {
                "user": "x",
                "resourceAttributes": {"verb": "get", "resource": "pods"},
                "nonResourceAttributes": {"verb": "get", "path": "/"},
            },
            "spec.nonResourceAttributes",
        ),
    ],
    ids=["nobody", "nothing", "both"],
)
async def test_an_access_review_asks_about_one_thing_and_somebody(api: Api, spec: Object, field: str) -> None:
    reply = await api.create(SUBJECT_REVIEWS, {"spec": spec})

    reply.refused(422, "Invalid")
    assert reply.fields == [field]


async def test_a_local_review_stays_in_its_namespace(api: Api, namespace: str) -> None:
    path = f"{AUTHORIZATION}/namespaces/{namespace}/localsubjectaccessreviews"
    attributes = {"verb": "get", "resource": "pods", "namespace": "default"}

    reply = await api.create(path, {"spec": {"user": "x", "resourceAttributes": attributes}})

    reply.refused(422, "Invalid")
    assert reply.fields == ["spec.resourceAttributes.namespace"]


async def test_a_self_review_tells_what_one_may_oneself(
    api: Api, control_plane: Access, namespace: str, rbac: str, jane: str
) -> None:
    await grant(api, rbac, jane, rule("", "pods", "list"))
    attributes = {"resource": "pods", "namespace": namespace}

    async with impersonating(control_plane, jane) as her:
        yes = await her.create(SELF_REVIEWS, {"spec": {"resourceAttributes": {**attributes, "verb": "list"}}})
        no = await her.create(SELF_REVIEWS, {"spec": {"resourceAttributes": {**attributes, "verb": "get"}}})

    assert (yes.status, yes.body["status"]["allowed"]) == (201, True)
    assert (no.status, no.body["status"]) == (201, {"allowed": False})


async def test_a_rules_review_lists_what_one_may(
    api: Api, control_plane: Access, namespace: str, rbac: str, jane: str
) -> None:
    granted = rule("", "pods pods/log", "get list")
    await grant(api, rbac, jane, granted)

    async with impersonating(control_plane, jane) as her:
        status = (await her.create(RULES_REVIEWS, {"spec": {"namespace": namespace}})).ok()["status"]

    assert granted in status["resourceRules"]
    assert (
        rule("authorization.k8s.io", "selfsubjectaccessreviews selfsubjectrulesreviews", "create")
        in (status["resourceRules"])
    )
    assert any("/healthz" in item["nonResourceURLs"] for item in status["nonResourceRules"])
    assert status["incomplete"] is False


async def test_a_rules_review_is_about_one_namespace(api: Api) -> None:
    refused = (await api.create(RULES_REVIEWS, {"spec": {}})).refused(400, "BadRequest")

    assert refused["message"] == "no namespace on request"


async def test_a_granted_right_lets_a_request_pass(
    api: Api, control_plane: Access, config_maps: str, rbac: str, jane: str
) -> None:
    (await api.create(config_maps, config_map("one"))).ok()
    await grant(api, rbac, jane, rule("", "configmaps", "get", resourceNames=["one"]))

    async with impersonating(control_plane, jane) as her:
        allowed = await her.get(f"{config_maps}/one")
        refused = await her.get(f"{config_maps}/two")

    assert allowed.status == 200
    refused.refused(403, "Forbidden")


async def test_what_one_has_may_be_granted_to_others(
    api: Api, control_plane: Access, rbac: str, jane: str
) -> None:
    held = rule("", "pods", "get")
    await grant(api, rbac, jane, rule("rbac.authorization.k8s.io", "roles", "create"), held)

    async with impersonating(control_plane, jane) as her:
        assert (await her.create(f"{rbac}/roles", role("new", held))).status == 201


@pytest.mark.parametrize(
    "more", [rule("", "secrets", "get"), rule("", "pods", "*"), rule("*", "pods", "get")]
)
async def test_nobody_grants_more_than_they_have(
    api: Api, control_plane: Access, rbac: str, jane: str, more: Object
) -> None:
    own = (rule("rbac.authorization.k8s.io", "roles", "create"), rule("", "pods", "get"))
    await grant(api, rbac, jane, *own)

    async with impersonating(control_plane, jane) as her:
        (await her.create(f"{rbac}/roles", role("new", more))).refused(403, "Forbidden")


async def test_who_grants_too_much_is_told_what(
    api: Api, control_plane: Access, rbac: str, jane: str
) -> None:
    await grant(api, rbac, jane, rule("rbac.authorization.k8s.io", "roles", "create"))

    async with impersonating(control_plane, jane) as her:
        reply = await her.create(f"{rbac}/roles", role("new", rule("", "secrets", "get")))

    assert reply.refused(403, "Forbidden")["message"] == (
        f'roles.rbac.authorization.k8s.io "new" is forbidden: user "{jane}" '
        '(groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n'
        '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}'
    )


async def test_a_right_to_patch_does_not_let_an_apply_create(
    api: Api, control_plane: Access, config_maps: str, rbac: str, jane: str
) -> None:
    (await api.create(config_maps, config_map("old"))).ok()
    await grant(api, rbac, jane, rule("", "configmaps", "patch"))

    async with impersonating(control_plane, jane) as her:
        changed = await her.apply(f"{config_maps}/old", config_map("old", {"a": "b"}))
        refused = await her.apply(f"{config_maps}/new", config_map("new"))

    assert changed.status == 200
    message = refused.refused(403, "Forbidden")["message"]
    assert message.startswith(
        f'configmaps "new" is forbidden: User "{jane}" cannot create resource "configmaps"'
    )


async def test_who_may_see_one_name_may_list_by_that_name(
    api: Api, control_plane: Access, config_maps: str, rbac: str, jane: str
) -> None:
    await grant(api, rbac, jane, rule("", "configmaps", "list", resourceNames=["one"]))

    async with impersonating(control_plane, jane) as her:
        allowed = await her.get(config_maps, fieldSelector="metadata.name=one")
        other = await her.get(config_maps, fieldSelector="metadata.name=two")
        everything = await her.get(config_maps)

    assert allowed.status == 200
    assert other.refused(403, "Forbidden")["details"] == {"name": "two", "kind": "configmaps"}
    assert everything.refused(403, "Forbidden")["details"] == {"kind": "configmaps"}


async def test_nobody_binds_a_role_with_more_than_they_have(
    api: Api, control_plane: Access, rbac: str, jane: str
) -> None:
    (await api.create(f"{rbac}/roles", role("more", rule("", "secrets", "get")))).ok()
    await grant(api, rbac, jane, rule("rbac.authorization.k8s.io", "rolebindings", "create"))

    async with impersonating(control_plane, jane) as her:
        own = await her.create(f"{rbac}/rolebindings", role_binding("own", "r", "joe"))
        more = await her.create(f"{rbac}/rolebindings", role_binding("more", "more", "joe"))

    assert own.status == 201
    assert (
        "is attempting to grant RBAC permissions not currently held"
        in more.refused(403, "Forbidden")["message"]
    )


async def test_who_binds_a_role_that_cannot_be_is_told_before_the_binding_is_validated(
    api: Api, control_plane: Access, rbac: str, jane: str
) -> None:
    await grant(api, rbac, jane, rule("rbac.authorization.k8s.io", "rolebindings", "create"))
    told = {
        "": "Name parameter required.",
        "a/b": "Name parameter invalid: \"a/b\": may not contain '/'",
        "..": "Name parameter invalid: \"..\": may not be '..'",
    }

    async with impersonating(control_plane, jane) as her:
        replies = {
            name: await her.create(f"{rbac}/rolebindings", role_binding("new", name, "joe")) for name in told
        }

    assert {name: reply.refused(400, "BadRequest")["message"] for name, reply in replies.items()} == told


async def test_who_may_bind_a_role_need_not_have_its_rights(
    api: Api, control_plane: Access, rbac: str, jane: str
) -> None:
    group = "rbac.authorization.k8s.io"
    (await api.create(f"{rbac}/roles", role("more", rule("", "secrets", "get")))).ok()
    own = (rule(group, "rolebindings", "create"), rule(group, "roles", "bind", resourceNames=["more"]))
    await grant(api, rbac, jane, *own)

    async with impersonating(control_plane, jane) as her:
        reply = await her.create(f"{rbac}/rolebindings", role_binding("more", "more", "joe"))

    assert reply.status == 201


async def test_who_may_escalate_roles_writes_any(
    api: Api, control_plane: Access, rbac: str, jane: str
) -> None:
    await grant(api, rbac, jane, rule("rbac.authorization.k8s.io", "roles", "create escalate"))

    async with impersonating(control_plane, jane) as her:
        reply = await her.create(f"{rbac}/roles", role("new", rule("*", "*", "*")))

    assert reply.status == 201


async def test_the_finalizers_of_a_role_need_no_right_to_what_it_grants(
    api: Api, control_plane: Access, rbac: str, jane: str
) -> None:
    (await api.create(f"{rbac}/roles", role("more", rule("", "secrets", "get")))).ok()
    await grant(api, rbac, jane, rule("rbac.authorization.k8s.io", "roles", "patch"))

    async with impersonating(control_plane, jane) as her:
        kept = await her.patch(f"{rbac}/roles/more", {"metadata": {"finalizers": ["example.com/keep"]}})
        labelled = await her.patch(f"{rbac}/roles/more", {"metadata": {"labels": {"a": "b"}}})
    (await api.patch(f"{rbac}/roles/more", {"metadata": {"finalizers": None}})).ok()

    assert kept.status == 200
    labelled.refused(403, "Forbidden")


async def test_who_is_refused_learns_of_a_role_that_is_missing(
    api: Api, namespace: str, rbac: str, jane: str
) -> None:
    (await api.create(f"{rbac}/rolebindings", role_binding("b", "gone", jane))).ok()

    status = await until(
        lambda: review(api, jane, verb="list", resource="pods", namespace=namespace),
        lambda status: "reason" in status,
    )

    assert status == {
        "allowed": False,
        "reason": 'RBAC: role.rbac.authorization.k8s.io "gone" not found',
    }
