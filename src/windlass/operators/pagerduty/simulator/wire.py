from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import override

from windlass.operators.pagerduty.api import Wire

if TYPE_CHECKING:
    from windlass.operators.pagerduty.api import Call, Reply
    from windlass.operators.pagerduty.simulator.account import Account


class AccountWire(Wire):
    """The way to an account in this process: no sockets, and as slow as its weather says, on its clock.

    A caller that is cancelled on the way has asked in vain, one that is cancelled on the way back has not:
    as over the network, half of the time that an answer takes comes before it is done.
    """

    def __init__(self, account: Account) -> None:
        self._account = account

    @override
    async def send(self, call: Call) -> Reply:
        clock = self._account.clock
        with self._account.faults.during(call) as fault:
            await clock.sleep(fault.delay / 2)
            reply = self._account.handle(call, fault)
            await clock.sleep(fault.delay / 2)
        return reply
