"""The comparison of what a cluster serves with what the types say, on documents written by hand."""

import logging
import sys
from copy import deepcopy
from typing import Annotated, Any

import pytest

from scripted import ScriptedTransport, Step, answer, status
from windlass.api import Definition, Embedded, Field, Resource, Spec, Status, Untyped
from windlass.client import Client, stale_definitions
from windlass.errors import Forbidden
from windlass.kinds.core.v1 import ConfigMap
from windlass.schema import structural

META = {"allOf": [{"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}]}


class AppSpec(Spec):
    size: int = 1
    mode: str | None = None
    labels: dict[str, str] = {}
    ports: list[int] = []
    template: Annotated[dict[str, Any] | None, Embedded()] = None
    whole: ConfigMap | None = None
    each: list[Annotated[dict[str, Any], Embedded()]] = []
    by_name: dict[str, Annotated[dict[str, Any], Embedded()]] = {}


class AppStatus(Status):
    url: str = ""


class App(
    Resource,
    group="demo.example.com",
    version="v1",
    definition=Definition(selectable_fields=(".spec.mode",)),
):
    """An app."""

    spec: AppSpec
    status: AppStatus = Field(default_factory=AppStatus)


class Bare(Resource, group="demo.example.com", version="v1"):
    pass


def published(kind: type[Resource]) -> dict[str, Any]:
    """A schema as a server publishes it: type and metadata in its own words, here and where embedded."""
    schema = _embed(structural(kind))
    known = kind.__kind__
    schema["properties"] |= {"kind": {"type": "string", "description": "…"}, "metadata": META}
    stated = {"group": known.group, "version": known.version, "kind": known.name}
    added = {
        "x-kubernetes-group-version-kind": [stated],
        "x-kubernetes-selectable-fields": [{"fieldPath": "spec.mode"}],
    }
    return schema | added


def _embed(schema: dict[str, Any]) -> dict[str, Any]:
    changed = deepcopy(schema)
    changed["properties"] = {name: _embed(each) for name, each in schema.get("properties", {}).items()}
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            changed[key] = _embed(schema[key])
    if schema.get("x-kubernetes-embedded-resource"):
        changed["properties"] |= {
            "apiVersion": {"type": "string"},
            "kind": {"type": "string"},
            "metadata": META,
        }
        changed["required"] = [*schema.get("required", ()), "kind", "apiVersion"]
    return changed if changed["properties"] else {key: changed[key] for key in changed if key != "properties"}


def document(*schemas: dict[str, Any]) -> Step:
    return answer(body={"components": {"schemas": {f"s{index}": each for index, each in enumerate(schemas)}}})


def client(*steps: Step) -> Client:
    return Client(ScriptedTransport(list(steps)))


async def test_an_equal_definition_is_not_stale() -> None:
    transport = ScriptedTransport([document({"type": "object"}, published(App))])

    assert await stale_definitions(Client(transport), [App]) == []
    assert [request.path for request in transport.requests] == ["/openapi/v3/apis/demo.example.com/v1"]


async def test_a_kind_without_fields_is_not_stale() -> None:
    assert await stale_definitions(client(document(published(Bare))), [Bare]) == []


@pytest.mark.parametrize(
    "reply",
    [answer(404, status(404, "NotFound")), document(), answer(body={}), document(published(Bare))],
    ids=["no such group", "an empty document", "no schemas", "another kind of the group"],
)
async def test_a_kind_that_is_not_served_is_not_stale(reply: Step) -> None:
    assert await stale_definitions(client(reply), [App]) == []


async def test_another_refusal_is_raised() -> None:
    with pytest.raises(Forbidden):
        await stale_definitions(client(answer(403, status(403, "Forbidden"))), [App])


def without_url(schema: dict[str, Any]) -> None:
    del schema["properties"]["status"]["properties"]["url"]


def with_more(schema: dict[str, Any]) -> None:
    schema["properties"]["spec"]["properties"]["old"] = {"type": "string"}


def with_another_type(schema: dict[str, Any]) -> None:
    schema["properties"]["spec"]["properties"]["size"]["type"] = "string"


def with_another_requirement(schema: dict[str, Any]) -> None:
    schema["properties"]["spec"]["required"] = ["mode"]


def with_other_items(schema: dict[str, Any]) -> None:
    schema["properties"]["spec"]["properties"]["ports"]["items"] = {"type": "string"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (without_url, "it does not know .status.url: what is written there is DROPPED without an error"),
        (with_another_type, "it sees .spec.size differently"),
        (with_another_requirement, "it sees .spec differently"),
        (with_other_items, "it sees .spec.ports[] differently"),
    ],
)
async def test_a_difference_is_named_with_the_commands_that_mend_it(
    change: Any, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    served = published(App)
    change(served)

    with caplog.at_level(logging.ERROR, "windlass.client"):
        (stale,) = await stale_definitions(client(document(served)), [App])

    assert str(stale) == (
        "the cluster's definition of apps.demo.example.com (v1) does not match its Python type; "
        f"{message}. Mend it: `windlass generate crds MODULE`, "
        "then `kubectl apply -f config/crd/bases/demo.example.com_apps.yaml`"
    )
    assert [record.getMessage() for record in caplog.records] == [str(stale)]


async def test_each_kind_is_judged_by_itself() -> None:
    served = published(App)
    without_url(served)
    replies = [document(published(Bare)), document(served)]

    (stale,) = await stale_definitions(client(*replies), [Bare, App])

    assert stale.kind == App.__kind__
    assert stale.drift.unknown == (".status.url",)


async def test_what_people_wrote_about_a_type_does_not_matter() -> None:
    served = published(App)
    served["description"] = "An older text."
    served["properties"]["spec"]["description"] = "Another."

    assert await stale_definitions(client(document(served)), [App]) == []


async def test_a_definition_that_is_newer_is_a_warning_without_a_command(
    caplog: pytest.LogCaptureFixture,
) -> None:
    served = published(App)
    with_more(served)

    with caplog.at_level(logging.WARNING, "windlass.client"):
        (stale,) = await stale_definitions(client(document(served)), [App])

    assert "is newer than its Python type, which does not know .spec.old" in str(stale)
    assert "kubectl apply" not in str(stale)
    assert [record.levelname for record in caplog.records] == ["WARNING"]


async def test_kinds_that_others_define_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    untyped = Untyped.of(App.__kind__)
    assert await stale_definitions(client(), [untyped]) == []

    monkeypatch.setattr(sys.modules[__name__], "__foreign__", value=True, raising=False)
    assert await stale_definitions(client(), [App]) == []
