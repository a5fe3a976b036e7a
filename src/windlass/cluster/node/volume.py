"""What is in the volumes of a pod: paths and contents, from what is known of their sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from windlass.cluster.node.downward import field, resource
from windlass.cluster.node.reference import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from windlass.cluster.node.downward import Place
    from windlass.cluster.node.reference import Known
    from windlass.kinds.core.v1 import Pod
    from windlass.kinds.core.v1.pod_spec import DownwardAPIVolumeFile, KeyToPath, Volume, VolumeProjection


class TokenWish(NamedTuple):
    """A token of the pod's service account that a volume has in it."""

    audience: str
    seconds: int


Tokens = dict[TokenWish, str]


class Stock(NamedTuple):
    """What volumes are made of: ConfigMaps and Secrets, tokens, and where the pod is."""

    known: Known
    tokens: Tokens
    place: Place


def volume_sources(pod: Pod) -> Iterator[Source]:
    """The ConfigMaps and Secrets that volumes are made of."""
    for volume in pod.spec.volumes:
        if volume.config_map:
            yield Source("configmap", volume.config_map.name or "")
        if volume.secret:
            yield Source("secret", volume.secret.secret_name or "")
        for each in volume.projected.sources if volume.projected else ():
            if each.config_map:
                yield Source("configmap", each.config_map.name or "")
            if each.secret:
                yield Source("secret", each.secret.name or "")


def token_wishes(pod: Pod) -> Iterator[TokenWish]:
    """The tokens that volumes have in them."""
    for volume in pod.spec.volumes:
        for each in volume.projected.sources if volume.projected else ():
            token = each.service_account_token
            if token:
                yield TokenWish(token.audience or "", token.expiration_seconds or 3600)


def files(pod: Pod, volume: Volume, stock: Stock) -> dict[str, bytes]:
    """The files of a volume that the cluster knows the contents of, by their paths in it."""
    made: dict[str, bytes] = {}
    if volume.config_map:
        made |= _keys(stock, Source("configmap", volume.config_map.name or ""), volume.config_map.items)
    if volume.secret:
        made |= _keys(stock, Source("secret", volume.secret.secret_name or ""), volume.secret.items)
    if volume.downward_api:
        made |= _downward(pod, volume.downward_api.items, stock.place)
    for each in volume.projected.sources if volume.projected else ():
        made |= _projected(pod, each, stock)
    return made


def _projected(pod: Pod, source: VolumeProjection, stock: Stock) -> dict[str, bytes]:
    made: dict[str, bytes] = {}
    if source.config_map:
        made |= _keys(stock, Source("configmap", source.config_map.name or ""), source.config_map.items)
    if source.secret:
        made |= _keys(stock, Source("secret", source.secret.name or ""), source.secret.items)
    if source.downward_api:
        made |= _downward(pod, source.downward_api.items, stock.place)
    token = source.service_account_token
    if token:
        wish = TokenWish(token.audience or "", token.expiration_seconds or 3600)
        if wish in stock.tokens:
            made[token.path] = stock.tokens[wish].encode()
    return made


def _keys(stock: Stock, source: Source, items: Iterable[KeyToPath]) -> dict[str, bytes]:
    content: Mapping[str, object] = stock.known.get(source) or {}
    paths = {each.key: each.path for each in items} or {key: key for key in content}
    return {path: _bytes(content[key]) for key, path in paths.items() if key in content}


def _downward(pod: Pod, items: Iterable[DownwardAPIVolumeFile], place: Place) -> dict[str, bytes]:
    made: dict[str, bytes] = {}
    for item in items:
        if item.field_ref:
            made[item.path] = field(pod, item.field_ref.field_path, place).encode()
        elif item.resource_field_ref:
            name = item.resource_field_ref.container_name
            container = next(
                (each for each in pod.spec.containers if each.name == name), pod.spec.containers[0]
            )
            made[item.path] = resource(container, item.resource_field_ref, place).encode()
    return made


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()
