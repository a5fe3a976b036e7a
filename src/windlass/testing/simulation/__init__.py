"""An operator, its API server and its world in one thread, on virtual time; one seed decides everything.

You need it to see what your operator does when answers are lost, watches lag, the process dies between two
effects, or the lease passes to another while it was suspended; thousands of times in a minute, and again by
its seed. It is not a test of HTTP, of a real API server, or of anything that needs a thread or a socket.

    class Shops(Scenario):
        kinds = (Shop,)

        def operator(self, manager, world):
            manager.add(ShopController())

        async def play(self, world):
            await world.create(Shop(metadata=ObjectMeta(name="corner")))

    def test_shops_survive(simulate):
        simulate(Shops, seeds=50)
"""

from windlass.testing.simulation.court import Court, Finding
from windlass.testing.simulation.judge import Judge, Sent, Version
from windlass.testing.simulation.judges import all_judges
from windlass.testing.simulation.loop import SimulatedLoop
from windlass.testing.simulation.outside import Holding, Outside
from windlass.testing.simulation.readiness import Readiness
from windlass.testing.simulation.run import Outcome
from windlass.testing.simulation.scenario import Scenario
from windlass.testing.simulation.simulate import Simulate, Survey, simulate, simulate_many
from windlass.testing.simulation.trace import Trace
from windlass.testing.simulation.weather import Weather
from windlass.testing.simulation.world import SimulatedWorld

__all__ = [
    "Court",
    "Finding",
    "Holding",
    "Judge",
    "Outcome",
    "Outside",
    "Readiness",
    "Scenario",
    "Sent",
    "Simulate",
    "SimulatedLoop",
    "SimulatedWorld",
    "Survey",
    "Trace",
    "Version",
    "Weather",
    "all_judges",
    "simulate",
    "simulate_many",
]
