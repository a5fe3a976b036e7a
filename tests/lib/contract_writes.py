"""What the tests of patches, apply, defaults and validation share: objects of many kinds, and close looks."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from polling import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from contract import Api, Object, Reply

LONG_AGO = "2020-01-01T00:00:00Z"
IMAGE = "example.com/app:1"

_PLURALS = {"Ingress": "ingresses", "NetworkPolicy": "networkpolicies"}
_REASONS = {
    "Duplicate value": "FieldValueDuplicate",
    "Forbidden": "FieldValueForbidden",
    "Invalid value": "FieldValueInvalid",
    "Not found": "FieldValueNotFound",
    "Required value": "FieldValueRequired",
    "Too long": "FieldValueTooLong",
    "Unsupported value": "FieldValueNotSupported",
}


def resource(api_version: str, kind: str, name: str = "a", **fields: Any) -> Object:
    """An object of any kind."""
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}, **fields}


def collection(namespace: str, body: Object) -> str:
    """The path where an object of this kind is created."""
    root = "apis" if "/" in body["apiVersion"] else "api"
    plural = _PLURALS.get(body["kind"], body["kind"].lower() + "s")
    return f"/{root}/{body['apiVersion']}/namespaces/{namespace}/{plural}"


def container(name: str = "main", image: str = IMAGE, **fields: Any) -> Object:
    """A container with few fields set, so that the server's defaults show."""
    return {"name": name, "image": image, **fields}


def pod_template(**spec: Any) -> Object:
    """A template whose pods are labelled `app: a`, as `matching` selects them."""
    return {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [container()], **spec}}


def matching() -> Object:
    """The selector of `pod_template`'s pods."""
    return {"matchLabels": {"app": "a"}}


def in_template(**pod_spec: Any) -> Object:
    """A piece of a workload: some fields of its pods, nothing else."""
    return {"spec": {"template": {"spec": pod_spec}}}


def pod_spec(workload: Object) -> Object:
    """The spec of a workload's pods."""
    found = workload["spec"]["template"]["spec"]
    assert isinstance(found, dict)
    return found


def names(items: list[Object]) -> list[str]:
    """The names of some containers, variables, volumes, …, in order."""
    return [item["name"] for item in items]


def version(body: Object) -> str:
    """An object's resourceVersion."""
    return str(body["metadata"]["resourceVersion"])


def owned(body: Object, manager: str, operation: str = "Apply", subresource: str = "") -> Object | None:
    """The fields that a manager owns through an operation, as `fieldsV1` has them; None when it has no entry."""
    wanted = (manager, operation, subresource)
    found = [entry for entry in body["metadata"].get("managedFields", ()) if _identity(entry) == wanted]
    assert len(found) <= 1, found
    return dict(found[0]["fieldsV1"]) if found else None


def managers(body: Object) -> set[tuple[str, str, str]]:
    """Who owns something: (manager, operation, subresource) each."""
    return {_identity(entry) for entry in body["metadata"].get("managedFields", ())}


def entry(manager: str, fields: Object, operation: str = "Apply", api_version: str = "v1") -> Object:
    """An entry of `managedFields` that was last changed long ago."""
    return {
        "manager": manager,
        "operation": operation,
        "apiVersion": api_version,
        "time": LONG_AGO,
        "fieldsType": "FieldsV1",
        "fieldsV1": fields,
    }


def last_change(body: Object, manager: str) -> str:
    """The time of a manager's only entry."""
    (time,) = [found["time"] for found in body["metadata"]["managedFields"] if found["manager"] == manager]
    return str(time)


def assert_conflicts(reply: Reply, *conflicts: tuple[str, str]) -> None:
    """The apply must be refused for exactly these conflicts: (whom with, which field) each.

    Causes stand in any order: the server collects them in a Go map.
    """
    refused = reply.refused(409, "Conflict")
    causes = refused["details"]["causes"]
    assert {cause["reason"] for cause in causes} == {"FieldManagerConflict"}
    found = sorted((cause["message"], cause["field"]) for cause in causes)
    assert found == sorted((f"conflict with {manager}", field) for manager, field in conflicts)
    if len(conflicts) == 1:
        ((manager, field),) = conflicts
        assert refused["message"] == f"Apply failed with 1 conflict: conflict with {manager}: {field}"
    else:
        assert refused["message"].startswith(f"Apply failed with {len(conflicts)} conflicts: conflicts with ")


def assert_invalid(reply: Reply, body: Object, *causes: tuple[str, str]) -> None:
    """The object must be refused for exactly these faults: (field, message) each, in any order.

    A message that ends in `…` stands for every message that begins so.
    """
    refused = reply.refused(422, "Invalid")
    group, _, _ = body["apiVersion"].rpartition("/")
    kind, name = body["kind"], body["metadata"]["name"]
    found = refused["details"].pop("causes")
    assert refused["details"] == {"name": name, **({"group": group} if group else {}), "kind": kind}
    assert len(found) == len(causes), found
    in_order = sorted(found, key=lambda cause: (str(cause["field"]), str(cause["message"])))
    for cause, (field, message) in zip(in_order, sorted(causes), strict=True):
        assert cause["field"] == field
        assert cause["reason"] == _REASONS[message.partition(":")[0]]
        assert _is(cause["message"], message), cause["message"]
    subject = f'{kind}{"." + group if group else ""} "{name}" is invalid: '
    assert refused["message"].startswith(subject + ("[" if len(causes) > 1 else ""))
    if len(causes) == 1:
        assert _is(refused["message"], f"{subject}{causes[0][0]}: {causes[0][1]}")


@asynccontextmanager
async def custom_kind(api: Api, namespace: str) -> AsyncIterator[str]:
    """The path of a custom kind that keeps whatever it is given; it exists for the length of the block."""
    group = f"{namespace}.example.com"
    definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    versions = [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}]
    kind_names = {"plural": "things", "kind": "Thing"}
    spec = {"group": group, "scope": "Namespaced", "names": kind_names, "versions": versions}
    definition = resource("apiextensions.k8s.io/v1", "CustomResourceDefinition", f"things.{group}", spec=spec)
    (await api.create(definitions, definition)).ok()
    path = f"/apis/{group}/v1/namespaces/{namespace}/things"
    try:
        await until(lambda: api.get(path), lambda reply: reply.status == 200)
        yield path
    finally:
        (await api.delete(f"{definitions}/things.{group}")).ok()


def _identity(entry: Object) -> tuple[str, str, str]:
    return entry["manager"], entry["operation"], entry.get("subresource", "")


def _is(found: str, wanted: str) -> bool:
    return found.startswith(wanted.removesuffix("…")) if wanted.endswith("…") else found == wanted
