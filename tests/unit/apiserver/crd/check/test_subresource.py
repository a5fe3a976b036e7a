from typing import Any

import pytest

from windlass.apiserver.crd.check.subresource import subresource_faults
from windlass.schema import Path

PATHS = {"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n"}


def faults(subresources: dict[str, Any] | None) -> list[str]:
    return [str(fault) for fault in subresource_faults(subresources, Path("s"))]


@pytest.mark.parametrize("subresources", [None, {}, {"status": {}}, {"scale": PATHS}])
def test_subresources_as_they_are_have_no_faults(subresources: dict[str, Any] | None) -> None:
    assert faults(subresources) == []


@pytest.mark.parametrize("path", ["", ".spec.selector", ".status.selector"])
def test_a_selector_is_on_either_side(path: str) -> None:
    assert faults({"scale": PATHS | {"labelSelectorPath": path}}) == []


@pytest.mark.parametrize(
    ("name", "path", "problem"),
    [
        ("specReplicasPath", ".status.n", "should be a json path under .spec"),
        ("statusReplicasPath", ".spec.n", "should be a json path under .status"),
        ("labelSelectorPath", ".metadata.n", "should be a json path under either .spec or .status"),
        ("labelSelectorPath", "n", "must be a simple json path starting with ."),
    ],
)
def test_a_path_elsewhere_is_refused(name: str, path: str, problem: str) -> None:
    assert faults({"scale": PATHS | {name: path}}) == [f's.scale.{name}: Invalid value: "{path}": {problem}']
