"""The objects of a release, written as Helm writes them."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from windlass.api import write_yaml
from windlass.client import DeleteOptions, find_kind
from windlass.errors import HelmError, NotFound
from windlass.helm import helm_metadata, hook_metadata, is_kept, read_manifest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Json, Key, Untyped
    from windlass.client import Client
    from windlass.helm import Guard, Owner

_MANAGER: Final = "helm"
_HOOK: Final = "helm.sh/hook"
_WEIGHT: Final = "helm.sh/hook-weight"
_POLICY: Final = "helm.sh/hook-delete-policy"
_BEFORE: Final = "before-hook-creation"
_BACKGROUND: Final = DeleteOptions(propagation="Background")


class Hooking(NamedTuple):
    """Whose the hooks of a step are, and what may refuse to delete what has their names."""

    owner: Owner | None = None
    on_delete: Guard | None = None


class Objects:
    """Applies and deletes objects of releases."""

    def __init__(self, client: Client) -> None:
        self._client = client.using(field_manager=_MANAGER)
        self._kinds: dict[tuple[str, str], type[Untyped]] = {}

    async def check(self, objects: Sequence[Json], release: Key, doing: str) -> None:
        """See that none of these, which are new to the release, is somebody else's.

        Raises:
            HelmError: one is.
        """
        for obj in objects:
            found = await self._live(obj, release)
            if found is not None and not _is_of(found, release):
                name = f'{obj["kind"]} "{obj["metadata"]["name"]}"'
                raise HelmError(
                    f"unable to continue with {doing}: {name} exists and cannot be imported into the current "
                    "release: invalid ownership metadata"
                )

    async def apply(self, objects: Sequence[Json], release: Key) -> None:
        """Make these objects be there, taking over what others have changed."""
        for obj in objects:
            await self._apply(helm_metadata(obj, release), release)

    async def delete(self, objects: Sequence[Json], release: Key) -> None:
        """Delete these objects, but for those that are to be kept or belong to others."""
        for obj in objects:
            found = None if is_kept(obj) else await self._live(obj, release)
            if found is not None and _is_of(found, release) and not is_kept(found.to_wire()):
                await self._delete(obj, release)

    async def run_hooks(self, hooks: Sequence[Json], event: str, release: Key, how: Hooking) -> None:
        """Apply the hooks of an event in their order; unlike Helm's, they are not waited for."""
        due = sorted((hook for hook in hooks if event in hook["events"]), key=lambda hook: hook["weight"])
        for hook in due:
            (obj,) = read_manifest(hook["manifest"])
            kind = await self._kind(obj)
            namespace = _namespace(kind, obj, release)
            if _BEFORE in hook["delete_policies"]:
                if how.on_delete:
                    await how.on_delete(kind.__kind__.path(obj["metadata"]["name"], namespace))
                await self._delete(obj, release)
            named = hook_metadata(obj, release)
            await self._apply(how.owner.adopt(named, namespace) if how.owner else named, release)
        for hook in due:
            if "hook-succeeded" in hook["delete_policies"]:
                (obj,) = read_manifest(hook["manifest"])
                await self._delete(obj, release)

    async def _apply(self, obj: Json, release: Key) -> None:
        kind = await self._kind(obj)
        resource = kind.from_wire(obj)
        resource.metadata.namespace = _namespace(kind, obj, release)
        await self._client.apply(resource, force=True)

    async def _delete(self, obj: Json, release: Key) -> None:
        kind = await self._kind(obj)
        namespace = _namespace(kind, obj, release)
        with suppress(NotFound):
            await self._client.delete(kind, obj["metadata"]["name"], namespace, options=_BACKGROUND)

    async def _live(self, obj: Json, release: Key) -> Untyped | None:
        kind = await self._kind(obj)
        try:
            return await self._client.get(kind, obj["metadata"]["name"], _namespace(kind, obj, release))
        except NotFound:
            return None

    async def _kind(self, obj: Json) -> type[Untyped]:
        key = (obj["apiVersion"], obj["kind"])
        if key not in self._kinds:
            self._kinds[key] = await find_kind(self._client, *key)
        return self._kinds[key]


def is_hook(obj: Json) -> bool:
    """Whether an object is a hook, and so no part of a manifest."""
    return bool(_words(obj, _HOOK))


def hook(obj: Json) -> Json:
    """A hook as the record of a release has it."""
    return {
        "name": obj["metadata"]["name"],
        "kind": obj["kind"],
        "path": "hooks.yaml",
        "manifest": write_yaml([obj]),
        "events": _words(obj, _HOOK),
        "weight": int((_words(obj, _WEIGHT) or ["0"])[0]),
        "delete_policies": _words(obj, _POLICY) or [_BEFORE],
    }


def _namespace(kind: type[Untyped], obj: Json, release: Key) -> str:
    if not kind.__kind__.namespaced:
        return ""
    return str(obj["metadata"].get("namespace") or release.namespace)


def _is_of(found: Untyped, release: Key) -> bool:
    notes = found.metadata.annotations
    return (
        found.metadata.labels.get("app.kubernetes.io/managed-by") == "Helm"
        and notes.get("meta.helm.sh/release-name") == release.name
        and notes.get("meta.helm.sh/release-namespace") == release.namespace
    )


def _words(obj: Json, annotation: str) -> list[str]:
    said = ((obj.get("metadata") or {}).get("annotations") or {}).get(annotation, "")
    return [word.strip() for word in said.split(",") if word.strip()]
