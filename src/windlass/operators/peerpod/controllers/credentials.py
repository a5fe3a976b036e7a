"""The credentials of a provider, as its ConfigMap and its Secret have them now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.api import Key, Selection
from windlass.errors import ConfigError
from windlass.kinds.core.v1 import ConfigMap, Secret
from windlass.reconcile import Watch

if TYPE_CHECKING:
    from windlass.operators.peerpod.cloud import CleaningOptions, Credentials
    from windlass.operators.peerpod.types import PeerPod
    from windlass.reconcile import Context


async def read_credentials(peer: PeerPod, ctx: Context, options: CleaningOptions) -> Credentials:
    """What a PeerPod's instance can be deleted with; of two values of one name, that of the Secret counts.

    Raises:
        ConfigError: there is nothing.
    """
    at, secret_at = _config_map(peer, options), _secret(peer, options)
    config_map = await ctx.get(ConfigMap, at.name, at.namespace)
    secret = await ctx.get(Secret, secret_at.name, secret_at.namespace)
    if config_map is None and secret is None:
        raise ConfigError(f"there is neither ConfigMap {at} nor Secret {secret_at}")
    hidden = secret.data if secret else {}
    return {
        **(config_map.data if config_map else {}),
        **{name: value.decode("utf-8", "replace") for name, value in hidden.items()},
    }


def credentials_watches(options: CleaningOptions) -> tuple[Watch[Any], ...]:
    """What has the credentials of any provider. A change wakes PeerPods that are deleted, and no others."""

    def config_map(peer: PeerPod) -> Key | None:
        return _config_map(peer, options) if peer.metadata.deletion_timestamp else None

    def secret(peer: PeerPod) -> Key | None:
        return _secret(peer, options) if peer.metadata.deletion_timestamp else None

    places = [options.place(""), *options.credentials.values()]
    return (
        *(
            Watch(ConfigMap, by=config_map, selection=_only(name, options))
            for name in sorted({each.config_map for each in places})
        ),
        *(
            Watch(Secret, by=secret, selection=_only(name, options))
            for name in sorted({each.secret for each in places})
        ),
    )


def _config_map(peer: PeerPod, options: CleaningOptions) -> Key:
    return Key(_namespace(peer, options), options.place(peer.spec.cloud_provider).config_map)


def _secret(peer: PeerPod, options: CleaningOptions) -> Key:
    return Key(_namespace(peer, options), options.place(peer.spec.cloud_provider).secret)


def _namespace(peer: PeerPod, options: CleaningOptions) -> str:
    return options.namespace or peer.metadata.namespace


def _only(name: str, options: CleaningOptions) -> Selection:
    return Selection(namespace=options.namespace, fields=f"metadata.name={name}")
