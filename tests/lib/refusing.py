"""A kind in two versions, of which the older can hold what the newer cannot: v2 is the hub."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from windlass.api import Condition, Definition, Field, Resource, Spec, Status
from windlass.reconcile import Context, Reconciler, Result
from windlass.webhook import Conversion, Spoke


class DepotStatus(Status):
    conditions: list[Condition] = Field(default_factory=list)
    area: int = 0


class OldSpec(Spec):
    size: str
    note: str = ""


class NewSpec(Spec):
    width: int = Field(ge=0)
    height: int = Field(ge=0)
    color: str = "grey"


@dataclass
class Depots:
    """The kind in a group of its own. Sizes are refused that nobody can read, while it is `strict`."""

    group: str
    strict: bool = True
    seen: dict[str, tuple[int, int]] = field(default_factory=dict)
    finalized: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        depots = self

        class Depot(Resource, group=self.group, version="v2", definition=Definition(storage=True)):
            spec: NewSpec
            status: DepotStatus = Field(default_factory=DepotStatus)

        class OldDepot(Resource, group=self.group, version="v1", kind="Depot"):
            spec: OldSpec
            status: DepotStatus = Field(default_factory=DepotStatus)

        def upgraded(old: OldDepot) -> Depot:
            width, by, height = old.spec.size.partition("x")
            if not (by and width.isdecimal() and height.isdecimal()):
                if depots.strict:
                    raise ValueError(f"spec.size: {old.spec.size!r} is not like 3x4")
                width = height = "0"
            spec = NewSpec(width=int(width), height=int(height))
            return Depot(spec=spec, status=old.status)

        def downgraded(new: Depot) -> OldDepot:
            spec = OldSpec(size=f"{new.spec.width}x{new.spec.height}")
            return OldDepot(spec=spec, status=new.status)

        class Keeper(Reconciler[Depot]):
            finalizer = "test.windlass.dev/depot"

            async def reconcile(self, depot: Depot, _context: Context) -> Result[DepotStatus]:
                width, height = depot.spec.width, depot.spec.height
                depots.seen[depot.metadata.name] = (width, height)
                depot.status.area = width * height
                return Result.ready(depot.status)

            async def finalize(self, depot: Depot, _context: Context) -> Result[DepotStatus]:
                depots.finalized.append(depot.metadata.name)
                return Result.ready()

        self.new: Any = Depot
        self.old: Any = OldDepot
        self.keeper: Any = Keeper
        spoke = Spoke(
            OldDepot, to_hub=upgraded, from_hub=downgraded, lacks=("spec.color",), only=("spec.note",)
        )
        self.conversion: Conversion[Any] = Conversion(hub=Depot, spokes=(spoke,))
