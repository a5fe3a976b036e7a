"""Pods that are to run in machines of a cloud."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.kinds.core.v1 import Pod
from windlass.operators.peerpod.webhook import GPUS, MACHINE_TYPE, MEMORY, VCPUS

if TYPE_CHECKING:
    from windlass.api import Json

VM = "kata.peerpods.io/vm"
RUNTIME_CLASS = "kata-remote"


def container(
    name: str = "app", *, requests: Json | None = None, limits: Json | None = None, **fields: Any
) -> Json:
    """A container, as it stands in a manifest."""
    resources = {field: amounts for field, amounts in (("requests", requests), ("limits", limits)) if amounts}
    return {"name": name, "image": "shop", **({"resources": resources} if resources else {}), **fields}


def remote_pod(*containers: Json, annotations: dict[str, str] | None = None, **spec: Any) -> Pod:
    """A pod of the runtime class of peer pods."""
    metadata = {"name": "shop", **({"annotations": annotations} if annotations else {})}
    wanted = {"runtimeClassName": RUNTIME_CLASS, "containers": list(containers) or [container()], **spec}
    return Pod.from_wire({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": wanted})


def size(pod: Pod) -> tuple[str, str, str, str]:
    """CPUs, mebibytes, GPUs and the type of the machine, as a pod's annotations say; empty what they do not."""
    vcpus, memory, gpus, kind = (
        pod.metadata.annotations.get(each, "") for each in (VCPUS, MEMORY, GPUS, MACHINE_TYPE)
    )
    return vcpus, memory, gpus, kind


def asked(pod: Pod) -> dict[str, Json]:
    """What each container asks for after all, as on the wire."""
    spec = pod.to_wire()["spec"]
    every = [*spec["containers"], *spec.get("initContainers", ())]
    return {each["name"]: each.get("resources") or {} for each in every}
