"""Whether and when a container is started again."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from windlass.cluster.node.pod.life import ContainerLife, Ended
    from windlass.kinds.core.v1 import Pod
    from windlass.kinds.core.v1.pod_spec import Container

_LONGEST: Final = 30  # times the first wait
_FORGIVEN: Final = timedelta(minutes=10)  # after it ran for so long, a failure counts as the first
_MOST_DOUBLINGS: Final = 10


def is_sidecar(container: Container) -> bool:
    """Whether an init container runs beside the others, and not before them."""
    return container.restart_policy == "Always"


def is_restarted(pod: Pod, container: Container, code: int) -> bool:
    """Whether a container that ended with this code is started again."""
    policy = container.restart_policy or pod.spec.restart_policy or "Always"
    if any(each.name == container.name for each in pod.spec.init_containers) and not is_sidecar(container):
        policy = "OnFailure" if policy == "Always" else policy  # one that succeeded is done
    return policy == "Always" or (policy == "OnFailure" and code != 0)


def wait(fails: int, first: timedelta) -> timedelta:
    """How long to wait after so many failures in a row: nothing after none, then ever longer, to a limit."""
    if fails <= 0:
        return timedelta()
    return min(first * (1 << min(fails - 1, _MOST_DOUBLINGS)), first * _LONGEST)


def failures(life: ContainerLife, ended: Ended) -> int:
    """How many failures in a row came before this end."""
    return 0 if ended.finished - ended.started >= _FORGIVEN else life.fails
