"""The secrets that a pod uses, where its account says which ones it may."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.admission.refuse import forbidden
from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

Object = dict[str, Any]

_REFERRING: Final = ("cephfs", "cinder", "flexVolume", "rbd", "scaleIO", "iscsi", "storageos")
"""Volumes whose secret is in `secretRef`."""
_KINDS: Final = (("initContainers", "init container"), ("containers", "container"))


def check_secrets(pod: Object, account: Object) -> None:
    """A pod uses only what its account refers to.

    Raises:
        Refusal: 403.
    """
    why = next(_unreferenced(pod["spec"], account), None)
    if why is not None:
        raise forbidden("pods", pod, why)


def check_own_secrets(pod: Object, account: Object) -> None:
    """The ephemeral containers of a pod use only what its account refers to.

    Raises:
        Refusal: 500, which is what the real server says.
    """
    kinds = (("ephemeralContainers", "ephemeral container"),)
    why = next(_of_containers(pod["spec"], account, kinds), None)
    if why is not None:
        raise Refusal(500, why, "")


def uses_secrets(spec: Object) -> bool:
    """Whether a pod uses any secret."""
    kinds = ("initContainers", "containers", "ephemeralContainers")
    containers = (container for kind in kinds for container in spec.get(kind) or ())
    names = (
        *(each.get("name") for each in spec.get("imagePullSecrets") or ()),
        *(name for container in containers for _, name in _of_environment(container)),
        *(name for volume in spec.get("volumes") or () for name in _of_volume(volume)),
    )
    return any(names)


def _unreferenced(spec: Object, account: Object) -> Iterator[str]:
    secrets = {each.get("name") for each in account.get("secrets") or ()}
    for volume in spec.get("volumes") or ():
        if "secret" in volume and volume["secret"].get("secretName", "") not in secrets:
            yield f"volume with {_not_allowed(volume['secret'].get('secretName', ''), account)}"
    yield from _of_containers(spec, account, _KINDS)
    pulled = {each.get("name") for each in account.get("imagePullSecrets") or ()}
    for index, each in enumerate(spec.get("imagePullSecrets") or ()):
        if each.get("name") not in pulled:
            yield (
                f'imagePullSecrets[{index}].name="{each.get("name", "")}" is not allowed because '
                f"service account {account['metadata']['name']} does not reference that imagePullSecret"
            )


def _of_containers(spec: Object, account: Object, kinds: tuple[tuple[str, str], ...]) -> Iterator[str]:
    secrets = {each.get("name") for each in account.get("secrets") or ()}
    for field, kind in kinds:
        for container in spec.get(field) or ():
            for variable, name in _of_environment(container):
                if name not in secrets:
                    user = f"{kind} {container['name']} with {variable}"
                    yield f"{user} referencing {_not_allowed(name, account)}"


def _of_environment(container: Object) -> Iterator[tuple[str, str]]:
    """The secrets that the environment of a container is made of, each with the way that it gets there."""
    for each in container.get("env") or ():
        reference = (each.get("valueFrom") or {}).get("secretKeyRef")
        if reference is not None:
            yield f"envVar {each['name']}", reference.get("name", "")
    for each in container.get("envFrom") or ():
        if each.get("secretRef") is not None:
            yield "envFrom", each["secretRef"].get("name", "")


def _of_volume(volume: Object) -> Iterator[str]:
    """The secrets that a volume needs."""
    yield (volume.get("azureFile") or {}).get("secretName", "")
    yield (volume.get("secret") or {}).get("secretName", "")
    yield ((volume.get("csi") or {}).get("nodePublishSecretRef") or {}).get("name", "")
    for kind in _REFERRING:
        yield ((volume.get(kind) or {}).get("secretRef") or {}).get("name", "")
    for source in (volume.get("projected") or {}).get("sources") or ():
        yield (source.get("secret") or {}).get("name", "")


def _not_allowed(name: str, account: Object) -> str:
    return (
        f'secret.secretName="{name}" is not allowed because service account '
        f"{account['metadata']['name']} does not reference that secret"
    )
