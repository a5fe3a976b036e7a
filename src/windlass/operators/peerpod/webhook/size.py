"""How large the machine of a pod has to be, in the words of Kata Containers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.operators.peerpod.webhook.effective import effective_limits, effective_requests, raise_to
from windlass.operators.peerpod.webhook.record import UnsizableError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.api import Quantity
    from windlass.kinds.core.v1 import PodSpec
    from windlass.operators.peerpod.webhook.settings import SizingSettings

_HYPERVISOR: Final = "io.katacontainers.config.hypervisor"
VCPUS: Final = f"{_HYPERVISOR}.default_vcpus"
MEMORY: Final = f"{_HYPERVISOR}.default_memory"
GPUS: Final = f"{_HYPERVISOR}.default_gpus"
MACHINE_TYPE: Final = f"{_HYPERVISOR}.machine_type"
ANNOTATIONS: Final = (VCPUS, MEMORY, GPUS, MACHINE_TYPE)
_MEBIBYTE: Final = 2**20
_MOST: Final = 2**31 - 1
"""What those who read the annotations can count to."""


def size_of(spec: PodSpec, settings: SizingSettings) -> dict[str, str]:
    """The size of the machine: what is asked for at the most, in whole CPUs, mebibytes and GPUs; no zeros."""
    most = effective_requests(spec, overhead=settings.add_overhead)
    raise_to(most, effective_limits(spec, overhead=settings.add_overhead))
    gpus = sum(_whole(most, name) for name in settings.gpu_resources)
    amounts = {
        VCPUS: _whole(most, "cpu"),
        MEMORY: -(-_whole(most, "memory") // _MEBIBYTE),
        GPUS: gpus,
    }
    for name, amount in amounts.items():
        if amount > _MOST:
            raise UnsizableError(f"{name} would be {amount}: no machine is that large")
    wanted = {name: str(amount) for name, amount in amounts.items() if amount}
    return wanted | ({MACHINE_TYPE: settings.instance_type} if settings.instance_type else {})


def _whole(amounts: Mapping[str, Quantity], name: str) -> int:
    """An amount, rounded up."""
    amount = amounts.get(name)
    if amount is None:
        return 0
    if amount < 0:
        raise UnsizableError(f"{name} is {amount}, and less than nothing cannot be asked for")
    return int(amount)
