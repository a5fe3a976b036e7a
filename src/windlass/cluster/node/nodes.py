from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.api import Key
from windlass.cluster.node.state import NodeState, node_address
from windlass.errors import ConfigError
from windlass.reconcile import Channel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.apiserver.kubelet import Kubelet
    from windlass.apiserver.outside import Network
    from windlass.cluster.node.behaviour import Behaviour
    from windlass.cluster.node.options import NodeOptions
    from windlass.cluster.node.pod import PodLife
    from windlass.kinds.core.v1 import Pod


class Nodes:
    """The simulated nodes of a process: what is known of them, and what can be done to them while they run.

    It is changed by the thread that the nodes run in only. `placed` are the pods that are here, with what
    is known of them, and `behaviours` how some of them were told to behave.

        nodes.lose("node-1")                        # no heartbeats, no news of its pods, nobody answers
        nodes.restore("node-1")
        nodes.behave(Key("default", "web-0"), Behaviour(runs=timedelta(), exit_code=3))
    """

    def __init__(
        self, options: NodeOptions, *, address: str = "", port: int = 10250, network: Network | None = None
    ) -> None:
        self.options = options
        self.port = port
        self._network = network
        self._kubelet: Kubelet | None = None
        self.wake_node, self.wake_pod = Channel(), Channel()
        self.lives: dict[Key, PodLife] = {}
        self._homes: dict[Key, NodeState] = {}
        self.behaviours: dict[Key, Behaviour] = {}
        self._states = {
            name: NodeState(name, number, address or node_address(number))
            for number, name in enumerate(options.all_names)
        }

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
        if self._network:
            self._network.detach(self._place(state))
        self._wake(state, "lost")

    def restore(self, name: str) -> None:
        """Let a node come back that was lost: it starts its pods anew, and reports.

        Raises:
            ConfigError: there is no such node here.
        """
        state = self._state(name)
        state.is_up = True
        if self._network and self._kubelet:
            self._network.attach(self._place(state), self._kubelet)
        self._wake(state, "restored")

    def answer(self, kubelet: Kubelet) -> None:
        """Let the nodes be asked about their pods, on the network that they are on."""
        self._kubelet = kubelet
        for state in self._states.values():
            if self._network:
                self._network.attach(self._place(state), kubelet)

    def behave(self, pod: Key, behaviour: Behaviour | None) -> None:
        """Let all containers of a pod behave in another way from now on; None for as they did before."""
        if behaviour is None:
            self.behaviours.pop(pod, None)
        else:
            self.behaviours[pod] = behaviour
        self.wake_pod.send(pod, "behaves in another way")

    def address_of(self, pod: Pod) -> str:
        """The address of a pod that is here."""
        life = self.lives.get(Key(pod.metadata.namespace, pod.metadata.name))
        return life.address if life else ""

    def lead(self, pod: Pod, port: int, place: str) -> None:
        """Let the port of a pod be found where it really is, by those on the same network."""
        address = self.address_of(pod)
        if self._network and address:
            self._network.lead(f"{address}:{port}", place)

    def arrived(self, pod: Key, state: NodeState) -> None:
        """Know that a pod belongs to a node."""
        self._homes[pod] = state
        state.pods.add(pod)

    def forget(self, pod: Key) -> None:
        """Let go of what is known of a pod that is gone."""
        self.behaviours.pop(pod, None)
        life = self.lives.pop(pod, None)
        state = self._homes.pop(pod, None)
        if state is not None:
            state.pods.discard(pod)
            if life is not None:
                state.release(life.uid)

    def registered(self, state: NodeState) -> None:
        """Go on with the pods that waited for their node."""
        self._wake_pods(state, "node registered")

    def _place(self, state: NodeState) -> str:
        return f"{state.address}:{self.port}"

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
