from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.client import survey
from windlass.cluster.controller.namespace.condition import Findings, conditions
from windlass.cluster.controller.namespace.content import Content, Remains, is_pod
from windlass.errors import ApiError, ConnectionFailedError, NotFound
from windlass.kinds.core.v1 import Namespace, NamespaceStatus
from windlass.reconcile import Reconciler, Result

if TYPE_CHECKING:
    from windlass.client import Client, Served, Survey
    from windlass.reconcile import Context

_FINALIZER: Final = "kubernetes"
_SHORTEST: Final = timedelta(milliseconds=500)
_LONGEST: Final = timedelta(seconds=15)


class NamespaceController(Reconciler[Namespace]):
    """Empties a namespace that is deleted, and then lets it go."""

    name = "namespace"
    until_gone = True

    def __init__(self, client: Client) -> None:
        self._client = client

    @override
    async def reconcile(self, namespace: Namespace, ctx: Context) -> Result[Any]:
        if namespace.metadata.deletion_timestamp is None:
            return Result.ready()
        try:  # another one of this name may have come since the cache was told
            namespace = await ctx.live.get(Namespace, ctx.key.name)
        except NotFound:
            return Result.ready()
        deleted = namespace.metadata.deletion_timestamp
        if deleted is None or _FINALIZER not in namespace.spec.finalizers:
            return Result.ready()
        age = ctx.now - deleted
        found = await survey(self._client)
        findings = await self._empty(Content(self._client, namespace.metadata.name, age), found, ctx)
        status = NamespaceStatus(
            phase="Terminating", conditions=conditions(namespace.status.conditions, findings, ctx.now)
        )
        if not findings.is_clear:
            again = min(
                max(age / 4, _SHORTEST), _LONGEST
            )  # ever more patiently: nobody tells when it is empty
            return Result.waiting("ContentRemains", status=status, again=again)
        await ctx.effect("finalize", lambda: self._finalize(namespace))
        return Result.ready(status)

    async def _empty(self, content: Content, found: Survey, ctx: Context) -> Findings:
        """Delete everything, pods first: what they need to end in order is there until they have ended."""
        findings = Findings(unknown=found.unknown)
        kinds = content_kinds(found)
        for served in sorted(kinds, key=lambda each: not is_pod(each)):
            remains = await self._clear(content, served, findings, ctx)
            if remains.count and is_pod(served):
                # As the real controller has it, the rest is not counted before its turn.
                return Findings(unknown=findings.unknown, failures=findings.failures, awaits_pods=True)
            if remains.count:
                findings.remaining[f"{served.kind.plural}.{served.kind.group}"] += remains.count
                findings.finalizers.update(remains.finalizers)
        return findings

    async def _clear(self, content: Content, served: Served, findings: Findings, ctx: Context) -> Remains:
        """Delete everything of a kind; a failure is told, and the other kinds go on."""
        try:
            remains = await content.clear(served, ctx)
        except (ApiError, ConnectionFailedError) as error:
            findings.failures.append(str(error))
            return Remains()
        if remains.is_stuck:
            kind = served.kind
            findings.failures.append(
                f"unexpected items still remain in namespace: {ctx.key.name} "
                f"for gvr: {kind.group}/{kind.version}, Resource={kind.plural}"
            )
        return remains

    async def _finalize(self, namespace: Namespace) -> bool:
        namespace.spec.finalizers = [each for each in namespace.spec.finalizers if each != _FINALIZER]
        try:
            await self._client.subresource("finalize").update(namespace)
        except NotFound:  # it was let go already
            return False
        return True


def content_kinds(found: Survey) -> list[Served]:
    """The kinds of which there can be something in a namespace, each in one version."""
    kinds: dict[str, Any] = {}
    for each in found.served:
        if each.kind.namespaced and "delete" in each.verbs and each.kind.api_version not in found.unknown:
            kinds.setdefault(each.kind.resource, each)
    return list(kinds.values())
