"""The ConfigMaps and Secrets that a pod refers to, and what is missing of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from windlass.kinds.core.v1 import Pod
    from windlass.kinds.core.v1.pod_spec import Container, Volume

ROOT_CA: Final = "kube-root-ca.crt"
"""The certificate of the API server, which every pod has; a simulated one starts without it."""


class Source(NamedTuple):
    """A ConfigMap or a Secret, by its kind and its name."""

    kind: str
    name: str


class Reference(NamedTuple):
    """Something that is needed of a source; without a key, that it is there."""

    source: Source
    key: str = ""


Known = dict[Source, "Mapping[str, object] | None"]
"""What each source has in it; None for one that is missing."""


def needs(container: Container) -> Iterator[Reference]:
    """What the environment of a container cannot do without."""
    for each in container.env:
        origin = each.value_from
        if origin and origin.config_map_key_ref and not origin.config_map_key_ref.optional:
            ref = origin.config_map_key_ref
            yield Reference(Source("configmap", ref.name or ""), ref.key)
        if origin and origin.secret_key_ref and not origin.secret_key_ref.optional:
            secret = origin.secret_key_ref
            yield Reference(Source("secret", secret.name or ""), secret.key)
    for whole in container.env_from:
        if whole.config_map_ref and not whole.config_map_ref.optional:
            yield Reference(Source("configmap", whole.config_map_ref.name or ""))
        if whole.secret_ref and not whole.secret_ref.optional:
            yield Reference(Source("secret", whole.secret_ref.name or ""))


def mounts(pod: Pod) -> Iterator[tuple[str, Reference]]:
    """What the volumes of a pod cannot do without, each with the name of its volume."""
    for volume in pod.spec.volumes:
        for reference in _of_volume(volume):
            if reference.source.name != ROOT_CA:
                yield volume.name, reference


def _of_volume(volume: Volume) -> Iterator[Reference]:
    if volume.config_map and not volume.config_map.optional:
        yield from _items(Source("configmap", volume.config_map.name or ""), volume.config_map.items)
    if volume.secret and not volume.secret.optional:
        yield from _items(Source("secret", volume.secret.secret_name or ""), volume.secret.items)
    for each in volume.projected.sources if volume.projected else ():
        if each.config_map and not each.config_map.optional:
            yield from _items(Source("configmap", each.config_map.name or ""), each.config_map.items)
        if each.secret and not each.secret.optional:
            yield from _items(Source("secret", each.secret.name or ""), each.secret.items)


def _items(source: Source, items: Iterable[object]) -> Iterator[Reference]:
    yield Reference(source)
    for item in items:
        yield Reference(source, str(getattr(item, "key", "")))


def fault_of(reference: Reference, known: Known, namespace: str) -> str:
    """What is wrong with a reference of an environment, in the words of a kubelet; empty if nothing is."""
    source, key = reference
    content = known.get(source)
    if content is None:
        return f'{source.kind} "{source.name}" not found'
    if key and key not in content:
        kind = "ConfigMap" if source.kind == "configmap" else "Secret"
        return f"couldn't find key {key} in {kind} {namespace}/{source.name}"
    return ""


def mount_fault_of(volume: str, reference: Reference, known: Known) -> str:
    """What is wrong with a reference of a volume, in the words of a kubelet; empty if nothing is."""
    source, key = reference
    content = known.get(source)
    if content is None:
        return f'MountVolume.SetUp failed for volume "{volume}" : {source.kind} "{source.name}" not found'
    if key and key not in content:
        kind = "config" if source.kind == "configmap" else "secret"
        return f'MountVolume.SetUp failed for volume "{volume}" : references non-existent {kind} key: {key}'
    return ""
