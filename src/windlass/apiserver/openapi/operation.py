"""The paths of a resource, each with what can be done there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.openapi.schema import META, PREFIX

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from windlass.api import Kind

Json = dict[str, Any]

_TYPES: Final = {
    "allowWatchBookmarks": "boolean",
    "force": "boolean",
    "gracePeriodSeconds": "integer",
    "ignoreStoreReadErrorWithClusterBreakingPotential": "boolean",
    "limit": "integer",
    "orphanDependents": "boolean",
    "sendInitialEvents": "boolean",
    "timeoutSeconds": "integer",
    "watch": "boolean",
}
_LIST: Final = (
    "allowWatchBookmarks", "continue", "fieldSelector", "labelSelector", "limit", "resourceVersion",
    "resourceVersionMatch", "sendInitialEvents", "shardSelector", "timeoutSeconds", "watch",
)  # fmt: skip
_WRITE: Final = ("dryRun", "fieldManager", "fieldValidation")
_DELETE: Final = (
    "dryRun", "gracePeriodSeconds", "ignoreStoreReadErrorWithClusterBreakingPotential",
    "orphanDependents", "propagationPolicy",
)  # fmt: skip
_DELETE_SEVERAL: Final = tuple(sorted({*_DELETE, *_LIST} - {"allowWatchBookmarks", "watch"}))
_PATCHES: Final = (
    "application/apply-patch+yaml",
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
)
_STRATEGIC: Final = _PATCHES[-1]
_PROTOBUF: Final = "application/vnd.kubernetes.protobuf"


@dataclass(frozen=True, kw_only=True, slots=True)
class Paths:
    """How the paths of one resource are described.

    `schema` and `listed` are the definitions of an object and of a list, `schema` being that of the form
    where a subresource has another. `subject` is the kind that the operations say they are about.
    """

    kind: Kind
    subject: Kind
    schema: str
    listed: str = ""
    custom: bool = False

    def of_resource(self, verbs: Collection[str]) -> Iterator[tuple[str, Json]]:
        """The paths of several objects, and of one."""
        root = self.kind.path()
        above = self.kind.path(namespace="{namespace}")
        if self.kind.namespaced and "list" in verbs:
            yield root, _path({"get": self._list("ForAllNamespaces")}, _query("pretty"))
        if several := self._several(verbs):
            yield above, _path(several, self._place())
        if one := self._one(verbs):
            yield f"{above}/{{name}}", _path(one, self._place(named=True))

    def of_subresource(self, name: str, verbs: Collection[str]) -> Iterator[tuple[str, Json]]:
        """The path below an object."""
        found = self._one(verbs, name.capitalize())
        if "create" in verbs:
            found["post"] = self._create(name.capitalize())
        if found:
            yield self.kind.path("{name}", "{namespace}", name), _path(found, self._place(named=True))

    def _several(self, verbs: Collection[str]) -> Json:
        found: Json = {}
        if "list" in verbs:
            found["get"] = self._list()
        if "create" in verbs:
            found["post"] = self._create()
        if "deletecollection" in verbs:
            status = self._answers(f"{META}.Status", "200")
            found["delete"] = (
                self._operation("deletecollection", "delete", status, _DELETE_SEVERAL) | _options()
            )
        return found

    def _one(self, verbs: Collection[str], below: str = "") -> Json:
        found: Json = {}
        if "get" in verbs:
            found["get"] = self._operation("get", "read", self._answers(self.schema, "200"), below=below)
        if "update" in verbs:
            answers = self._answers(self.schema, "200", "201")
            found["put"] = self._operation("put", "replace", answers, _WRITE, below) | self._body()
        if "delete" in verbs:
            answers = self._answers(f"{META}.Status", "200", "202")
            found["delete"] = self._operation("delete", "delete", answers, _DELETE, below) | _options()
        if "patch" in verbs:
            answers = self._answers(self.schema, "200", "201")
            body = _content(
                f"{META}.Patch", (each for each in _PATCHES if not self.custom or each != _STRATEGIC)
            )
            patch = self._operation("patch", "patch", answers, (*_WRITE, "force"), below)
            found["patch"] = patch | {"requestBody": {"content": body, "required": True}}
        return found

    def _create(self, below: str = "") -> Json:
        answers = self._answers(self.schema, "200", "201", "202")
        return self._operation("post", "create", answers, _WRITE, below) | self._body()

    def _list(self, scope: str = "") -> Json:
        answers = self._answers(self.listed, "200", watch=not self.custom)
        operation = self._operation("list", "list", answers, _LIST)
        if scope:
            operation["operationId"] = f"list{self._version}{self.kind.name}{scope}"
        return operation

    def of_version(self) -> tuple[str, Json]:
        """The path of the group and version."""
        path = f"{self.kind.path().rpartition('/')[0]}/"
        return path, {
            "get": {
                "tags": [self._tag],
                "operationId": f"get{self._version}APIResources",
                "responses": self._answers(f"{META}.APIResourceList", "200"),
            }
        }

    def _operation(
        self, action: str, word: str, answers: Json, parameters: Iterable[str] = (), below: str = ""
    ) -> Json:
        scope = "Namespaced" if self.kind.namespaced else ""
        collection = "Collection" if action == "deletecollection" else ""
        subject = self.subject
        found: Json = {
            "tags": [self._tag],
            "operationId": f"{word}{self._version}{collection}{scope}{self.kind.name}{below}",
            "responses": answers,
            "x-kubernetes-action": action,
            "x-kubernetes-group-version-kind": {
                "group": subject.group,
                "version": subject.version,
                "kind": subject.name,
            },
        }
        return found | ({"parameters": _query(*parameters)} if parameters else {})

    def _body(self) -> Json:
        media = ("application/json", "application/yaml") if self.custom else ("*/*",)
        return {"requestBody": {"content": _content(self.schema, media), "required": True}}

    def _answers(self, definition: str, *codes: str, watch: bool = False) -> Json:
        media = ["application/json", "application/yaml"]
        if not self.custom:
            media.append(_PROTOBUF)
        if watch:
            media += ["application/json;stream=watch", f"{_PROTOBUF};stream=watch"]
        words = {"200": "OK", "201": "Created", "202": "Accepted"}
        content = _content(definition, sorted(media))
        found: Json = {code: {"description": words[code], "content": content} for code in codes}
        return found | {"401": {"description": "Unauthorized"}}

    def _place(self, *, named: bool = False) -> list[Json]:
        names = [*(["name"] if named else []), *(["namespace"] if self.kind.namespaced else [])]
        return [_parameter(name, "path") | {"required": True} for name in names] + _query("pretty")

    @property
    def _tag(self) -> str:
        return f"{_words(self.kind.group, first=False)}_{self.kind.version}"

    @property
    def _version(self) -> str:
        version = self.kind.version
        return f"{_words(self.kind.group)}{version[:1].upper()}{version[1:]}"


def _words(group: str, *, first: bool = True) -> str:
    """A group as a part of a name: `RbacAuthorization`."""
    parts = (group or "core").removesuffix(".k8s.io").split(".")
    joined = "".join(part[:1].upper() + part[1:] for part in parts)
    return joined if first else joined[:1].lower() + joined[1:]


def _path(operations: Json, parameters: list[Json]) -> Json:
    """What is at a path; parameters that all operations have stand beside them."""
    if len(operations) == 1:
        [(method, operation)] = operations.items()
        own = operation.get("parameters", [])
        operations = {method: {key: value for key, value in operation.items() if key != "parameters"}}
        parameters = sorted([*own, *parameters], key=lambda each: str(each["name"]))
    return operations | {"parameters": parameters}


def _parameter(name: str, place: str) -> Json:
    return {"name": name, "in": place, "schema": {"type": _TYPES.get(name, "string"), "uniqueItems": True}}


def _query(*names: str) -> list[Json]:
    return [_parameter(name, "query") for name in sorted(names)]


def _content(definition: str, media: Iterable[str]) -> Json:
    return {each: {"schema": {"$ref": PREFIX + definition}} for each in media}


def _options() -> Json:
    return {"requestBody": {"content": _content(f"{META}.DeleteOptions", ("*/*",))}}
