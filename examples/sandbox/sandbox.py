"""An operator of your own that has peer pods inside: a `Sandbox` is a set of nodes that run pods in machines.

`windlass run examples/sandbox/sandbox.py` runs both in one process, with one election and one cache.
"""

from typing import Annotated

from typing_extensions import override

from windlass.api import (
    Column,
    Condition,
    Definition,
    Field,
    Json,
    ListMap,
    Resource,
    Spec,
    Status,
    find_condition,
)
from windlass.codegen import custom_resource_definitions, manager_roles, operator_rules
from windlass.manager import Manager
from windlass.operators import peerpod
from windlass.operators.peerpod import PeerPodConfig, PeerPodOptions
from windlass.reconcile import Context, Reconciler, Result

OPTIONS = PeerPodOptions(name="sandbox", runtime_class="sandbox", overhead={"cpu": "250m", "memory": "120Mi"})


class SandboxSpec(Spec):
    """What is wanted."""

    machines: int = Field(ge=0, description="How many pods may run in machines of their own.", examples=[10])
    nodes: dict[str, str] = Field(default={}, description="The labels of the nodes that make them.")


class SandboxStatus(Status):
    """What is there."""

    observed_generation: int | None = None
    machines: int = 0
    used: int = 0
    conditions: Annotated[list[Condition], ListMap("type")] = []


class Sandbox(
    Resource,
    group="example.com",
    version="v1",
    definition=Definition(
        columns=(
            Column("Machines", ".status.machines", type="integer"),
            Column("Used", ".status.used", type="integer"),
            Column("Ready", '.status.conditions[?(@.type=="Ready")].status'),
        ),
    ),
):
    """Nodes that run pods in machines of their own."""

    spec: SandboxSpec
    status: SandboxStatus = Field(default_factory=SandboxStatus)


def config(sandbox: Sandbox) -> PeerPodConfig:
    """The PeerPodConfig that a Sandbox asks for."""
    spec = {"limit": sandbox.spec.machines, "nodeSelector": sandbox.spec.nodes}
    return PeerPodConfig.from_wire({"metadata": {"name": sandbox.metadata.name}, "spec": spec})


class SandboxController(Reconciler[Sandbox]):
    """Has a PeerPodConfig for each Sandbox, and says what became of it."""

    owns = (PeerPodConfig,)

    @override
    async def reconcile(self, resource: Sandbox, ctx: Context) -> Result[SandboxStatus]:
        live = await ctx.apply(config(resource))
        status = SandboxStatus(machines=live.status.total_advertised, used=live.status.total_used)
        ready = find_condition(live.status.conditions, "Ready")
        if ready is None or live.status.observed_generation != live.metadata.generation:
            return Result.waiting("Starting", "the PeerPodConfig is new", status)
        if ready.status != "True":
            return Result.waiting(ready.reason, ready.message, status)
        return Result.ready(status, message=ready.message)


def add_to(manager: Manager) -> None:
    """Run the controllers of both."""
    manager.add(SandboxController())
    peerpod.add_to(manager, OPTIONS)


def manifests() -> list[Json]:
    """What is to be installed for both: definitions, and one role."""
    rules = [*operator_rules([SandboxController]), *peerpod.rules(OPTIONS)]
    return [
        *custom_resource_definitions([Sandbox]),
        *peerpod.definitions(),
        *manager_roles("sandbox-operator", rules),
    ]
