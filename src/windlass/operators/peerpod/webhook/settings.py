from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

RUNTIME_CLASS: Final = "kata-remote"
VM_RESOURCE: Final = "kata.peerpods.io/vm"
GPU_RESOURCE: Final = "nvidia.com/gpu"
_NAME: Final = re.compile(r"[a-z0-9]([-a-z0-9.]*[a-z0-9])?")


@dataclass(frozen=True, kw_only=True)
class SizingSettings:
    """Which pods are sized, and how.

    `runtime_classes`: the pods that are meant are those of these.
    `vm_resource`: what is counted on the nodes, one for each pod.
    `gpu_resources`: what counts as a GPU.
    `taken`: what the machine gives and the node need not; `*` stands for anything. Everything else, such as
    `ephemeral-storage`, stays with the node.
    `instance_type`: the type of all machines, but for those of pods that annotate a type or a size.
    `add_overhead`: whether the overhead of the runtime class makes the machine larger. It is that of the
    processes on the node, and stays accounted there, so it does not unless this is said.

    Raises:
        ConfigError: a value cannot be used; the message says which.
    """

    runtime_classes: tuple[str, ...] = (RUNTIME_CLASS,)
    vm_resource: str = VM_RESOURCE
    gpu_resources: tuple[str, ...] = (GPU_RESOURCE,)
    taken: tuple[str, ...] = ("cpu", "memory", "hugepages-*", GPU_RESOURCE)
    instance_type: str = ""
    add_overhead: bool = False

    def __post_init__(self) -> None:
        if not self.runtime_classes:
            raise ConfigError("there is no runtime class: no pod would be sized")
        for each in self.runtime_classes:
            if not _NAME.fullmatch(each):
                raise ConfigError(f"{each!r} is no name of a runtime class such as {RUNTIME_CLASS}")
        if "/" not in self.vm_resource:
            raise ConfigError(f"{self.vm_resource!r} is no extended resource such as {VM_RESOURCE}")
        if self.takes(self.vm_resource):
            raise ConfigError(f"{self.vm_resource} is to be counted, and cannot be taken away")

    def takes(self, resource: str) -> bool:
        """Whether the machine gives a resource, so that the node is not asked for it."""
        return any(fnmatchcase(resource, pattern) for pattern in self.taken)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> SizingSettings:
        """Read what is set of these; several values have commas between them.

        `TARGET_RUNTIMECLASS`, `POD_VM_EXTENDED_RESOURCE`, `POD_VM_GPU_RESOURCES`, `POD_VM_TAKEN_RESOURCES`,
        `POD_VM_INSTANCE_TYPE` and `POD_VM_ADD_OVERHEAD` (`true`).

        Raises:
            ConfigError: a value cannot be used.
        """
        overhead = environment.get("POD_VM_ADD_OVERHEAD", "").strip().lower() or "false"
        if overhead not in ("true", "false"):
            raise ConfigError(f"POD_VM_ADD_OVERHEAD is {overhead!r}; say true or false")
        gpus = _several(environment, "POD_VM_GPU_RESOURCES", (GPU_RESOURCE,))
        return cls(
            runtime_classes=_several(environment, "TARGET_RUNTIMECLASS", (RUNTIME_CLASS,)),
            vm_resource=environment.get("POD_VM_EXTENDED_RESOURCE", "").strip() or VM_RESOURCE,
            gpu_resources=gpus,
            taken=_several(environment, "POD_VM_TAKEN_RESOURCES", ("cpu", "memory", "hugepages-*", *gpus)),
            instance_type=environment.get("POD_VM_INSTANCE_TYPE", "").strip(),
            add_overhead=overhead == "true",
        )


def _several(environment: Mapping[str, str], name: str, otherwise: tuple[str, ...]) -> tuple[str, ...]:
    found = (each.strip() for each in environment.get(name, "").split(","))
    return tuple(each for each in found if each) or otherwise
