"""What a pod's containers are, and what is said of them."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.kinds.core.v1 import Pod
    from windlass.kinds.core.v1.pod_spec import Container

_GRACE: Final = timedelta(seconds=30)  # as a server writes it into every pod


def containers_of(pod: Pod) -> tuple[Container, ...]:
    """All containers of a pod, those that people put into it later too."""
    return (*pod.spec.init_containers, *pod.spec.containers, *ephemeral(pod))


def ephemeral(pod: Pod) -> tuple[Container, ...]:
    """The containers that people put into a running pod; all that counts of them, a container has too."""
    return tuple(pod.spec.ephemeral_containers)  # type: ignore[arg-type]


def grace(pod: Pod) -> timedelta:
    """How long the containers of a pod have to end."""
    seconds = pod.metadata.deletion_grace_period_seconds
    if seconds is None:
        seconds = pod.spec.termination_grace_period_seconds
    return _GRACE if seconds is None else timedelta(seconds=seconds)


def pulled(container: Container, *, again: bool) -> Iterator[tuple[str, str]]:
    """What is told of the image of a container that starts: reasons and messages."""
    if again and container.image_pull_policy != "Always":
        yield "Pulled", f'Container image "{container.image}" already present on machine'
        return
    yield "Pulling", f'Pulling image "{container.image}"'
    took = "in 0s (0s including waiting). Image size: 0 bytes."
    yield "Pulled", f'Successfully pulled image "{container.image}" {took}'


def new_id(uid: str, container: str, restarts: int) -> str:
    """The id of a run of a container: the same for the same run, whoever asks."""
    return hashlib.sha256(f"{uid}/{container}/{restarts}".encode()).hexdigest()


def full_name(pod: Pod) -> str:
    """A pod as a kubelet names it."""
    return f"{pod.metadata.name}_{pod.metadata.namespace}({pod.metadata.uid})"
