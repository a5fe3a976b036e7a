"""How objects say whose they are: by a mark, since a config cannot own what lies in another namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.api import Key
from windlass.operators.peerpod.types import GROUP

if TYPE_CHECKING:
    from windlass.api import Json, Resource
    from windlass.operators.peerpod.options import PeerPodOptions
    from windlass.operators.peerpod.types import PeerPodConfig

CONFIG: Final = f"{GROUP}/peerpodconfig"
"""The annotation that names the config of a node or of a DaemonSet, as `namespace/name`."""

MADE_HERE: Final = "app.kubernetes.io/managed-by=peer-pods"
"""The label of everything that this operator makes."""


def labels() -> dict[str, str]:
    """The label of everything that this operator makes, as objects have it."""
    key, _, value = MADE_HERE.partition("=")
    return {key: value}


def is_made_here(resource: Resource) -> bool:
    """Whether an object was made by this operator, and not found."""
    return resource.metadata.labels.items() >= labels().items()


def config_of(resource: Resource) -> Key | None:
    """The config whose an object says that it is."""
    return parse_mark(resource.metadata.annotations.get(CONFIG, ""))


def parse_mark(mark: str) -> Key | None:
    """The config that a mark names."""
    namespace, _, name = mark.partition("/")
    return Key(namespace, name) if namespace and name else None


def place_of(config: PeerPodConfig, options: PeerPodOptions) -> str:
    """The namespace in which the parts of a config lie."""
    return options.namespace or config.metadata.namespace


def metadata(name: str, namespace: str = "", *, config: Key | None = None) -> Json:
    """The metadata of an object that is made here, of one config or of all."""
    made: Json = {"name": name, "labels": labels()}
    if namespace:
        made["namespace"] = namespace
    if config is not None:
        made["annotations"] = {CONFIG: str(config)}
    return made
