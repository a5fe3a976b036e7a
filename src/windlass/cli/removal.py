"""What the removal of an operator has to look up in the cluster: its roles, and objects that need it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from windlass.client import find_kind
from windlass.errors import FinalizersRemainError, NotFound
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.rbac.v1 import ClusterRoleBinding, RoleBinding

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windlass.api import Json, Resource
    from windlass.client import Client
    from windlass.codegen import Project

_ROLES: Final = ("manager", "watch")
_WATCHED: Final = "WATCH_NAMESPACE"
_RBAC: Final = "rbac.authorization.k8s.io/v1"


class Held(NamedTuple):
    """An object with finalizers that only the operator removes."""

    resource: str
    namespace: str
    name: str
    finalizers: tuple[str, ...]

    def __str__(self) -> str:
        """As in a list: `minimarts.charts.samutup.com team-a/shop (the finalizers)`."""
        place = f"{self.namespace}/{self.name}" if self.namespace else self.name
        return f"{self.resource} {place} ({', '.join(self.finalizers)})"

    @property
    def release(self) -> str:
        """The command that removes the finalizers without what they stand for."""
        place = f" -n {self.namespace}" if self.namespace else ""
        patch = """--type merge -p '{"metadata": {"finalizers": null}}'"""
        return f"kubectl patch {self.resource} {self.name}{place} {patch}"


async def watched_namespaces(client: Client, deployment: Json) -> frozenset[str]:
    """Return the namespaces that a deployed operator is limited to; none where it watches all of them."""
    metadata = deployment["metadata"]
    try:
        found = await client.get(Deployment, metadata["name"], metadata["namespace"])
    except NotFound:
        return frozenset()
    return limits(found)


def limits(found: Deployment) -> frozenset[str]:
    """Return the namespaces that the operator of a Deployment is limited to; none where it is not."""
    containers = found.spec.template.spec.containers if found.spec.template.spec else []
    values = [each.value or "" for container in containers for each in container.env if each.name == _WATCHED]
    return frozenset(name.strip() for value in values for name in value.split(",") if name.strip())


async def held_objects(
    client: Client, project: Project, namespaces: frozenset[str] = frozenset()
) -> list[Held]:
    """The objects whose finalizers remain when the operator is removed.

    These are its own finalizers; on kinds of which no reconciler is known, all finalizers. An operator that
    is limited to `namespaces` has nothing to do with objects of others.
    """
    found: list[Held] = []
    for kind, own in project.finalizers().items():
        try:
            objects = await client.list(await _served(client, kind))
        except NotFound:
            continue
        resource = f"{kind.__kind__.plural}.{kind.__kind__.group}".rstrip(".")
        for each in objects:
            meta = each.metadata
            held = tuple(name for name in meta.finalizers if not own or name in own)
            if held and (not namespaces or not meta.namespace or meta.namespace in namespaces):
                found.append(Held(resource, meta.namespace or "", meta.name, held))
    return found


async def _served(client: Client, kind: type[Resource]) -> type[Resource]:
    known = kind.__kind__
    return await find_kind(client, known.api_version, known.name)


def refuse_to_leave(held: Sequence[Held]) -> None:
    """Raise an error that lists the objects, if there are any, and says what to do.

    Raises:
        FinalizersRemainError: there are some.
    """
    if not held:
        return
    listed = "\n".join(f"  {each}" for each in held)
    commands = "\n".join(f"  {each.release}" for each in held)
    raise FinalizersRemainError(
        f"{_counted(held)} finalizers that only this operator removes. Nothing was removed; without the "
        f"operator these could not be deleted:\n{listed}\n"
        "Delete them first, or let --crds delete them with their kinds while the operator still runs; "
        "--force removes the operator and leaves them. To give up what a finalizer stands for:\n"
        f"{commands}"
    )


def left_behind(held: Iterable[Held]) -> list[str]:
    """What to print about objects that are left with their finalizers: each, and how to release it."""
    return [
        f"{each} stays, and cannot be deleted without the operator; to release it: {each.release}"
        for each in held
    ]


def _counted(held: Sequence[Held]) -> str:
    return "1 object has" if len(held) == 1 else f"{len(held)} objects have"


async def granted_roles(client: Client, project: Project) -> list[Json]:
    """The roles of the operator's process in the cluster, with their bindings, wherever they are.

    `deploy` may have been given other namespaces than now. A binding is the operator's if it has the name
    that we give it, and binds the operator's account.
    """
    found: list[Json] = []
    kinds: tuple[type[RoleBinding | ClusterRoleBinding], ...] = (RoleBinding, ClusterRoleBinding)
    for kind in kinds:
        for name in (f"{project.operator}-{each}-rolebinding" for each in _ROLES):
            for binding in await client.list(kind, fields=f"metadata.name={name}"):
                if _binds(binding, project):
                    found += _documents(binding)
    return found


def is_role_of(document: Json, project: Project) -> bool:
    """Whether a generated object is a role of the operator's process, or binds one."""
    names = {f"{project.operator}-{each}-{kind}" for each in _ROLES for kind in ("role", "rolebinding")}
    return document["apiVersion"] == _RBAC and document["metadata"]["name"] in names


def identity(document: Json) -> tuple[str, str, str]:
    """Kind, namespace and name."""
    metadata = document["metadata"]
    return document["kind"], metadata.get("namespace", ""), metadata["name"]


def _binds(binding: RoleBinding | ClusterRoleBinding, project: Project) -> bool:
    account = ("ServiceAccount", project.place, f"{project.operator}-controller-manager")
    return any((each.kind, each.namespace, each.name) == account for each in binding.subjects or ())


def _documents(binding: RoleBinding | ClusterRoleBinding) -> list[Json]:
    namespace = binding.metadata.namespace
    place: dict[str, Any] = {"namespace": namespace} if namespace else {}
    return [
        {"apiVersion": _RBAC, "kind": kind, "metadata": {"name": name, **place}}
        for kind, name in (
            (binding.role_ref.kind, binding.role_ref.name),
            (binding.__kind__.name, binding.metadata.name),
        )
    ]
