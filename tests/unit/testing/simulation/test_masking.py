"""What a simulation prints has no values of Secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from planted import Registry, ShopController, Shops
from windlass.api import ObjectMeta
from windlass.errors import SimulationFailed
from windlass.kinds.core.v1 import ConfigMap, Secret
from windlass.reconcile import Context, Watch
from windlass.testing import simulate

if TYPE_CHECKING:
    from shopkeeping import Shop
    from windlass.testing import SimulatedWorld

WORD = "correct-horse"
LATER = "battery-staple"
LOST = "never-stored"


class Telling(Registry):
    """Tells the token in what it refuses, and in what it holds."""

    @override
    async def enter(self, shop: str, token: str = "") -> str:
        await super().enter(shop, "")
        raise ConnectionError(f"{token} is not welcome")


class Leaking(ShopController):
    """Puts the value of a Secret wherever a text can stand."""

    name = "shop"
    owns = (ConfigMap,)
    reads = (Watch(Secret),)

    @override
    async def enter(self, shop: Shop, ctx: Context) -> str:
        secret = await ctx.get(Secret, "token")
        token = secret.data["token"].decode() if secret else ""
        return await ctx.effect(f"enter by {token}", lambda: self.registry.enter(token, token))


class Leaks(Shops):
    """People keep a token in a Secret, and change it."""

    controller = Leaking

    def __init__(self) -> None:
        super().__init__()
        self.registry = Telling()
        self.outside = (self.registry,)

    @override
    async def play(self, world: SimulatedWorld) -> None:
        await world.create(Secret(metadata=ObjectMeta(name="token"), string_data={"token": WORD}))
        await world.change(Secret, "token", {"stringData": {"token": LATER}})
        await world.change(Secret, "nothing", {"stringData": {"token": LOST}})
        world.trace.add("people", "say", f"the tokens are {WORD} and {LATER}")
        await super().play(world)


def test_a_trace_and_a_failing_seed_have_no_values_of_secrets() -> None:
    with pytest.raises(SimulationFailed) as failed:
        simulate(Leaks, 3, attempts=0)

    message, outcome = str(failed.value), failed.value.outcome
    texts = [message, str(outcome.trace), outcome.trace.end(1000), str(outcome.finding)]
    texts.append(" ".join(str(entry) for entry in outcome.trace))
    assert not [word for word in (WORD, LATER, LOST) for text in texts if word in text]
    assert "crash Telling.enter('***', '***') #1" in message
    assert "change     Secret token {'stringData': {'token': '***'}}" in texts[1]
    assert "say        the tokens are *** and ***" in texts[1]
    assert "Telling.enter('***', '***')" in texts[1]
    assert "*** is not welcome" in texts[1]
    assert "Telling has *** twice" in str(outcome.finding)
