"""The values of a release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from windlass.api import Kind, ObjectMeta, Resource, Spec, Untyped
from windlass.errors import ConfigError, HelmError, Terminal
from windlass.helm.turns import Turns
from windlass.helm.values import assignments, resolve_overrides, values_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Json
    from windlass.client import Client, Impersonation
    from windlass.helm import Blueprint, Deploying, Revision

SHOP = Untyped.of(Kind("demo.example.com", "v1", "Shop", "shops"))


class StallSpec(Spec):
    replica_count: int = 1
    image: str = ""


class Stall(Resource, group="demo.example.com", version="v1"):
    spec: StallSpec = StallSpec()


class Bare(Resource, group="demo.example.com", version="v1"): ...


def shop(**fields: Any) -> Untyped:
    return SHOP.model_validate({"metadata": {"name": "a", "namespace": "b"}, **fields})


def test_the_values_are_the_spec_as_it_was_written() -> None:
    assert values_of(shop(spec={"replicaCount": 2, "a": {"b": [1]}})) == {"replicaCount": 2, "a": {"b": [1]}}
    assert values_of(Stall(spec=StallSpec(replica_count=2))) == {"replicaCount": 2}


@pytest.mark.parametrize("resource", [shop(), shop(spec=None), shop(spec={}), Stall(), Bare()])
def test_an_object_without_a_spec_has_no_values(resource: Resource) -> None:
    assert values_of(resource) == {}


@pytest.mark.parametrize(
    ("spec", "kind"), [([], "list"), (["a"], "list"), ("text", "str"), (0, "int"), (False, "bool")]
)
def test_a_spec_that_is_no_mapping_waits_for_a_change(spec: object, kind: str) -> None:
    with pytest.raises(Terminal, match=f"spec is no mapping but a {kind}") as raised:
        values_of(shop(spec=spec))

    assert raised.value.reason == "InvalidSpec"


def test_changing_the_values_leaves_the_object_alone() -> None:
    resource = shop(spec={"a": {"b": 1}})
    values_of(resource)["a"]["b"] = 2

    assert resource["spec"] == {"a": {"b": 1}}


def test_metadata_is_a_value_where_a_key_is_named() -> None:
    written = {
        "kubectl.kubernetes.io/last-applied-configuration": "{}",
        "note": "x",
    }
    metadata = ObjectMeta(name="a", namespace="b", uid="1", labels={"c": "d"}, annotations=written)
    resource = SHOP(metadata=metadata)
    resource["spec"] = {"size": 1, "cr": "lost"}

    assert values_of(resource, "cr") == {
        "size": 1,
        "cr": {
            "name": "a",
            "namespace": "b",
            "uid": "1",
            "labels": {"c": "d"},
            "annotations": {"note": "x"},
        },
    }


def test_overrides_become_assignments_in_a_fixed_order_and_commas_stay() -> None:
    assert assignments({"b": "1", "a.b[0]": "x,c=2"}) == ("a.b[0]=x,c=2", "b=1")


class Rendering:
    """Renders the overrides' chart as if every template were the text `rendered`, or fails."""

    client: Client

    def __init__(self, error: HelmError | None = None) -> None:
        self.files: dict[str, str] = {}
        self._error = error

    turns = Turns()

    def acting_as(self, user: Impersonation) -> Rendering:
        raise NotImplementedError

    async def render(
        self, blueprint: Blueprint, *, is_upgrade: bool, lookup: bool = False, hooks: bool = False
    ) -> Sequence[Json]:
        if self._error:
            raise self._error
        files = sorted((blueprint.chart.path / "templates").glob("_*.tpl"))
        self.files = {file.name: file.read_text() for file in files}
        names = [f"override-{index}" for index in range(len(files))]
        return [{"metadata": {"name": name}, "data": {"value": f"rendered {name}"}} for name in names]

    async def deploy(self, blueprint: Blueprint, how: Deploying) -> Revision:
        raise NotImplementedError

    async def rollback(self, *_: Any) -> None:
        raise NotImplementedError

    async def uninstall(self, *_: Any) -> bool:
        raise NotImplementedError


async def test_only_templates_are_rendered_and_after_the_environment_was_put_in() -> None:
    helm = Rendering()
    overrides = {"image": "$REPO/shop", "tag": '{{ env "TAG" | upper }}', "a[0]": '{{ "$REPO" }}'}

    resolved = await resolve_overrides(overrides, {"REPO": "r", "TAG": "t"}, helm)

    assert resolved == {"image": "r/shop", "tag": "rendered override-0", "a[0]": "rendered override-1"}
    assert helm.files == {
        "_0_tag.tpl": '{{ define "override-0" }}{{ "t" | upper }}{{ end }}',
        "_1_a_0_.tpl": '{{ define "override-1" }}{{ "r" }}{{ end }}',
    }


async def test_without_templates_helm_is_not_asked() -> None:
    helm = Rendering(HelmError("asked"))

    assert await resolve_overrides({"a": "$B"}, {}, helm) == {"a": ""}


async def test_a_template_that_cannot_be_rendered_is_an_error_that_names_the_override() -> None:
    helm = Rendering(HelmError("parse error"))

    with pytest.raises(ConfigError, match=r"overrideValues cannot be rendered \(a\.b\): parse error"):
        await resolve_overrides({"a.b": "{{ nosuch }}"}, {}, helm)
