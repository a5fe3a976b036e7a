"""A controller of Windlass inside an operator of kopf. Run with `kopf run inside_kopf.py`."""

import asyncio
from typing import Any

import kopf
from minimal import GreetingController

from windlass import Manager, ManagerOptions, connect


async def operate() -> None:
    """Run until cancelled."""
    async with connect() as client:
        manager = Manager(client, ManagerOptions(name="greeter"))
        manager.add(GreetingController())
        await manager.run()


@kopf.on.startup()
async def start(memo: kopf.Memo, **_: Any) -> None:
    """Begin with kopf, in its event loop."""
    memo.greeter = asyncio.create_task(operate())


@kopf.on.cleanup()
async def stop(memo: kopf.Memo, **_: Any) -> None:
    """End with kopf: what runs is let to end first."""
    memo.greeter.cancel()
    await asyncio.wait([memo.greeter])


@kopf.on.create("", "v1", "configmaps", labels={"old": "yes"})
def as_ever(name: str, **_: Any) -> None:
    """What the operator has always done goes on."""
    print("kopf has seen", name, flush=True)
