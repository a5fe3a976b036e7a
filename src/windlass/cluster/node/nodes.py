from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.api import Key
from windlass.cluster.node.state import NodeState, node_address
from windlass.errors import ConfigError
from windlass.reconcile import Channel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.cluster.node.behaviour import Behaviour
    from windlass.cluster.node.options import NodeOptions


class Nodes:
    """The simulated nodes of a process: what is known of them, and what can be done to them while they run.

    It is changed by the thread that the nodes run in only.

        nodes.lose("node-1")                        # no heartbeats, no news of its pods, nobody answers
        nodes.restore("node-1")
        nodes.behave(Key("default", "web-0"), Behaviour(runs=timedelta(), exit_code=3))
    """

    def __init__(self, options: NodeOptions, *, address: str = "", port: int = 10250) -> None:
        self.options = options
        self.port = port
        self.wake_node, self.wake_pod = Channel(), Channel()
        self._behaviours: dict[Key, Behaviour] = {}
        self._states = {
            name: NodeState(name, number, address or node_address(number))
            for number, name in enumerate(options.all_names)
        }
        for name in self._states:
            self.wake_node.send(Key("", name), "started")

    @property
    def states(self) -> Mapping[str, NodeState]:
        """What is known of each node, by its name."""
        return self._states

    def lose(self, name: str) -> None:
        """Let a node vanish: what it runs ends, and nobody hears from it until it is restored.

        Raises:
            ConfigError: there is no such node here.
        """
        state = self._state(name)
        state.is_up = False
        self._wake(state, "lost")

    def restore(self, name: str) -> None:
        """Let a node come back that was lost: it starts its pods anew, and reports.

        Raises:
            ConfigError: there is no such node here.
        """
        state = self._state(name)
        state.is_up = True
        self._wake(state, "restored")

    def behave(self, pod: Key, behaviour: Behaviour | None) -> None:
        """Let all containers of a pod behave in another way from now on; None for as they did before."""
        if behaviour is None:
            self._behaviours.pop(pod, None)
        else:
            self._behaviours[pod] = behaviour
        self.wake_pod.send(pod, "behaves in another way")

    def behaviour(self, pod: Key) -> Behaviour | None:
        """How a pod was told to behave, if it was."""
        return self._behaviours.get(pod)

    def forget(self, pod: Key) -> None:
        """Let go of what is known of a pod that is gone."""
        self._behaviours.pop(pod, None)
        for state in self._states.values():
            state.pods.discard(pod)

    def registered(self, state: NodeState) -> None:
        """Go on with the pods that waited for their node."""
        self._wake_pods(state, "node registered")

    def _state(self, name: str) -> NodeState:
        if name not in self._states:
            raise ConfigError(f"there is no node {name!r} here, only {', '.join(self._states) or 'none'}")
        return self._states[name]

    def _wake(self, state: NodeState, reason: str) -> None:
        self.wake_node.send(Key("", state.name), reason)
        self._wake_pods(state, reason)

    def _wake_pods(self, state: NodeState, reason: str) -> None:
        for pod in sorted(state.pods):
            self.wake_pod.send(pod, reason)
