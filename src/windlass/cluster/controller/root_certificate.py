from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.api import Key, ObjectMeta, Selection
from windlass.client import MergePatch
from windlass.cluster.controller.service_account import furnish
from windlass.kinds.core.v1 import ConfigMap, Namespace
from windlass.reconcile import Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from windlass.reconcile import Context

_NAME: Final = "kube-root-ca.crt"
_ENTRY: Final = "ca.crt"
_DESCRIPTION: Final = "kubernetes.io/description"
_DESCRIBED: Final = (
    "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints "
    "such as the internal service IP or kubernetes.default.svc. "
    "No other usage is guaranteed across distributions of Kubernetes clusters."
)


def _namespace_of(bundle: ConfigMap) -> Iterable[Key]:
    return (Key("", bundle.metadata.namespace),)


class RootCertificatePublisher(Reconciler[Namespace]):
    """Keeps in each namespace the certificate by which pods know the API server.

    `certificate` returns it as PEM text; it is asked when the first namespace needs it.
    """

    name = "root-ca-certificate-publisher"
    reads = (Watch(ConfigMap, to=_namespace_of, selection=Selection(fields=f"metadata.name={_NAME}")),)

    def __init__(self, certificate: Callable[[], str]) -> None:
        self._certificate = certificate

    @override
    async def reconcile(self, namespace: Namespace, ctx: Context) -> Result[Any]:
        name = namespace.metadata.name
        if namespace.status.phase != "Active":
            return Result.ready()
        found = await ctx.get(ConfigMap, _NAME, name)
        if found is not None:
            await ctx.patch(ConfigMap, _NAME, correction(found, self._certificate()), name)
            return Result.ready()
        await furnish(bundle(name, self._certificate()), ctx)
        return Result.ready()


def bundle(namespace: str, certificate: str) -> ConfigMap:
    """What lies in a namespace."""
    metadata = ObjectMeta(name=_NAME, namespace=namespace, annotations={_DESCRIPTION: _DESCRIBED})
    return ConfigMap(metadata=metadata, data={_ENTRY: certificate})


def correction(found: ConfigMap, certificate: str) -> MergePatch:
    """What makes of a bundle what it should be; nothing where it is that already."""
    data = {**dict.fromkeys(found.data), _ENTRY: certificate}
    return MergePatch({"metadata": {"annotations": {_DESCRIPTION: _DESCRIBED}}, "data": data})
