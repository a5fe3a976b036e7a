"""The markers of the reference page, on the real API server: what it takes, refuses, keeps and fills in.

Each type is the Python of its row on the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from installed import installed, raw
from judged import kept, refused
from marker_cases import CASES
from marker_page import place, probe, row, type_of
from windlass.client import JsonPatch, MergePatch
from windlass.errors import Invalid, UndecodableError
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

if TYPE_CHECKING:
    from windlass.api import Resource
    from windlass.testing import Access

VALIDATION = "kubebuilder:validation:"


@pytest.fixture
def group(namespace: str) -> str:
    """A group that no other test has."""
    return f"{namespace}.example.com"


def reading(kind: type[Resource], spec: Any) -> str:
    """What becomes of a spec that goes to Python and back."""
    try:
        read = kind.from_wire({"spec": spec})
    except UndecodableError:
        return "unreadable"
    assert kind.from_wire(read.to_wire()) == read
    return "kept" if read.to_wire()["spec"] == spec else "rewritten"


EACH = "each: list[T] = Field(default=[], max_length=2)\nby_key: dict[str, T] = {}"


@pytest.mark.parametrize("marker", CASES)
async def test_an_invalid_object_is_refused(
    marker: str, control_plane: Access, namespace: str, group: str
) -> None:
    """What a row says of a field holds for the items of a list and the values of a map of that type too."""
    case, python = CASES[marker], row(marker).python
    field = place(python).field.partition(":")[0]
    more = {"fields": f"{case.fields}\n{EACH}", "T": type_of(python)} if field else {"fields": case.fields}
    kind = probe(marker, group, **more)

    def spec_of(value: Any) -> Any:
        return {field: value, "each": [case.accepted[0], value], "byKey": {"a": value}} if field else value

    async with installed(control_plane, kind) as client:
        for value in case.taken:
            assert await kept(client, raw(kind, namespace, spec=spec_of(value))) == spec_of(value)
            assert reading(kind, spec_of(value)) == case.reading(value)
        for each in case.refused:
            said = await refused(client.create(raw(kind, namespace, spec=spec_of(each.value))))
            for where in (f"spec.{field}", "spec.each[1]", "spec.byKey.a") if field else ("spec",):
                assert each.message in said.get(each.blamed(where), ""), said


async def test_fields_that_the_type_does_not_name_are_kept_beside_those_that_it_does(
    control_plane: Access, namespace: str, group: str
) -> None:
    kind = probe(f"{VALIDATION}XPreserveUnknownFields", group, fields="plain: Port")
    port = {"port": 1, "protocol": "UDP", "more": {"of": [1, {"it": True}]}}

    async with installed(control_plane, kind) as client:
        spec = await kept(client, raw(kind, namespace, spec={"port": port, "plain": port}))
        said = await refused(
            client.create(raw(kind, namespace, spec={"port": {**port, "port": "x"}, "plain": port}))
        )

    assert spec == {"port": port, "plain": {"port": 1, "protocol": "UDP"}}
    assert reading(kind, spec) == "kept"
    assert "must be of type integer" in said["spec.port.port"]


async def test_a_free_object_is_kept_whole(control_plane: Access, namespace: str, group: str) -> None:
    kind = probe("kubebuilder:pruning:PreserveUnknownFields", group)
    spec = {"settings": {"a": 1, "b": [None, {"c": "d"}]}}

    async with installed(control_plane, kind) as client:
        assert await kept(client, raw(kind, namespace, spec={**spec, "unknown": 1})) == spec

    assert reading(kind, spec) == "kept"


async def test_an_embedded_object_must_say_what_it_is(
    control_plane: Access, namespace: str, group: str
) -> None:
    kind = probe(f"{VALIDATION}XEmbeddedResource", group)
    good = {"apiVersion": "v1", "kind": "Thing", "metadata": {"name": "a", "labels": {"b": "c"}}, "more": [1]}

    async with installed(control_plane, kind) as client:
        assert await kept(client, raw(kind, namespace, spec={"template": good})) == {"template": good}
        nothing = await refused(client.create(raw(kind, namespace, spec={"template": {}})))
        name = await refused(
            client.create(raw(kind, namespace, spec={"template": good | {"metadata": {"name": "not/one"}}}))
        )

    assert set(nothing) == {"spec.template.apiVersion", "spec.template.kind"}
    assert "spec.template.metadata.name" in name


async def test_an_embedded_kind_is_checked_by_its_own_fields(
    control_plane: Access, namespace: str, group: str
) -> None:
    kind = probe(f"{VALIDATION}EmbeddedResource", group)
    meant = {"apiVersion": "v1", "kind": "ConfigMap"}
    good = {**meant, "metadata": {"name": "a", "labels": {"b": "c"}}, "data": {"key": "value"}}

    async with installed(control_plane, kind) as client:
        assert await kept(client, raw(kind, namespace, spec={"template": good | {"odd": 1}})) == {
            "template": good
        }
        said = await refused(client.create(raw(kind, namespace, spec={"template": {"data": {"key": 1}}})))

    assert reading(kind, {"template": good}) == "kept"
    assert set(said) == {"spec.template.apiVersion", "spec.template.kind", "spec.template.data.key"}


async def test_a_rule_gives_its_reason(control_plane: Access, namespace: str, group: str) -> None:
    kind = probe(f"{VALIDATION}XValidation (reason)", group)

    async with installed(control_plane, kind) as client:
        with pytest.raises(Invalid) as raised:
            await client.create(raw(kind, namespace, spec={"size": 9}))

    (cause,) = raised.value.answer.causes
    assert (cause["field"], cause["reason"]) == ("spec.size", "FieldValueForbidden")
    assert cause["message"] == "Forbidden: too much"


async def test_a_rule_may_judge_both_the_creation_and_the_change(
    control_plane: Access, namespace: str, group: str
) -> None:
    kind = probe(f"{VALIDATION}XValidation (optionalOldSelf)", group)

    async with installed(control_plane, kind) as client:
        at_once = await refused(client.create(raw(kind, namespace, spec={"size": 2})))
        made = await client.create(raw(kind, namespace, spec={"size": 5}))
        made["spec"]["size"] = 6
        made = await client.update(made)
        made["spec"]["size"] = 4
        later = await refused(client.update(made))

    assert set(at_once) == set(later) == {"spec.size"}
    assert "must not shrink" in at_once["spec.size"]
    assert "must not shrink" in later["spec.size"]


async def test_without_a_schema_anything_is_kept(control_plane: Access, namespace: str, group: str) -> None:
    kind = probe(f"{VALIDATION}Schemaless", group)

    async with installed(control_plane, kind) as client:
        for value in (1, "text", [1, "a"], {"port": "x", "more": None}):
            assert await kept(client, raw(kind, namespace, spec={"value": value})) == {"value": value}


@pytest.mark.parametrize("marker", [f"{VALIDATION}Required (field)", "required", "k8s:required"])
async def test_a_required_field_must_be_there(
    marker: str, control_plane: Access, namespace: str, group: str
) -> None:
    kind = probe(marker, group)

    async with installed(control_plane, kind) as client:
        assert await kept(client, raw(kind, namespace, spec={"size": 1})) == {"size": 1}
        said = await refused(client.create(raw(kind, namespace, spec={})))
        null = await refused(client.create(raw(kind, namespace, spec={"size": None})))

    assert "Required value" in said["spec.size"]
    assert set(null) == {"spec.size"}


@pytest.mark.parametrize("marker", [f"{VALIDATION}Optional (field)", "optional", "k8s:optional"])
async def test_an_optional_field_may_be_absent(
    marker: str, control_plane: Access, namespace: str, group: str
) -> None:
    kind = probe(marker, group)

    async with installed(control_plane, kind) as client:
        assert await kept(client, raw(kind, namespace, spec={})) == {}


async def test_null_is_kept_where_it_is_a_value(control_plane: Access, namespace: str, group: str) -> None:
    kind = probe("nullable", group, fields="plain: str | None = None\nfilled: str = 'x'")
    nulls = {"note": None, "plain": None, "filled": None}

    async with installed(control_plane, kind) as client:
        spec = await kept(client, raw(kind, namespace, spec=nulls))
        absent = await kept(client, raw(kind, namespace, spec={}))

    assert spec == {"note": None, "filled": "x"}
    assert absent == {"filled": "x"}
    assert reading(kind, spec) == "kept"


INNER = """
class Inner(Model): deep: int = 1
inner: Inner = Field(default_factory=Inner)
port: Port | None = None
"""


@pytest.mark.parametrize("marker", ["kubebuilder:default", "default"])
async def test_a_default_appears_where_nothing_is_said(
    marker: str, control_plane: Access, namespace: str, group: str
) -> None:
    kind = probe(marker, group, fields=INNER)

    async with installed(control_plane, kind) as client:
        nothing = await kept(client, raw(kind, namespace, spec={}))
        something = await kept(client, raw(kind, namespace, spec={"size": 7, "port": {"port": 1}}))

    assert nothing == {"size": 3, "inner": {"deep": 1}}
    assert something == {"size": 7, "inner": {"deep": 1}, "port": {"port": 1, "protocol": "TCP"}}


@pytest.mark.parametrize(
    ("marker", "published"),
    [
        ("kubebuilder:example", {"example": "shop"}),
        ("kubebuilder:title", {"title": "The name"}),
        (
            "kubebuilder:externalDocs",
            {"externalDocs": {"url": "https://example.com/names", "description": "All about names"}},
        ),
    ],
)
async def test_documentation_is_stored_with_the_definition(
    marker: str, published: dict[str, Any], control_plane: Access, group: str
) -> None:
    async with installed(control_plane, probe(marker, group)) as client:
        read = await client.get(CustomResourceDefinition, f"apps.{group}")

    (version,) = read.to_wire()["spec"]["versions"]
    name = version["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["name"]
    assert name == {"type": "string", **published}


async def test_what_is_immutable_is_set_once(control_plane: Access, namespace: str, group: str) -> None:
    kind = probe("k8s:immutable", group, fields="size: int = 1")

    async with installed(control_plane, kind) as client:
        untyped = type(raw(kind, namespace))
        await client.create(raw(kind, namespace, spec={}))
        named = await client.patch(untyped, "a", MergePatch({"spec": {"name": "first"}}), namespace)
        sized = await client.patch(untyped, "a", MergePatch({"spec": {"size": 2}}), namespace)
        changed = await refused(
            client.patch(untyped, "a", MergePatch({"spec": {"name": "second"}}), namespace)
        )
        removed = await refused(
            client.patch(untyped, "a", JsonPatch([{"op": "remove", "path": "/spec/name"}]), namespace)
        )

    assert named["spec"] == {"name": "first", "size": 1}
    assert sized["spec"]["size"] == 2
    assert "Value is immutable" in changed["spec.name"]
    assert "name is immutable and cannot be removed" in removed["spec"]
