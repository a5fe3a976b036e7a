"""Validating admission policies: what they deny, warn of and let pass, and in which words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from hooking import CONFIG_MAPS
from policing import Policed
from polling import until

if TYPE_CHECKING:
    from collections.abc import Callable

    from contract import Api, Object, Reply


@pytest.fixture
def policed(api: Api, namespace: str) -> Policed:
    return Policed(api, namespace)


def denied(policed: Policed, said: str) -> str:
    return (
        f"configmaps \"x\" is forbidden: ValidatingAdmissionPolicy '{policed.name}' "
        f"with binding '{policed.name}' denied request: {said}"
    )


@pytest.mark.parametrize(
    ("validation", "said"),
    [
        ({"expression": "has(object.data)"}, "failed expression: has(object.data)"),
        ({"expression": "has(object.data)", "message": " no data "}, "no data"),
        (
            {"expression": "has(object.data)", "messageExpression": "'no data in ' + object.metadata.name"},
            "no data in x",
        ),
        ({"expression": "has(object.data)", "message": "plain", "messageExpression": "' '"}, "plain"),
        ({"expression": "has(object.data)", "message": "plain", "messageExpression": "'a\\nb'"}, "plain"),
        (
            {
                "expression": "has(object.data)",
                "message": "plain",
                "messageExpression": "string(object.data.a)",
            },
            "plain",
        ),
        (
            {"expression": "object.data.a == 'b'"},
            "expression 'object.data.a == 'b'' resulted in error: no such key: data",
        ),
    ],
    ids=[
        "expression",
        "message",
        "message-expression",
        "blank-message",
        "long-message",
        "broken-message",
        "error",
    ],
)
async def test_a_policy_says_why_it_denies(policed: Policed, validation: Object, said: str) -> None:
    async with policed.bound(policed.policy(validation)):
        reply = await policed.create()

    message = denied(policed, said)
    assert reply.refused(422, "Invalid")["message"] == message
    assert reply.body["details"]["causes"] == [{"message": message.partition("forbidden: ")[2]}]


@pytest.mark.parametrize(
    ("reason", "code"), [("Forbidden", 403), ("Invalid", 422), ("RequestEntityTooLarge", 413)]
)
async def test_a_validation_may_give_a_reason(policed: Policed, reason: str, code: int) -> None:
    async with policed.bound(policed.policy({"expression": "false", "reason": reason})):
        assert (await policed.create()).refused(code, reason)


@pytest.mark.parametrize(
    "expression",
    [
        "object.metadata.name == 'x'",
        "oldObject == null",
        "request.operation == 'CREATE'",
        "request.resource.resource == 'configmaps' && request.kind.kind == 'ConfigMap'",
        "request.requestResource.version == 'v1' && request.requestKind.group == ''",
        "request.name == 'x' && request.namespace == object.metadata.namespace",
        "!request.dryRun",
        "request.userInfo.username == 'admin' && 'system:masters' in request.userInfo.groups",
        "request.options.kind == 'CreateOptions'",
        "!has(request.subResource)",
        "namespaceObject.metadata.name == request.namespace",
        "namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == request.namespace",
        "namespaceObject.status.phase == 'Active'",
        "has(namespaceObject.spec.finalizers)",
        "object.kind == 'ConfigMap' && object.apiVersion == 'v1'",
        "has(object.metadata.uid) && has(object.metadata.creationTimestamp)",
        "type(object.metadata.creationTimestamp) == string",
        "authorizer.group('').resource('pods').namespace(request.namespace).check('create').allowed()",
        "authorizer.requestResource.check('create').allowed()",
        "authorizer.requestResource.check('create').reason() == ''",
        "!authorizer.serviceAccount('a', 'b').group('').resource('pods').check('get').allowed()",
        "authorizer.path('/healthz').check('get').allowed()",
        "ip('10.0.0.1').family() == 4 && quantity('1Ki').isInteger()",
        "object.metadata.?labels.a.orValue('none') == 'none'",
    ],
)
async def test_an_expression_sees_the_request(policed: Policed, expression: str) -> None:
    async with policed.bound(policed.policy({"expression": expression})):
        reply = await policed.create()

    assert reply.status == 201, reply.body["message"]


async def test_variables_are_made_of_others(policed: Policed) -> None:
    variables = [
        {"name": "data", "expression": "has(object.data) ? object.data : {}"},
        {"name": "count", "expression": "size(variables.data)"},
        {"name": "unused", "expression": "1 / 0 == 1"},
    ]
    validation = {
        "expression": "variables.count > 1",
        "messageExpression": "'only ' + string(variables.count)",
    }

    async with policed.bound(policed.policy(validation, variables=variables)):
        refused = await policed.create(data={"a": "b"})
        created = await policed.create(data={"a": "b", "c": "d"})

    assert refused.refused(422, "Invalid")["message"] == denied(policed, "only 1")
    assert created.status == 201


async def test_a_variable_that_has_no_value_is_named(policed: Policed) -> None:
    variables = [{"name": "a", "expression": "object.data.a"}]

    async with policed.bound(policed.policy({"expression": "variables.a == 'b'"}, variables=variables)):
        reply = await policed.create()

    said = (
        "expression 'variables.a == 'b'' resulted in error: "
        'composited variable "a" fails to evaluate: no such key: data'
    )
    assert reply.refused(422, "Invalid")["message"] == denied(policed, said)


@pytest.mark.parametrize("policy", ["Fail", "Ignore"])
async def test_a_policy_says_what_an_error_means(policed: Policed, policy: str) -> None:
    validation = {"expression": "object.data.a == 'b'"}

    async with policed.bound(policed.policy(validation, failurePolicy=policy)):
        reply = await policed.create()

    assert reply.status == (422 if policy == "Fail" else 201)


@pytest.mark.parametrize(
    ("conditions", "status"),
    [
        (["true"], 422),
        (["false"], 201),
        (["true", "object.data.a == 'b'"], 422),
        (["object.data.a == 'b'", "false"], 201),
        (["request.userInfo.username == 'somebody'"], 201),
    ],
)
async def test_conditions_keep_a_policy_from_looking(
    policed: Policed, conditions: list[str], status: int
) -> None:
    given = [{"name": f"c{index}", "expression": each} for index, each in enumerate(conditions)]
    probed = [
        {
            **each,
            "expression": f"('probe' in object.metadata.?labels.orValue({{}})) || ({each['expression']})",
        }
        for each in given
    ]

    async with policed.bound(policed.policy({"expression": "false"}, matchConditions=probed)):
        assert (await policed.create()).status == status


@pytest.mark.parametrize(("actions", "status"), [(["Deny"], 422), (["Warn"], 201), (["Audit", "Warn"], 201)])
async def test_a_binding_says_what_comes_of_a_failure(
    policed: Policed, actions: list[str], status: int
) -> None:
    policy = policed.policy({"expression": "false", "message": "no"})

    async with policed.bound(policy, policed.binding(validationActions=actions)):
        reply = await policed.create()

    assert reply.status == status
    subject = f"ValidatingAdmissionPolicy '{policed.name}' with binding '{policed.name}'"
    expected = (f'299 - "Validation failed for {subject}: no"',) if "Warn" in actions else ()
    assert reply.warnings == expected


async def parameters(policed: Policed, name: str, **data: str) -> None:
    meta = {"name": name, "labels": {"params": "yes"}}
    (await policed.api.create(policed.path, {"metadata": meta, "data": data})).ok()


async def test_a_policy_has_parameters(policed: Policed) -> None:
    """One test for all: a real server that was asked to follow a built-in kind once follows it no second time."""
    await parameters(policed, "p", least="1")
    await parameters(policed, "q", least="2")
    policy = policed.policy(
        {
            "expression": "size(object.data) >= int(params.data.least)",
            "messageExpression": "string(params.data.least)",
        },
        paramKind={"apiVersion": "v1", "kind": "ConfigMap"},
    )
    no_params = "no params found for policy binding with `Deny` parameterNotFoundAction"
    cases: list[tuple[Object, str]] = [
        ({"name": "p"}, ""),
        ({"name": "q"}, "denied request: 2"),
        ({"selector": {"matchLabels": {"params": "yes"}}}, "denied request: 2"),
        ({"selector": {"matchLabels": {"params": "no"}}}, no_params),
        ({"name": "missing"}, no_params),
        ({"name": "missing", "parameterNotFoundAction": "Allow"}, ""),
    ]

    async with policed.bound(
        policy, policed.binding(paramRef=cases[0][0] | {"parameterNotFoundAction": "Deny"})
    ):
        for reference, said in cases:
            await policed.bind(policed.binding(paramRef={"parameterNotFoundAction": "Deny", **reference}))
            await until(lambda: policed.create(data={"a": "b"}, dryRun="All"), says(said), every=0.1)


def says(said: str) -> Callable[[Reply], bool]:
    """Whether an answer is a refusal with these words, or without any words no refusal."""
    return lambda reply: said in reply.body.get("message", "") if said else reply.status == 201


async def test_a_policy_whose_parameters_have_no_kind_is_misconfigured(policed: Policed) -> None:
    policy = policed.policy(
        {"expression": "true"}, paramKind={"apiVersion": "example.com/v1", "kind": "None"}
    )

    async with policed.bound(policy):
        reply = await policed.create()

    assert reply.refused(422, "Invalid")["message"] == (
        f"configmaps \"x\" is forbidden: ValidatingAdmissionPolicy '{policed.name}' denied request: failed to "
        "configure policy: failed to find resource referenced by paramKind: 'example.com/v1, Kind=None'"
    )


@pytest.mark.parametrize(
    ("spec", "status"),
    [
        ({"excludeResourceRules": [{"resourceNames": ["x"]}]}, 201),
        ({"excludeResourceRules": [{"resourceNames": ["y"]}]}, 422),
        ({"objectSelector": {"matchExpressions": [{"key": "probe", "operator": "Exists"}]}}, 201),
    ],
    ids=["excluded", "not-excluded", "selected"],
)
async def test_a_policy_says_what_it_is_about(policed: Policed, spec: Any, status: int) -> None:
    rules = [{**CONFIG_MAPS, **rule} for rule in spec.get("excludeResourceRules", ())]
    constraints = {"resourceRules": [CONFIG_MAPS], **spec} | (
        {"excludeResourceRules": rules} if rules else {}
    )
    policy = policed.policy({"expression": "false"}, matchConstraints=constraints)

    async with policed.bound(policy):
        assert (await policed.create()).status == status


async def test_updates_and_deletions_are_judged(policed: Policed) -> None:
    rule = {**CONFIG_MAPS, "operations": ["*"]}
    creates = {"expression": "request.operation == 'CREATE'", "messageExpression": "request.operation"}
    there = [{"name": "there", "expression": "object != null || oldObject != null"}]
    policy = policed.policy(creates, matchConstraints={"resourceRules": [rule]}, matchConditions=there)
    (await policed.create()).ok()

    async with policed.bound(policy):
        updated = await policed.api.patch(f"{policed.path}/x", {"data": {"a": "b"}})
        deleted = await policed.api.delete(f"{policed.path}/x")

    assert updated.refused(422, "Invalid")["message"] == denied(policed, "UPDATE")
    assert deleted.refused(422, "Invalid")["message"] == denied(policed, "DELETE")


@pytest.mark.parametrize(
    ("validation", "faults"),
    [
        (
            {"expression": "object.x"},
            ['spec.validations[0].expression: Invalid value: "object.x": must evaluate to bool but got dyn'],
        ),
        (
            {"expression": "true", "messageExpression": "1"},
            [
                'spec.validations[0].messageExpression: Invalid value: "1": must evaluate to string but got int'
            ],
        ),
        (
            {"expression": "nobody"},
            [
                (
                    'spec.validations[0].expression: Invalid value: "nobody": compilation failed: '
                    "ERROR: <input>:1:1: undeclared reference to 'nobody' (in container '')\n | nobody\n | ^"
                )
            ],
        ),
        (
            {"expression": "request.nothing == 1"},
            [
                (
                    'spec.validations[0].expression: Invalid value: "request.nothing == 1": compilation failed: '
                    "ERROR: <input>:1:8: undefined field 'nothing'\n | request.nothing == 1\n | .......^"
                )
            ],
        ),
        (
            {"expression": "params == null"},
            [
                (
                    'spec.validations[0].expression: Invalid value: "params == null": compilation failed: '
                    "ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params == null\n | ^"
                )
            ],
        ),
        (
            {"expression": "true", "messageExpression": "authorizer.path('/a').check('get').reason()"},
            [
                (
                    "spec.validations[0].messageExpression: Invalid value: "
                    "\"authorizer.path('/a').check('get').reason()\": compilation failed: "
                    "ERROR: <input>:1:1: undeclared reference to 'authorizer' (in container '')\n"
                    " | authorizer.path('/a').check('get').reason()\n | ^"
                )
            ],
        ),
    ],
    ids=["type", "message-type", "unknown", "field", "params", "authorizer"],
)
async def test_a_policy_that_does_not_compile_is_refused(
    policed: Policed, validation: Object, faults: list[str]
) -> None:
    assert await policed.refused(validation) == faults


@pytest.mark.parametrize(
    ("spec", "fault"),
    [
        (
            {"variables": [{"name": "a", "expression": "nobody == 1"}]},
            'spec.variables[0].expression: Invalid value: "nobody == 1": compilation failed: ERROR: <input>:1:1: ',
        ),
        (
            {"auditAnnotations": [{"key": "a", "valueExpression": "1"}]},
            (
                'spec.auditAnnotations[0].valueExpression: Invalid value: "1": '
                "must evaluate to one of [string null_type] but got int"
            ),
        ),
        (
            {"matchConditions": [{"name": "a", "expression": " 1 "}]},
            'spec.matchConditions[0].expression: Invalid value: "1": must evaluate to bool but got int',
        ),
    ],
    ids=["variable", "annotation", "condition"],
)
async def test_every_expression_of_a_policy_is_checked(policed: Policed, spec: Any, fault: str) -> None:
    (found,) = await policed.refused({"expression": "true"}, **spec)

    assert found.startswith(fault)
