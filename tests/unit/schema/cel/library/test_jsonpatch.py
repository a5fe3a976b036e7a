from __future__ import annotations

from typing import Any

import pytest

from windlass.schema.cel import ExpressionError
from windlass.schema.cel.check import check
from windlass.schema.cel.cost import KUBERNETES_PRICING
from windlass.schema.cel.environment import Environment
from windlass.schema.cel.evaluate import Program
from windlass.schema.cel.library import JSON_PATCH, JSON_PATCH_OBJECTS, KUBERNETES
from windlass.schema.cel.parse import parse

ENVIRONMENT = Environment(
    objects=JSON_PATCH_OBJECTS,
    libraries=(*KUBERNETES, JSON_PATCH),
    constructible=JSON_PATCH_OBJECTS,
)


def test_a_key_is_escaped_for_a_path() -> None:
    assert _evaluated("jsonpatch.escapeKey('k8s.io/my~label')") == "k8s.io~1my~0label"


def test_a_patch_is_an_object_whose_value_may_be_anything() -> None:
    [patch] = _evaluated("[JSONPatch{op: 'add', path: '/a/' + jsonpatch.escapeKey('b/c'), value: [1, 2]}]")

    assert (patch["op"], patch["path"], list(patch["value"])) == ("add", "/a/b~1c", [1, 2])


def test_an_object_has_any_field_and_the_type_of_its_place() -> None:
    found = _evaluated("Object{spec: Object.spec{anything: 1, ?nothing: optional.none()}}")

    assert found == {"spec": {"anything": 1}}
    assert (str(found.cel_type), str(found["spec"].cel_type)) == ("Object", "Object.spec")


@pytest.mark.parametrize(
    ("expression", "problem"),
    [
        ("Objects{}", "undeclared reference to 'Objects'"),
        ("JSONPatch{wrong: 1}", "expected type of field 'wrong' is '' but provided type is 'int'"),
        ("JSONPatch{path: 1}", "expected type of field 'path' is 'string' but provided type is 'int'"),
    ],
)
def test_what_there_is_not_cannot_be_made(expression: str, problem: str) -> None:
    with pytest.raises(ExpressionError, match=problem):
        _evaluated(expression)


def _evaluated(expression: str) -> Any:
    checked = check(parse(expression, ENVIRONMENT.macros), ENVIRONMENT)
    return Program(checked, ENVIRONMENT, KUBERNETES_PRICING).evaluate({}).value
