from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.api import Selection
from windlass.client import DeleteOptions, MergePatch
from windlass.errors import NotFound
from windlass.kinds.core.v1 import Secret, ServiceAccount
from windlass.reconcile import Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.api import Json
    from windlass.reconcile import Context

_TYPE: Final = "kubernetes.io/service-account-token"
_NAME: Final = "kubernetes.io/service-account.name"
_UID: Final = "kubernetes.io/service-account.uid"
_FOR_EVER: Final = 2**32  # seconds; the longest that a server agrees to


def _account_of(secret: Secret) -> str:
    return secret.metadata.annotations.get(_NAME, "")


class AccountTokenController(Reconciler[Secret]):
    """Puts a token into each Secret that asks for one, which lives as long as the Secret and its account.

    `certificate` returns, as PEM text, the one by which the holder of the token knows the API server.
    """

    name = "serviceaccount-token"
    selection = Selection(fields=f"type={_TYPE}", values=True)
    reads = (Watch(ServiceAccount, by=_account_of),)

    def __init__(self, certificate: Callable[[], str]) -> None:
        self._certificate = certificate

    @override
    async def reconcile(self, secret: Secret, ctx: Context) -> Result[Any]:
        name = _account_of(secret)
        if not name:
            return Result.ready()
        account = await _account(name, secret.metadata.annotations.get(_UID, ""), ctx)
        if account is None:
            options = DeleteOptions(uid=secret.metadata.uid)
            await ctx.delete(Secret, secret.metadata.name, options=options)
            return Result.ready()
        data = missing(secret, self._certificate())
        if "token" in data:
            answer = await ctx.post(ServiceAccount, name, "token", request(secret))
            data["token"] = answer["status"]["token"]
        if data:
            await ctx.patch(Secret, secret.metadata.name, content(secret, account, data))
        return Result.ready()


def missing(secret: Secret, certificate: str) -> dict[str, str]:
    """What a Secret lacks; the token has yet to be asked for."""
    wanted = {"ca.crt": certificate, "namespace": secret.metadata.namespace, "token": ""}
    if secret.data.get("ca.crt") == certificate.encode():
        del wanted["ca.crt"]
    return {name: value for name, value in wanted.items() if name == "ca.crt" or not secret.data.get(name)}


def request(secret: Secret) -> Json:
    """The form that asks for a token that dies with a Secret."""
    bound = {
        "apiVersion": "v1",
        "kind": "Secret",
        "name": secret.metadata.name,
        "uid": secret.metadata.uid,
    }
    return {
        "apiVersion": "authentication.k8s.io/v1",
        "kind": "TokenRequest",
        "spec": {"audiences": [], "expirationSeconds": _FOR_EVER, "boundObjectRef": bound},
    }


def content(secret: Secret, account: ServiceAccount, data: dict[str, str]) -> MergePatch:
    """What fills a Secret, if it is still the one that was looked at."""
    metadata = {
        "uid": secret.metadata.uid,
        "resourceVersion": secret.metadata.resource_version,
        "annotations": {_NAME: account.metadata.name, _UID: account.metadata.uid},
    }
    return MergePatch({"metadata": metadata, "stringData": data})


async def _account(name: str, uid: str, ctx: Context) -> ServiceAccount | None:
    """The account of this name, and of this uid where there is one; the cache may not have it yet."""
    found = await ctx.get(ServiceAccount, name)
    if found is None or (uid and found.metadata.uid != uid):
        try:
            found = await ctx.live.get(ServiceAccount, name, ctx.key.namespace)
        except NotFound:
            return None
    return found if not uid or found.metadata.uid == uid else None
