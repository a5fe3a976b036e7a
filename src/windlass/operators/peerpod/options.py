"""How the operator is set up, apart from what a PeerPodConfig says."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from windlass.api import Selector
from windlass.errors import ConfigError
from windlass.operators.peerpod.webhook.settings import RUNTIME_CLASS, VM_RESOURCE
from windlass.pki import RotationPolicy

if TYPE_CHECKING:
    from collections.abc import Mapping

_ADAPTOR: Final = "quay.io/confidential-containers/cloud-api-adaptor:latest"
_WEBHOOK: Final = "quay.io/confidential-containers/peer-pods-webhook:latest"
_FROM_ENVIRONMENT: Final = {
    "namespace": "PEERPODS_NAMESPACE",
    "adaptor_image": "RELATED_IMAGE_CAA",
    "webhook_image": "RELATED_IMAGE_PEERPODS_WEBHOOK",
    "runtime_class": "TARGET_RUNTIMECLASS",
    "resource": "POD_VM_EXTENDED_RESOURCE",
}


@dataclass(frozen=True, kw_only=True)
class PeerPodOptions:
    """How the operator is set up.

    `namespace`: where the cloud-api-adaptor and the webhook run, and their Secret and ConfigMap lie; empty
    for the namespace of each config.
    `name`: what the names of the webhook's objects, and of those without a namespace, begin with.
    `adaptor_image`: the image of the cloud-api-adaptor.
    `webhook_image`: the image of the webhook; `webhook_replicas`: in how many pods it runs.
    `webhook_args`: the arguments of the webhook's image, if it needs some; `webhook_environment`: variables.
    `certificates`: when those of the webhook are replaced.
    `runtime_class`: the RuntimeClass of such pods; `overhead`: what each takes of its node besides.
    `resource`: the extended resource that stands for a virtual machine.
    `privileged`: run the cloud-api-adaptor as it was run before it named its capabilities.
    `allocatable`: write what pods may take too, where no kubelet derives it from the capacity.
    `schedulable_only`: nodes that are cordoned get no share.
    `selector`: which configs are served, by their labels; all where it is empty.

    Raises:
        ConfigError: something is missing or makes no sense.
    """

    namespace: str = ""
    name: str = "peer-pods"
    adaptor_image: str = _ADAPTOR
    webhook_image: str = _WEBHOOK
    webhook_args: tuple[str, ...] = ()
    webhook_environment: Mapping[str, str] = field(default_factory=dict)
    webhook_replicas: int = 2
    certificates: RotationPolicy = field(default_factory=RotationPolicy)
    runtime_class: str = RUNTIME_CLASS
    resource: str = VM_RESOURCE
    overhead: Mapping[str, str] = field(default_factory=lambda: {"cpu": "250m", "memory": "350Mi"})
    privileged: bool = False
    allocatable: bool = False
    schedulable_only: bool = False
    selector: str = ""

    def __post_init__(self) -> None:
        for name in ("name", "adaptor_image", "webhook_image", "runtime_class"):
            if not getattr(self, name):
                raise ConfigError(f"peer pods: {name} is empty")
        if "/" not in self.resource:
            raise ConfigError(f"peer pods: {self.resource!r} has no domain, as an extended resource needs it")
        if self.webhook_replicas < 1:
            raise ConfigError("peer pods: the webhook needs a replica, or to be turned off in the config")
        try:
            Selector.parse(self.selector)
        except ValueError as error:
            raise ConfigError(f"peer pods: the selector of configs: {error}") from error

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> PeerPodOptions:
        """The options by the variables that the operator of old was set up with; an empty one is not set."""
        said = {name: environment.get(variable, "").strip() for name, variable in _FROM_ENVIRONMENT.items()}
        return cls(**{name: value for name, value in said.items() if value})  # type: ignore[arg-type] # all texts
