from __future__ import annotations

from typing import Any

from windlass.schema.cel.check import check
from windlass.schema.cel.cost import KUBERNETES_PRICING
from windlass.schema.cel.environment import Environment
from windlass.schema.cel.evaluate import Program
from windlass.schema.cel.library import JSON_PATCH, JSON_PATCH_OBJECTS, KUBERNETES
from windlass.schema.cel.parse import parse

ENVIRONMENT = Environment(
    objects=JSON_PATCH_OBJECTS,
    libraries=(*KUBERNETES, JSON_PATCH),
    constructible=frozenset(JSON_PATCH_OBJECTS),
)


def test_a_key_is_escaped_for_a_path() -> None:
    assert _evaluated("jsonpatch.escapeKey('k8s.io/my~label')") == "k8s.io~1my~0label"


def test_a_patch_is_an_object_whose_value_may_be_anything() -> None:
    [patch] = _evaluated("[JSONPatch{op: 'add', path: '/a/' + jsonpatch.escapeKey('b/c'), value: [1, 2]}]")

    assert (patch["op"], patch["path"], list(patch["value"])) == ("add", "/a/b~1c", [1, 2])


def _evaluated(expression: str) -> Any:
    checked = check(parse(expression, ENVIRONMENT.macros), ENVIRONMENT)
    return Program(checked, ENVIRONMENT, KUBERNETES_PRICING).evaluate({}).value
