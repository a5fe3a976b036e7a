from windlass.api.model import Model
from windlass.api.time import Time
from windlass.api.wire import Json


class OwnerReference(Model):
    """The object that another one belongs to, and is deleted with."""

    api_version: str
    kind: str
    name: str
    uid: str
    controller: bool | None = None
    block_owner_deletion: bool | None = None


class ObjectMeta(Model):
    """Name, labels and the rest of what every object has. Empty text means not set, as in Go.

    `managed_fields` are the server's bookkeeping, and stay as they are on the wire.
    """

    name: str = ""
    generate_name: str = ""
    namespace: str = ""
    uid: str = ""
    resource_version: str = ""
    generation: int = 0
    creation_timestamp: Time | None = None
    deletion_timestamp: Time | None = None
    deletion_grace_period_seconds: int | None = None
    labels: dict[str, str] = {}
    annotations: dict[str, str] = {}
    owner_references: list[OwnerReference] = []
    finalizers: list[str] = []
    managed_fields: list[Json] = []
    self_link: str = ""
