from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from windlass.cluster import ADMIN
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.cluster.node import NodeOptions
    from windlass.tools import ControlPlaneTools

NOBODY = "nobody"
_MASTERS = "system:masters"
_OF_THE_TOKEN_FILE = frozenset(',"\r\n')  # what its comma-separated lines give a meaning to


@dataclass(frozen=True, kw_only=True)
class ControlPlaneOptions:
    """How a control plane is started. Everything has a default that suits a test of an operator.

    `tools`: the programs to run; without them, those that `windlass.tools` finds. Two suffice where no
    controllers run: etcd and kube-apiserver.
    `controllers`: also run kube-controller-manager and kube-scheduler, and the default storage class
    `standard`, whose volumes are simulated. Without them objects are stored, validated and watched, but
    nothing acts on them: namespaces stay Terminating, owners leave their dependents behind, and a pod needs
    no ServiceAccount.
    `nodes`: how many simulated nodes run pods, or which; of their images, those count that are programs.
    `service_accounts`: let a pod need a ServiceAccount without controllers too; somebody must create it.
    `apiserver_flags`: more flags for kube-apiserver (`--audit-log-path=audit.log`); they win over ours.
    `feature_gates`: set on every Kubernetes program.
    `users`: names, each with its groups, for whom there is to be a token, besides `admin` (who may do
    everything) and `nobody` (who is in no group). They cannot be added later: kube-apiserver reads its token
    file once.
    `start_timeout`: how long the start may take before it counts as failed.
    """

    tools: ControlPlaneTools | None = None
    controllers: bool = False
    nodes: int | NodeOptions = 0
    service_accounts: bool = False
    apiserver_flags: tuple[str, ...] = ()
    feature_gates: Mapping[str, bool] = field(default_factory=dict)
    users: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    start_timeout: timedelta = timedelta(seconds=45)

    def __post_init__(self) -> None:
        tools = self.tools
        if self.controllers and tools and not (tools.kube_controller_manager and tools.kube_scheduler):
            raise ConfigError(
                "controllers: tools names no kube-controller-manager or no kube-scheduler; name both, "
                "or leave the controllers out"
            )
        for flag in self.apiserver_flags:
            if not flag.startswith("--"):
                raise ConfigError(
                    f"apiserver_flags: {flag!r} is not a flag; write --name=value, one per item"
                )
        for word in (*self.users, *(group for groups in self.users.values() for group in groups)):
            if not word or _OF_THE_TOKEN_FILE & set(word):
                raise ConfigError(f"users: {word!r} cannot be written to a token file; use letters, - . : @")
        for name in (ADMIN, NOBODY):
            if name in self.users:
                raise ConfigError(f"users: {name!r} exists in every control plane; choose another name")

    @property
    def simulates(self) -> bool:
        """Whether anything of the cluster is simulated: nodes, the way to their pods, storage."""
        return bool(self.controllers or self.simulated.all_names)

    @property
    def simulated(self) -> NodeOptions:
        """The nodes, as options of their own."""
        from windlass.cluster.node import NodeOptions

        return NodeOptions(count=self.nodes) if isinstance(self.nodes, int) else self.nodes

    @property
    def everyone(self) -> Mapping[str, tuple[str, ...]]:
        """All users who get a token, with their groups."""
        return {ADMIN: (_MASTERS,), NOBODY: (), **self.users}
