"""The life of a pod as a function: what is, what was seen and what time it is in; what comes next out.

It starts nothing and waits for nothing. `advance` is called until it changes nothing more; whoever calls it
starts and stops what the steps say, and comes back when one falls due.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from windlass.api import format_duration
from windlass.cluster.node.pod.container import containers_of, ephemeral, full_name, grace, new_id, pulled
from windlass.cluster.node.pod.life import ContainerLife, Ended, PodLife, Waiting
from windlass.cluster.node.pod.restart import failures, is_restarted, is_sidecar, wait
from windlass.cluster.node.pod.step import Seen, Step, Stop, Told

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from windlass.kinds.core.v1 import Pod
    from windlass.kinds.core.v1.pod_spec import Container

_DEADLINE: Final = Waiting(
    "DeadlineExceeded", "Pod was active on the node longer than the specified deadline"
)
_PULL: Final = "ErrImagePull"
_PULL_BACK_OFF: Final = "ImagePullBackOff"
_CRASH_BACK_OFF: Final = "CrashLoopBackOff"
_LATE: Final = ContainerLife(waiting=Waiting("ContainerCreating"))  # an ephemeral container comes later


def begin(pod: Pod, now: datetime) -> PodLife:
    """A pod that has just come to its node."""
    waiting = Waiting("PodInitializing" if pod.spec.init_containers else "ContainerCreating")
    containers = {each.name: ContainerLife(waiting=waiting) for each in containers_of(pod)}
    return PodLife(uid=pod.metadata.uid or "", began=now, containers=containers)


def advance(pod: Pod, life: PodLife, seen: Seen) -> Step:
    """One step in the life of a pod; one that changes nothing has the same life in it."""
    return _Turn(pod, life, seen).step()


class _Turn:
    """One step while it is made."""

    def __init__(self, pod: Pod, life: PodLife, seen: Seen) -> None:
        self._pod, self._life, self._seen = pod, life, seen
        self._containers = {each.name: life.containers.get(each.name, _LATE) for each in containers_of(pod)}
        self._starts: list[str] = []
        self._stops: list[Stop] = []
        self._told: list[Told] = []
        self._due: list[datetime] = []

    def step(self) -> Step:
        for container in containers_of(self._pod):
            self._watch(container)
        self._heed_deadline()
        if self._pod.metadata.deletion_timestamp is not None or self._life.failure:
            self._end()
        elif self._is_over():
            self._end_sidecars()
        elif self._has_sandbox():
            self._go_on()
        life = replace(self._life, containers=self._containers)
        return Step(
            life=self._life if life == self._life else life,
            starts=self._starts,
            stops=self._stops,
            told=self._told,
            due=min(self._due, default=None),
        )

    def _watch(self, container: Container) -> None:
        """Take note of what became of a container that runs."""
        life = self._containers[container.name]
        look = self._seen.looks.get(container.name)
        if not life.is_running or look is None:
            return
        if look.ended is not None:
            self._ended(container, life, look.ended)
            return
        if look.due is not None:
            self._due.append(look.due)
        if look.unhealthy and life.stopping is None:
            self._tell("Unhealthy", f"Liveness probe failed: {look.unhealthy}", warning=True)
            self._stop(container, f"Container {container.name} failed liveness probe, will be restarted")
            return
        if life.image != container.image and self._is_restarted(container, 1) and life.stopping is None:
            self._stop(container, f"Container {container.name} definition changed, will be restarted")
            return
        ready = look.ready and look.passed and life.stopping is None
        self._put(container, passed=look.passed or life.passed, ready=ready)

    def _ended(self, container: Container, life: ContainerLife, ended: Ended) -> None:
        before = failures(life, ended) if life.image == container.image else 0
        self._put(
            container,
            ended=ended,
            ready=False,
            passed=False,
            stopping=None,
            doomed=None,
            fails=before + 1,
            until=ended.finished + wait(before, self._seen.pace.backoff),
        )

    def _heed_deadline(self) -> None:
        seconds = self._pod.spec.active_deadline_seconds
        if seconds is None or self._life.failure or self._is_over():
            return
        deadline = self._life.began + timedelta(seconds=seconds)
        if self._seen.now < deadline:
            self._due.append(deadline)
            return
        self._tell(*_DEADLINE)
        self._life = replace(self._life, failure=_DEADLINE)

    def _has_sandbox(self) -> bool:
        """Whether the pod has its volumes and its address; it gets them a moment after it came."""
        if self._life.has_sandbox:
            return True
        if self._seen.unmounted:
            self._tell("FailedMount", self._seen.unmounted, warning=True)
            self._due.append(self._seen.now + self._seen.pace.backoff / 10)
            return False
        ready = self._life.began + self._seen.pace.moment
        if self._seen.now < ready:
            self._due.append(ready)
            return False
        self._life = replace(self._life, has_sandbox=True)
        return True

    def _go_on(self) -> None:
        """Start what may be started: init containers one after the other, then all others."""
        for container in self._pod.spec.init_containers:
            if not self._is_initialized(container):
                self._run(container)
                return
            if is_sidecar(container):
                self._run(container)
        for container in (*self._pod.spec.containers, *ephemeral(self._pod)):
            self._run(container)

    def _is_initialized(self, container: Container) -> bool:
        life = self._containers[container.name]
        if is_sidecar(container):
            return life.passed or self._has_begun()
        return life.has_succeeded

    def _has_begun(self) -> bool:
        """Whether a container was ever started that is no init container."""
        lives = (self._containers[each.name] for each in self._pod.spec.containers)
        return any(life.started is not None or life.last is not None for life in lives)

    def _run(self, container: Container) -> None:
        """Start a container, if it does not run and may be started now."""
        life = self._containers[container.name]
        if life.is_running:
            return
        if life.ended is not None and not self._is_restarted(container, life.ended.code):
            return
        if life.until is not None and self._seen.now < life.until:
            self._wait(container, life)
            return
        self._try(container, life)

    def _is_restarted(self, container: Container, code: int) -> bool:
        if any(each.name == container.name for each in ephemeral(self._pod)):
            return False
        return is_restarted(self._pod, container, code)

    def _wait(self, container: Container, life: ContainerLife) -> None:
        """Say that a container waits before it is tried again, and for how long."""
        if life.until is not None:
            self._due.append(life.until)
        if life.ended is not None:
            delay = wait(life.fails - 1, self._seen.pace.backoff)
            name = full_name(self._pod)
            message = (
                f"back-off {format_duration(delay)} restarting failed container={container.name} pod={name}"
            )
            told = f"Back-off restarting failed container {container.name} in pod {name}"
            self._tell("BackOff", told, warning=True)
            waiting = Waiting(_CRASH_BACK_OFF, message)
            self._put(container, waiting=waiting, started=None, ended=None, last=life.ended)
        elif life.waiting is not None and life.waiting.reason == _PULL and self._is_shown(life):
            message = f'Back-off pulling image "{container.image}"'
            self._tell("BackOff", message)
            waiting = Waiting(_PULL_BACK_OFF, f"{message}: {_PULL}: {life.waiting.message}")
            self._put(container, waiting=waiting)

    def _is_shown(self, life: ContainerLife) -> bool:
        """Whether people had a moment to see that an image cannot be pulled."""
        first = self._seen.pace.backoff
        if life.until is None:
            return True
        shown = life.until - wait(life.pull_fails, first) + first / 10
        if self._seen.now < shown:
            self._due.append(shown)
        return self._seen.now >= shown

    def _try(self, container: Container, life: ContainerLife) -> None:
        name, now = container.name, self._seen.now
        if name in self._seen.unpullable:
            self._refuse_pull(container, life, self._seen.unpullable[name])
            return
        if name in self._seen.unfit:
            message = self._seen.unfit[name]
            self._tell("Failed", f"Error: {message}", warning=True)
            again = now + self._seen.pace.backoff / 10
            self._due.append(again)
            self._put(container, waiting=Waiting("CreateContainerConfigError", message), until=again)
            return
        ran = life.ended is not None or life.last is not None
        for each in pulled(container, again=ran):
            self._tell(*each)
        self._tell("Created", "Container created")
        self._tell("Started", "Container started")
        restarts = life.restarts + ran
        self._containers[name] = replace(
            life,
            waiting=None,
            image=container.image or "",
            id=new_id(self._life.uid, name, restarts),
            started=now,
            ended=None,
            last=life.ended or life.last,
            restarts=restarts,
            until=None,
            pull_fails=0,
        )
        self._starts.append(name)

    def _refuse_pull(self, container: Container, life: ContainerLife, error: str) -> None:
        self._tell("Pulling", f'Pulling image "{container.image}"')
        self._tell("Failed", f'Failed to pull image "{container.image}": {error}', warning=True)
        self._tell("Failed", f"Error: {_PULL}", warning=True)
        fails = life.pull_fails + 1
        again = self._seen.now + wait(fails, self._seen.pace.backoff)
        self._due.append(self._seen.now + self._seen.pace.backoff / 10)
        self._put(
            container,
            waiting=Waiting(_PULL, error),
            pull_fails=fails,
            until=again,
            ended=None,
            started=None,
            last=life.ended or life.last,
        )

    def _is_over(self) -> bool:
        """Whether no container is left that will run, but for sidecars."""
        inits = [each for each in self._pod.spec.init_containers if not is_sidecar(each)]
        if any(self._has_failed(each) for each in inits):
            return True
        return all(self._is_done(each) for each in self._pod.spec.containers)

    def _is_done(self, container: Container) -> bool:
        ended = self._containers[container.name].ended
        return ended is not None and not is_restarted(self._pod, container, ended.code)

    def _has_failed(self, container: Container) -> bool:
        return self._is_done(container) and not self._containers[container.name].has_succeeded

    def _end(self) -> None:
        """Stop everything, sidecars after the others, the last one first."""
        for container in (*self._pod.spec.containers, *ephemeral(self._pod), *self._plain_inits()):
            self._stop(container, f"Stopping container {container.name}")
        others = (*self._pod.spec.containers, *ephemeral(self._pod))
        if not any(self._containers[each.name].is_running for each in others):
            self._end_sidecars()

    def _plain_inits(self) -> Iterator[Container]:
        return (each for each in self._pod.spec.init_containers if not is_sidecar(each))

    def _end_sidecars(self) -> None:
        for container in reversed(self._pod.spec.init_containers):
            if is_sidecar(container) and self._containers[container.name].is_running:
                self._stop(container, f"Stopping container {container.name}")
                return

    def _stop(self, container: Container, why: str) -> None:
        life = self._containers[container.name]
        if not life.is_running or life.stopping is not None:
            return
        time = grace(self._pod)
        self._tell("Killing", why)
        self._stops.append(Stop(container.name, time))
        self._put(container, stopping=self._seen.now, doomed=self._seen.now + time, ready=False)

    def _put(self, container: Container, **changes: object) -> None:
        life = self._containers[container.name]
        self._containers[container.name] = replace(life, **changes)  # type: ignore[arg-type]

    def _tell(self, reason: str, message: str, *, warning: bool = False) -> None:
        self._told.append(Told(reason, message, warning))
