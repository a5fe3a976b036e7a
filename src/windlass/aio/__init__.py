"""Time, chance and processes as arguments; knows no Kubernetes.

Code that waits takes a `Clock`, so that the same code runs on wall time and, in a test, on a clock that a
test moves by hand:

    async def poll(clock: Clock) -> None:
        await clock.sleep(timedelta(minutes=10))
"""

from windlass.aio.cancel import is_cancelled
from windlass.aio.child import Child, end_child, start_child
from windlass.aio.clock import Clock, ManualClock, SystemClock
from windlass.aio.limit import within
from windlass.aio.run import run

__all__ = [
    "Child",
    "Clock",
    "ManualClock",
    "SystemClock",
    "end_child",
    "is_cancelled",
    "run",
    "start_child",
    "within",
]
