"""The life of a simulated pod on a clock that a test moves: steps are taken until nothing changes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from windlass.cluster.node.behaviour import behaviour_of
from windlass.cluster.node.pod import Host, Look, Pace, Seen, advance, begin, status
from windlass.cluster.node.simulated import look
from windlass.kinds.core.v1 import Pod

if TYPE_CHECKING:
    from windlass.cluster.node.pod import PodLife, Step, Stop, Told
    from windlass.kinds.core.v1.pod import ContainerStatus, PodStatus

START = datetime(2026, 1, 1, tzinfo=UTC)
PACE = Pace(timedelta(seconds=1), timedelta(seconds=10))


def pod_of(*, annotations: dict[str, str] | None = None, **spec: Any) -> Pod:
    """A pod, as on the wire; annotations as `{"exit-code": "1"}`."""
    noted = {f"node.windlass.dev/{key}": value for key, value in (annotations or {}).items()}
    containers = [{"name": "main", "image": "web:1"}]
    return Pod.from_wire(
        {
            "metadata": {
                "name": "web",
                "namespace": "shop",
                "uid": "u-1",
                "generation": 1,
                "annotations": noted,
            },
            "spec": {"nodeName": "node-1", "containers": containers, **spec},
        }
    )


class Story:
    """A pod and its life; `at` moves the time, and takes the steps that are due."""

    def __init__(self, pod: Pod, *, life: PodLife | None = None) -> None:
        self.pod = pod
        self.now = START
        self.life = life or begin(pod, START)
        self.told: list[Told] = []
        self.stops: list[Stop] = []
        self.looks: dict[str, Look] = {}
        self.unfit: dict[str, str] = {}
        self.unmounted = ""
        self.due: datetime | None = None
        self.go()

    def after(self, seconds: float) -> PodStatus:
        """What the pod is like so many seconds later, with each step taken when it was due."""
        until = self.now + timedelta(seconds=seconds)
        while self.due is not None and self.due <= until:
            self.now = max(self.due, self.now)
            self.go()
        self.now = until
        return self.go()

    def go(self) -> PodStatus:
        """Take steps until one changes nothing; returns what the pod is like, which its status then says."""
        for _ in range(50):
            step = self._step()
            self.told += step.told
            self.stops += step.stops
            if step.life == self.life:
                break
            self.life = step.life
        else:
            raise AssertionError("the pod does not come to rest")
        self.due = step.due
        assert self.due is None or self.due > self.now, "it would be looked at again and again"
        self.pod.status = status(self.pod, self.life, Host("172.18.0.2"), self.now)
        return self.pod.status

    def annotate(self, name: str, value: str | None) -> None:
        """Change an annotation, None to remove it."""
        key = f"node.windlass.dev/{name}"
        if value is None:
            self.pod.metadata.annotations.pop(key)
        else:
            self.pod.metadata.annotations[key] = value

    def delete(self, grace: int = 30) -> None:
        """Have the pod deleted."""
        self.pod.metadata.deletion_timestamp = self.now + timedelta(seconds=grace)
        self.pod.metadata.deletion_grace_period_seconds = grace

    @property
    def main(self) -> ContainerStatus:
        """What is said of the first container."""
        return self.pod.status.container_statuses[0]

    @property
    def state(self) -> str:
        """The state of the first container, in a word or two."""
        return shown(self.main)

    def _step(self) -> Step:
        containers = (*self.pod.spec.init_containers, *self.pod.spec.containers)
        looks = {
            each.name: self.looks.get(each.name)
            or look(
                self.pod,
                each,
                self.life.containers[each.name],
                behaviour_of(self.pod, each, {}),
                (self.now, PACE),
            )
            for each in containers
            if self.life.containers[each.name].is_running
        }
        errors = {each.name: behaviour_of(self.pod, each, {}).pull_error for each in containers}
        return advance(
            self.pod,
            self.life,
            Seen(
                now=self.now,
                pace=PACE,
                looks=looks,
                unpullable={name: error for name, error in errors.items() if error},
                unfit=self.unfit,
                unmounted=self.unmounted,
            ),
        )


def shown(container: ContainerStatus) -> str:
    """The state of a container: `running`, why it waits, or how it ended."""
    state = container.state
    if state is None:
        return ""
    if state.waiting:
        return state.waiting.reason or ""
    if state.terminated:
        return f"{state.terminated.reason} {state.terminated.exit_code}"
    return "running"
