from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from windlass.api import Key, ObjectMeta, Resource, encode, is_secret, note_secret
from windlass.client import DeleteOptions, MergePatch
from windlass.controller.activity import patched_paths
from windlass.errors import AlreadyOwnedError, NotFound, UndecodableError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Json, Snapshot
    from windlass.cache import Informer
    from windlass.client import Patch
    from windlass.controller.running import Running
    from windlass.controller.writer import Writer

R = TypeVar("R", bound=Resource)

_NOT_DESIRED = ("managedFields", "resourceVersion", "uid", "creationTimestamp", "generation")


class ContextWrites:
    """The writing part of a context."""

    _run: Running
    _writer: Writer

    async def apply(self, resource: R, *, owned: bool = True, force: bool = True, manager: str = "") -> R:
        """Server-side apply; no call when nothing would change."""
        run, kind = self._run, type(resource)
        key = run.key_of(kind, resource.metadata.name, resource.metadata.namespace)
        desired = self._desired(resource, key, owned=owned)
        await run.shared.assembly.present(kind)
        informer = run.shared.declared.keeping(kind, key, manager)
        settled = run.shared.settled.by(manager)
        run.applied.add(_identity(kind, key))
        live = informer.snapshot(key)
        if live is not None and settled.holds(informer, key, desired, live):
            found = _filled(live, desired) or await informer.get(key)
            if found is not None:
                return found
        if owned and live is not None:
            await _check_owner(run, kind, key, live)
        answer = await self._writer.by(manager).apply(kind, key, desired, force=force)
        run.wrote("apply", kind, key, (live.data if live else None, answer))
        kept = informer.shown(answer)
        settled.remember(informer, key, desired, kept)
        return kind.from_wire(answer) if kept.is_uncached else kept.decode()

    async def create(self, resource: R, *, owned: bool = True) -> R:
        """Create one of many."""
        run, kind = self._run, type(resource)
        key = run.place_of(kind, resource.metadata.name, resource.metadata.namespace)
        desired = self._desired(resource, key, owned=owned)
        if owned:
            run.shared.declared.holding(kind, key)
        answer = await self._writer.create(kind, key.namespace, desired)
        named = Key(key.namespace, str(answer["metadata"]["name"]))
        run.wrote("create", kind, named, (None, answer))
        return kind.from_wire(answer)

    async def patch(
        self, kind: type[R], name: str, patch: Patch, namespace: str = "", *, subresource: str = ""
    ) -> R:
        """Change fields of an object that is not ours."""
        run = self._run
        key = run.key_of(kind, name, namespace)
        informer = run.shared.declared.find(kind, key)
        live: Snapshot[R] | None = informer.snapshot(key) if informer else None
        unchanged = isinstance(patch, MergePatch) and live and merged(live.data, patch.content) == live.data
        if live and unchanged and informer and informer.is_whole and not live.is_uncached:
            return live.decode()
        if is_secret(kind.__kind__):
            _note_patch(patch)
        answer = await self._writer.patch(kind, key, patch, subresource)
        if live is None and run.is_news(kind, key, (None, answer)):
            run.activity.updated_fields(kind, key, patched_paths(patch))
        run.wrote("patch", kind, key, (live.data if live else None, answer))
        return kind.from_wire(answer)

    async def post(
        self, kind: type[Resource], name: str, action: str, form: Json, namespace: str = ""
    ) -> Json:
        """Post a form to a subresource that is an action."""
        run = self._run
        key = run.key_of(kind, name, namespace)
        answer = await self._writer.post(kind, key, action, form)
        run.recorder.wrote(action, kind, key, None, form)
        run.activity.posted(kind, key, action)
        return answer

    async def delete(
        self,
        kind: type[Resource],
        name: str,
        namespace: str = "",
        *,
        options: DeleteOptions | None = None,
    ) -> None:
        """Delete an object; one that is gone already is no fault."""
        run = self._run
        key = run.key_of(kind, name, namespace)
        informer = run.shared.declared.find(kind, key)
        await self._delete(kind, key, informer, options or DeleteOptions())

    async def prune(self) -> Sequence[Resource]:
        """Delete what our object owns and was not applied in this reconcile."""
        run = self._run
        spared = set(run.applied)
        pruned: list[Resource] = []
        for kind in run.shared.owned_kinds:
            for informer in run.shared.declared.of(kind):
                for key in informer.owned_by(run.uid):
                    live = None if _identity(kind, key) in spared else informer.snapshot(key)
                    if live is None or live.metadata.get("deletionTimestamp"):
                        continue
                    if not run.shared.settled.is_ours(live):
                        continue  # another controller made it for the same owner
                    spared.add(_identity(kind, key))  # another informer may hold it too
                    await self._delete(kind, key, informer, DeleteOptions())
                    pruned.append(_as_it_was(live))
        return pruned

    async def _delete(
        self, kind: type[Resource], key: Key, informer: Informer[Any] | None, options: DeleteOptions
    ) -> None:
        run = self._run
        live = informer.snapshot(key) if informer else None
        uid = options.uid or (str(live.metadata.get("uid", "")) if live else "")
        meant = replace(options, uid=uid, propagation=options.propagation or "Background")
        try:
            left = await self._writer.delete(kind, key, meant)
        except NotFound:
            left = None
        else:
            if not (live and live.metadata.get("deletionTimestamp")):
                run.activity.deleted(kind, key)
        run.shared.settled.forget(kind, key)
        run.deleted(kind, key, uid, left)

    def _desired(self, resource: Resource, key: Key, *, owned: bool) -> Json:
        """What is sent: the object, where it lies, and whose it is."""
        desired = resource.to_wire()
        metadata = {
            name: value for name, value in desired.get("metadata", {}).items() if name not in _NOT_DESIRED
        }
        if key.namespace:
            metadata["namespace"] = key.namespace
        if owned:
            others = [each for each in metadata.get("ownerReferences", ()) if not each.get("controller")]
            metadata["ownerReferences"] = [*others, _owner_reference(self._run, key)]
        if is_secret(type(resource).__kind__):
            desired = _with_data(desired)
            note_secret(desired)
        return {**desired, "metadata": metadata}


def _with_data(secret: Json) -> Json:
    """Return a Secret whose `stringData` is `data`, as the server keeps it.

    Nothing would own a field that the server does not keep: nothing would repair it, or delete a key that is
    no longer wanted.
    """
    text = secret.get("stringData") or {}
    data = {**(secret.get("data") or {}), **{name: encode(value.encode()) for name, value in text.items()}}
    rest = {name: value for name, value in secret.items() if name not in ("data", "stringData")}
    return {**rest, "data": data} if data else rest


def _note_patch(patch: Patch) -> None:
    """Have the values masked that a patch writes to a Secret."""
    content: Any = patch.content
    if isinstance(content, dict):
        note_secret(content)
        return
    for each in content:
        _, field, *key = str(each.get("path", "")).split("/", 2)
        if field in ("data", "stringData") and "value" in each:
            note_secret({field: {key[0]: each["value"]} if key else each["value"]})


def _filled(live: Snapshot[R], desired: Json) -> R | None:
    """Return a Secret that is kept without its values, which are those that are desired; else None."""
    data = live.data.get("data") or {}
    if not live.is_uncached or data.keys() != (desired.get("data") or {}).keys():
        return None
    return live.kind.from_wire({**live.data, "data": desired["data"]})


def _as_it_was(gone: Snapshot[R]) -> R:
    """An object that was deleted; of one that no longer fits its type, the metadata."""
    try:
        return gone.decode()
    except UndecodableError:
        return gone.kind.model_construct(metadata=ObjectMeta.from_wire(gone.metadata))


def _identity(kind: type[Resource], key: Key) -> tuple[str, str, Key]:
    """What an object is, whichever version or class of its kind it was reached by."""
    return kind.__kind__.group, kind.__kind__.name, key


def _owner_reference(run: Running, child: Key) -> Json:
    """The reference by which an object becomes ours.

    Raises:
        ValueError: a namespaced object cannot own what lies elsewhere.
    """
    kind = run.kind.__kind__
    if run.key.namespace and child.namespace != run.key.namespace:
        raise ValueError(
            f"{kind.name} {run.key} cannot own {child}, which lies in another namespace or in none: "
            "say apply(…, owned=False) and delete it in `finalize`"
        )
    reference = {"apiVersion": kind.api_version, "kind": kind.name, "name": run.key.name, "uid": run.uid}
    return {**reference, "controller": True, "blockOwnerDeletion": True}


async def _check_owner(run: Running, kind: type[Resource], key: Key, live: Snapshot[Any]) -> None:
    """See that nobody else owns an object: both would take it from each other without end.

    What one of our kind left behind that is gone, also one of our name, becomes ours.

    Raises:
        AlreadyOwnedError: somebody does.
    """
    ours = run.kind.__kind__.group, run.kind.__kind__.name
    for each in live.metadata.get("ownerReferences") or ():
        if not each.get("controller") or each["uid"] == run.uid:
            continue
        theirs = each["apiVersion"].rpartition("/")[0], each["kind"]
        if theirs != ours or await _exists(run, each["name"], each["uid"]):
            raise AlreadyOwnedError(
                f"{kind.__kind__.name} {key} is a part of {each['kind']} {each['name']} already: "
                "give it another name, or say apply(…, owned=False)"
            )


async def _exists(run: Running, name: str, uid: str) -> bool:
    """Whether there is another object of our kind; the server is asked, as not each of them may be ours."""
    try:
        found = await run.shared.client.get(run.kind, name, run.key.namespace)
    except NotFound:
        return False
    return found.metadata.uid == uid


def merged(value: Any, patch: Any) -> Any:
    """What a merge patch (RFC 7386) makes of a value."""
    if not isinstance(patch, dict):
        return patch
    result = dict(value) if isinstance(value, dict) else {}
    for name, each in patch.items():
        if each is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), each)
    return result
