"""What somebody else's operator needs to have peer pods beside its own controllers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.codegen import custom_resource_definitions, operator_rules
from windlass.operators.peerpod.cloud import CleaningOptions
from windlass.operators.peerpod.controllers import PeerPodConfigController, PeerPodController
from windlass.operators.peerpod.options import PeerPodOptions
from windlass.operators.peerpod.types import PeerPod, PeerPodConfig

if TYPE_CHECKING:
    from windlass.api import Json
    from windlass.codegen import Setting
    from windlass.reconcile import Rule


def definitions() -> list[Json]:
    """The custom resource definitions of both kinds, to be installed with one's own."""
    return custom_resource_definitions([PeerPodConfig, PeerPod])


def rules(options: PeerPodOptions | None = None, setting: Setting | None = None) -> list[Rule]:
    """What the controllers have to be granted, beside one's own; `manager_roles` makes roles of it."""
    chosen = options or PeerPodOptions()
    cleaning = CleaningOptions(namespace=chosen.namespace)
    return operator_rules([PeerPodConfigController(chosen), PeerPodController(cleaning)], setting)
