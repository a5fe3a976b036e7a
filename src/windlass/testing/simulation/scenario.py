from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar

from windlass.testing.simulation.readiness import readiness
from windlass.testing.simulation.weather import Weather

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.api import Resource
    from windlass.manager import Manager
    from windlass.testing.simulation.judge import Judge, Version
    from windlass.testing.simulation.outside import Outside
    from windlass.testing.simulation.readiness import Readiness
    from windlass.testing.simulation.world import SimulatedWorld


class Scenario:
    """An operator, what people do to it, and what is true. One is made for each seed, so it may keep state.

    class Shop(Scenario):
        kinds = (WebApp,)

        def operator(self, manager: Manager, world: SimulatedWorld) -> None:
            manager.add(WebAppController())

        async def play(self, world: SimulatedWorld) -> None:
            await world.client.create(web_app("shop"))
            await world.pause(timedelta(seconds=20))
            await world.change(WebApp, "shop", {"spec": {"replicas": 3}})

        def is_true(self, app: WebApp, world: SimulatedWorld) -> bool:
            live = world.get(Deployment, app.metadata.name)
            return live is not None and live.spec.replicas == app.spec.replicas
    """

    kinds: ClassVar[Sequence[type[Resource]]] = ()
    """The kinds of the operator's own objects: installed at the beginning, judged, and deleted at the end."""

    weather: ClassVar[Weather] = Weather()
    """How bad things may get."""

    elects: ClassVar[bool] = True
    """Whether the operator may run as two processes of which one leads; in some seeds it does."""

    controllers: ClassVar[bool] = False
    """Whether the controllers of a cluster run too."""

    sweeps: ClassVar[bool] = True
    """Whether, without those controllers, what has lost its last owner is removed."""

    patience: ClassVar[timedelta] = timedelta(minutes=10)
    """How long the operator may take to come to rest after the last disturbance, on virtual time."""

    quiet: ClassVar[timedelta] = timedelta(seconds=45)
    """For how long it is watched when it rests."""

    outside: Sequence[Outside] = ()
    """What is outside the cluster; `operator` reaches it by `world.reach`."""

    def operator(self, manager: Manager, world: SimulatedWorld, /) -> None:
        """Add the reconcilers to the manager of a process that starts."""
        raise NotImplementedError(f"{type(self).__name__} has no operator(manager, world)")

    async def play(self, world: SimulatedWorld, /) -> None:
        """What people do, with pauses."""
        raise NotImplementedError(f"{type(self).__name__} has no play(world)")

    def is_true(
        self,
        resource: Any,  # noqa: ARG002 - for those who say more
        world: SimulatedWorld,  # noqa: ARG002 - as above
        /,
    ) -> bool | Mapping[str, bool]:
        """Whether what the object asks for is so at this instant: what its ready condition claims.

        Several facts are told one by one, by name. Each must have been true at some moment since the object's
        generation began, before the object may say Ready; in the end all must be true at once.
        """
        return True

    def may_wait(self, resource: Any, world: SimulatedWorld, /) -> bool:  # noqa: ARG002 - as above
        """Whether an object may be at rest without being ready, with the reason that it states."""
        return False

    def may_stay(self, made: Version, /) -> bool:  # noqa: ARG002 - as above
        """Whether something that the operator made may be there when all its objects are gone."""
        return False

    def reports(self, resource: Any, /) -> Readiness:
        """What an object says of itself: what its ready condition does, unless a kind has other ways."""
        return readiness(resource)

    async def meddle(self, world: SimulatedWorld, number: int, /) -> None:
        """What others do at moments of their own, such as changing an object that the operator manages."""

    def judges(self) -> Sequence[Judge]:
        """Who judges it; all of them, unless the scenario says otherwise."""
        from windlass.testing.simulation.judges import all_judges

        return all_judges()
