"""Custom resource definitions for the contract suite: short ways to write them, and to have them served."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from contract import JSON
from polling import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from contract import Api, Object, Reply

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"

PRESERVE: Object = {"x-kubernetes-preserve-unknown-fields": True}
EMBEDDED: Object = {"x-kubernetes-embedded-resource": True}
INT_OR_STRING: Object = {"x-kubernetes-int-or-string": True}
SET: Object = {"x-kubernetes-list-type": "set"}
ATOMIC_LIST: Object = {"x-kubernetes-list-type": "atomic"}
ATOMIC_MAP: Object = {"x-kubernetes-map-type": "atomic"}

_LONG_AGO = "2020-01-01T00:00:00Z"
_REASONS = {
    "Required value": {"FieldValueRequired"},
    "Invalid value": {"FieldValueInvalid", "FieldValueTypeInvalid"},
    "Unsupported value": {"FieldValueNotSupported"},
    "Duplicate value": {"FieldValueDuplicate"},
    "Forbidden": {"FieldValueForbidden"},
    "Too long": {"FieldValueTooLong"},
    "Too many": {"FieldValueTooMany"},
    "Internal error": {"InternalError"},
}


def obj(properties: Object | None = None, /, **more: Object) -> Object:
    """The schema of an object with these properties."""
    return {"type": "object", "properties": {**(properties or {}), **more}}


def mapping(values: Object, **more: Any) -> Object:
    """The schema of an object with any keys."""
    return {"type": "object", "additionalProperties": values, **more}


def array(items: Object, **more: Any) -> Object:
    return {"type": "array", "items": items, **more}


def string(**more: Any) -> Object:
    return {"type": "string", **more}


def integer(**more: Any) -> Object:
    return {"type": "integer", **more}


def number(**more: Any) -> Object:
    return {"type": "number", **more}


def boolean(**more: Any) -> Object:
    return {"type": "boolean", **more}


def map_by(*keys: str) -> Object:
    """What makes an array a map with these keys."""
    return {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": list(keys)}


def needs(*names: str) -> Object:
    """What makes properties required."""
    return {"required": list(names)}


def rules(*each: str | Object) -> Object:
    """CEL rules, each an expression or a whole rule."""
    return {"x-kubernetes-validations": [{"rule": rule} if isinstance(rule, str) else rule for rule in each]}


def spec(properties: Object | None = None, /, **more: Object) -> Object:
    """The schema of a kind whose `spec` has these properties."""
    return obj(spec=obj(properties, **more))


def version(name: str = "v1", schema: Object | None = None, **more: Any) -> Object:
    """A version that is served and stored unless said otherwise; without a schema it takes any fields."""
    schema = obj() | PRESERVE if schema is None else schema
    return {"name": name, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}, **more}


def definition(group: str, *versions: Object, plural: str = "widgets", kind: str = "Widget") -> Object:
    """A definition of a namespaced kind."""
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {"plural": plural, "kind": kind},
            "versions": list(versions) or [version()],
        },
    }


def conditions(crd: Object) -> dict[str, Object]:
    """The conditions of a definition by type."""
    return {condition["type"]: condition for condition in crd["status"]["conditions"] or ()}


def is_established(reply: Reply) -> bool:
    """Whether a definition says of itself that its kind is served."""
    return conditions(reply.ok()).get("Established", {}).get("status") == "True"


def invalid(reply: Reply) -> set[str]:
    """Each complaint of a 422 as `field: message`."""
    status = reply.refused(422, "Invalid")
    for cause in status["details"]["causes"]:
        kind = cause["message"].partition(":")[0]
        assert cause["reason"] in _REASONS[kind], cause
    return {f"{cause['field']}: {cause['message']}" for cause in status["details"]["causes"]}


def warning(text: str) -> str:
    """The header that a text is sent in."""
    escaped = text.replace('"', r"\"")
    return f'299 - "{escaped}"'


def unknown_fields(reply: Reply) -> list[str]:
    """The fields that the warnings of an answer call unknown, in the order of the warnings."""
    start, end = warning('unknown field "x"').split("x")
    assert all(each.startswith(start) for each in reply.warnings), reply.warnings
    return [each.removeprefix(start).removesuffix(end) for each in reply.warnings]


@dataclass(frozen=True, kw_only=True)
class CustomKind:
    """A custom kind that is being served."""

    api: Api
    group: str
    version: str
    plural: str
    kind: str
    namespace: str

    @property
    def path(self) -> str:
        """The collection: in the test's namespace, or in the cluster for a kind of that scope."""
        place = f"namespaces/{self.namespace}/" if self.namespace else ""
        return f"/apis/{self.group}/{self.version}/{place}{self.plural}"

    @property
    def definition(self) -> str:
        """The path of the definition."""
        return f"{CRDS}/{self.plural}.{self.group}"

    def at(self, name: str) -> str:
        """The path of an object."""
        return f"{self.path}/{name}"

    def through(self, version: str) -> CustomKind:
        """The same kind in another version."""
        return replace(self, version=version)

    def object(self, name: str = "", metadata: Object | None = None, **fields: Any) -> Object:
        """An object of this kind."""
        return {
            "apiVersion": f"{self.group}/{self.version}",
            "kind": self.kind,
            "metadata": ({"name": name} if name else {}) | (metadata or {}),
            **fields,
        }

    async def create(self, name: str = "", metadata: Object | None = None, **fields: Any) -> Reply:
        """Create an object of this kind."""
        return await self.api.create(self.path, self.object(name, metadata, **fields))


class Definitions:
    """The definitions of one test: in a group that no other test has, deleted when the test is over."""

    def __init__(self, api: Api, namespace: str) -> None:
        self.group = f"{namespace}.example.com"
        self._api = api
        self._namespace = namespace
        self._created: list[str] = []

    def new(self, schema: Object | None = None, **more: Any) -> Object:
        """A definition of widgets in one version, not yet created."""
        return definition(self.group, version(schema=schema, **more))

    async def create(self, crd: Object) -> Reply:
        """Create a definition; the kind may not be served yet."""
        self._created.append(f"{CRDS}/{crd['metadata']['name']}")
        return await self._api.create(CRDS, crd)

    async def refuse(self, schema: Object, **more: Any) -> set[str]:
        """The complaints about a schema, which must be refused."""
        return invalid(await self.create(self.new(schema, **more)))

    async def serve(self, schema: Object | None = None, **more: Any) -> CustomKind:
        """Create widgets of one version, and wait until they are served."""
        return await self.serve_definition(self.new(schema, **more))

    async def serve_definition(self, crd: Object) -> CustomKind:
        """Create a definition, and wait until its kind is served."""
        (await self.create(crd)).ok()
        names = crd["spec"]["names"]
        kind = CustomKind(
            api=self._api,
            group=crd["spec"]["group"],
            version=next(version["name"] for version in crd["spec"]["versions"] if version["storage"]),
            plural=names["plural"],
            kind=names["kind"],
            namespace=self._namespace if crd["spec"]["scope"] == "Namespaced" else "",
        )
        established = await until(lambda: self._api.get(kind.definition), is_established)
        await self._age(kind, established.ok())
        await self._serves(kind, crd, lambda reply: reply.status == 200)
        return kind

    async def change(self, kind: CustomKind, edit: Callable[[Object], Any]) -> None:
        """Edit the specification of a definition, and wait until the change is in force."""
        crd = (await self._api.get(kind.definition)).ok()
        edit(crd["spec"])
        mark = f"Revision {crd['metadata']['generation']}"
        for each in crd["spec"]["versions"]:
            each["additionalPrinterColumns"] = [
                {"name": mark, "type": "string", "jsonPath": ".metadata.name"}
            ]
        (await self._api.update(kind.definition, crd)).ok()

        def shows_the_mark(reply: Reply) -> bool:
            return reply.status == 200 and reply.body["columnDefinitions"][-1]["name"] == mark

        await self._serves(kind, crd, shows_the_mark, TABLE)

    async def change_schema(self, kind: CustomKind, schema: Object) -> None:
        """Give the first version another schema, and wait until it is in force."""
        await self.change(kind, lambda spec: spec["versions"][0]["schema"].update(openAPIV3Schema=schema))

    async def close(self) -> None:
        """Delete every definition, and do not wait for it."""
        for path in self._created:
            await self._api.delete(path)

    async def _serves(
        self, kind: CustomKind, crd: Object, suits: Callable[[Reply], bool], accept: str = JSON
    ) -> None:
        """Wait until the lists of all served versions suit."""
        for each in crd["spec"]["versions"]:
            if each["served"]:
                path = kind.through(each["name"]).path
                await until(partial(self._api.get, path, accept=accept), suits)

    async def _age(self, kind: CustomKind, crd: Object) -> None:
        # kube-apiserver holds back creations for two seconds after a kind is established, for the sake of
        # its replicas. A kind that was established long ago spares each test that wait.
        conditions(crd)["Established"]["lastTransitionTime"] = _LONG_AGO
        body = {"status": {"conditions": crd["status"]["conditions"]}}
        (await self._api.patch(f"{kind.definition}/status", body)).ok()


@pytest.fixture
async def crds_fixture(api: Api, namespace: str) -> AsyncIterator[Definitions]:
    """The definitions of this test; `conftest.py` names the fixture `crds`."""
    definitions = Definitions(api, namespace)
    yield definitions
    await definitions.close()
