"""Questions to anything that answers as an API server does: does it behave like one?

Each probe is told as a claim, and answered by what was seen, never by what is known of the target. The fake
client of controller-runtime is asked the same by a Go program, under the same names.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, Protocol

Json = dict[str, Any]
NAMESPACE = "probes"
GROUP = "/apis/compare.example.com/v1"
_CORE, _APPS = f"/api/v1/namespaces/{NAMESPACE}", f"/apis/apps/v1/namespaces/{NAMESPACE}"
_OURS = f"{GROUP}/namespaces/{NAMESPACE}/probes"
_MERGE = "application/merge-patch+json"
_APPLY = "application/apply-patch+yaml"

DEFINITION: Json = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "probes.compare.example.com"},
    "spec": {
        "group": "compare.example.com",
        "scope": "Namespaced",
        "names": {"plural": "probes", "singular": "probe", "kind": "Probe", "listKind": "ProbeList"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "subresources": {"status": {}},
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "properties": {
                            "spec": {
                                "type": "object",
                                "x-kubernetes-validations": [
                                    {"rule": "self.size <= self.most", "message": "size is past most"}
                                ],
                                "properties": {
                                    "size": {"type": "integer", "minimum": 1, "default": 1},
                                    "most": {"type": "integer", "default": 100},
                                },
                            },
                            "status": {"type": "object", "properties": {"size": {"type": "integer"}}},
                        },
                    }
                },
            }
        ],
    },
}


class Target(Protocol):
    """Something that answers requests."""

    async def call(
        self, method: str, path: str, body: Json | None = None, form: str = "application/json"
    ) -> tuple[int, Json]:
        """The status and the body of the answer."""


Probe = Callable[[Target], Awaitable[bool]]


def _probe(name: str, **spec: Any) -> Json:
    meta = {"name": name, "namespace": NAMESPACE}
    return {"apiVersion": "compare.example.com/v1", "kind": "Probe", "metadata": meta, "spec": spec}


def _deployment(name: str, **spec: Any) -> Json:
    labels = {"app": name}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "a", "image": "a"}]}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": NAMESPACE},
        "spec": {"selector": {"matchLabels": labels}, "template": template, **spec},
    }


def _config_map(name: str, **more: Any) -> Json:
    meta = {"name": name, "namespace": NAMESPACE, **more.pop("metadata", {})}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, **more}


async def _made(target: Target, path: str, body: Json) -> Json:
    status, answer = await target.call("POST", path, body)
    assert 200 <= status < 300, answer
    return answer


async def schema(target: Target) -> bool:
    """An object that breaks the schema of its definition is refused."""
    return (await target.call("POST", _OURS, _probe("schema", size=0)))[0] == HTTPStatus.UNPROCESSABLE_ENTITY


async def rule(target: Target) -> bool:
    """An object that breaks a CEL rule of its definition is refused."""
    return (await target.call("POST", _OURS, _probe("rule", size=5, most=4)))[
        0
    ] == HTTPStatus.UNPROCESSABLE_ENTITY


async def builtin(target: Target) -> bool:
    """A Deployment whose selector does not match its template is refused."""
    wrong = _deployment("builtin", selector={"matchLabels": {"app": "another"}})
    return (await target.call("POST", f"{_APPS}/deployments", wrong))[0] == HTTPStatus.UNPROCESSABLE_ENTITY


async def name(target: Target) -> bool:
    """A name that is none is refused."""
    return (await target.call("POST", f"{_CORE}/configmaps", _config_map("Not_A_Name")))[
        0
    ] == HTTPStatus.UNPROCESSABLE_ENTITY


async def defaults(target: Target) -> bool:
    """What is left out has its default: one replica, a size of one."""
    made = await _made(target, f"{_APPS}/deployments", _deployment("defaults"))
    own = await _made(target, _OURS, _probe("defaults"))
    return bool(made["spec"].get("replicas") == 1 and own["spec"].get("size") == 1)


async def pruning(target: Target) -> bool:
    """A field that a definition does not know is not kept."""
    made = await _made(target, _OURS, _probe("pruning", size=1, colour="red"))
    return "colour" not in made["spec"]


async def generation(target: Target) -> bool:
    """The generation moves with the spec, and not with the status."""
    first = await _made(target, _OURS, _probe("generation", size=1))
    path = f"{_OURS}/generation"
    _, second = await target.call("PATCH", path, {"spec": {"size": 2}}, _MERGE)
    _, third = await target.call("PATCH", f"{path}/status", {"status": {"size": 2}}, _MERGE)
    seen = [each.get("metadata", {}).get("generation") for each in (first, second, third)]
    return seen == [1, 2, 2]


async def no_op(target: Target) -> bool:
    """A write that changes nothing keeps the resource version."""
    first = await _made(target, f"{_CORE}/configmaps", _config_map("no-op", data={"a": "1"}))
    _, second = await target.call("PATCH", f"{_CORE}/configmaps/no-op", {"data": {"a": "1"}}, _MERGE)
    versions = [each["metadata"].get("resourceVersion") for each in (first, second)]
    return versions[0] is not None and versions[0] == versions[1]


async def stale(target: Target) -> bool:
    """An update of a version of the past is a conflict."""
    first = await _made(target, f"{_CORE}/configmaps", _config_map("stale", data={"a": "1"}))
    path = f"{_CORE}/configmaps/stale"
    await target.call("PATCH", path, {"data": {"a": "2"}}, _MERGE)
    return (await target.call("PUT", path, {**first, "data": {"a": "3"}}))[0] == HTTPStatus.CONFLICT


async def status(target: Target) -> bool:
    """The status is written by its own subresource alone."""
    await _made(target, _OURS, _probe("status", size=1))
    path = f"{_OURS}/status"
    await target.call("PATCH", path, {"status": {"size": 9}}, _MERGE)
    _, first = await target.call("GET", path)
    await target.call("PATCH", f"{path}/status", {"status": {"size": 1}, "spec": {"size": 7}}, _MERGE)
    _, second = await target.call("GET", path)
    return not first.get("status") and second.get("status") == {"size": 1} and second["spec"]["size"] == 1


async def apply(target: Target) -> bool:
    """What is no longer applied goes, and what another manager applied is a conflict."""
    path = f"{_CORE}/configmaps/applied"
    await target.call(
        "PATCH", f"{path}?fieldManager=one", _config_map("applied", data={"a": "1", "b": "1"}), _APPLY
    )
    _, less = await target.call(
        "PATCH", f"{path}?fieldManager=one", _config_map("applied", data={"a": "1"}), _APPLY
    )
    code, _ = await target.call(
        "PATCH", f"{path}?fieldManager=two", _config_map("applied", data={"a": "2"}), _APPLY
    )
    return less.get("data") == {"a": "1"} and code == HTTPStatus.CONFLICT


async def namespace(target: Target) -> bool:
    """Nothing is created in a namespace that does not exist."""
    elsewhere = _config_map("lost")
    elsewhere["metadata"]["namespace"] = "nowhere"
    return (await target.call("POST", "/api/v1/namespaces/nowhere/configmaps", elsewhere))[
        0
    ] == HTTPStatus.NOT_FOUND


async def generate_name(target: Target) -> bool:
    """A generateName becomes a name."""
    body = _config_map("")
    body["metadata"] = {"generateName": "made-", "namespace": NAMESPACE}
    code, made = await target.call("POST", f"{_CORE}/configmaps", body)
    return 200 <= code < 300 and len(made["metadata"].get("name", "")) > len("made-")


async def finalizer(target: Target) -> bool:
    """What has a finalizer stays, marked as deleted, until the finalizer goes."""
    held = _config_map("held", metadata={"finalizers": ["compare.example.com/hold"]})
    await _made(target, f"{_CORE}/configmaps", held)
    path = f"{_CORE}/configmaps/held"
    await target.call("DELETE", path)
    code, found = await target.call("GET", path)
    marked = code == HTTPStatus.OK and "deletionTimestamp" in found["metadata"]
    await target.call("PATCH", path, {"metadata": {"finalizers": None}}, _MERGE)
    return marked and (await target.call("GET", path))[0] == HTTPStatus.NOT_FOUND


async def immutable(target: Target) -> bool:
    """What cannot be changed is not: the selector of a Deployment."""
    await _made(target, f"{_APPS}/deployments", _deployment("immutable"))
    labels = {"matchLabels": {"app": "immutable", "more": "x"}}
    template = {"metadata": {"labels": labels["matchLabels"]}}
    patch = {"spec": {"selector": labels, "template": template}}
    code, _ = await target.call("PATCH", f"{_APPS}/deployments/immutable", patch, _MERGE)
    return code == HTTPStatus.UNPROCESSABLE_ENTITY


async def pages(target: Target) -> bool:
    """A list in pages is of one moment, whatever is written meanwhile."""
    for each in "abc":
        await _made(
            target, f"{_CORE}/configmaps", _config_map(f"page-{each}", metadata={"labels": {"page": "yes"}})
        )
    path = f"{_CORE}/configmaps?labelSelector=page%3Dyes&limit=2"
    _, first = await target.call("GET", path)
    await target.call("DELETE", f"{_CORE}/configmaps/page-c")
    going_on = first.get("metadata", {}).get("continue")
    if not going_on or len(first.get("items", ())) != 2:
        return False
    _, second = await target.call("GET", f"{path}&continue={going_on}")
    return [each["metadata"]["name"] for each in second.get("items", ())] == ["page-c"]


async def fields(target: Target) -> bool:
    """A list is narrowed down by a field that the kind is selected by."""
    for each, kind in (("a", "example.com/x"), ("b", "example.com/y")):
        body = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": f"field-{each}"}, "type": kind}
        await _made(target, f"{_CORE}/secrets", body)
    code, found = await target.call("GET", f"{_CORE}/secrets?fieldSelector=type%3Dexample.com%2Fx")
    return code == HTTPStatus.OK and [each["metadata"]["name"] for each in found.get("items", ())] == [
        "field-a"
    ]


async def access(target: Target) -> bool:
    """Who is not allowed to is told so: 403."""
    body = {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SubjectAccessReview",
        "spec": {"user": "nobody", "resourceAttributes": {"verb": "delete", "resource": "nodes"}},
    }
    code, said = await target.call("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", body)
    return code == HTTPStatus.CREATED and said.get("status", {}).get("allowed") is False


PROBES: dict[str, Probe] = {
    each.__name__: each
    for each in (
        schema,
        rule,
        builtin,
        name,
        defaults,
        pruning,
        immutable,
        namespace,
        generate_name,
        generation,
        no_op,
        stale,
        status,
        apply,
        finalizer,
        pages,
        fields,
        access,
    )
}
