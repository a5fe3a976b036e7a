"""Mutating admission policies: what they change, in which order, and what is said where they cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from contract_crd import PRESERVE, SET, array, definition, integer, obj, string, version
from hooking import CONFIG_MAPS, added
from mutating import Mutated, merging, patching
from policing import Policed
from polling import until

if TYPE_CHECKING:
    from collections.abc import Callable

    from contract import Api, Object, Reply
    from contract_crd import Definitions
    from hooking import Hooked

UNFIT = "error applying patch: failed to convert patch object to typed object: "
RANGE = "lists.range(99)"
DEAR = f"{RANGE}.all(a, {RANGE}.all(b, {RANGE}.all(c, a + b + c >= 0))) ? Object{{}} : Object{{}}"
TEMPLATE = {"metadata": {"labels": {"a": "x"}}, "spec": {"containers": [{"name": "a", "image": "a"}]}}
POD = {"metadata": {"name": "x"}, "spec": {"containers": [{"name": "a", "image": "a"}]}}
DEPLOYMENT = {
    "metadata": {"name": "x"},
    "spec": {"selector": {"matchLabels": {"a": "x"}}, "template": TEMPLATE},
}


@pytest.fixture
def mutated(api: Api, namespace: str) -> Mutated:
    return Mutated(api, namespace)


def labelling(value: str) -> Object:
    """A mutation that sets the label `a` to what an expression says."""
    return merging(f"Object{{metadata: Object.metadata{{labels: {{'a': {value}}}}}}}")


def labels(reply: Reply) -> Any:
    return reply.ok()["metadata"].get("labels")


def denied(mutated: Mutated, said: str) -> str:
    return f"policy '{mutated.name}' with binding '{mutated.name}' denied request: {said}"


@pytest.mark.parametrize(
    ("mutation", "data"),
    [
        (merging("Object{data: {'c': 'd'}}"), {"a": "b", "c": "d"}),
        (merging("Object{data: {'a': 'd'}}"), {"a": "d"}),
        (merging("Object{data: {object.data.a: object.metadata.name}}"), {"a": "b", "b": "x"}),
        (merging("Object{?data: optional.none()}"), {"a": "b"}),
        (merging("Object{?data: optional.of({'c': 'd'})}"), {"a": "b", "c": "d"}),
        (merging("has(object.data) ? Object{data: {'c': 'd'}} : Object{}"), {"a": "b", "c": "d"}),
        (merging("Object{kind: 'Secret', data: {'c': 'd'}}"), {"a": "b", "c": "d"}),
        (patching("op: 'add', path: '/data/c', value: 'd'"), {"a": "b", "c": "d"}),
        (patching("op: 'replace', path: '/data', value: {'c': string(1)}"), {"c": "1"}),
        (patching("op: 'remove', path: '/data/a'"), None),
        (patching("op: 'move', from: '/data/a', path: '/data/c'"), {"c": "b"}),
        (patching("op: 'copy', from: '/data/a', path: '/data/c'"), {"a": "b", "c": "b"}),
        (
            patching("op: 'test', path: '/data/a', value: 'b'", "op: 'add', path: '/data/c', value: 'd'"),
            {"a": "b", "c": "d"},
        ),
        (
            patching("op: 'add', path: '/data/c', value: 'd'", "op: 'test', path: '/data/a', value: 'c'"),
            {"a": "b"},
        ),
        (patching("op: 'add', path: '/data', value: Object.data{c: 'd'}"), {"c": "d"}),
        (patching("op: 'add', path: '/binaryData', value: {'c': b'd'}"), {"a": "b"}),
    ],
)
async def test_a_policy_changes_an_object(mutated: Mutated, mutation: Object, data: Any) -> None:
    async with mutated.bound(mutated.policy(mutation)):
        reply = await mutated.create(data={"a": "b"})

    assert reply.ok().get("data") == data


@pytest.mark.parametrize(
    ("mutation", "said"),
    [
        (
            merging("Object{data: {'c': 1}}"),
            f"{UNFIT}.data.c: expected string, got &value.valueUnstructured{{Value:1}}",
        ),
        (
            merging("Object{data: {'c': null}}"),
            f"{UNFIT}.data.c: expected string, got &value.valueUnstructured{{Value:0}}",
        ),
        (
            merging("Object{data: {'c': duration('1s')}}"),
            f"{UNFIT}.data.c: expected string, got &value.valueUnstructured{{Value:1000000000}}",
        ),
        (merging("Object{spec: {'c': 'd'}}"), f"{UNFIT}.spec: field not declared in schema"),
        (
            merging("Object{metadata: Object.spec{}}"),
            (
                'type mismatch: unexpected type name "Object.spec", expected "Object.metadata", '
                "which matches field name path from root Object type"
            ),
        ),
        (
            merging("Object{data: {'c': object.data.z}}"),
            "expression 'Object{data: {'c': object.data.z}}' resulted in error: no such key: z",
        ),
        (
            merging(
                "Object{metadata: Object.metadata{ownerReferences: ["
                "Object.metadata.ownerReferences{uid: 'a', name: 'b'}]}}"
            ),
            (
                "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: "
                ".metadata.ownerReferences[0]"
            ),
        ),
        (
            patching("op: 'add', path: '/spec/c', value: 'd'"),
            'JSON Patch: add operation does not apply: doc is missing path: "/spec/c": missing value',
        ),
        (
            patching("op: 'remove', path: '/data/z'"),
            "JSON Patch: error in remove for path: '/data/z': Unable to remove nonexistent key: z: missing value",
        ),
        (patching("op: 'wrong', path: '/data/z'"), "JSON Patch: Unexpected kind: wrong"),
        (patching("path: '/data/c'"), "JSON Patch: Unexpected kind: "),
        (
            patching("op: dyn(1), path: '/data/c'"),
            (
                "expression '[JSONPatch{op: dyn(1), path: '/data/c'}]' resulted in error: "
                "unexpected type int64 for JSONPatchType 'op' field"
            ),
        ),
        (
            patching("op: 'add', path: '/data/c', value: Object.a{b: Object.c{}}"),
            (
                'type mismatch: unexpected type name "Object.c", expected "Object.a.b", '
                "which matches field name path from root Object type"
            ),
        ),
        (
            patching("op: 'add', path: '/data/c', value: quantity('1')"),
            (
                "JSONPath valueExpression evaluated to a type that could not marshal to JSON: "
                "type conversion error from 'Quantity' to '*structpb.Value'"
            ),
        ),
        (
            merging(DEAR),
            f"expression '{DEAR}' resulted in error: operation cancelled: actual cost limit exceeded",
        ),
    ],
)
async def test_a_policy_says_why_it_fails(mutated: Mutated, mutation: Object, said: str) -> None:
    async with mutated.bound(mutated.policy(mutation)):
        reply = await mutated.create(data={"a": "b"})

    message = denied(mutated, said)
    assert reply.refused(403, "Invalid")["message"] == message
    assert reply.body["details"] == {"name": "x", "kind": "configmaps", "causes": [{"message": message}]}


@pytest.mark.parametrize(
    ("mutation", "said"),
    [
        (
            patching("op: 'add', path: '/data/c', value: 1"),
            "json: cannot unmarshal number into Go struct field ConfigMap.data of type string",
        ),
        (
            patching("op: 'add', path: '/spec', value: {}"),
            'strict decoding error: unknown field "spec"',
        ),
    ],
)
@pytest.mark.parametrize("policy", ["Fail", "Ignore"])
async def test_a_patch_that_leaves_no_object_of_the_kind_is_an_error_whatever_the_policy(
    mutated: Mutated, mutation: Object, said: str, policy: str
) -> None:
    async with mutated.bound(mutated.policy(mutation, failurePolicy=policy)):
        reply = await mutated.create(data={"a": "b"})

    assert reply.refused(500, "InternalError")["message"] == f"Internal error occurred: {said}"


@pytest.mark.parametrize(
    ("mutation", "fault"),
    [
        (merging("1"), '"1": must evaluate to Object but got int'),
        (merging("Object.spec{}"), '"Object.spec{}": must evaluate to Object but got Object.spec'),
        (merging(" Object "), '"Object": must evaluate to Object but got type(Object)'),
        (
            merging("nobody"),
            (
                "\"nobody\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'nobody' "
                "(in container '')\n | nobody\n | ^"
            ),
        ),
        (
            merging("Object{data: params.data}"),
            (
                '"Object{data: params.data}": compilation failed: ERROR: <input>:1:14: undeclared reference to '
                "'params' (in container '')\n | Object{data: params.data}\n | .............^"
            ),
        ),
        (
            merging("Object{data: variables.a}"),
            (
                "\"Object{data: variables.a}\": compilation failed: ERROR: <input>:1:23: undefined field 'a'\n"
                " | Object{data: variables.a}\n | ......................^"
            ),
        ),
        (patching(), ""),
        (
            patching("op: 1"),
            (
                "\"[JSONPatch{op: 1}]\": compilation failed: ERROR: <input>:1:14: expected type of field 'op' is "
                "'string' but provided type is 'int'\n | [JSONPatch{op: 1}]\n | .............^"
            ),
        ),
        (
            patching("wrong: 1"),
            (
                "\"[JSONPatch{wrong: 1}]\": compilation failed: ERROR: <input>:1:17: expected type of field 'wrong' is "
                "'' but provided type is 'int'\n | [JSONPatch{wrong: 1}]\n | ................^"
            ),
        ),
    ],
)
async def test_a_policy_that_does_not_compile_is_refused(
    mutated: Mutated, mutation: Object, fault: str
) -> None:
    field = "applyConfiguration" if "applyConfiguration" in mutation else "jsonPatch"
    said = fault or '"[]": must evaluate to list(JSONPatch) but got list(dyn)'

    assert await mutated.refused(mutation) == [f"spec.mutations[0].{field}.expression: Invalid value: {said}"]


async def test_a_variable_that_does_not_compile_is_refused(mutated: Mutated) -> None:
    variables = [{"name": "a", "expression": "Object{}"}]

    (fault,) = await mutated.refused(merging("Object{}"), variables=variables)

    assert fault.startswith(
        'spec.variables[0].expression: Invalid value: "Object{}": compilation failed: '
        "ERROR: <input>:1:7: undeclared reference to 'Object'"
    )


@pytest.mark.parametrize(
    ("value", "label"),
    [
        ("request.operation", "CREATE"),
        ("request.dryRun ? 'dry' : 'wet'", "wet"),
        ("namespaceObject.metadata.name == request.namespace ? 'own' : 'other'", "own"),
        ("authorizer.requestResource.check('create').allowed() ? 'may' : 'not'", "may"),
        ("oldObject == null ? 'new' : 'old'", "new"),
        ("variables.c + variables.d", "xx"),
    ],
)
async def test_an_expression_sees_the_request(mutated: Mutated, value: str, label: str) -> None:
    variables = [
        {"name": "c", "expression": "object.metadata.name"},
        {"name": "d", "expression": "variables.c"},
        {"name": "unused", "expression": "1 / 0 == 1"},
    ]

    async with mutated.bound(mutated.policy(labelling(value), variables=variables)):
        reply = await mutated.create()

    assert labels(reply) == {"a": label}


async def test_a_trial_is_changed_too(mutated: Mutated) -> None:
    async with mutated.bound(mutated.policy(labelling("string(request.dryRun)"))):
        reply = await mutated.create(dryRun="All")

    assert labels(reply) == {"a": "true"}


async def test_each_mutation_sees_what_those_before_it_did(mutated: Mutated) -> None:
    variables = [{"name": "count", "expression": "string(size(object.?metadata.labels.orValue({})))"}]
    more = merging("Object{metadata: Object.metadata{labels: {'b': variables.count}}}")

    async with mutated.bound(mutated.policy(labelling("variables.count"), more, variables=variables)):
        reply = await mutated.create()

    assert labels(reply) == {"a": "0", "b": "1"}


async def test_an_update_is_changed(mutated: Mutated) -> None:
    (await mutated.create(data={"a": "b"})).ok()

    async with mutated.bound(mutated.policy(labelling("oldObject.data.a"))):
        patched = await mutated.api.patch(f"{mutated.path}/x", {"data": {"a": "c"}})

    assert labels(patched) == {"a": "b"}


async def test_who_writes_does_not_own_what_a_policy_adds(mutated: Mutated) -> None:
    async with mutated.bound(mutated.policy(labelling("'b'"))):
        created = (await mutated.create(data={"a": "b"})).ok()

    (entry,) = created["metadata"]["managedFields"]
    assert entry["fieldsV1"] == {"f:data": {".": {}, "f:a": {}}}


async def test_what_a_mutation_costs_together_with_its_variables_is_limited(mutated: Mutated) -> None:
    a, b = (f".replace('{each}', '{each * 10}')" for each in "ab")
    dear = [
        {"name": f"v{each}", "expression": "variables.many.contains(variables.other)"} for each in range(14)
    ]
    variables = [
        {"name": "many", "expression": f"'a'{a * 5}"},
        {"name": "other", "expression": f"'bbbbbbbb'{b * 2}"},
        *dear,
    ]
    either = " || ".join(f"variables.{each['name']}" for each in dear)

    async with mutated.bound(mutated.policy(labelling(f"string({either})"), variables=variables)):
        reply = await mutated.create()

    said = "validation failed due to running out of cost budget, no further validation rules will be run"
    assert reply.refused(403, "Invalid")["message"] == denied(mutated, said)


@pytest.mark.parametrize("policy", ["Fail", "Ignore"])
async def test_a_mutation_that_fails_keeps_no_other_from_its_work(mutated: Mutated, policy: str) -> None:
    broken = labelling("object.data.none")

    async with mutated.bound(mutated.policy(broken, broken, labelling("'b'"), failurePolicy=policy)):
        reply = await mutated.create()

    if policy == "Ignore":
        assert labels(reply) == {"a": "b"}
    else:
        assert len(reply.refused(403, "Invalid")["details"]["causes"]) == 2


@pytest.mark.parametrize(
    ("conditions", "policy", "status"),
    [
        (["true"], "Fail", "changed"),
        (["true", "false"], "Fail", "left"),
        (["object.data.a == 'b'", "false"], "Fail", "left"),
        (["object.data.a == 'b'", "true"], "Fail", "refused"),
        (["object.data.a == 'b'", "true"], "Ignore", "left"),
        (["variables.yes"], "Fail", "refused"),
    ],
)
async def test_conditions_keep_a_policy_from_an_object(
    mutated: Mutated, conditions: list[str], policy: str, status: str
) -> None:
    given = [{"name": f"c{index}", "expression": each} for index, each in enumerate(conditions)]
    if "variables.yes" in conditions:
        (fault,) = await mutated.refused(labelling("'b'"), matchConditions=given)
        assert "undeclared reference to 'variables'" in fault
        return

    async with mutated.bound(mutated.policy(labelling("'b'"), matchConditions=given, failurePolicy=policy)):
        reply = await mutated.create()

    if status == "refused":
        said = "expression 'object.data.a == 'b'' resulted in error: no such key: data"
        assert reply.refused(403, "Invalid")["message"] == denied(mutated, said)
    else:
        assert labels(reply) == ({"a": "b"} if status == "changed" else None)


@pytest.mark.parametrize(
    ("spec", "found"),
    [
        ({"excludeResourceRules": [{**CONFIG_MAPS, "resourceNames": ["x"]}]}, None),
        ({"excludeResourceRules": [{**CONFIG_MAPS, "resourceNames": ["y"]}]}, {"a": "b"}),
        ({"objectSelector": {"matchLabels": {"no": "yes"}}}, None),
        ({"resourceRules": [{**CONFIG_MAPS, "operations": ["UPDATE"]}]}, None),
        ({"resourceRules": [{**CONFIG_MAPS, "operations": ["*"]}]}, {"a": "b"}),
    ],
    ids=["excluded", "not-excluded", "not-selected", "updates", "everything"],
)
async def test_a_policy_says_what_it_is_about(mutated: Mutated, spec: Any, found: Any) -> None:
    async with mutated.bound(mutated.policy(labelling("'b'"), matchConstraints=spec)):
        reply = await mutated.create()

    assert labels(reply) == found


async def test_a_policy_has_parameters(mutated: Mutated) -> None:
    """One test for all: a real server that was asked to follow a built-in kind once follows it no second time."""
    templates = f"/api/v1/namespaces/{mutated.namespace}/podtemplates"
    for name in ("p", "q"):
        meta = {"name": name, "labels": {"params": "yes"}}
        (await mutated.api.create(templates, {"metadata": meta, "template": TEMPLATE})).ok()
    mutation = merging("Object{metadata: Object.metadata{labels: {params.metadata.name: 'yes'}}}")
    no_params = (
        "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction"
    )
    cases: list[tuple[Object, Any]] = [
        ({"name": "p"}, {"p": "yes"}),
        ({"selector": {"matchLabels": {"params": "yes"}}}, {"p": "yes", "q": "yes"}),
        ({"selector": {"matchLabels": {"params": "no"}}}, no_params),
        ({"name": "missing"}, no_params),
        ({"name": "missing", "parameterNotFoundAction": "Allow"}, None),
    ]
    policy = mutated.policy(mutation, paramKind={"apiVersion": "v1", "kind": "PodTemplate"})

    def shows(outcome: Any) -> Callable[[Reply], bool]:
        if outcome == no_params:
            return lambda reply: reply.body.get("message") == denied(mutated, no_params)
        return lambda reply: reply.status == 201 and labels(reply) == outcome

    first = {"parameterNotFoundAction": "Deny", **cases[0][0]}
    async with mutated.bound(policy, binding=mutated.binding(paramRef=first)):
        for reference, outcome in cases:
            await mutated.bind(mutated.binding(paramRef={"parameterNotFoundAction": "Deny", **reference}))
            await until(lambda: mutated.create(dryRun="All"), shows(outcome), every=0.1)


async def test_a_policy_whose_parameters_have_no_kind_is_misconfigured(mutated: Mutated) -> None:
    policy = mutated.policy(labelling("'b'"), paramKind={"apiVersion": "example.com/v1", "kind": "None"})

    async with mutated.bound(policy):
        reply = await mutated.create()

    assert reply.refused(403, "Forbidden")["message"] == (
        f'policy "{mutated.name}" denied request: failed to configure policy: '
        "failed to find resource referenced by paramKind: 'example.com/v1, Kind=None'"
    )


def appending(letter: str, name: str, mutated: Mutated, **spec: Any) -> Object:
    """A policy that appends a letter to the label `a`, and by that tells when it was applied."""
    value = f"object.?metadata.labels.a.orValue('') + '{letter}'"
    policy = mutated.policy(labelling(value), **spec)
    policy["metadata"]["name"] = f"{name}.{mutated.name}"
    return policy


@pytest.mark.parametrize(
    ("reinvoked", "either"),
    [((), ("ab", "ba")), (("a",), ("aba", "baa")), (("a", "b"), ("abab", "baba"))],
    ids=["none", "one", "both"],
)
async def test_policies_are_applied_in_turn_and_again_if_they_want(
    mutated: Mutated, reinvoked: tuple[str, ...], either: tuple[str, ...]
) -> None:
    policies = [
        appending(each, each, mutated, reinvocationPolicy="IfNeeded" if each in reinvoked else "Never")
        for each in ("a", "b")
    ]

    async with mutated.bound(*policies):
        reply = await mutated.create()

    assert labels(reply)["a"] in either


@pytest.mark.parametrize(
    ("policy", "hook", "label"),
    [
        ("Never", "Never", "pw"),
        ("IfNeeded", "Never", "pwp"),
        ("Never", "IfNeeded", "pw"),
        ("IfNeeded", "IfNeeded", "pwpw"),
    ],
)
async def test_policies_come_before_webhooks_and_learn_of_their_changes(
    mutated: Mutated, hooked: Hooked, policy: str, hook: str, label: str
) -> None:
    def append(request: Object) -> Object:
        found = request["object"]["metadata"].get("labels", {})
        return added("/metadata/labels", {**found, "a": found.get("a", "") + "w"})

    hooked.hooks.respond("/append", append)
    async with (
        hooked.mutating(hooked.hook("/append", reinvocationPolicy=hook)),
        mutated.bound(appending("p", "p", mutated, reinvocationPolicy=policy)),
    ):
        reply = await mutated.create()

    assert labels(reply) == {"a": label}


CONTAINER = "Object.spec.template.spec.containers"


@pytest.mark.parametrize(
    ("spec", "changed"),
    [
        ("replicas: 3", {"replicas": 3}),
        ("replicas: object.spec.replicas + 4", {"replicas": 5}),
        (
            (
                f"template: Object.spec.template{{spec: Object.spec.template.spec{{containers: ["
                f"{CONTAINER}{{name: 'a', image: 'b'}}, {CONTAINER}{{name: 'c', image: 'd'}}]}}}}"
            ),
            {"containers": ["a=b", "c=d"]},
        ),
        (
            (
                "template: Object.spec.template{spec: Object.spec.template.spec{containers: "
                f"object.spec.template.spec.containers.map(c, {CONTAINER}{{name: c.name, env: ["
                f"{CONTAINER}.env{{name: 'E', value: 'f'}}]}})}}}}"
            ),
            {"env": [{"name": "E", "value": "f"}]},
        ),
        (
            "template: Object.spec.template{spec: Object.spec.template.spec{nodeSelector: {'a': 'b'}}}",
            ".spec.template.spec.nodeSelector",
        ),
        (
            (
                "template: Object.spec.template{spec: Object.spec.template.spec{containers: ["
                f"{CONTAINER}{{name: 'a', command: ['b']}}]}}}}"
            ),
            ".spec.template.spec.containers[0].command",
        ),
        ("selector: Object.spec.selector{matchLabels: {'a': 'b'}}", ".spec.selector"),
    ],
    ids=["number", "sum", "containers", "environment", "map", "list", "struct"],
)
async def test_what_is_merged_follows_the_schema(mutated: Mutated, spec: str, changed: Any) -> None:
    rule = {**CONFIG_MAPS, "apiGroups": ["apps"], "resources": ["deployments"]}
    policy = mutated.policy(
        merging(f"Object{{spec: Object.spec{{{spec}}}}}"), matchConstraints={"resourceRules": [rule]}
    )

    async with mutated.bound(policy):
        reply = await mutated.api.create(
            f"/apis/apps/v1/namespaces/{mutated.namespace}/deployments", DEPLOYMENT
        )

    if isinstance(changed, str):
        why = "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: "
        assert reply.refused(403, "Invalid")["message"] == denied(
            mutated, f"error applying patch: {why}{changed}"
        )
        return
    found = reply.ok()["spec"]
    containers = found["template"]["spec"]["containers"]
    shown = {
        "replicas": found["replicas"],
        "containers": [f"{each['name']}={each['image']}" for each in containers],
        "env": containers[0].get("env"),
    }
    assert {key: shown[key] for key in changed} == changed


async def test_parts_of_an_object_are_changed_where_a_policy_names_them(mutated: Mutated) -> None:
    rule = {**CONFIG_MAPS, "apiGroups": ["apps"], "resources": ["deployments/status", "deployments/scale"]}
    part = "request.subResource == 'scale' ? '/spec/replicas' : '/status/observedGeneration'"
    policy = mutated.policy(
        patching(f"op: 'add', path: {part}, value: 7"), matchConstraints={"resourceRules": [rule]}
    )
    path = f"/apis/apps/v1/namespaces/{mutated.namespace}/deployments"

    async with mutated.bound(policy):
        created = (await mutated.api.create(path, DEPLOYMENT)).ok()
        scaled = (await mutated.api.patch(f"{path}/x/scale", {"spec": {"replicas": 2}})).ok()
        reported = (await mutated.api.patch(f"{path}/x/status", {"status": {"replicas": 1}})).ok()

    assert created["spec"]["replicas"] == 1
    assert scaled["spec"]["replicas"] == 7
    assert reported["status"] == {"replicas": 1, "observedGeneration": 7}


async def test_a_custom_resource_is_changed(mutated: Mutated, crds: Definitions) -> None:
    schema = obj(
        spec=obj(
            count=integer(),
            tags=array(string(), **SET),
            names=array(string()),
            free={"type": "object", **PRESERVE},
        )
    )
    kind = await crds.serve(schema)
    rule = {**CONFIG_MAPS, "apiGroups": [crds.group], "resources": [kind.plural]}
    merge = "Object{spec: Object.spec{count: 2, tags: ['c'], free: {'any': {'b': 'c'}.b}}}"
    policy = mutated.policy(
        merging(merge),
        patching("op: 'add', path: '/spec/names/-', value: 'e'", "op: 'add', path: '/spec/z', value: 1"),
        matchConstraints={"resourceRules": [rule], "namespaceSelector": {}},
    )
    given = {"count": 1, "tags": ["a"], "names": ["d"]}

    async with mutated.bound(policy, binding=mutated.binding(matchResources={})):
        reply = await until(
            lambda: mutated.api.create(kind.path, kind.object("x", spec=given), dryRun="All"),
            lambda reply: reply.status not in (403, 503),  # it learns of a schema some seconds later
            every=0.5,
        )

    assert reply.ok()["spec"] == {
        "count": 2,
        "tags": ["a", "c"],
        "names": ["d", "e"],
        "free": {"any": "c"},
    }


async def test_a_scale_cannot_be_merged(mutated: Mutated) -> None:
    rule = {**CONFIG_MAPS, "apiGroups": ["apps"], "resources": ["deployments/scale"]}
    policy = mutated.policy(
        merging("Object{spec: Object.spec{replicas: 7}}"), matchConstraints={"resourceRules": [rule]}
    )
    path = f"/apis/apps/v1/namespaces/{mutated.namespace}/deployments"

    async with mutated.bound(policy):
        (await mutated.api.create(path, DEPLOYMENT)).ok()
        reply = await mutated.api.patch(f"{path}/x/scale", {"spec": {"replicas": 2}})

    said = f"{UNFIT}no corresponding type for autoscaling/v1, Kind=Scale"
    assert reply.refused(403, "Invalid")["message"] == denied(mutated, said)


async def test_a_builtin_kind_cannot_be_changed_in_another_version(mutated: Mutated) -> None:
    rule = {**CONFIG_MAPS, "apiGroups": ["autoscaling"], "apiVersions": ["v1"]}
    policy = mutated.policy(
        merging("Object{spec: Object.spec{targetCPUUtilizationPercentage: 7}}"),
        matchConstraints={"resourceRules": [{**rule, "resources": ["horizontalpodautoscalers"]}]},
    )
    path = f"/apis/autoscaling/v2/namespaces/{mutated.namespace}/horizontalpodautoscalers"
    target = {"kind": "Deployment", "name": "x", "apiVersion": "apps/v1"}
    body = {"metadata": {"name": "x"}, "spec": {"maxReplicas": 3, "scaleTargetRef": target}}

    async with mutated.bound(policy):
        reply = await mutated.api.create(path, body)

    known = "(v1.HorizontalPodAutoscaler) to (v2.HorizontalPodAutoscaler)"
    said = f"converting {known}: unknown conversion"
    assert reply.refused(403, "Invalid")["message"] == denied(mutated, said)


async def test_questions_about_access_are_left_alone(mutated: Mutated) -> None:
    rule = {**CONFIG_MAPS, "apiGroups": ["authorization.k8s.io"], "resources": ["selfsubjectaccessreviews"]}
    policy = mutated.policy(
        merging("Object{spec: {'z': 1}}"),
        matchConstraints={"resourceRules": [rule], "namespaceSelector": {}},
    )
    body = {"spec": {"resourceAttributes": {"verb": "get", "resource": "pods"}}}

    async with mutated.bound(policy, binding=mutated.binding(matchResources={})):
        reply = await mutated.api.create("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", body)

    assert reply.ok()["status"]["allowed"] is True


async def test_a_list_inside_a_map_is_not_understood(mutated: Mutated) -> None:
    async with mutated.bound(mutated.policy(merging("Object{metadata: {'finalizers': ['example.com/a']}}"))):
        reply = await mutated.create()

    said = f"{UNFIT}.metadata.finalizers: expected list, got &{{[example.com/a]}}"
    assert reply.refused(403, "Invalid")["message"] == denied(mutated, said)


async def test_what_policies_judge_is_what_others_have_made_of_it(mutated: Mutated) -> None:
    policed = Policed(mutated.api, mutated.namespace)
    validation = {"expression": "object.?metadata.labels.a.orValue('') != 'b'", "message": "no"}

    async with policed.bound(policed.policy(validation)), mutated.bound(mutated.policy(labelling("'b'"))):
        reply = await mutated.create()

    assert "denied request: no" in reply.refused(422, "Invalid")["message"]


async def with_account(mutated: Mutated) -> str:
    """The path of pods, once there is the account that they need."""
    path = f"/api/v1/namespaces/{mutated.namespace}"
    await mutated.api.create(f"{path}/serviceaccounts", {"metadata": {"name": "default"}})
    return f"{path}/pods"


async def test_a_container_that_a_policy_adds_is_like_any_other(mutated: Mutated) -> None:
    limits = "Object.spec.containers.resources{limits: {'cpu': '1000m'}}"
    container = f"Object.spec.containers{{name: 'b', image: 'b', resources: {limits}}}"
    rule = {**CONFIG_MAPS, "resources": ["pods"]}
    policy = mutated.policy(
        merging(f"Object{{spec: Object.spec{{containers: [{container}]}}}}"),
        matchConstraints={"resourceRules": [rule]},
    )
    pods = await with_account(mutated)

    async with mutated.bound(policy):
        created = (await mutated.api.create(pods, POD, dryRun="All")).ok()

    own, other = created["spec"]["containers"]
    assert other["imagePullPolicy"] == own["imagePullPolicy"] == "Always"
    assert other["resources"] == {"limits": {"cpu": "1"}, "requests": {"cpu": "1"}}


async def test_a_custom_resource_is_changed_in_the_version_that_a_policy_names(
    mutated: Mutated, crds: Definitions
) -> None:
    schema = obj(spec=obj(a=string(), b=string()))
    versions = version("v1", schema), version("v2", schema, storage=False)
    kind = await crds.serve_definition(definition(crds.group, *versions))
    rule = {**CONFIG_MAPS, "apiGroups": [crds.group], "apiVersions": ["v2"], "resources": [kind.plural]}
    policy = mutated.policy(
        merging("Object{spec: Object.spec{b: object.apiVersion}}"),
        matchConstraints={"resourceRules": [rule], "namespaceSelector": {}},
    )

    async with mutated.bound(policy, binding=mutated.binding(matchResources={})):
        reply = await until(
            lambda: mutated.api.create(kind.path, kind.object("x", spec={"a": "a"}), dryRun="All"),
            lambda reply: reply.status not in (403, 503),
            every=0.5,
        )

    assert reply.ok()["apiVersion"] == f"{crds.group}/v1"
    assert reply.body["spec"] == {"a": "a", "b": f"{crds.group}/v2"}


@pytest.mark.parametrize(
    ("part", "body", "said"),
    [
        (
            "binding",
            {"metadata": {"name": "x"}, "target": {"kind": "Node", "name": "n"}},
            ".wrong: field not declared in schema",
        ),
        (
            "eviction",
            {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "x"}},
            "no corresponding type for policy/v1, Kind=Eviction",
        ),
        ("exec", {}, "no corresponding type for /v1, Kind=PodExecOptions"),
    ],
)
async def test_what_is_done_to_a_pod_passes_policies(
    mutated: Mutated, part: str, body: Object, said: str
) -> None:
    rule = {**CONFIG_MAPS, "resources": [f"pods/{part}"], "operations": ["*"]}
    policy = mutated.policy(merging("Object{wrong: 1}"), matchConstraints={"resourceRules": [rule]})
    pods = await with_account(mutated)
    (await mutated.api.create(pods, POD)).ok()

    async with mutated.bound(policy):
        reply = await mutated.api.create(f"{pods}/x/{part}", body)

    assert reply.refused(403, "Invalid")["message"] == denied(mutated, f"{UNFIT}{said}")
