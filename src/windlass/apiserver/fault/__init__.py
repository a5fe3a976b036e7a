"""What goes wrong on demand: the words for it, the dice that decide, and the server's side of it.

    with cluster.faults.applied(Faults(conflict=0.05, lost=0.02, cut_every=timedelta(seconds=5)), seed=7):
        ...

`Faults` say which share of the requests meets what; a `Scope` says which requests are meant. `Dice` roll a
`Fate` for each request: the same for the same seed and the same order of requests. What a fate means is done
by an `Injector` in the server, and by `windlass.testing.FaultyTransport` on the way to any server.

A server without faults knows nothing of this package.
"""

from windlass.apiserver.exchange import Cut
from windlass.apiserver.fault.answer import answer
from windlass.apiserver.fault.fate import UNHARMED, Dice, Fate, StreamFate
from windlass.apiserver.fault.faults import CALM, Answer, Fault, Faults, Injection, Loss
from windlass.apiserver.fault.flow import Flow, unheard
from windlass.apiserver.fault.injector import Injector
from windlass.apiserver.fault.scope import Scope
from windlass.apiserver.route import Route, route

__all__ = [
    "CALM",
    "UNHARMED",
    "Answer",
    "Cut",
    "Dice",
    "Fate",
    "Fault",
    "Faults",
    "Flow",
    "Injection",
    "Injector",
    "Loss",
    "Route",
    "Scope",
    "StreamFate",
    "answer",
    "route",
    "unheard",
]
