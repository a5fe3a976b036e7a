"""The past of a set's template: ControllerRevisions, by which `kubectl rollout` shows and undoes changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.client import MergePatch
from windlass.cluster.controller.template_hash import safe_encoded
from windlass.errors import AlreadyExists
from windlass.kinds.apps.v1 import ControllerRevision
from windlass.kinds.core.v1 import PodTemplateSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from windlass.api import Json
    from windlass.reconcile import Context

_REPLACE: Final = {"$patch": "replace"}
_OFFSET, _PRIME, _BITS = 2166136261, 16777619, 0xFFFFFFFF
_HTML: Final = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
_LONGEST_PREFIX: Final = 223


def snapshot(template: PodTemplateSpec) -> Json:
    """What a revision holds: the strategic merge patch that brings its template back."""
    return {"spec": {"template": {**template.to_wire(), **_REPLACE}}}


def template_of(revision: ControllerRevision) -> PodTemplateSpec:
    """The template that a revision holds."""
    kept = revision.data["spec"]["template"]
    return PodTemplateSpec.from_wire({key: value for key, value in kept.items() if key not in _REPLACE})


def revision_name(owner: str, digest: str) -> str:
    """The name of a revision; that of its owner is cut so that the whole is one that a server takes."""
    return f"{owner[:_LONGEST_PREFIX]}-{digest}"


def digest(data: Json, collisions: int) -> str:
    """A short name for data, the same that kube-controller-manager finds for the data of a StatefulSet."""
    number = _OFFSET
    for byte in _text(data).encode() + str(collisions).encode():
        number = (number * _PRIME & _BITS) ^ byte
    return safe_encoded(str(number))


def in_order(revisions: Iterable[ControllerRevision]) -> list[ControllerRevision]:
    """The oldest first."""
    return sorted(revisions, key=lambda each: (each.revision, each.metadata.name))


def surplus(
    old: Sequence[ControllerRevision], used: Collection[str], limit: int | None
) -> Sequence[ControllerRevision]:
    """Which old revisions are too many: the oldest of those that nobody uses any more."""
    most = 10 if limit is None else limit
    unused = [each for each in old if each.metadata.name not in used]
    return unused[: max(0, len(old) - most)]


async def present_revision(
    history: Sequence[ControllerRevision],
    draft: Callable[[int], ControllerRevision],
    collisions: int,
    ctx: Context,
) -> tuple[ControllerRevision, int]:
    """The revision of the template as it is now, and how many names were taken.

    A template that comes back is the newest again under its old name, so that pods that still have it stay.
    """
    wanted = draft(collisions)
    number = history[-1].revision + 1 if history else 1
    equal = [each for each in history if each.data == wanted.data]
    if not equal:
        return await _created(draft, number, collisions, ctx)
    if equal[-1] is history[-1]:
        return equal[-1], collisions
    renewed = MergePatch({"revision": number})
    return await ctx.patch(ControllerRevision, equal[-1].metadata.name, renewed), collisions


async def _created(
    draft: Callable[[int], ControllerRevision], number: int, collisions: int, ctx: Context
) -> tuple[ControllerRevision, int]:
    while True:
        wanted = draft(collisions)
        wanted.revision = number
        try:
            return await ctx.create(wanted), collisions
        except AlreadyExists:
            taken = await ctx.live.get(ControllerRevision, wanted.metadata.name, ctx.key.namespace)
            if taken.data == wanted.data:  # by an earlier run whose answer was lost
                return taken, collisions
            collisions += 1


def _text(data: Json) -> str:
    """The JSON text that Go makes of data: keys in order, no blanks, and safe inside HTML."""
    import json

    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "".join(_HTML.get(each, each) for each in text)
