"""Drift that server-side apply cannot repair, because it merges, and the server refuses the outcome.

If a port of a Service was changed from 80 to 81, an apply adds port 80 beside it, under the same name. If a
PodDisruptionBudget was given `maxUnavailable` in place of `minAvailable`, an apply leaves both. Then the list
or the map that the refusal names has to be replaced; where a field is immutable, the object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.client import JsonPatch
from windlass.errors import Conflict, Invalid, NotFound
from windlass.helm.drift import holds
from windlass.helm.manifest import is_kept

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from windlass.api import Json, Key, Untyped
    from windlass.reconcile import Context

_ATTEMPTS: Final = 5
_NOT_REPLACED: Final = ("apiVersion", "kind", "metadata", "status")
_NOT_CONTENT: Final = ("apiVersion", "kind", "metadata", "immutable", "type")
_IMMUTABLE: Final = ("immutable", "cannot change roleRef")
_RBAC: Final = "rbac.authorization.k8s.io/v1"
_REPLACEABLE: Final = frozenset(
    {("v1", "ConfigMap"), ("v1", "Secret"), (_RBAC, "RoleBinding"), (_RBAC, "ClusterRoleBinding")}
)


async def replace_refused(
    wanted: Json, kind: type[Untyped], key: Key, causes: Sequence[Mapping[str, Any]], ctx: Context
) -> list[str]:
    """Replace what keeps a live object from becoming the wanted one; return the paths, none if that fails.

    `causes` are those of the refusal. Of a map that they name, the fields are removed that are not rendered;
    a list that they name is replaced. Where they name neither, each list that differs is replaced. It is one
    patch: the server takes all of it or nothing. It is retried at once if the object changes meanwhile.

    The fields are not left to the field manager of this write: it would keep them when Helm drops them later.
    """
    content = {name: value for name, value in wanted.items() if name not in _NOT_REPLACED}
    version = ""
    for _ in range(_ATTEMPTS):
        before = await _read(kind, key, ctx)
        if before is None or version == before["metadata"]["resourceVersion"]:
            return []
        version = before["metadata"]["resourceVersion"]
        replaced = _refused(content, before, causes) or dict(_differing(content, before))
        if not replaced:
            return []
        patch = [{"op": "replace", "path": path, "value": value} for path, value in replaced.items()]
        try:
            after = await ctx.patch(kind, key.name, JsonPatch([_unchanged(before), *patch]), key.namespace)
        except (Invalid, Conflict):
            continue
        await _disown(before, after.to_wire(), kind, key, ctx)
        return [path.replace("/", ".") for path in replaced]
    return []


def is_replaceable(wanted: Json, live: Json, causes: Sequence[Mapping[str, Any]]) -> bool:
    """Whether an object is refused for nothing but immutable fields, and deleting it loses nothing.

    That is so where all of its content is rendered, and nothing runs or is stored because of it. Labels and
    annotations do not count.
    """
    if (wanted["apiVersion"], wanted["kind"]) not in _REPLACEABLE or is_kept(wanted) or is_kept(live):
        return False
    if live["metadata"].get("deletionTimestamp") or not causes:
        return False
    if not all(any(each in str(cause.get("message")) for each in _IMMUTABLE) for cause in causes):
        return False
    return all(
        name in wanted and (not isinstance(value, dict) or value.keys() <= (wanted[name] or {}).keys())
        for name, value in live.items()
        if name not in _NOT_CONTENT and value
    )


async def _disown(before: Json, after: Json, kind: type[Untyped], key: Key, ctx: Context) -> None:
    """Drop the entry in `managedFields` of the write that made `after` of `before`, if it is a new one."""
    ours = _updaters(after) - _updaters(before)
    found: Json | None = after
    for _ in range(_ATTEMPTS):
        if found is None:
            return
        entries = found["metadata"].get("managedFields") or []
        left = [entry for entry in entries if _writer(entry) not in ours]
        if not left or len(left) == len(entries):
            return
        release = {"op": "replace", "path": "/metadata/managedFields", "value": left}
        try:
            await ctx.patch(kind, key.name, JsonPatch([_unchanged(found), release]), key.namespace)
        except (Invalid, Conflict):
            found = await _read(kind, key, ctx)
        else:
            return


async def _read(kind: type[Untyped], key: Key, ctx: Context) -> Json | None:
    try:
        return (await ctx.live.get(kind, key.name, key.namespace)).to_wire()
    except NotFound:
        return None


def _refused(wanted: Json, live: Json, causes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What replaces the lists and maps that the causes name and that differ, by their JSON pointers."""
    found: dict[str, Any] = {}
    for cause in causes:
        field = str(cause.get("field") or "").partition("[")[0]
        found.update(_named(wanted, live, field.split(".")))
    return {path: found[path] for path in found if not any(path.startswith(f"{each}/") for each in found)}


def _named(wanted: Any, live: Any, names: Sequence[str], path: str = "") -> dict[str, Any]:
    """The innermost rendered list or map on the way to a field, if it differs; never the object itself."""
    name = names[0] if names else ""
    inner, there = (each.get(name) for each in (wanted, live))
    if isinstance(inner, dict) and isinstance(there, dict):
        return _named(inner, there, names[1:], f"{path}/{_escaped(name)}")
    if isinstance(inner, list) and isinstance(there, list):
        return {} if holds(inner, there) else {f"{path}/{_escaped(name)}": inner}
    has_siblings = any(name not in wanted for name in live)
    return {path: _without_siblings(wanted, live)} if path and has_siblings else {}


def _without_siblings(wanted: Json, live: Json) -> Json:
    """A live map without what is not rendered beside the rendered fields; inside of these, additions stay."""
    return {name: _merged(value, live.get(name)) for name, value in wanted.items() if value is not None}


def _merged(wanted: Any, live: Any) -> Any:
    if isinstance(wanted, dict) and isinstance(live, dict):
        return {**live, **{name: _merged(value, live.get(name)) for name, value in wanted.items()}}
    return live if holds(wanted, live) else wanted


def _differing(wanted: Any, live: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The lists of one object that are others in the other object, with their JSON pointers."""
    if isinstance(wanted, dict) and isinstance(live, dict):
        for name, value in wanted.items():
            yield from _differing(value, live.get(name), f"{path}/{_escaped(name)}")
    elif isinstance(wanted, list) and isinstance(live, list) and not holds(wanted, live):
        yield path, wanted


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _unchanged(obj: Json) -> Json:
    return {"op": "test", "path": "/metadata/resourceVersion", "value": obj["metadata"]["resourceVersion"]}


def _updaters(obj: Json) -> set[tuple[str, str, str]]:
    entries = obj["metadata"].get("managedFields") or ()
    return {_writer(entry) for entry in entries if entry["operation"] == "Update"}


def _writer(entry: Json) -> tuple[str, str, str]:
    return entry["manager"], entry["operation"], entry.get("subresource", "")
