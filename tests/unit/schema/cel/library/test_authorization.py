from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from typing_extensions import override

from windlass.schema.cel.check import check
from windlass.schema.cel.cost import KUBERNETES_PRICING, Range, estimate
from windlass.schema.cel.environment import Environment
from windlass.schema.cel.evaluate import Program
from windlass.schema.cel.library import (
    AUTHORIZER,
    KUBERNETES,
    RESOURCE_CHECK,
    Authorizer,
    Caller,
    Decision,
    ResourceCheck,
)
from windlass.schema.cel.parse import parse
from windlass.schema.cel.problem import EvaluationError

ENVIRONMENT = Environment(
    variables={"authorizer": AUTHORIZER, "authorizer.requestResource": RESOURCE_CHECK}, libraries=KUBERNETES
)


@dataclass
class Clerk(Authorizer):
    """Answers all questions alike, and remembers them."""

    decision: Decision = field(default_factory=lambda: Decision(allowed=True, reason="because"))
    asked: list[Any] = field(default_factory=list)

    @override
    def check_path(self, user: Any, path: str, verb: str) -> Decision:
        self.asked.append((user, path, verb))
        return self.decision

    @override
    def check_resource(self, user: Any, check: ResourceCheck, verb: str) -> Decision:
        self.asked.append((user, check, verb))
        return self.decision


def evaluated(expression: str, clerk: Clerk) -> Any:
    checked = check(parse(expression, ENVIRONMENT.macros), ENVIRONMENT)
    caller = Caller(clerk, "jane")
    variables = {
        "authorizer": caller,
        "authorizer.requestResource": ResourceCheck(caller=caller, group="apps", resource="deployments"),
    }
    return Program(checked, ENVIRONMENT, KUBERNETES_PRICING).evaluate(variables)


def test_a_path_is_asked_about_with_the_verb() -> None:
    clerk = Clerk()

    assert evaluated("authorizer.path('/healthz').check('get').allowed()", clerk).value is True
    assert clerk.asked == [("jane", "/healthz", "get")]


def test_a_resource_is_asked_about_with_all_that_was_said_of_it() -> None:
    clerk = Clerk()

    evaluated(
        "authorizer.group('apps').resource('deployments').subresource('scale').namespace('n').name('web')"
        ".fieldSelector('a=b').labelSelector('c=d').check('update').allowed()",
        clerk,
    )

    [(user, asked, verb)] = clerk.asked
    assert (user, verb) == ("jane", "update")
    assert (asked.group, asked.resource, asked.subresource) == ("apps", "deployments", "scale")
    assert (asked.namespace, asked.name) == ("n", "web")
    assert (asked.field_selector, asked.label_selector) == ("a=b", "c=d")


def test_the_resource_of_the_request_can_be_asked_about_directly() -> None:
    clerk = Clerk()

    evaluated("authorizer.requestResource.check('delete').allowed()", clerk)

    [(_, asked, verb)] = clerk.asked
    assert (asked.group, asked.resource, verb) == ("apps", "deployments", "delete")


def test_a_service_account_is_asked_about_by_its_name_as_a_user() -> None:
    clerk = Clerk()

    evaluated("authorizer.serviceAccount('prod', 'robot').path('/x').check('get').allowed()", clerk)

    assert clerk.asked == [("system:serviceaccount:prod:robot", "/x", "get")]


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("allowed()", False),
        ("reason()", "not today"),
        ("errored()", True),
        ("error()", "no answer"),
    ],
)
def test_a_decision_tells_all_of_itself(expression: str, value: Any) -> None:
    clerk = Clerk(Decision(allowed=False, reason="not today", error="no answer"))

    assert evaluated(f"authorizer.path('/x').check('get').{expression}", clerk).value == value


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("authorizer.path(' ')", "path must not be empty"),
        ("authorizer.group('').resource('')", "resource must not be empty"),
        ("authorizer.serviceAccount('n', 'No')", "Invalid service account name"),
        ("authorizer.serviceAccount('a.b', 'n')", "Invalid service account namespace"),
    ],
)
def test_a_question_about_nothing_is_refused(expression: str, message: str) -> None:
    with pytest.raises(EvaluationError, match=message):
        evaluated(expression, Clerk())


def test_an_expression_can_afford_two_checks() -> None:
    expression = "authorizer.path('/x').check('get').allowed()"
    checked = check(parse(expression, ENVIRONMENT.macros), ENVIRONMENT)

    assert estimate(checked) == Range(350_003, 350_003)
    assert evaluated(expression, Clerk()).cost == 350_003


def test_a_selector_costs_by_its_length() -> None:
    expression = "authorizer.group('').resource('pods').labelSelector('a=b')"
    checked = check(parse(expression, ENVIRONMENT.macros), ENVIRONMENT)

    assert estimate(checked) == Range.exactly(3 + 10 + 1 + 2 * 50)
    assert evaluated(expression, Clerk()).cost == 3 + 10 + 1 + 2 * 50
